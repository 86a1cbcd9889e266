/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a drive's answers to what they say. Nothing here trusts a byte of them: every length is
 * checked, every field that a standard calls invalid is left out, and what is implausible is put
 * as it came with no meaning taken from it. */
#ifndef SMART_SMART_H
#define SMART_SMART_H

#include <stdbool.h>

#include "doc/facts.h"
#include "doc/identity.h"
#include "smart/pages.h"

/* What to ask besides what is already in pages. */
struct smart_wish {
	const struct identity *identity; /* what the system's own files told: transport, kind */
	bool wake;     /* ask also a drive that says it sleeps */
	bool identity_only; /* no SMART, no logs */
};

/* Asks, in order: is it awake; who is it; then each page that it says it has and that means
 * something here. Answers are added to pages, refused questions with their status; a question that
 * got no answer (-ETIME) is the last that is asked. A sleeping drive is left asleep: only the first
 * question is in pages then. */
void smart_ask(struct pages *pages, const struct asker *asker, const struct smart_wish *wish);

/* What the pages say, as facts with smartctl's names. size_bytes: of the device, 0 not known, to
 * tell a count of sectors from nonsense. */
void smart_read(struct facts *facts, const struct pages *pages, uint64_t size_bytes);
/* Its parts, each of which does nothing when none of its pages is there. */
void smart_read_ata(struct facts *facts, const struct pages *pages, uint64_t size_bytes);
void smart_read_scsi(struct facts *facts, const struct pages *pages);
void smart_read_nvme(struct facts *facts, const struct pages *pages);

/* Fills what id does not know yet from facts (model, serial, firmware, WWN, rotation rate, …). */
void smart_fill_identity(struct identity *id, const struct facts *facts);

#endif
