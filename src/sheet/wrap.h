/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breaking text into lines. Widths are columns, and a column is one code point of UTF-8. */
#ifndef SHEET_WRAP_H
#define SHEET_WRAP_H

#include <stddef.h>

/* Columns of s. */
size_t wrap_columns(const char *s);

/* Bytes of the first `columns` columns of s (all of s when it is shorter). */
size_t wrap_bytes(const char *s, size_t columns);

/* The first line of s at most width columns wide (width > 0), broken at a space where there is one:
 * its bytes in *length; returns where the next line starts, at the ending 0 when there is none. */
const char *wrap_next(const char *s, size_t width, size_t *length);

/* Lines that s takes at this width; at least 1. */
size_t wrap_lines(const char *s, size_t width);

#endif
