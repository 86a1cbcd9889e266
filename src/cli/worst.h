/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two exit statuses become one. */
#ifndef CLI_WORST_H
#define CLI_WORST_H

/* The one that comes first in 2, 1, 3, 4, 0. */
int worst(int a, int b);

#endif
