/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front's end of the line to an asker. A question that gets no answer in time ends the line: the
 * asker is left to its drive, and the rest of platter goes on. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "clock_linux.h"
#include "front.h"
#include "host/platform.h"
#include "message.h"
#include "names.h"
#include "power.h"
#include "raid_volume.h"
#include "sentences.h"
#include "sysfs.h"

/* The command's own limit (command.h), and the kernel's time to clear up behind it. */
#define ANSWER_LIMIT_NS 30000000000u
#define BROKER_LIMIT_NS 10000000000u

struct line {
	int socket;
	uint32_t tag;
	int dead;       /* negative errno once nothing more is asked */
	bool suspended; /* the kernel has put it to sleep: asked whether it sleeps, say so untouched */
	struct wire_answer answer;
};

static int receive(struct line *l, uint32_t tag)
{
	uint64_t deadline_ns = clock_raw_ns() + ANSWER_LIMIT_NS;

	for (;;) {
		int status = front_wait_readable(l->socket, deadline_ns);
		ssize_t got;

		if (status)
			return status;
		got = recv(l->socket, &l->answer, sizeof(l->answer), 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0 || (got < 0 && errno == ECONNRESET))
			return -EPIPE;
		if (got < (ssize_t)WIRE_ANSWER_HEADER ||
			(size_t)got != WIRE_ANSWER_HEADER + l->answer.length)
			return -EPROTO;
		if (l->answer.tag == tag)
			return 0;
	}
}

static int from_sleep(enum question_kind kind, uint8_t *buffer, size_t size)
{
	if (kind == ASK_ATA_POWER && size >= 1) {
		buffer[0] = 0x00; /* standby */
		return 1;
	}
	if (kind == ASK_SCSI_READY && size >= 3) {
		memcpy(buffer, (uint8_t[]){0x02, 0x04, 0x02}, 3); /* initializing command required */
		return 3;
	}
	return -EAGAIN;
}

static int ask(void *context, enum question_kind kind, uint32_t id, void *buffer, size_t size)
{
	struct line *l = context;
	struct wire_question question = {.tag = ++l->tag, .kind = kind, .id = id};
	int status = l->dead;

	if (!status && l->suspended) {
		status = from_sleep(kind, buffer, size);
		if (status != -EAGAIN)
			return status;
		status = 0;
	}
	question.size = size < PAGE_BYTES_MAX ? (uint32_t)size : PAGE_BYTES_MAX;
	if (!status && send(l->socket, &question, sizeof(question), MSG_NOSIGNAL) < 0)
		status = -EPIPE;
	if (!status)
		status = receive(l, question.tag);
	if (status) {
		l->dead = status;
		return status;
	}
	if (l->answer.status == -ETIME)
		l->dead = -ETIME; /* who hung once is left alone */
	if (l->answer.status < 0)
		return l->answer.status;
	if (l->answer.length > size)
		return -EPROTO;
	memcpy(buffer, l->answer.bytes, l->answer.length);
	return (int)l->answer.length;
}

/* The device to ask: the whole disk, whatever part of it was named. */
static void whole_of(struct device_name *n, struct sysfs_device *d)
{
	char text[32];
	unsigned major, minor;

	if (!d->partition || sysfs_read(text, sizeof(text), "%s/dev", d->whole) != 0 ||
		sscanf(text, "%u:%u", &major, &minor) != 2)
		return;
	if (sysfs_by_number(d, makedev(major, minor)) != 0)
		return;
	snprintf(n->node, sizeof(n->node), "/dev/%s", d->name);
	snprintf(n->shown, sizeof(n->shown), "/dev/%s", d->name);
	n->number = d->number;
}

static bool is_multipath(const struct sysfs_device *d)
{
	char text[128];

	return sysfs_read(text, sizeof(text), "%s/dm/uuid", d->whole) == 0 &&
	       text_starts(text, "mpath-");
}

/* Nothing that the system knows stands against asking it? */
static int look(struct device_name *n, struct line *l, uint32_t *type, struct err *e)
{
	struct sysfs_device d;
	char host[64];

	*type = WIRE_TYPE_UNKNOWN;
	if (sysfs_by_number(&d, n->number) != 0)
		return 0;
	whole_of(n, &d);
	if (raid_volume(&d, host, sizeof(host)))
		return sentence_raid_volume(e, n->shown, host);
	if (text_starts(d.name, "dm-") && !is_multipath(&d))
		return sentence_not_asked(e, n->shown, n->number);
	*type = (uint32_t)sysfs_number(WIRE_TYPE_UNKNOWN, "%s/device/type", d.whole);
	l->suspended = power_of(&d) == POWER_ASLEEP;
	return 0;
}

static int open_line(struct platform *p, const struct device_name *n, uint32_t type, struct line *l)
{
	struct wire_request request = {.verb = WIRE_ASK, .number = n->number, .type = type};
	struct wire_reply reply;
	int fds[MESSAGE_FDS_MAX], status;

	snprintf(request.path, sizeof(request.path), "%s", n->node);
	status = front_call(p, &request, &reply, fds, BROKER_LIMIT_NS);
	if (!status)
		status = reply.status;
	if (status)
		return status;
	l->socket = fds[0];
	if (l->socket < 0)
		return -EPROTO;
	status = receive(l, 0);
	return status ? status : l->answer.status;
}

int platform_ask(struct platform *platform, const char *name, struct asker *asker, struct err *e)
{
	struct device_name n;
	struct line *l;
	uint32_t type;
	int status = names_resolve(&n, name, e);

	*asker = (struct asker){0};
	if (status)
		return status;
	l = mem_zalloc(1, sizeof(*l));
	l->socket = -1;
	status = look(&n, l, &type, e);
	if (!status) {
		status = open_line(platform, &n, type, l);
		if (status == -EOPNOTSUPP)
			sentence_not_asked(e, n.shown, n.number);
		else if (status)
			sentence_not_opened(e, n.shown, n.number, status);
	}
	*asker = (struct asker){ask, l};
	if (status)
		platform_unask(asker);
	return status;
}

void platform_unask(struct asker *asker)
{
	struct line *l = asker->context;

	if (l && l->socket >= 0)
		close(l->socket);
	free(l);
	*asker = (struct asker){0};
}
