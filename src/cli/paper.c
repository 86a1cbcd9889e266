/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doc → sheet → ink, or doc → JSON. Each document goes out when it is finished. */
#include "cli/paper.h"

#include <string.h>

#include "cli/say.h"
#include "doc/doc_json.h"
#include "out/text_report.h"
#include "sheet/sheet.h"

static int give(struct text *out)
{
	int status = say_output(out);

	text_release(out);
	return status;
}

struct doc_json_options paper_json(const struct options *o)
{
	return (struct doc_json_options){.show_serial = o->show_serial,
		.full_identity = o->full_identity, .anonymous = o->anonymous};
}

/* A drive that was asked and not measured. */
static bool only_told(const struct doc *doc)
{
	return !doc->findings_n && !doc->series_n && !doc->events_n &&
	       (doc->smart.n || doc->signs.made || doc->signs.unmade_n);
}

static int add_json(const struct paper *p, const struct doc *doc)
{
	struct doc_json_options json = paper_json(p->o);
	struct text out = {0};

	if (p->array)
		text_add(&out, "%s", p->n ? ",\n" : "[\n");
	doc_json_write(doc, &json, &out);
	/* the comma stands behind the brace */
	if (p->array && text_ends(text_chars(&out), "\n"))
		out.chars[--out.length] = 0;
	return give(&out);
}

struct text_style paper_style(const struct options *o, const struct terminal *t)
{
	const char *when = o->color ? o->color : "auto";

	return (struct text_style){
		.columns = t->columns,
		.utf8 = t->utf8 && !o->ascii,
		.color = strcmp(when, "always") == 0 || (strcmp(when, "auto") == 0 && t->color),
	};
}

static int add_report(const struct paper *p, const struct doc *doc)
{
	struct text_style style = paper_style(p->o, p->t);
	struct sheet sheet = {0};
	struct text out = {0};

	if (p->n)
		text_add(&out, "\n");
	if (only_told(doc))
		sheet_of_smart(&sheet, doc, p->o->show_serial || p->o->full_identity,
			p->o->full_identity);
	else
		sheet_of_doc(&sheet, doc, p->o->show_serial || p->o->full_identity);
	text_report(&sheet, &style, &out);
	sheet_release(&sheet);
	return give(&out);
}

int paper_add(struct paper *p, const struct doc *doc)
{
	int status = p->json ? add_json(p, doc) : add_report(p, doc);

	p->n++;
	return status;
}

int paper_end(struct paper *p)
{
	struct text out = {0};

	if (!p->json || !p->array)
		return EXIT_FINE;
	text_add(&out, "%s", p->n ? "\n]\n" : "[]\n");
	return give(&out);
}
