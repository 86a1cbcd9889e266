/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who the drive is. Empty strings and zeros mean "not known"; names follow smartctl's JSON where
 * the meaning is the same. */
#ifndef DOC_IDENTITY_H
#define DOC_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct identity {
	char device_name[256]; /* "/dev/sda", "sim:hts725050a9a362"; never holds a serial */
	char device_type[16];  /* "disk", "partition", "md", "dm", "loop", "zram", "simulated",
	                          "recording", … */
	char transport[16];    /* "sata", "sas", "usb", "nvme", "virtio", … */
	char vendor[64];
	char model_name[64];
	char serial_number[64];    /* whole; shown masked unless asked for */
	char firmware_version[32];
	char wwn[64];              /* "0x5000c500…"; names the specimen: shown masked */
	char backing[256];         /* what a loop, md or dm device is made of; no paths */
	char parent[64];           /* partition: the whole disk's kernel name */
	char scheduler[32];
	uint64_t size_bytes;
	uint64_t start_bytes;      /* partition: where on the whole disk */
	uint32_t logical_block_bytes, physical_block_bytes;
	uint32_t max_request_bytes;
	uint32_t queue_depth;      /* the device's own, 0 not known */
	uint32_t read_ahead_bytes; /* the kernel's, for this device */
	bool rotating_known, rotating; /* the kernel's word */
	uint32_t reported_rpm;     /* the drive's word; 0 not known */
	bool asleep_known, asleep; /* before it was opened, as the system tells without a command */
	bool removable_known, removable;
	bool read_only_known, read_only;
	char in_use[256];          /* "mounted, RAID member": what was seen, no paths; "" nothing */
	bool simulated;
};

/* serial or WWN as people may see it: all but the last 4 characters replaced by '*'; "****" for one
 * of 4 or fewer. dst is always ended. */
void identity_mask(char *dst, size_t size, const char *serial);

/* A made-up name in the place of serial or WWN, the same for the same one ("ANON-3F2K9Q"); "" for "".
 * So short that many real ones share it: it cannot be turned back. */
#define IDENTITY_STAND_IN 12
void identity_stand_in(char dst[IDENTITY_STAND_IN], const char *serial);

#endif
