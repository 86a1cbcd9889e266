/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/full_queue.h"

#include <errno.h>
#include <string.h>

#include "stat/robust.h"

size_t full_queue_times(
	const struct io *ios, size_t n, uint64_t start_ns, size_t skip, double *done_s)
{
	uint64_t last_sent = 0;
	size_t good = 0;

	for (size_t i = 0; i < n; i++)
		if (ios[i].error != -ECANCELED && ios[i].sent_ns > last_sent)
			last_sent = ios[i].sent_ns;
	for (size_t i = 0; i < n; i++)
		if (ios[i].error == 0 && ios[i].done_ns <= last_sent)
			done_s[good++] = (double)(ios[i].done_ns - start_ns) / 1e9;
	stat_sort(done_s, good);
	if (good <= skip)
		return 0;
	memmove(done_s, done_s + skip, (good - skip) * sizeof(*done_s));
	return good - skip;
}
