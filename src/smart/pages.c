/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "smart/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const struct page *pages_find(const struct pages *pages, enum question_kind kind, uint32_t id)
{
	for (size_t i = 0; i < pages->n; i++)
		if (pages->pages[i].kind == kind && pages->pages[i].id == id)
			return &pages->pages[i];
	return NULL;
}

const struct page *pages_answer(
	const struct pages *pages, enum question_kind kind, uint32_t id, size_t least)
{
	const struct page *p = pages_find(pages, kind, id);

	return p && p->status == 0 && p->length >= least ? p : NULL;
}

void pages_add(struct pages *pages, enum question_kind kind, uint32_t id, int status,
	const char *source, const void *bytes, size_t length)
{
	struct page *p = (struct page *)pages_find(pages, kind, id);

	if (!p) {
		pages->pages = mem_grow(
			pages->pages, pages->n, &pages->capacity, sizeof(*pages->pages));
		p = &pages->pages[pages->n++];
		p->bytes = NULL;
	}
	free(p->bytes);
	*p = (struct page){.kind = kind, .id = id, .status = status, .source = source};
	if (status == 0) {
		p->bytes = mem_copy(bytes, length, 1);
		p->length = length;
	}
}

void pages_release(struct pages *pages)
{
	for (size_t i = 0; i < pages->n; i++)
		free(pages->pages[i].bytes);
	free(pages->pages);
	*pages = (struct pages){0};
}
