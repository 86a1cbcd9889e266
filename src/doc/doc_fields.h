/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plain members of a document (host, settings, run, identity) as one table, which writing and
 * reading walk. Internal to doc/. */
#ifndef DOC_DOC_FIELDS_H
#define DOC_DOC_FIELDS_H

#include <stddef.h>

enum field_type {
	FIELD_STRING, /* char[size]; "" is left out */
	FIELD_SECRET, /* the same, masked unless serials are shown */
	FIELD_U64,    /* uint64_t; above 2^63 - 1 written as a string of digits */
	FIELD_U32,    /* uint32_t or unsigned */
	FIELD_REAL,   /* double, finite, >= 0 */
	FIELD_FLAG,   /* bool, with another at known_offset that says whether it is known */
};

struct field {
	const char *object; /* key of the object it stands in */
	const char *name;   /* its key there */
	enum field_type type;
	unsigned char always; /* 0: zero means "not known" and is left out */
	size_t offset;        /* in struct doc */
	size_t size;          /* strings: bytes */
	size_t known_offset;  /* flags */
};

/* NULL past the last. Fields of one object stand together. */
const struct field *field_at(size_t i);

/* "EIO" for -EIO, "E134" for a number without a common name; and back, 0 when it is neither. */
const char *errno_name(char *buffer, size_t size, int error);
int errno_of_name(const char *name);

#endif
