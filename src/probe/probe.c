/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/probe.h"

#include <string.h>

static bool begins(const char *key, const char *part)
{
	size_t n = strlen(part);

	return strncmp(key, part, n) == 0 && key[n] == '.';
}

bool probe_puts(const struct probe *probe, const char *key)
{
	return begins(key, probe->name) || (probe->also && begins(key, probe->also));
}
