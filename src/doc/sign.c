/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doc/sign.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

void signs_add(struct signs *signs, const char *key, enum severity severity, const char *why,
	const char *evidence_format, ...)
{
	char evidence[sizeof(((struct sign *)0)->evidence)];
	struct sign *s;
	va_list ap;

	va_start(ap, evidence_format);
	vsnprintf(evidence, sizeof(evidence), evidence_format, ap);
	va_end(ap);
	signs->signs = mem_grow(signs->signs, signs->n, &signs->capacity, sizeof(*signs->signs));
	s = &signs->signs[signs->n++];
	s->severity = severity;
	text_copy_clean(s->key, sizeof(s->key), key);
	text_copy_clean(s->evidence, sizeof(s->evidence), evidence);
	text_copy_clean(s->why, sizeof(s->why), why);
}

void signs_unmade(struct signs *signs, const char *key, const char *format, ...)
{
	struct unmade_check *u;
	va_list ap;

	signs->unmade = mem_grow(
		signs->unmade, signs->unmade_n, &signs->unmade_capacity, sizeof(*signs->unmade));
	u = &signs->unmade[signs->unmade_n++];
	text_copy_clean(u->key, sizeof(u->key), key);
	va_start(ap, format);
	vsnprintf(u->why_not, sizeof(u->why_not), format, ap);
	va_end(ap);
}

void signs_sort(struct signs *signs)
{
	for (size_t i = 1; i < signs->n; i++) {
		struct sign s = signs->signs[i];
		size_t at = i;

		for (; at && signs->signs[at - 1].severity < s.severity; at--)
			signs->signs[at] = signs->signs[at - 1];
		signs->signs[at] = s;
	}
}

void signs_release(struct signs *signs)
{
	free(signs->signs);
	free(signs->unmade);
	*signs = (struct signs){0};
}

const char *severity_name(enum severity severity)
{
	static const char *const names[] = {"info", "warn", "reject"};

	return names[severity];
}
