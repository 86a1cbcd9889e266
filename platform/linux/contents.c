/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What needs no open comes from sysfs: partitions and who uses them. What is on the drive is looked
 * for by a process of its own (signatures.h) when the drive may be opened; else what udev found when
 * the drive appeared is repeated, with its source. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "clock_linux.h"
#include "front.h"
#include "host/platform.h"
#include "message.h"
#include "names.h"
#include "sentences.h"
#include "signatures.h"
#include "sysfs.h"
#include "use.h"

#define SECTOR_BYTES   512u
#define PARTITIONS_MAX 256u
#define NS_PER_S       1000000000u
#define LATER_S        2u /* than the other process should have ended by itself */

struct known_partition {
	uint64_t start_bytes, size_bytes;
	uint32_t number;
	size_t signatures;
};

struct looking {
	struct facts *facts;
	const struct sysfs_device *d;
	struct known_partition partitions[PARTITIONS_MAX];
	size_t n;
	size_t signatures; /* of the whole */
	size_t unreadable;
};

/* ---- without opening anything ---- */

static int put_partition(void *arg, const char *name)
{
	struct looking *l = arg;
	struct known_partition *p = &l->partitions[l->n];
	struct sysfs_device d;

	if (l->n >= PARTITIONS_MAX || sysfs_by_name(&d, name) != 0 || !d.partition)
		return 0;
	p->start_bytes = sysfs_number(0, "%s/start", d.dir) * SECTOR_BYTES;
	p->number = (uint32_t)sysfs_number(0, "%s/partition", d.dir);
	facts_text(l->facts, "sysfs", FACT_OPEN, d.name, "partitions[%zu].name", l->n);
	facts_integer(l->facts, "sysfs", (int64_t)p->start_bytes, "partitions[%zu].start_bytes", l->n);
	p->size_bytes = sysfs_number(0, "%s/size", d.dir) * SECTOR_BYTES;
	facts_integer(l->facts, "sysfs", (int64_t)p->size_bytes, "partitions[%zu].size_bytes", l->n);
	facts_integer(l->facts, "sysfs", p->number, "partitions[%zu].number", l->n);
	l->n++;
	return 0;
}

/* "E:ID_FS_TYPE=ext4\n" in a database file of udev's; "" when there is none. */
static void udev_word(char *dst, size_t size, const char *file, const char *key)
{
	const char *at = strstr(file, key);
	size_t n;

	dst[0] = 0;
	if (!at || (at != file && at[-1] != '\n'))
		return;
	at += strlen(key);
	n = strcspn(at, "\n");
	if (n < size) {
		memcpy(dst, at, n);
		dst[n] = 0;
	}
}

static void put_udev(struct looking *l, uint64_t number, const char *prefix)
{
	char *file = mem_zalloc(1, 65536), path[64], word[64];
	size_t length;

	snprintf(path, sizeof(path), "/run/udev/data/b%u:%u", major(number), minor(number));
	if (sysfs_read_bytes(file, 65535, &length, path) == 0) {
		udev_word(word, sizeof(word), file, "E:ID_FS_TYPE=");
		facts_text(l->facts, "udev", FACT_OPEN, word, "%ssignatures[0].type", prefix);
		udev_word(word, sizeof(word), file, "E:ID_FS_USAGE=");
		facts_text(l->facts, "udev", FACT_OPEN, word, "%ssignatures[0].usage", prefix);
		udev_word(word, sizeof(word), file, "E:ID_PART_TABLE_TYPE=");
		if (!prefix[0])
			facts_text(l->facts, "udev", FACT_OPEN, word, "partition_table.type");
	}
	free(file);
}

static void put_what_udev_saw(struct looking *l)
{
	put_udev(l, l->d->number, "");
	for (size_t i = 0; i < l->n; i++) {
		char path[128], prefix[64];
		struct sysfs_device part;

		snprintf(path, sizeof(path), "partitions[%zu].name", i);
		snprintf(prefix, sizeof(prefix), "partitions[%zu].", i);
		if (sysfs_by_name(&part, facts_words(l->facts, path)) == 0)
			put_udev(l, part.number, prefix);
	}
}

/* ---- what the other process found ---- */

static struct known_partition *partition_of(struct looking *l, const struct found *f, size_t *at)
{
	for (*at = 0; *at < l->n; ++*at) {
		const struct known_partition *p = &l->partitions[*at];

		if (f->kind == FOUND_PARTITION ? p->start_bytes == f->start
			: p->number == f->partition)
			return &l->partitions[*at];
	}
	return NULL;
}

static void add_partition(struct looking *l, const struct found *f)
{
	static const char source[] = "partition table";
	struct known_partition *p;
	size_t i;

	p = partition_of(l, f, &i);
	if (!p) {
		if (l->n >= PARTITIONS_MAX)
			return;
		p = &l->partitions[l->n++];
		*p = (struct known_partition){.start_bytes = f->start, .size_bytes = f->size};
		/* the kernel has no name for it */
		facts_integer(l->facts, source, (int64_t)f->start, "partitions[%zu].start_bytes", i);
		facts_integer(l->facts, source, (int64_t)f->size, "partitions[%zu].size_bytes", i);
	}
	p->number = f->partition;
	if (strcmp(f->usage, "nested") == 0)
		facts_flag(l->facts, source, true, "partitions[%zu].nested", i);
	/* the kernel shortens one that ends behind the end of the drive */
	if (f->size > p->size_bytes)
		facts_integer(l->facts, source, (int64_t)f->size, "partitions[%zu].size_in_table_bytes",
			i);
	facts_integer(l->facts, source, f->partition, "partitions[%zu].number", i);
	facts_text(l->facts, source, FACT_OPEN, f->type, "partitions[%zu].type", i);
	facts_text(l->facts, source, FACT_PRIVATE, f->label, "partitions[%zu].label", i);
	facts_text(l->facts, source, FACT_PRIVATE, f->uuid, "partitions[%zu].uuid", i);
}

static void add_signature(struct looking *l, const struct found *f)
{
	static const char source[] = "libblkid";
	char prefix[96];
	size_t i;

	if (f->partition) {
		struct known_partition *p = partition_of(l, f, &i);

		if (!p)
			return;
		snprintf(prefix, sizeof(prefix), "partitions[%zu].signatures[%zu]", i,
			p->signatures++);
	} else {
		snprintf(prefix, sizeof(prefix), "signatures[%zu]", l->signatures++);
	}
	facts_text(l->facts, source, FACT_OPEN, f->type, "%s.type", prefix);
	facts_text(l->facts, source, FACT_OPEN, f->usage, "%s.usage", prefix);
	facts_text(l->facts, source, FACT_PRIVATE, f->label, "%s.label", prefix);
	facts_text(l->facts, source, FACT_PRIVATE, f->uuid, "%s.uuid", prefix);
	if (f->offset <= INT64_MAX)
		facts_integer(l->facts, source, (int64_t)f->offset, "%s.offset_bytes", prefix);
}

static void add_gpt(struct looking *l, const struct found *f)
{
	static const char source[] = "GPT header";

	if (!facts_words(l->facts, "partition_table.type")[0])
		facts_text(l->facts, source, FACT_OPEN, f->type, "partition_table.type");
	if (!f->start)
		return;
	if (f->size)
		facts_integer(l->facts, source, (int64_t)f->size, "partition_table.size_bytes");
	facts_integer(l->facts, source, (int64_t)f->start, "partition_table.block_bytes");
	facts_text(l->facts, source, FACT_OPEN, f->label, "partition_table.first_copy");
	facts_text(l->facts, source, FACT_OPEN, f->uuid, "partition_table.second_copy");
}

static void add_unreadable(struct looking *l, const struct found *f)
{
	if (f->offset > INT64_MAX || f->size >= 4096)
		return;
	facts_integer(l->facts, "read", (int64_t)f->offset, "platter.unreadable[%zu].offset_bytes",
		l->unreadable);
	facts_text(l->facts, "read", FACT_OPEN, strerror((int)f->size),
		"platter.unreadable[%zu].error", l->unreadable);
	l->unreadable++;
}

static void add_found(struct looking *l, struct found *f)
{
	char *const strings[] = {f->type, f->usage, f->label, f->uuid};
	const size_t sizes[] = {sizeof(f->type), sizeof(f->usage), sizeof(f->label), sizeof(f->uuid)};

	for (size_t i = 0; i < 4; i++)
		strings[i][sizes[i] - 1] = 0;
	if (f->start > INT64_MAX || f->size > INT64_MAX)
		return;
	switch (f->kind) {
	case FOUND_TABLE:
		facts_text(l->facts, "libblkid", FACT_OPEN, f->type, "partition_table.type");
		facts_text(l->facts, "libblkid", FACT_PRIVATE, f->uuid, "partition_table.uuid");
		break;
	case FOUND_GPT: add_gpt(l, f); break;
	case FOUND_UNREADABLE: add_unreadable(l, f); break;
	case FOUND_PARTITION: add_partition(l, f); break;
	case FOUND_SIGNATURE: add_signature(l, f); break;
	default: break;
	}
}

/* 0 once all has come; -ETIME; -EPIPE: it ended before that; else what kept it. */
static int receive(struct looking *l, int socket)
{
	uint64_t deadline_ns = clock_raw_ns() + (uint64_t)(SIGNATURES_LIMIT_S + LATER_S) * NS_PER_S;
	struct found f;

	for (;;) {
		struct pollfd p = {.fd = socket, .events = POLLIN};
		uint64_t now_ns = clock_raw_ns();
		int n, status;

		if (now_ns >= deadline_ns)
			return -ETIME;
		n = poll(&p, 1, (int)((deadline_ns - now_ns) / 1000000u + 1));
		if (n <= 0)
			continue;
		status = message_receive(socket, &f, sizeof(f), NULL);
		if (status)
			return status;
		if (f.kind == FOUND_ALL)
			return f.size > 0 && f.size < 4096 ? -(int)f.size : 0;
		add_found(l, &f);
	}
}

static int look(struct platform *p, const struct device_name *n, struct looking *l, struct err *e)
{
	static struct wire_request request;
	struct wire_reply reply;
	int fds[MESSAGE_FDS_MAX] = {-1, -1}, status;

	request = (struct wire_request){.verb = WIRE_CONTENTS, .number = n->number};
	memcpy(request.path, n->node, sizeof(request.path));
	status = front_call(p, &request, &reply, fds, FRONT_LIMIT_NS);
	if (!status)
		status = reply.status;
	if (status)
		return sentence_not_opened(e, n->shown, n->number, status);
	if (reply.bytes)
		facts_flag(l->facts, "O_EXCL", true, "platter.held_exclusively");
	status = receive(l, fds[0]);
	close(fds[0]);
	if (!status)
		facts_flag(l->facts, "libblkid", true, "platter.signatures_looked_for");
	if (status == -ENOSYS)
		return err_set(e, -EOPNOTSUPP, "This platter was built without libblkid, which knows "
			"what file systems and arrays look like.");
	if (status)
		return err_set(e, status, "What is on %s could not be told: %s.", n->shown,
			status == -ETIME ? "it took too long to read its beginning and end"
			: status == -EIO ? "its beginning cannot be read"
			: "looking for it ended early");
	return 0;
}

/* Held, but by nobody that can be seen: ZFS shows itself only so. */
static void name_holder(struct looking *l)
{
	struct facts *f = l->facts;
	bool zfs = false;

	if (facts_is(f, "platter.held_exclusively") != 1 || facts_length(f, "use"))
		return;
	for (size_t i = 0; i < f->n; i++)
		zfs = zfs || (f->facts[i].type == FACT_TEXT &&
				     strcmp(f->facts[i].text, "zfs_member") == 0);
	facts_text(f, "O_EXCL", FACT_OPEN, zfs ? "held exclusively, by ZFS as it seems"
		: "held exclusively, by whom is not to be seen", "use[0]");
}

int platform_contents(struct platform *platform, const char *name, struct facts *contents,
	struct err *e)
{
	struct looking *l;
	struct sysfs_device d;
	struct device_name n;
	int status = names_resolve(&n, name, e);

	if (status)
		return status;
	l = mem_zalloc(1, sizeof(*l));
	l->facts = contents;
	l->d = &d;
	if (sysfs_by_number(&d, n.number) != 0)
		memset(&d, 0, sizeof(d));
	if (d.dir[0]) {
		use_facts(contents, &d);
		if (!d.partition)
			sysfs_each(d.dir, put_partition, l);
	}
	if (platform)
		status = look(platform, &n, l, e);
	if (d.dir[0] && (!platform || status))
		put_what_udev_saw(l);
	name_holder(l);
	free(l);
	return status;
}
