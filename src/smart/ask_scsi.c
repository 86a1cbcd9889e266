/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A SCSI drive lists the pages it has, of vital product data and of logs; mode pages it does not
 * list, and one that it lacks it refuses. */
#include "smart/ask_parts.h"
#include "smart/scsi_parts.h"

void ask_scsi_identity(struct asking *a)
{
	static const uint8_t codes[] = {0x80, 0x83, 0x89, 0xB0, 0xB1, 0xB2, 0xB7, 0xB9};

	asking_put(a, ASK_SCSI_CAPACITY, 0, 32);
	asking_put(a, ASK_SCSI_VPD, 0x00, 252);
	for (size_t i = 0; i < sizeof(codes); i++)
		if (scsi_lists_vpd(a->pages, codes[i]))
			asking_put(a, ASK_SCSI_VPD, codes[i], codes[i] == 0x89 ? 572 : 1024);
}

static void ask_modes(struct asking *a)
{
	static const uint8_t codes[] = {0x1C, 0x08, 0x01};

	for (size_t i = 0; i < sizeof(codes); i++)
		asking_put(a, ASK_SCSI_MODE, SCSI_MODE_ID(codes[i], 0), 252);
	/* geometry is asked of those that are too old for VPD B1h */
	if (!scsi_lists_vpd(a->pages, 0xB1))
		asking_put(a, ASK_SCSI_MODE, SCSI_MODE_ID(0x04, 0), 252);
}

static void ask_logs(struct asking *a)
{
	static const uint8_t codes[] = {0x2F, 0x0D, 0x02, 0x03, 0x05, 0x06, 0x0E, 0x10, 0x11, 0x15,
		0x18};
	static const uint8_t with_subpage[] = {0x0D, 0x15};

	if (!asking_put(a, ASK_SCSI_LOG, SCSI_LOG_ID(0, 0), 252))
		return;
	for (size_t i = 0; i < sizeof(codes); i++)
		if (scsi_lists_log(a->pages, codes[i], 0))
			asking_put(a, ASK_SCSI_LOG, SCSI_LOG_ID(codes[i], 0), ASK_BUFFER);
	if (scsi_lists_log(a->pages, 0x3E, 0) && scsi_has_factory_log(a->pages))
		asking_put(a, ASK_SCSI_LOG, SCSI_LOG_ID(0x3E, 0), 1024);
	if (!asking_put(a, ASK_SCSI_LOG, SCSI_LOG_ID(0, 0xFF), 512))
		return;
	for (size_t i = 0; i < sizeof(with_subpage); i++)
		if (scsi_lists_log(a->pages, with_subpage[i], 1))
			asking_put(a, ASK_SCSI_LOG, SCSI_LOG_ID(with_subpage[i], 1), ASK_BUFFER);
}

void ask_scsi_health(struct asking *a)
{
	ask_modes(a);
	ask_logs(a);
	asking_put(a, ASK_SCSI_DEFECTS, 0, 8);
}
