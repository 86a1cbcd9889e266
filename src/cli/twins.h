/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One drive under two names: two paths to it (multipath), or a drive with two ports. */
#ifndef CLI_TWINS_H
#define CLI_TWINS_H

#include <stdbool.h>

#include "doc/identity.h"

/* Whether the two are one specimen: of one WWN where both have one, else of one serial number, model
 * and size. Partitions, arrays and other devices made of drives never are; nor are USB drives without
 * a WWN, whose serial numbers are often all the same. */
bool twins_are(const struct identity *a, const struct identity *b);

#endif
