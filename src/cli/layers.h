/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filters in front of a drive: the recording next to it, the watch on top. */
#ifndef CLI_LAYERS_H
#define CLI_LAYERS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "drive/drive.h"
#include "drive/watch.h"

struct layers {
	struct drive *raw;   /* NULL: not open */
	struct drive *trace; /* NULL: nothing is recorded */
	struct drive *top;   /* the watch: what probes are given; NULL: somebody closed it */
	FILE *file;
	int trace_error;     /* negative errno of the recording's file */
};

/* Lays the filters over raw, which is theirs from then on. trace_file: NULL for no recording. 0, or
 * negative errno with e, and raw is closed. l must not move afterwards. */
int layers_open(struct layers *l, struct drive *raw, const char *trace_file,
	const struct watch_config *config, struct err *e);

/* Closes what is still open, the drive too. 0, or the negative errno of the recording's file. */
int layers_close(struct layers *l);

#endif
