/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive's answers as a file, so that they can be looked at without the drive. The format is that of
 * libatasmart's skdump --save: records of a tag of four letters, the length of what follows (32 bits,
 * highest byte first) and that many bytes. IDFY, SMST, SMDT and SMTH are IDENTIFY DEVICE, SMART RETURN
 * STATUS (32 bits, 1: passed), SMART READ DATA and its thresholds. Every other page follows under a
 * tag of ours, which skdump skips: 32 bits of id, then the page. */
#ifndef SMART_DUMP_H
#define SMART_DUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "smart/pages.h"

/* Adds every page that has an answer; the text holds bytes, 0 among them. */
void dump_write(struct text *dump, const struct pages *pages);
/* Only what libatasmart reads. */
void dump_write_atasmart(struct text *dump, const struct pages *pages);

/* Adds to pages what the records hold, source "file". Records of tags that are not known, and of
 * lengths that cannot be, are passed over; one that is cut off ends the reading. The number of pages
 * added, or -EINVAL when there is none: it is no such file. A status that is neither 0 nor 1 is no page. */
int dump_read(struct pages *pages, const void *dump, size_t length);
/* Whether the file ends within a record. */
bool dump_cut_off(const void *dump, size_t length);

/* Takes out of pages what names the specimen: serial numbers (each character becomes "X"), the part of
 * world wide names that is not the maker's (zeros), and where they are in other pages. Checksums are
 * made right again. What has serials in places that no standard names is taken out whole. */
void dump_anonymise(struct pages *pages);

#endif
