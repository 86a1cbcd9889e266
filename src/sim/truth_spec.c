/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what stands behind "sim:" to the truth: a built-in name, a file, or a drawn drive. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "sim/truth.h"

#define FILE_MAX (1u << 20) /* bytes; a truth file has a few thousand */

static int read_file(const char *path, struct text *out, struct err *e)
{
	FILE *f = fopen(path, "rb");
	char block[4096];
	size_t n;
	int status = 0;

	if (!f)
		return err_set(e, -errno, "reading the truth file %.200s: %s", path,
			strerror(errno));
	while (!status && (n = fread(block, 1, sizeof(block), f)) > 0) {
		text_add_bytes(out, block, n);
		if (out->length > FILE_MAX)
			status = err_set(e, -EINVAL, "%.200s is too long to be a truth file", path);
	}
	if (!status && ferror(f))
		status = err_set(e, errno ? -errno : -EIO, "reading the truth file %.200s: %s",
			path, strerror(errno ? errno : EIO));
	if (!status && memchr(text_chars(out), 0, out->length))
		status = err_set(e, -EINVAL, "%.200s is not text", path);
	fclose(f);
	return status;
}

static int truth_of_file(const char *path, struct truth *t, struct err *e)
{
	struct text text = {0};
	char prefix[256];
	int status = read_file(path, &text, e);

	if (!status) {
		status = truth_parse(text_chars(&text), t, e);
		snprintf(prefix, sizeof(prefix), "%.190s", path);
		if (status)
			err_prefix(e, prefix);
	}
	text_release(&text);
	return status;
}

int truth_of_spec(const char *spec, struct truth *t, struct err *e)
{
	struct truth_builtin b;
	uint64_t seed;

	if (strchr(spec, '/') || text_ends(spec, ".truth"))
		return truth_of_file(spec, t, e);
	if (text_starts(spec, "random:")) {
		if (units_parse_u64(spec + strlen("random:"), &seed))
			return err_set(e, -EINVAL, "sim:%.60s: the seed after 'random:' is not a "
				"whole number", spec);
		truth_random(seed, t);
		return truth_check(t, e);
	}
	for (unsigned i = 0; truth_builtin_at(i, &b); i++)
		if (!strcmp(b.name, spec))
			return truth_parse(b.text, t, e);
	return err_set(e, -ENOENT, "there is no simulated drive 'sim:%.60s'; give one of the "
		"built-in names (platter sims lists them), a truth file, or random:SEED", spec);
}
