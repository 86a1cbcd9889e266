/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which questions are asked, in which order, and which never. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/text.h"
#include "smart/smart.h"
#include "tests/unit/scsi_made_up.h"

/* Answers from pages; what is not there is refused. Each question is written down. */
struct fake {
	struct pages pages;
	struct text asked;   /* "kind:id " each */
	size_t n;
	size_t silent_at;    /* the question, from 1, that gets no answer; 0: none */
};

static int answer(void *context, enum question_kind kind, uint32_t id, void *buffer, size_t size)
{
	struct fake *fake = context;
	const struct page *p = pages_answer(&fake->pages, kind, id, 0);

	text_add(&fake->asked, "%d:%x ", (int)kind, (unsigned)id);
	if (++fake->n == fake->silent_at)
		return -ETIME;
	if (!p)
		return -EOPNOTSUPP;
	if (p->length < size)
		size = p->length;
	memcpy(buffer, p->bytes, size);
	return (int)size;
}

static void ask(struct pages *pages, struct fake *fake, const char *transport, bool wake)
{
	struct asker asker = {answer, fake};
	struct identity id = {0};
	struct smart_wish wish = {.identity = &id, .wake = wake};

	snprintf(id.transport, sizeof(id.transport), "%s", transport);
	fake->n = 0;
	text_release(&fake->asked);
	smart_ask(pages, &asker, &wish);
}

static bool was_asked(const struct fake *fake, enum question_kind kind, uint32_t id)
{
	char word[32];

	snprintf(word, sizeof(word), " %d:%x ", (int)kind, (unsigned)id);
	return strstr(text_chars(&fake->asked), word + (fake->n == 1)) != NULL ||
	       strncmp(text_chars(&fake->asked), word + 1, strlen(word + 1)) == 0;
}

static void done(struct fake *fake, struct pages *pages)
{
	pages_release(&fake->pages);
	pages_release(pages);
	text_release(&fake->asked);
	*fake = (struct fake){0};
}

/* An ATA drive with everything: SMART on, logs, SCT; model as given. */
static void made_up_ata(struct pages *pages, const char *model, uint8_t power, bool smart_on)
{
	uint8_t id[512] = {[0] = 0x40}, directory[512] = {1}, statistics[512] = {[8] = 3, 0, 1, 5};
	uint8_t page[512] = {0};

	for (size_t i = 0; i < 40; i++)
		id[54 + (i ^ 1)] = i < strlen(model) ? (uint8_t)model[i] : ' ';
	id[164] = 1;            /* 82: SMART */
	id[167] = 0x40;
	id[168] = 0x23;         /* 84: logs */
	id[169] = 0x40;
	id[170] = smart_on;     /* 85 */
	id[174] = 0x20;
	id[175] = 0x40;
	id[412] = 1;            /* 206: SCT */
	for (unsigned log = 1; log < 256; log++)
		directory[2 * log] = 40;
	made_up_answer(pages, ASK_ATA_POWER, 0, &power, 1);
	made_up_answer(pages, ASK_ATA_IDENTIFY, 0, id, 512);
	made_up_answer(pages, ASK_ATA_SMART_STATUS, 0, ((uint8_t[]){1}), 1);
	made_up_answer(pages, ASK_ATA_SMART_DATA, 0, page, 512);
	made_up_answer(pages, ASK_ATA_SMART_THRESHOLDS, 0, page, 512);
	made_up_answer(pages, ASK_ATA_LOG, 0, directory, 512);
	made_up_answer(pages, ASK_ATA_LOG, 0x04u << 16, statistics, 512);
}

static void ata_in_order(void **state)
{
	struct fake fake = {0};
	struct pages pages = {0};

	(void)state;
	made_up_ata(&fake.pages, "ST4000NM0033", 0xFF, true);
	ask(&pages, &fake, "sata", false);
	assert_true(text_starts(text_chars(&fake.asked), "1:0 0:0 2:0 3:0 4:0 "));
	assert_true(was_asked(&fake, ASK_ATA_SMART_LOG, 0xE0));
	assert_true(was_asked(&fake, ASK_ATA_LOG, 0x04u << 16 | 5));
	assert_false(was_asked(&fake, ASK_ATA_LOG, 0x04u << 16 | 3));
	assert_true(was_asked(&fake, ASK_ATA_LOG, 0xA6u << 16 | 32));
	for (uint32_t page = 0; page < 256; page++)
		assert_false(was_asked(&fake, ASK_ATA_LOG, 0x10u << 16 | page));
	done(&fake, &pages);
	made_up_ata(&fake.pages, "TOSHIBA MG08ACA16TE", 0x80, false);
	ask(&pages, &fake, "sata", false);
	assert_false(was_asked(&fake, ASK_ATA_LOG, 0xA6u << 16));
	assert_false(was_asked(&fake, ASK_ATA_SMART_DATA, 0));
	assert_false(was_asked(&fake, ASK_ATA_SMART_STATUS, 0));
	assert_true(was_asked(&fake, ASK_ATA_LOG, 0x07u << 16));
	done(&fake, &pages);
}

static void sleeping_ata(void **state)
{
	static const uint8_t asleep[] = {0x00, 0x01, 0x40}, awake[] = {0x80, 0x81, 0x82, 0x83, 0xFF, 0x41};
	struct fake fake = {0};
	struct pages pages = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(asleep); i++) {
		made_up_ata(&fake.pages, "ST4000NM0033", asleep[i], true);
		ask(&pages, &fake, "sata", false);
		assert_int_equal(fake.n, 1);
		assert_int_equal(pages.n, 1);
		ask(&pages, &fake, "sata", true);
		assert_true(fake.n > 10);
		done(&fake, &pages);
	}
	for (size_t i = 0; i < sizeof(awake); i++) {
		made_up_ata(&fake.pages, "ST4000NM0033", awake[i], true);
		ask(&pages, &fake, "ata", false);
		assert_true(fake.n > 10);
		done(&fake, &pages);
	}
}

static void sas_in_order(void **state)
{
	struct fake fake = {0};
	struct pages pages = {0};
	struct facts f = {0}, all = {0};

	(void)state;
	made_up_sas(&fake.pages);
	ask(&pages, &fake, "sas", false);
	assert_true(text_starts(text_chars(&fake.asked), "13:0 7:0 9:0 8:0 8:80 8:83 8:b0 "));
	/* not listed: verify counters, VPD 89h, B9h, environment, mode page of geometry */
	assert_false(was_asked(&fake, ASK_SCSI_LOG, LOG(0x05, 0)));
	assert_false(was_asked(&fake, ASK_SCSI_VPD, 0x89));
	assert_false(was_asked(&fake, ASK_SCSI_VPD, 0xB9));
	assert_false(was_asked(&fake, ASK_SCSI_LOG, LOG(0x0D, 1)));
	assert_false(was_asked(&fake, ASK_SCSI_MODE, LOG(0x04, 0)));
	assert_true(was_asked(&fake, ASK_SCSI_LOG, LOG(0x15, 1)));
	assert_true(was_asked(&fake, ASK_SCSI_LOG, LOG(0x3E, 0)));
	assert_false(was_asked(&fake, ASK_ATA_POWER, 0));
	/* what was asked is all that there is to say */
	smart_read(&f, &pages, 0);
	smart_read(&all, &fake.pages, 0);
	assert_int_equal(f.n, all.n);
	facts_release(&f);
	facts_release(&all);
	done(&fake, &pages);
}

static void sleeping_scsi(void **state)
{
	static const uint8_t states[][3] = {{2, 0x04, 0x02}, {2, 0x04, 0x11}, {0, 0x5E, 0x43}};
	struct facts f = {0};
	static const uint8_t awake[][3] = {{2, 0x04, 0x01}, {0, 0x5E, 0x41}, {1, 0x5E, 0x01}, {6, 0x29, 0}};
	struct fake fake = {0};
	struct pages pages = {0};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		made_up_sas(&fake.pages);
		made_up_answer(&fake.pages, ASK_SCSI_READY, 0, states[i], 3);
		ask(&pages, &fake, "sas", false);
		assert_int_equal(fake.n, 1);
		smart_read(&f, &pages, 0);
		assert_int_equal(facts_is(&f, "platter.asleep"), 1);
		facts_release(&f);
		ask(&pages, &fake, "sas", true);
		assert_true(fake.n > 10);
		done(&fake, &pages);
	}
	for (size_t i = 0; i < 4; i++) {
		made_up_sas(&fake.pages);
		made_up_answer(&fake.pages, ASK_SCSI_READY, 0, awake[i], 3);
		ask(&pages, &fake, "sas", false);
		assert_true(fake.n > 10);
		done(&fake, &pages);
	}
}

static void nothing_of_a_raid_volume(void **state)
{
	struct fake fake = {0};
	struct pages pages = {0};

	(void)state;
	made_up_sas(&fake.pages);
	made_up_inquiry(&fake.pages, "DELL", "PERC H730", "4.30");
	ask(&pages, &fake, "scsi", false);
	assert_string_equal(text_chars(&fake.asked), "13:0 7:0 ");
	done(&fake, &pages);
}

static void stops_when_there_is_no_answer(void **state)
{
	struct fake fake = {0};
	struct pages pages = {0};
	size_t all;

	(void)state;
	made_up_sas(&fake.pages);
	ask(&pages, &fake, "sas", false);
	all = fake.n;
	pages_release(&pages);
	for (size_t i = 1; i <= all; i++) {
		fake.silent_at = i;
		ask(&pages, &fake, "sas", false);
		assert_int_equal(fake.n, i);
		assert_int_equal(pages.pages[pages.n - 1].status, -ETIME);
		pages_release(&pages);
	}
	fake.silent_at = 0;
	done(&fake, &pages);
	made_up_ata(&fake.pages, "ST4000NM0033", 0xFF, true);
	fake.silent_at = 1;
	ask(&pages, &fake, "sata", false);
	assert_int_equal(fake.n, 1);
	done(&fake, &pages);
}

/* A bridge is asked as SCSI first, then as ATA; a stick behind no bridge refuses that. */
static void usb(void **state)
{
	struct fake fake = {0};
	struct pages pages = {0};

	(void)state;
	made_up_answer(&fake.pages, ASK_SCSI_READY, 0, ((uint8_t[]){0, 0, 0}), 3);
	made_up_inquiry(&fake.pages, "ASMT", "2115", "0");
	made_up_ata(&fake.pages, "WDC WD40EFRX", 0xFF, true);
	ask(&pages, &fake, "usb", false);
	assert_true(was_asked(&fake, ASK_ATA_SMART_DATA, 0));
	assert_false(was_asked(&fake, ASK_SCSI_LOG, 0));
	done(&fake, &pages);
	made_up_answer(&fake.pages, ASK_SCSI_READY, 0, ((uint8_t[]){0, 0, 0}), 3);
	made_up_inquiry(&fake.pages, "ASMT", "2115", "0");
	made_up_ata(&fake.pages, "WDC WD40EFRX", 0x00, true);
	ask(&pages, &fake, "usb", false);
	assert_false(was_asked(&fake, ASK_ATA_IDENTIFY, 0));
	done(&fake, &pages);
	made_up_inquiry(&fake.pages, "SanDisk", "Cruzer Blade", "1.00");
	ask(&pages, &fake, "usb", false);
	assert_true(was_asked(&fake, ASK_ATA_IDENTIFY, 0));
	assert_false(was_asked(&fake, ASK_ATA_SMART_DATA, 0));
	assert_true(was_asked(&fake, ASK_SCSI_LOG, 0));
	done(&fake, &pages);
}

/* What the system kept is asked anew, and stays when the question is refused. */
static void kept_pages(void **state)
{
	uint8_t id[512] = {0x40};
	struct fake fake = {0};
	struct pages pages = {0};

	(void)state;
	pages_add(&pages, ASK_ATA_IDENTIFY, 0, 0, "sysfs", id, sizeof(id));
	ask(&pages, &fake, "sata", false);
	assert_true(was_asked(&fake, ASK_ATA_IDENTIFY, 0));
	assert_string_equal(pages_answer(&pages, ASK_ATA_IDENTIFY, 0, 512)->source, "sysfs");
	done(&fake, &pages);
}

static void nvme(void **state)
{
	struct fake fake = {0};
	struct pages pages = {0};

	(void)state;
	ask(&pages, &fake, "nvme", false);
	assert_int_equal(fake.n, 3);
	assert_int_equal(pages.n, 3);
	done(&fake, &pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ata_in_order),
		cmocka_unit_test(sleeping_ata),
		cmocka_unit_test(sas_in_order),
		cmocka_unit_test(sleeping_scsi),
		cmocka_unit_test(nothing_of_a_raid_volume),
		cmocka_unit_test(stops_when_there_is_no_answer),
		cmocka_unit_test(usb),
		cmocka_unit_test(kept_pages),
		cmocka_unit_test(nvme),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
