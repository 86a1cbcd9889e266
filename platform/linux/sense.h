/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a drive says about how a command ended: sense data of SPC-5 4.4, in both its formats. */
#ifndef PLATFORM_LINUX_SENSE_H
#define PLATFORM_LINUX_SENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sense {
	bool there;
	uint8_t key, asc, ascq;
	/* the ATA registers after the command, where they came along */
	bool registers;
	uint8_t error, status, count, low, mid, high;
};

/* n bytes that the system says came; any of them may be nonsense. */
void sense_read(struct sense *s, const uint8_t *bytes, size_t n);

/* SMART RETURN STATUS as the registers have it: 1 good, 0 failed, -1 neither. */
int sense_smart_status(const struct sense *s);

#endif
