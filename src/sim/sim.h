/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drives that exist in arithmetic, with a clock of their own. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/err.h"
#include "doc/identity.h"
#include "drive/drive.h"

/* "sim:NAME" (built in, see sim_name_at), "sim:FILE" (a truth file, sim/truth.h), "sim:random:SEED".
 * path DRIVE_PAGE_CACHE gives the drive behind a simulated page cache. seed: of the drive's noise and
 * of its specimen (rpm error, phases). Two drives opened from one spec share nothing.
 * 0 and *drive (drive_close() it), or -ENOENT no such name, -EINVAL a bad truth file, with e. */
int sim_open(const char *spec, enum drive_path path, uint64_t seed, struct drive **drive,
	struct err *e);

/* Identity of that drive, simulated set. Same errors. */
int sim_identity(const char *spec, struct identity *id, struct err *e);

/* Built-in names without "sim:" and one line about each; NULL past the last. */
const char *sim_name_at(size_t i, const char **about);

#endif
