/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session says at its end about who disturbed it; the rest of it is in session.h. */
#ifndef PROBE_DISTURBANCE_H
#define PROBE_DISTURBANCE_H

#include "probe/session.h"

/* Events and notes: others at the drive, samples that were spoiled, what was lost, and that nothing can be
 * seen where the drive has no witness. */
void disturbance_tell(struct session *s);

#endif
