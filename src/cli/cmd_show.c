/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file → document → paper. An array of documents is cut into their texts, so that each is read, and
 * found fault with, as a file of its own would be; nothing is shown before all are read. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/paper.h"
#include "cli/say.h"
#include "doc/doc_json.h"

struct piece {
	const char *at;
	size_t length;
};

struct pieces {
	struct piece *list;
	size_t n, capacity;
};

static void add_piece(struct pieces *p, const char *at, size_t length)
{
	if (p->n == p->capacity) {
		p->capacity = p->capacity ? 2 * p->capacity : 16;
		p->list = mem_resize(p->list, p->capacity, sizeof(*p->list));
	}
	p->list[p->n++] = (struct piece){at, length};
}

static const char *skip_space(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
		at++;
	return at;
}

/* Where the element that begins at `at` ends: its comma, the array's bracket, or the end. */
static const char *element_end(const char *at, const char *end)
{
	size_t depth = 0;
	bool string = false;

	for (; at < end; at++) {
		if (string) {
			if (*at == '\\' && at + 1 < end)
				at++;
			else if (*at == '"')
				string = false;
		} else if (*at == '"') {
			string = true;
		} else if (*at == '{' || *at == '[') {
			depth++;
		} else if ((*at == ',' || *at == ']') && depth == 0) {
			return at;
		} else if ((*at == '}' || *at == ']') && depth > 0) {
			depth--;
		}
	}
	return end;
}

/* The documents in the text; *array: they stand in an array. false: the array does not end. */
static bool cut(struct pieces *p, const struct text *content, bool *array)
{
	const char *at = text_chars(content);
	const char *end = at + content->length;
	const char *next;

	at = skip_space(at, end);
	*array = at < end && *at == '[';
	if (!*array) {
		add_piece(p, text_chars(content), content->length);
		return true;
	}
	at = skip_space(at + 1, end);
	if (at < end && *at == ']')
		return skip_space(at + 1, end) == end;
	for (;; at = next + 1) {
		next = element_end(at, end);
		add_piece(p, at, (size_t)(next - at));
		if (next == end)
			return false;
		if (*next == ']')
			return skip_space(next + 1, end) == end;
	}
}

static int show_all(struct doc *docs, const struct pieces *p, bool array, const struct options *o,
	const struct terminal *t)
{
	struct paper paper = {.o = o, .t = t, .json = o->json, .array = array};
	struct err e = {0};
	int status = EXIT_FINE;

	for (size_t i = 0; i < p->n; i++) {
		doc_init(&docs[i]);
		if (!doc_json_read(&docs[i], p->list[i].at, p->list[i].length, &e))
			continue;
		if (array)
			say("%s: document %zu of %zu: %s", o->operands[0], i + 1, p->n, e.text);
		else
			say("%s: %s", o->operands[0], e.text);
		status = EXIT_USAGE;
		break;
	}
	for (size_t i = 0; i < p->n && status == EXIT_FINE; i++)
		status = paper_add(&paper, &docs[i]);
	return status == EXIT_FINE ? paper_end(&paper) : status;
}

static int show_text(const struct text *content, const struct options *o, const struct terminal *t)
{
	struct pieces pieces = {0};
	bool array, whole = cut(&pieces, content, &array);
	struct doc *docs = mem_zalloc(pieces.n + 1, sizeof(*docs));
	int status;

	if (whole) {
		status = show_all(docs, &pieces, array, o, t);
	} else {
		say("%s: the array of documents does not end where it should; the file is cut off "
			"or damaged", o->operands[0]);
		status = EXIT_USAGE;
	}
	for (size_t i = 0; i < pieces.n; i++)
		doc_release(&docs[i]);
	free(docs);
	free(pieces.list);
	return status;
}

int cmd_show(const struct options *o, const struct terminal *t)
{
	struct text content = {0};
	int status;

	if (o->operands_n != 1)
		return usage_error(COMMAND_SHOW, "show takes one file that platter probe -o wrote");
	status = say_output_open();
	if (status)
		return status;
	status = load_file(o->operands[0], &content);
	if (status) {
		say("cannot read %s: %s", o->operands[0], strerror(-status));
		text_release(&content);
		return EXIT_UNSURE;
	}
	status = show_text(&content, o, t);
	text_release(&content);
	return status;
}
