/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report in which every probe says the same of itself is not read: what is alike is said once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "doc/doc.h"

/* The note of that kind; notes_n: there is none. */
static size_t find_note(const struct doc *doc, const struct note_kind *kind)
{
	for (size_t i = 0; i < doc->parts_n; i++)
		if (text_starts(doc->notes[doc->parts[i].note], kind->head))
			return doc->parts[i].note;
	return doc->notes_n;
}

static void keep_part(struct doc *doc, size_t note, const char *subject, double amount)
{
	struct note_part *part;

	for (size_t i = 0; i < doc->parts_n; i++) {
		part = &doc->parts[i];
		if (part->note != note || strcmp(part->subject, subject) != 0)
			continue;
		part->amount = fmax(part->amount, amount);
		return;
	}
	doc->parts = mem_grow(doc->parts, doc->parts_n, &doc->parts_capacity, sizeof(*doc->parts));
	part = &doc->parts[doc->parts_n++];
	*part = (struct note_part){.note = note, .amount = amount};
	snprintf(part->subject, sizeof(part->subject), "%s", subject);
}

void doc_note_part(struct doc *doc, const struct note_kind *kind, const char *subject, double amount)
{
	size_t note = find_note(doc, kind);
	struct text t = {0};
	const char *between = "";

	if (note == doc->notes_n)
		doc_note(doc, "%s", kind->head);
	keep_part(doc, note, subject, amount);
	text_add(&t, "%s", kind->head);
	for (size_t i = 0; i < doc->parts_n; i++) {
		const struct note_part *part = &doc->parts[i];

		if (part->note != note)
			continue;
		text_add(&t, "%s%s %.*f%s", between, part->subject, kind->decimals, part->amount,
			kind->unit);
		between = ", ";
	}
	text_add(&t, "%s", kind->tail);
	free(doc->notes[note]);
	doc->notes[note] = text_take(&t);
}
