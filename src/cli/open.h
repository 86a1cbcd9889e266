/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A name typed by the user becomes a drive: simulated, recorded or of this machine. */
#ifndef CLI_OPEN_H
#define CLI_OPEN_H

#include <stdbool.h>

#include "doc/identity.h"
#include "drive/drive.h"
#include "host/platform.h"

enum source { SOURCE_DEVICE, SOURCE_SIM, SOURCE_REPLAY };

enum source open_source(const char *name);

/* What opens devices; platform is NULL while no name needs it. */
struct opener {
	struct platform *platform;
};

/* Starts the platform when one of the n names is a device's. 0, or negative errno with e. */
int opener_start(struct opener *o, char *const *names, size_t n, struct err *e);
void opener_stop(struct opener *o);

/* Opens the drive; seed is a simulated drive's. A recording keeps what was read through the page
 * cache in a file beside it, FILE.cached. 0 and *drive (drive_close() it), or as sim_open(),
 * replay_open(), platform_open(). */
int open_drive(struct opener *o, const char *name, enum drive_path path, uint64_t seed,
	struct drive **drive, struct err *e);

/* Who it is; drive is the one open_drive() gave. Nothing but the drive's own facts for a
 * recording. A path in the name of a simulated drive is left out. Never fails: what cannot be had
 * stays empty, and e says why (code 0: nothing to say). */
void open_identity(struct opener *o, const char *name, const struct drive *drive,
	struct identity *id, struct err *e);

/* The same of a drive that is not opened, from the system's own files; of a simulated one from its
 * truth, of a recording from its file. 0, or negative errno with e: there is no such drive. */
int open_unopened(struct opener *o, const char *name, struct identity *id, struct err *e);

/* What --no-wake says of a drive, from its identity: 0: it is awake; -EBUSY with e: it sleeps, or whether
 * it does cannot be told. */
int open_check_awake(const struct identity *id, struct err *e);

/* Puts "sim:FILE" in place of "sim:/folder/FILE", and the same for "replay:". */
void open_display_name(char *dst, size_t size, const char *name);

/* EINVAL when two of the names are one drive, with e; 0 otherwise (also when a name is not there,
 * which opening it will say). */
int open_check_distinct(char *const *names, size_t n, struct err *e);

/* The exit status for a drive that could not be opened: EXIT_USAGE when what was named is no block
 * device or several, else EXIT_UNSURE. */
int open_exit_status(int error);

#endif
