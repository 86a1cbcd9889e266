/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t checked_bytes(size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		abort();
	return n > 0 && size > 0 ? n * size : 1;
}

void *mem_zalloc(size_t n, size_t size)
{
	void *p = calloc(1, checked_bytes(n, size));

	if (!p)
		abort();
	return p;
}

void *mem_resize(void *p, size_t n, size_t size)
{
	void *q = realloc(p, checked_bytes(n, size));

	if (!q)
		abort();
	return q;
}

void *mem_grow(void *p, size_t used, size_t *capacity, size_t size)
{
	if (used < *capacity)
		return p;
	*capacity = *capacity ? *capacity * 2 : 16;
	return mem_resize(p, *capacity, size);
}

char *mem_strdup(const char *s)
{
	return s ? mem_copy(s, strlen(s) + 1, 1) : NULL;
}

void *mem_copy(const void *p, size_t n, size_t size)
{
	void *q = mem_resize(NULL, n, size);

	if (n > 0 && size > 0)
		memcpy(q, p, n * size);
	return q;
}
