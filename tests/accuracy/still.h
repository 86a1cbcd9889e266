/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Devices in which nothing turns, whose answers come on ticks, in bursts or from memory: whether the
 * rotation probe sees a rotation in them. */
#ifndef ACCURACY_STILL_H
#define ACCURACY_STILL_H

struct still {
	unsigned runs;
	unsigned known; /* runs that told a speed */
	char spec[64];  /* of one of those */
};

/* runs in all, shared out over the devices, each with another seed; in so many processes. */
void still_run(struct still *still, unsigned runs, unsigned jobs);

#endif
