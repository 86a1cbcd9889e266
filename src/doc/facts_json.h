/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts as JSON and back: the object that their paths make, and beside it where each was read, what
 * another source said, and which of them name the specimen. Internal to doc/, but for facts_json(). */
#ifndef DOC_FACTS_JSON_H
#define DOC_FACTS_JSON_H

#include <jansson.h>

#include "base/err.h"
#include "doc/doc_json.h"
#include "doc/facts.h"

/* The object; a fact whose path goes through another fact's value is left out. Never NULL. options
 * (NULL: nothing is shown whole) say what of FACT_SPECIMEN and FACT_PRIVATE stands in it. */
json_t *facts_json(const struct facts *facts, const struct doc_json_options *options);

/* {"path": "source"}: of the largest parts of the object all of which come from one source; what each
 * row of a table has from one source stands once, as "table[*].value". */
json_t *facts_json_sources(const struct facts *facts, const struct doc_json_options *options);

/* {"path": "specimen" | "private"} of those that are not open; they need no masking again. */
json_t *facts_json_privacy(const struct facts *facts, const struct doc_json_options *options);

/* Appends {"in", "path", "source", "other", "other_source"} for each that another source
 * contradicts. in: name of the object. */
void facts_json_disagreements(json_t *array, const char *in, const struct facts *facts,
	const struct doc_json_options *options);

/* Adds what the member `name` of root, an object of such facts, holds, with the sources and the rest
 * from root's "sources", "private" and "disagreements". 0 or -EINVAL with e. */
int facts_json_read(struct facts *facts, const json_t *root, const char *name, struct err *e);

/* The path with "*" for each number between brackets; dst has room for half as much again. */
void facts_json_any_row(char *dst, const char *path);

/* A secret as options let it be shown: whole, masked, or replaced; to be freed. */
char *secret_as_shown(const char *secret, const struct doc_json_options *options);

#endif
