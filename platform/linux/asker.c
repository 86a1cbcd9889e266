/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open, find out which door there is, give up what is not needed, say so; then a question comes and
 * an answer goes. Nothing is looked at in an answer but the three bytes that decide what may be
 * asked next: is it a disk, is it a Seagate. */
#include "asker.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"
#include "question.h"

/* Not blocking: a card reader without a card can be asked too. */
static int open_device(const struct wire_request *request)
{
	int fd = open(request->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == request->number)
		return fd;
	close(fd);
	return -ENOTBLK;
}

static int say(int socket, struct wire_answer *answer)
{
	return send(socket, answer, WIRE_ANSWER_HEADER + answer->length, MSG_NOSIGNAL) < 0;
}

static void learn_type(struct asked *a, uint32_t type)
{
	uint8_t inquiry[36] = {(uint8_t)type};
	int got = 1;

	if (a->door != COMMAND_DOOR_SCSI)
		return;
	if (type == WIRE_TYPE_UNKNOWN)
		got = question_ask(a, ASK_SCSI_INQUIRY, 0, inquiry, sizeof(inquiry));
	question_learn_type(a, inquiry, got > 0 ? (size_t)got : 0);
}

static void serve(struct asked *a, const struct wire_question *question, struct wire_answer *answer)
{
	uint32_t size = question->size < PAGE_BYTES_MAX ? question->size : PAGE_BYTES_MAX;
	int got = -EOPNOTSUPP;

	if (question->kind < ASK_KINDS)
		got = question_ask(a, (enum question_kind)question->kind, question->id,
			answer->bytes, size);
	answer->tag = question->tag;
	answer->status = got < 0 ? got : 0;
	answer->length = got < 0 ? 0 : (uint32_t)got;
}

_Noreturn void asker_main(int socket, const struct wire_request *request, pid_t parent)
{
	static struct wire_answer answer;
	struct wire_question question;
	struct asked a = {0};
	int status = confine_descriptors(&socket, 1);

	a.fd = status ? status : open_device(request);
	answer.status = a.fd < 0 ? a.fd : 0;
	if (!answer.status) {
		a.door = command_door_of(a.fd, &a.nsid);
		answer.status = a.door == COMMAND_DOOR_NONE ? -EOPNOTSUPP : confine_asker(parent);
	}
	if (!answer.status)
		learn_type(&a, request->type);
	if (say(socket, &answer) || answer.status)
		_exit(1);
	while (recv(socket, &question, sizeof(question), 0) == (ssize_t)sizeof(question)) {
		serve(&a, &question, &answer);
		if (say(socket, &answer))
			break;
	}
	_exit(0);
}
