/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/twins.h"

#include <string.h>
#include <strings.h>

static bool is_drive(const struct identity *id)
{
	return strcmp(id->device_type, "disk") == 0 || strcmp(id->device_type, "nvme") == 0;
}

/* A namespace has its own WWN, but shares the serial number with those beside it. */
static bool serial_names_it(const struct identity *id)
{
	return id->serial_number[0] && strcmp(id->transport, "usb") != 0 &&
	       strcmp(id->device_type, "nvme") != 0;
}

bool twins_are(const struct identity *a, const struct identity *b)
{
	if (!is_drive(a) || !is_drive(b) || a->size_bytes != b->size_bytes)
		return false;
	if (a->wwn[0] && b->wwn[0])
		return strcasecmp(a->wwn, b->wwn) == 0;
	return serial_names_it(a) && serial_names_it(b) &&
	       strcmp(a->serial_number, b->serial_number) == 0 &&
	       strcmp(a->model_name, b->model_name) == 0;
}
