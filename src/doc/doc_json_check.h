/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking values out of a file that is not trusted. Internal to doc/. */
#ifndef DOC_DOC_JSON_CHECK_H
#define DOC_DOC_JSON_CHECK_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "doc/doc.h"

/* Says that the file is damaged at OBJECT.NAME, which `what` goes on about; returns -EINVAL. */
int json_damaged(struct err *e, const char *object, const char *name, const char *what);

/* The member, checked to be an object or array; a missing one gives NULL and 0; else -EINVAL, e. */
int json_member(const json_t *root, const char *name, json_type type, const json_t **value,
	struct err *e);

/* A whole number of 0 … max, also as a string of digits; -EINVAL or -ERANGE for anything else. */
int json_read_whole(const json_t *value, uint64_t max, uint64_t *n);

/* The same of a member; a missing one is 0. */
int json_read_count(const json_t *object, const char *name, uint64_t max, uint64_t *n);

/* NAN for a missing member or null; -EINVAL for what is not a number of low … high. */
int json_read_real(const json_t *object, const char *name, double low, double high, double *value);

/* A string, cleaned; "" for a missing one; -EINVAL for anything else. */
int json_read_string(const json_t *object, const char *name, char *dst, size_t size);

/* A cleaned copy of a string of any length, which the caller frees. */
char *json_copy_string(const json_t *string);

/* What was found, from the objects of these names; 0, or -EINVAL with e. */
int json_read_findings(struct doc *doc, const json_t *findings, struct err *e);
int json_read_series(struct doc *doc, const json_t *all, struct err *e);
int json_read_signs(struct doc *doc, const json_t *root, struct err *e);
int json_read_events(struct doc *doc, const json_t *root, struct err *e);

#endif
