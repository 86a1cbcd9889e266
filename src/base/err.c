/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *e, int code, const char *format, ...)
{
	va_list ap;

	if (!e)
		return code;
	e->code = code;
	va_start(ap, format);
	vsnprintf(e->text, sizeof(e->text), format, ap);
	va_end(ap);
	return code;
}

void err_prefix(struct err *e, const char *prefix)
{
	char old[sizeof(e->text)];

	if (!e)
		return;
	memcpy(old, e->text, sizeof(old));
	snprintf(e->text, sizeof(e->text), "%.200s: %.300s", prefix, old);
}
