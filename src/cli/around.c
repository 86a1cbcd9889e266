/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is on the drive is looked at last: that goes through the page cache, which is measured before. */
#include "cli/around.h"

#include "judge/judge_signs.h"
#include "smart/smart.h"

void around_before(struct around *a, struct opener *opener, const char *name, bool wished)
{
	struct err ignored;

	*a = (struct around){.opener = opener, .name = name,
		.off = !wished || open_source(name) != SOURCE_DEVICE};
	if (!a->off && ask_drive(&a->before, opener->platform, name, ASK_AWAKE, &ignored))
		a->off = true; /* who opens it will say why */
}

void around_opened(struct around *a, struct doc *doc)
{
	struct err ignored;

	if (a->off)
		return;
	if (a->before.asleep) {
		asked_release(&a->before);
		if (ask_drive(&a->before, a->opener->platform, a->name, ASK_AWAKE, &ignored)) {
			a->off = true;
			return;
		}
	}
	doc->smart = a->before.facts;
	a->before.facts = (struct facts){0};
	smart_fill_identity(&doc->identity, &doc->smart);
}

static void ask_again(struct around *a, struct doc *doc)
{
	struct asked after;
	struct err ignored;

	if (!a->before.not_asked[0] &&
		ask_drive(&after, a->opener->platform, a->name, ASK_AWAKE, &ignored) == 0) {
		if (!after.not_asked[0]) {
			doc->smart_after = after.facts;
			after.facts = (struct facts){0};
		}
		asked_release(&after);
	}
}

void around_after(struct around *a, struct doc *doc, bool reachable)
{
	struct judge_signs_input in = {.identity = &doc->identity, .smart = &doc->smart,
		.smart_after = &doc->smart_after, .measured = doc};
	bool device = open_source(a->name) == SOURCE_DEVICE;
	struct err e = {0};

	if (!a->off && reachable)
		ask_again(a, doc);
	if (device && platform_contents(reachable ? a->opener->platform : NULL, a->name,
			&doc->contents, &e))
		signs_unmade(&doc->signs, "contents", "%s", e.text);
	if (doc->contents.n)
		in.contents = &doc->contents;
	if (device && a->off)
		in.not_asked = "The drive was not asked, as --no-smart says.";
	else if (a->before.not_asked[0])
		in.not_asked = a->before.not_asked;
	judge_signs(&doc->signs, &in);
}

void around_release(struct around *a)
{
	asked_release(&a->before);
}
