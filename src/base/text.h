/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A string that grows. `struct text t = {0};` is empty and ready; text_release() frees it. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
	char *chars;     /* ends in 0; NULL while nothing was added: use text_chars() */
	size_t length;   /* bytes, the 0 not counted */
	size_t capacity; /* bytes allocated */
};

/* Adds formatted text, or length bytes as they are, or one character count times. */
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_v(struct text *t, const char *format, va_list ap)
	__attribute__((format(printf, 2, 0)));
void text_add_bytes(struct text *t, const char *bytes, size_t length);
void text_add_fill(struct text *t, char c, size_t count);

/* The string, "" when nothing was added; valid until the next text_ call on t. */
const char *text_chars(const struct text *t);

/* Hands the string to the caller, who frees it; t is empty afterwards. Never NULL. */
char *text_take(struct text *t);

/* Frees what is inside and makes t empty. */
void text_release(struct text *t);

bool text_starts(const char *s, const char *prefix);
bool text_ends(const char *s, const char *suffix);

/* Removes white space at both ends, in place; returns the first character kept. */
char *text_trim(char *s);

/* Copies src to dst (size bytes, always ended by 0), cutting what does not fit and replacing
 * each control character, byte that is not valid UTF-8, and character that turns the direction of
 * text or ends a line (U+202E and its like) with '?': for text that came from a drive or a file. */
void text_copy_clean(char *dst, size_t size, const char *src);

#endif
