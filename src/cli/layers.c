/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recording sees what the watch made of a request, so that playing it back under the same watch
 * asks the same. */
#include "cli/layers.h"

#include <errno.h>
#include <string.h>

#include "cli/save.h"
#include "drive/trace.h"
#include "plan/plan.h"

static int write_trace(void *arg, const void *bytes, size_t length)
{
	struct layers *l = arg;

	errno = 0;
	if (fwrite(bytes, 1, length, l->file) != length || fflush(l->file))
		l->trace_error = errno ? -errno : -EIO;
	return l->trace_error;
}

int layers_open(struct layers *l, struct drive *raw, const char *trace_file,
	const struct watch_config *config, struct err *e)
{
	struct trace_sink sink = {write_trace, l};

	memset(l, 0, sizeof(*l));
	if (trace_file) {
		l->file = save_stream(trace_file, e);
		if (!l->file) {
			drive_close(raw);
			return e->code;
		}
		l->trace = trace_open(raw, PLAN_VERSION, &sink);
	}
	l->raw = raw;
	l->top = watch_open(l->trace ? l->trace : raw, config);
	return 0;
}

int layers_close(struct layers *l)
{
	drive_close(l->top);
	drive_close(l->trace);
	drive_close(l->raw);
	if (l->file && fclose(l->file) && !l->trace_error)
		l->trace_error = errno ? -errno : -EIO;
	l->raw = l->trace = l->top = NULL;
	l->file = NULL;
	return l->trace_error;
}
