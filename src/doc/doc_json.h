/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document as JSON (schema: src/doc/document.schema.json) and back. */
#ifndef DOC_DOC_JSON_H
#define DOC_DOC_JSON_H

#include "base/err.h"
#include "base/text.h"
#include "doc/doc.h"

struct doc_json_options {
	bool show_serial;   /* whole serial number and WWN instead of masked ones */
	bool full_identity; /* these, and names of people, places and hosts: labels, UUIDs */
	bool anonymous;     /* in place of serial number and WWN made-up ones, the same for the same
	                     * drive; wins over the others */
};

/* Appends the document, pretty-printed, keys in a fixed order, ending in a newline. options may be
 * NULL. Never fails: numbers that are not finite become null. */
void doc_json_write(const struct doc *doc, const struct doc_json_options *options,
	struct text *out);

/* Fills doc (released by the caller, also on failure) from length bytes of JSON. Nothing in it is
 * trusted. -EINVAL: not JSON, or not a platter document, or damaged: e says where and why;
 * -EPROTONOSUPPORT: a newer major version. Keys the catalogue does not know are skipped. */
int doc_json_read(struct doc *doc, const char *bytes, size_t length, struct err *e);

#endif
