/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer on everything that reads a drive's bytes. The first byte of an input picks the reader; what
 * follows is its page, or a run of pages in the format of smart/dump.h. A crash, an over-read, undefined
 * arithmetic or a promise below that is broken is a finding. "make fuzz" builds and runs it. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "doc/facts.h"
#include "judge/judge_signs.h"
#include "smart/dump.h"
#include "smart/smart.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const struct pages *pages, uint64_t size_bytes)
{
	struct facts facts = {0};

	struct identity id = {0};
	struct signs signs = {0};

	smart_read(&facts, pages, size_bytes);
	for (size_t i = 0; i < facts.n; i++)
		assert(facts.facts[i].path && facts.facts[i].source &&
			(facts.facts[i].type != FACT_TEXT || facts.facts[i].text[0]));
	smart_fill_identity(&id, &facts);
	judge_signs(&signs, &(struct judge_signs_input){.identity = &id, .smart = &facts});
	signs_release(&signs);
	facts_release(&facts);
}

static void one_page(enum question_kind kind, uint32_t id, const uint8_t *data, size_t size)
{
	struct pages pages = {0};

	/* its own memory, so that a byte too far is seen */
	pages_add(&pages, kind, id, 0, "command", data, size);
	read_all(&pages, 0);
	pages_release(&pages);
}

static void identify(const uint8_t *data, size_t size)
{
	one_page(ASK_ATA_IDENTIFY, 0, data, size);
}

static void attributes(const uint8_t *data, size_t size)
{
	struct pages pages = {0};
	size_t half = size / 2;

	pages_add(&pages, ASK_ATA_SMART_DATA, 0, 0, "command", data, half);
	pages_add(&pages, ASK_ATA_SMART_THRESHOLDS, 0, 0, "command", data + half, size - half);
	read_all(&pages, 0);
	pages_release(&pages);
}

/* Two bytes of log and page before it. */
static void general_log(const uint8_t *data, size_t size)
{
	if (size > 2)
		one_page(ASK_ATA_LOG, (uint32_t)data[0] << 16 | data[1], data + 2, size - 2);
}

static void smart_log(const uint8_t *data, size_t size)
{
	if (size > 1)
		one_page(ASK_ATA_SMART_LOG, data[0], data + 1, size - 1);
}

/* Any page of a SCSI or NVMe drive: a byte of its kind, two of its id before it. Beside it a plain
 * INQUIRY, without which nothing else of such a drive is read. */
static void other_page(const uint8_t *data, size_t size)
{
	static const uint8_t inquiry[36] = {0, 0, 6, 2, 31, 0, 0, 2, 'S', 'E', 'A', 'G', 'A', 'T', 'E', ' '};
	struct pages pages = {0};

	if (size <= 3)
		return;
	pages_add(&pages, ASK_SCSI_INQUIRY, 0, 0, "command", inquiry, sizeof(inquiry));
	pages_add(&pages, ASK_SCSI_INQUIRY + data[0] % (ASK_KINDS - ASK_SCSI_INQUIRY),
		(uint32_t)data[1] << 8 | data[2], 0, "command", data + 3, size - 3);
	read_all(&pages, 0);
	pages_release(&pages);
}

struct answers {
	const uint8_t *data;
	size_t size;
};

/* The next byte: 0 no, 1 no answer, else a page of up to 32 times as many bytes. */
static int answer(void *context, enum question_kind kind, uint32_t id, void *buffer, size_t size)
{
	struct answers *a = context;
	size_t n;

	(void)kind;
	(void)id;
	if (!a->size || a->data[0] < 2) {
		n = a->size ? a->data[0] : 0;
		a->data += a->size != 0;
		a->size -= a->size != 0;
		return n ? -ETIME : -EOPNOTSUPP;
	}
	n = 32u * a->data[0];
	a->data++;
	a->size--;
	if (n > a->size)
		n = a->size;
	if (n > size)
		n = size;
	memcpy(buffer, a->data, n);
	a->data += n;
	a->size -= n;
	return (int)n;
}

/* A drive that answers whatever it likes, whatever it was asked. */
static void conversation(const uint8_t *data, size_t size)
{
	static const char *const transports[] = {"sata", "sas", "usb", "nvme"};
	struct identity id = {.device_name = "/dev/sda"};
	struct answers answers = {.data = data + 1, .size = size - 1};
	struct asker asker = {.ask = answer, .context = &answers};
	struct pages pages = {0};

	strcpy(id.transport, transports[data[0] & 3]);
	smart_ask(&pages, &asker, &(struct smart_wish){.identity = &id, .wake = data[0] & 4,
		.identity_only = data[0] & 8});
	read_all(&pages, 0);
	pages_release(&pages);
}

/* A file: what is read from it can be written, read again the same, and made anonymous. */
static void dump(const uint8_t *data, size_t size)
{
	struct pages pages = {0}, back = {0};
	struct text out = {0};

	if (dump_read(&pages, data, size) > 0) {
		read_all(&pages, 1000204886016);
		dump_write(&out, &pages);
		assert(dump_read(&back, text_chars(&out), out.length) > 0);
		assert(back.n == pages.n);
		for (size_t i = 0; i < back.n; i++) {
			const struct page *p = pages_find(&pages, back.pages[i].kind, back.pages[i].id);

			assert(p && p->length == back.pages[i].length);
			assert(memcmp(p->bytes, back.pages[i].bytes, p->length) == 0);
		}
		dump_anonymise(&pages);
		read_all(&pages, 0);
	}
	text_release(&out);
	pages_release(&pages);
	pages_release(&back);
}

static void (*const readers[])(const uint8_t *data, size_t size) = {
	dump, identify, attributes, general_log, smart_log, other_page, conversation,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 1)
		readers[data[0] % (sizeof(readers) / sizeof(readers[0]))](data + 1, size - 1);
	return 0;
}
