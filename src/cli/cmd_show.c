/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file → document → paper. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/paper.h"
#include "cli/say.h"
#include "doc/doc_json.h"

#define FILE_BYTES_MAX (512u << 20)

/* 0 or negative errno. */
static int read_all(FILE *f, struct text *content)
{
	char buffer[65536];
	size_t n;

	errno = 0;
	while ((n = fread(buffer, 1, sizeof(buffer), f)) > 0) {
		text_add_bytes(content, buffer, n);
		if (content->length > FILE_BYTES_MAX)
			return -EFBIG;
	}
	return ferror(f) ? (errno ? -errno : -EIO) : 0;
}

static int read_file(const char *name, struct text *content)
{
	FILE *f;
	int status;

	if (strcmp(name, "-") == 0)
		return read_all(stdin, content);
	f = fopen(name, "rb");
	if (!f)
		return -errno;
	status = read_all(f, content);
	fclose(f);
	return status;
}

int cmd_show(const struct options *o, const struct terminal *t)
{
	struct text content = {0};
	struct err e = {0};
	struct doc doc;
	int status;

	if (o->operands_n != 1)
		return usage_error(COMMAND_SHOW, "show takes one file that platter probe -o wrote");
	status = say_output_open();
	if (status)
		return status;
	status = read_file(o->operands[0], &content);
	if (status) {
		say("cannot read %s: %s", o->operands[0], strerror(-status));
		text_release(&content);
		return EXIT_UNSURE;
	}
	doc_init(&doc);
	if (doc_json_read(&doc, text_chars(&content), content.length, &e)) {
		say("%s: %s", o->operands[0], e.text);
		status = EXIT_USAGE;
	} else {
		status = paper_show(&doc, o, t);
	}
	doc_release(&doc);
	text_release(&content);
	return status;
}
