/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doc → sheet → ink. */
#include "cli/paper.h"

#include <string.h>

#include "cli/say.h"
#include "doc/doc_json.h"
#include "out/text_report.h"
#include "sheet/sheet.h"

int paper_json(const struct doc *doc, const struct options *o)
{
	struct doc_json_options json = {.show_serial = o->show_serial};
	struct text out = {0};
	int status;

	doc_json_write(doc, &json, &out);
	status = say_output(&out);
	text_release(&out);
	return status;
}

static struct text_style style_of(const struct options *o, const struct terminal *t)
{
	const char *when = o->color ? o->color : "auto";

	return (struct text_style){
		.columns = t->columns,
		.utf8 = t->utf8 && !o->ascii,
		.color = strcmp(when, "always") == 0 || (strcmp(when, "auto") == 0 && t->color),
	};
}

int paper_show(const struct doc *doc, const struct options *o, const struct terminal *t)
{
	struct text_style style = style_of(o, t);
	struct sheet sheet = {0};
	struct text out = {0};
	int status;

	if (o->json)
		return paper_json(doc, o);
	sheet_of_doc(&sheet, doc, o->show_serial);
	text_report(&sheet, &style, &out);
	status = say_output(&out);
	text_release(&out);
	sheet_release(&sheet);
	return status;
}
