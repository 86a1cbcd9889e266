/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages are collected first and read once: an answer of the drive stands where there is one, a page
 * that the system kept where there is none. */
#include "cli/asked.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "smart/dump.h"
#include "smart/smart.h"

/* Whether it said more than that it is ready or not. */
static bool answered(const struct pages *pages)
{
	for (size_t i = 0; i < pages->n; i++) {
		const struct page *p = &pages->pages[i];

		if (p->status == 0 && p->kind != ASK_SCSI_READY && p->kind != ASK_ATA_POWER &&
			strcmp(p->source, "command") == 0)
			return true;
	}
	return false;
}

static int first_failure(const struct pages *pages)
{
	for (size_t i = 0; i < pages->n; i++)
		if (pages->pages[i].status)
			return pages->pages[i].status;
	return -EOPNOTSUPP;
}

static void why_no_answer(struct asked *a)
{
	int status = first_failure(&a->pages);
	const char *why = "The drive, or what stands between, does not take such questions.";

	a->status = status;
	if (status == -EACCES || status == -EPERM)
		why = "Only root may ask the drive itself; try again with sudo.";
	else if (status == -ETIME)
		why = "The drive gave no answer to what it was asked.";
	else if (status == -EIO || status == -ENODEV)
		why = "Every question to the drive failed; look at its cable and power, and at the "
		      "system's log.";
	a->no_answer = a->pages.n && status != -EACCES && status != -EPERM;
	snprintf(a->not_asked, sizeof(a->not_asked), "%s", why);
}

/* SPC-6 4.5: not ready (2), medium not present (3Ah). */
static bool no_medium(const struct pages *pages)
{
	const struct page *ready = pages_answer(pages, ASK_SCSI_READY, 0, 3);

	return ready && ready->bytes[0] == 2 && ready->bytes[1] == 0x3A;
}

static void ask_itself(struct asked *a, struct platform *platform, const char *name, bool wake)
{
	struct smart_wish wish = {.identity = &a->identity, .wake = wake};
	struct asker asker;
	struct err why = {0};

	a->status = platform_ask(platform, name, &asker, &why);
	if (a->status) {
		snprintf(a->not_asked, sizeof(a->not_asked), "%s", why.text);
		return;
	}
	smart_ask(&a->pages, &asker, &wish);
	platform_unask(&asker);
}

static void note_sleep(struct asked *a, enum ask_how how)
{
	a->asleep = how == ASK_AWAKE && facts_is(&a->facts, "platter.asleep") == 1;
	if (a->asleep && !a->not_asked[0])
		snprintf(a->not_asked, sizeof(a->not_asked),
			"The drive sleeps and was left so; --wake asks it all the same.");
}

/* One value in every byte is what a bridge hands over in place of a drive's answer. */
static bool blank(const struct pages *pages, enum question_kind kind)
{
	const struct page *p = pages_answer(pages, kind, 0, 512);

	for (size_t i = 1; p && i < p->length; i++)
		if (p->bytes[i] != p->bytes[0])
			return false;
	return p != NULL;
}

/* An answer that came and cannot be one. */
static void note_blank(struct asked *a)
{
	if (!a->not_asked[0] && (blank(&a->pages, ASK_ATA_IDENTIFY) ||
		blank(&a->pages, ASK_NVME_CONTROLLER)))
		snprintf(a->not_asked, sizeof(a->not_asked),
			"All bytes of its IDENTIFY data are the same: that is no drive's answer, "
			"and it is not believed.");
}

/* After it was asked: what came of it. */
static void note_answers(struct asked *a)
{
	if (a->not_asked[0])
		return;
	if (no_medium(&a->pages))
		snprintf(a->not_asked, sizeof(a->not_asked),
			"There is no medium in it; put one in and ask again.");
	else if (!answered(&a->pages))
		why_no_answer(a);
	else
		note_blank(a);
}

/* What the drive answered itself stays. */
static void add_kept(struct pages *pages, const char *name)
{
	struct pages kept = {0};

	platform_kept_pages(name, &kept);
	for (size_t i = 0; i < kept.n; i++) {
		const struct page *k = &kept.pages[i];

		if (k->status == 0 && !pages_answer(pages, k->kind, k->id, 1))
			pages_add(pages, k->kind, k->id, 0, k->source, k->bytes, k->length);
	}
	pages_release(&kept);
}

int ask_drive(struct asked *a, struct platform *platform, const char *name, enum ask_how how,
	struct err *e)
{
	int status;

	*a = (struct asked){0};
	status = platform_identity(platform, name, &a->identity, e);
	if (status)
		return status;
	if (how == ASK_NOTHING)
		snprintf(a->not_asked, sizeof(a->not_asked), "The drive was not asked.");
	else
		ask_itself(a, platform, name, how == ASK_WAKE);
	add_kept(&a->pages, name);
	smart_read(&a->facts, &a->pages, a->identity.size_bytes);
	note_sleep(a, how);
	note_answers(a);
	platform_kept_facts(name, &a->facts);
	smart_fill_identity(&a->identity, &a->facts);
	return 0;
}

/* What is not in a file that should be. */
static void note_missing(struct asked *a, const void *dump, size_t length)
{
	if (dump_cut_off(dump, length))
		snprintf(a->not_asked, sizeof(a->not_asked),
			"The file is cut off: only its whole records are shown; save the drive's "
			"answers once more.");
	else if (facts_is(&a->facts, "smart_support.enabled") == 1 &&
		 !pages_answer(&a->pages, ASK_ATA_SMART_DATA, 0, 512))
		snprintf(a->not_asked, sizeof(a->not_asked),
			"The SMART data that this drive keeps are not in the file: it is cut off, or "
			"the drive did not hand them out.");
}

int ask_dump(struct asked *a, const char *name, const void *dump, size_t length)
{
	*a = (struct asked){.from_file = true};
	if (dump_read(&a->pages, dump, length) < 0)
		return -EINVAL;
	snprintf(a->identity.device_name, sizeof(a->identity.device_name), "%.200s", name);
	snprintf(a->identity.device_type, sizeof(a->identity.device_type), "dump");
	smart_read(&a->facts, &a->pages, 0);
	note_missing(a, dump, length);
	note_blank(a);
	smart_fill_identity(&a->identity, &a->facts);
	return 0;
}

/* What came from the system's files instead of pages. */
static void forget_specimen(struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++) {
		struct fact *f = &facts->facts[i];

		if (f->type != FACT_TEXT || f->privacy == FACT_OPEN)
			continue;
		for (char *c = f->text; *c; c++)
			*c = 'X';
		for (char *c = f->other; c && *c; c++)
			*c = 'X';
	}
}

void ask_anonymise(struct asked *a)
{
	dump_anonymise(&a->pages);
	forget_specimen(&a->facts);
	memset(a->identity.serial_number, 0, sizeof(a->identity.serial_number));
	memset(a->identity.wwn, 0, sizeof(a->identity.wwn));
	smart_fill_identity(&a->identity, &a->facts);
}

void asked_release(struct asked *a)
{
	pages_release(&a->pages);
	facts_release(&a->facts);
}
