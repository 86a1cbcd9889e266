/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sheet as text for a terminal or a file. */
#ifndef OUT_TEXT_REPORT_H
#define OUT_TEXT_REPORT_H

#include "base/text.h"
#include "sheet/sheet.h"

struct text_style {
	unsigned columns; /* width to keep to, 40 … 200 */
	bool utf8;        /* else plain ASCII: "+-", "us", "#" */
	bool color;       /* escape codes allowed */
};

/* Appends the sheet. A one-document report is at most 120 lines at 80 columns. Below 72 columns what
 * stands beside a figure goes to a line of its own. */
void text_report(const struct sheet *sheet, const struct text_style *style, struct text *out);

#endif
