/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A wrong command line matters more than a bad drive, that more than one not measured. */
#include "cli/worst.h"

#include <stddef.h>

#include "cli/cli.h"

int worst(int a, int b)
{
	static const int order[] = {EXIT_USAGE, EXIT_BAD, EXIT_UNSURE, EXIT_PARTLY};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return EXIT_FINE;
}
