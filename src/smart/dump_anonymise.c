/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the standards put what names one specimen: IDENTIFY DEVICE words 10-19 and 108-111 (ACS-5), INQUIRY
 * bytes 36 on and VPD pages 80h, 83h, 89h (SPC-6, SAT-5), bytes 4-23 and the namespace's identifiers of
 * NVMe. A page of which only a copy could be somewhere inside is left out. */
#include "smart/dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void cross_out(uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] > ' ' && p[i] <= '~')
			p[i] = 'X';
}

static void anonymise_identify(uint8_t *id)
{
	unsigned sum = 0;
	bool summed = id[510] == 0xA5;

	cross_out(id + 20, 20);
	/* the maker's 28 bits stay: of word 109 the lowest four go (its low byte comes first) */
	id[218] &= 0xF0;
	memset(id + 220, 0, 4);
	/* the medium's serial; and the maker's own words, where some keep a copy */
	memset(id + 352, 0, 60);
	memset(id + 258, 0, 62);
	for (size_t i = 0; i < 511; i++)
		sum += id[i];
	if (summed)
		id[511] = (uint8_t)(0u - sum);
}

static void anonymise_smart_data(uint8_t *data)
{
	unsigned sum = 0, was = 0;

	for (size_t i = 0; i < 512; i++)
		was += data[i];
	/* the maker's own bytes */
	memset(data + 386, 0, 125);
	for (size_t i = 0; i < 511; i++)
		sum += data[i];
	/* what was wrong before stays wrong */
	if ((was & 0xFF) == 0)
		data[511] = (uint8_t)(0u - sum);
}

static void drop(struct page *p)
{
	free(p->bytes);
	p->bytes = NULL;
	p->length = 0;
	p->status = -ENODATA;
}

static void anonymise_vpd(struct page *p)
{
	if (p->id == 0x80 && p->length > 4)
		cross_out(p->bytes + 4, p->length - 4);
	else if (p->id == 0x89 && p->length >= 572)
		anonymise_identify(p->bytes + 60);
	else if (p->id == 0x83 || p->id == 0x88 || p->id >= 0xC0)
		drop(p);
}

/* Seagate's log repeats serial and world wide name in page 1, quadwords 2 to 5. */
static void anonymise_farm(struct page *p)
{
	size_t begin = (p->id & 0xFFFF) == 0 ? 16384 : (p->id & 0xFFFF) == 32 ? 0 : p->length;

	if (begin + 48 <= p->length)
		memset(p->bytes + begin + 16, 0, 32);
	else if (begin < p->length)
		memset(p->bytes + begin, 0, p->length - begin);
}

static void anonymise_page(struct page *p)
{
	switch (p->kind) {
	case ASK_ATA_IDENTIFY:
		if (p->length >= 512)
			anonymise_identify(p->bytes);
		break;
	case ASK_ATA_SMART_DATA:
		if (p->length >= 512)
			anonymise_smart_data(p->bytes);
		break;
	case ASK_ATA_LOG:
		if (p->id >> 16 == 0xA6)
			anonymise_farm(p);
		else if (p->id >> 16 == 0x30)
			drop(p);
		break;
	case ASK_SCSI_INQUIRY:
		if (p->length > 36)
			memset(p->bytes + 36, ' ', (p->length < 56 ? p->length : 56) - 36);
		if (p->length > 96)
			memset(p->bytes + 96, 0, p->length - 96);
		break;
	case ASK_SCSI_VPD: anonymise_vpd(p); break;
	case ASK_NVME_CONTROLLER:
		if (p->length >= 24)
			cross_out(p->bytes + 4, 20);
		if (p->length >= 128)
			memset(p->bytes + 112, 0, 16);
		if (p->length >= 1024)
			memset(p->bytes + 768, 0, 256);
		if (p->length > 3072)
			memset(p->bytes + 3072, 0, p->length - 3072);
		break;
	case ASK_NVME_NAMESPACE:
		if (p->length >= 128)
			memset(p->bytes + 104, 0, 24);
		if (p->length > 384)
			memset(p->bytes + 384, 0, p->length - 384);
		break;
	case ASK_SCSI_LOG:
		if (p->id >> 8 >= 0x30) /* makers' own */
			drop(p);
		break;
	default: break;
	}
}

void dump_anonymise(struct pages *pages)
{
	for (size_t i = 0; i < pages->n; i++)
		if (pages->pages[i].status == 0 && pages->pages[i].bytes)
			anonymise_page(&pages->pages[i]);
}
