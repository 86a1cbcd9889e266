/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any single fault, at any read: the probe says what it should and the document stays valid. */
#ifndef TRUTH_FAULTS_H
#define TRUTH_FAULTS_H

#include <stdbool.h>

#include "probe/probe.h"

/* Runs the probe again and again on that simulated drive, each time with one fault (a read error,
 * an end of the run, a delay) at a later read, until the read comes no more. *runs: how many.
 * false: something was wrong, told on stdout as a TAP comment. */
bool faults_everywhere(const struct probe *probe, const char *spec, unsigned *runs);

#endif
