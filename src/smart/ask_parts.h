/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One round of questions to one drive. Internal to smart/. */
#ifndef SMART_ASK_PARTS_H
#define SMART_ASK_PARTS_H

#include "smart/pages.h"
#include "smart/smart.h"

#define ASK_BUFFER 8192u

struct asking {
	struct pages *pages;
	const struct asker *asker;
	const struct smart_wish *wish;
	uint8_t *buffer; /* ASK_BUFFER bytes */
	bool silent;     /* a question got no answer: none is asked any more */
};

/* What an ATA drive says it has, IDENTIFY words 82 to 87 and 206. */
struct ata_abilities {
	bool smart; /* supported and on */
	bool error_log, self_test_log, general_logs, sct, seagate;
};

bool asking_go_on(const struct asking *a);
/* Asks for up to size bytes, once, and adds what came; what a command gave before, or the system
 * kept when the command is refused, stays. NULL: no answer. Valid until the next question. */
const struct page *asking_put(struct asking *a, enum question_kind kind, uint32_t id, size_t size);

/* A SCSI drive that is awake and of a type that is known: who it is, then how it is. */
void ask_scsi_identity(struct asking *a);
void ask_scsi_health(struct asking *a);

#endif
