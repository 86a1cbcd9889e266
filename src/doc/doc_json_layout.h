/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How JSON text is laid out: what fits stands on one line, so that a finding or a row of a series
 * is a line. Internal to doc/. */
#ifndef DOC_DOC_JSON_LAYOUT_H
#define DOC_DOC_JSON_LAYOUT_H

#include <jansson.h>

#include "base/text.h"

/* Appends value, members in the order in which they were set, reals with 15 digits. */
void json_layout(const json_t *value, struct text *out);

/* A number with at most 15 significant digits, which is what the file holds: an integer when it is
 * whole and below 10^15, null when it is not finite. Never NULL. */
json_t *json_layout_number(double value);

#endif
