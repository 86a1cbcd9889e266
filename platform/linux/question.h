/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a question (smart/pages.h) to the command for it, and from what came back to an answer. */
#ifndef PLATFORM_LINUX_QUESTION_H
#define PLATFORM_LINUX_QUESTION_H

#include "command.h"
#include "smart/pages.h"

/* Who is asked. Whoever fills it knows the descriptor and the door; the rest is learned on the way. */
struct asked {
	int fd;
	enum command_door door;
	uint32_t nsid;         /* COMMAND_DOOR_NVME */
	struct command_scope scope;
	bool short_ata;        /* takes ATA commands in 12 bytes only */
	bool short_mode;       /* takes MODE SENSE in 6 bytes only */
};

/* One question, as struct asker's ask() (smart/pages.h). Besides that -EINVAL: a page number that no
 * command has room for; -EPERM also: not among what may be asked. */
int question_ask(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer, size_t size);

/* From the standard INQUIRY data: is it a disk, to which ATA commands may go? */
void question_learn_type(struct asked *a, const uint8_t *inquiry, size_t length);

#endif
