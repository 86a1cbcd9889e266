/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A path is looked at with stat(), which opens nothing and so cannot hang on a FIFO; a serial
 * number or WWN is compared with what sysfs holds of each whole disk. */
#include "names.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "identity_sysfs.h"
#include "sentences.h"
#include "sysfs.h"

#define SERIAL "serial:"
#define WWN    "wwn:"

struct hunt {
	const char *wanted;
	bool wwn;
	unsigned found;
	char name[64];
};

/* The hexadecimal digits behind "0x", "naa.", "eui.", "nvme.", "uuid." */
static const char *wwn_digits(const char *s)
{
	static const char *const prefixes[] = {"0x", "naa.", "eui.", "nvme.", "uuid.", "t10."};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strncasecmp(s, prefixes[i], strlen(prefixes[i])) == 0)
			return s + strlen(prefixes[i]);
	return s;
}

static bool same_wwn(const char *a, const char *b)
{
	a = wwn_digits(a);
	b = wwn_digits(b);
	return *a && strcasecmp(a, b) == 0;
}

static int look(void *arg, const char *name)
{
	struct hunt *h = arg;
	struct identity id;
	bool same;

	if (identity_of(&id, name) != 0)
		return 0;
	same = h->wwn ? same_wwn(h->wanted, id.wwn)
		      : id.serial_number[0] && strcmp(h->wanted, id.serial_number) == 0;
	/* a path of a multipath drive the kernel hides is not a drive of its own */
	if (same && sysfs_number(0, "/sys/block/%s/hidden", name) == 0) {
		h->found++;
		snprintf(h->name, sizeof(h->name), "%.60s", name);
	}
	return 0;
}

static int hunt(struct device_name *d, const char *name, struct err *e)
{
	bool wwn = text_starts(name, WWN);
	const char *what = wwn ? "WWN" : "serial number";
	struct hunt h = {.wanted = name + strlen(wwn ? WWN : SERIAL), .wwn = wwn};

	if (!h.wanted[0])
		return err_set(e, -ENOENT,
			"There is no %s behind \"%s\"; write it as it stands on "
			"the drive's label.",
			what, name);
	sysfs_each("/sys/block", look, &h);
	if (h.found == 0)
		return err_set(e, -ENOENT,
			"No drive of this machine has that %s; `platter list` "
			"shows the drives there are.",
			what);
	if (h.found > 1)
		return err_set(e, -ENOTUNIQ,
			"%u drives of this machine have that %s; name one by "
			"its node, such as /dev/%s.",
			h.found, what, h.name);
	for (char *c = h.name; *c; c++)
		if (*c == '!')
			*c = '/';
	snprintf(d->node, sizeof(d->node), "/dev/%s", h.name);
	return 0;
}

/* The kernel's own name for the device; without sysfs, where the links lead. */
static void name_of_kernel(struct device_name *d)
{
	struct sysfs_device s;
	char real[PATH_MAX];

	if (sysfs_by_number(&s, d->number) == 0) {
		snprintf(d->kernel, sizeof(d->kernel), "%s", s.name);
		snprintf(d->shown, sizeof(d->shown), "/dev/%s", s.name);
		return;
	}
	text_copy_clean(d->shown, sizeof(d->shown), realpath(d->node, real) ? real : d->node);
}

int names_resolve(struct device_name *d, const char *name, struct err *e)
{
	struct stat st;
	int status;

	memset(d, 0, sizeof(*d));
	if (text_starts(name, SERIAL) || text_starts(name, WWN)) {
		status = hunt(d, name, e);
		if (status)
			return status;
	} else if (strlen(name) >= sizeof(d->node)) {
		return err_set(e, -ENAMETOOLONG,
			"The name of the device is longer than a path may "
			"be.");
	} else {
		memcpy(d->node, name, strlen(name) + 1);
	}
	if (stat(d->node, &st) != 0)
		return sentence_no_stat(e, d->node, -errno);
	if (!S_ISBLK(st.st_mode))
		return sentence_not_block(e, d->node, st.st_mode);
	d->number = st.st_rdev;
	name_of_kernel(d);
	return 0;
}
