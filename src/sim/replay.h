/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording (drive/trace.h) played back as a drive: every call must come as it was recorded. */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include "base/err.h"
#include "drive/drive.h"

/* Opens a recording. plan_version must be the one recorded. 0 and *drive, or -ENOENT/-EACCES…,
 * -EINVAL (not a recording, cut off before the first record), -EPROTO (another plan version). */
int replay_open(const char *file, unsigned plan_version, struct drive **drive, struct err *e);

/* When a run ended with -EPROTO: which request is missing from the recording, one sentence; else
 * "". Valid while the drive is open. */
const char *replay_missing(const struct drive *replay);

/* Whether that is because the file is cut off or damaged, rather than of another run. */
bool replay_damaged(const struct drive *replay);

/* How much of the recording was not played: 0 after a whole run of the recorded kind. */
uint64_t replay_rest_bytes(const struct drive *replay);

#endif
