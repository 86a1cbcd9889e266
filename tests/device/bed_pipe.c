/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lies between a prober and the modelled drive (system calls, loop, FUSE, wake-ups) costs time
 * that is no fault of either. This reads the device one request at a time, puts its own times beside
 * the drive's log, and says what the pipe added: client latency less modelled service. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/fs.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/units.h"
#include "tests/device/bed.h"

struct pipe_read {
	uint64_t offset, sent_ns, done_ns;
	double added_us, latency_us, service_us;
};

struct pipe_run {
	const char *device, *directory;
	bool random;
	uint64_t length, count, size_bytes;
	struct pipe_read *reads;
};

static int complain(const char *what, const char *which)
{
	fprintf(stderr, "beddrive: %s %s: %s\n", what, which, strerror(errno));
	return -1;
}

static int reset_log(const struct pipe_run *run)
{
	struct text path = {0};
	FILE *f;

	text_add(&path, "%s/ctl", run->directory);
	f = fopen(text_chars(&path), "we");
	text_release(&path);
	if (!f)
		return complain("opening ctl in", run->directory);
	fputs("resetlog\n", f);
	return fclose(f) ? complain("writing ctl in", run->directory) : 0;
}

static void choose(struct pipe_run *run)
{
	struct rng rng;

	rng_init(&rng, bed_now_ns(), 0);
	for (uint64_t i = 0; i < run->count; i++) {
		uint64_t places = run->size_bytes / run->length;

		run->reads[i].offset = (run->random ? rng_below(&rng, places) : i % places)
			* run->length;
	}
}

static int read_all(struct pipe_run *run)
{
	size_t huge = 4u << 20;
	int fd = open(run->device, O_RDONLY | O_DIRECT | O_CLOEXEC), rc = 0;
	char *buffer;

	if (fd < 0)
		return complain("opening", run->device);
	buffer = mmap(NULL, huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (buffer == MAP_FAILED || ioctl(fd, BLKGETSIZE64, &run->size_bytes)
	    || run->size_bytes < run->length) {
		close(fd);
		return complain("measuring", run->device);
	}
	madvise(buffer, huge, MADV_HUGEPAGE);
	memset(buffer, 1, huge);
	choose(run);
	for (uint64_t i = 0; i < run->count && !rc; i++) {
		struct pipe_read *r = &run->reads[i];

		r->sent_ns = bed_now_ns();
		if (pread(fd, buffer, run->length, (off_t)r->offset) != (ssize_t)run->length)
			rc = complain("reading", run->device);
		r->done_ns = bed_now_ns();
		if (!rc && buffer[8] != 'P')
			rc = complain("not a bed drive:", run->device);
	}
	munmap(buffer, huge);
	close(fd);
	return rc;
}

/* One log line a read: with depth 1 and reads that are not cut they come in the same order. */
static int match_log(struct pipe_run *run)
{
	struct text path = {0};
	char line[256];
	uint64_t n = 0;
	FILE *f;

	text_add(&path, "%s/log", run->directory);
	f = fopen(text_chars(&path), "re");
	text_release(&path);
	if (!f)
		return complain("opening log in", run->directory);
	while (fgets(line, sizeof line, f)) {
		uint64_t arrive_ns, done_ns;
		struct pipe_read *r;

		if (sscanf(line, "%*u %" SCNu64 " %*u %*u %" SCNu64, &arrive_ns, &done_ns) != 2)
			continue;
		if (n == run->count)
			break;
		r = &run->reads[n++];
		r->latency_us = (double)(r->done_ns - r->sent_ns) / 1e3;
		r->service_us = (double)(done_ns - arrive_ns) / 1e3;
		r->added_us = r->latency_us - r->service_us;
	}
	fclose(f);
	errno = EPROTO;
	return n == run->count ? 0 : complain("the log does not fit the reads:", run->directory);
}

static int by_added(const void *a, const void *b)
{
	const struct pipe_read *x = a, *y = b;

	return (x->added_us > y->added_us) - (x->added_us < y->added_us);
}

static void report(struct pipe_run *run)
{
	double sum = 0, squares = 0, latency = 0, service = 0, n = (double)run->count, mean;
	struct pipe_read *r = run->reads;
	uint64_t elapsed_ns = r[run->count - 1].done_ns - r[0].sent_ns;

	for (uint64_t i = 0; i < run->count; i++) {
		sum += r[i].added_us;
		squares += r[i].added_us * r[i].added_us;
		latency += r[i].latency_us;
		service += r[i].service_us;
	}
	mean = sum / n;
	qsort(r, run->count, sizeof *r, by_added);
	printf("{\"reads\":%" PRIu64 ",\"request_bytes\":%" PRIu64, run->count, run->length);
	printf(",\"bytes_per_s\":%.0f", n * (double)run->length / ((double)elapsed_ns / 1e9));
	printf(",\"latency_mean_s\":%.9f,\"service_mean_s\":%.9f", latency / n / 1e6,
		service / n / 1e6);
	printf(",\"added_mean_s\":%.9f,\"added_error_s\":%.9f", mean / 1e6,
		n > 1 ? sqrt(fmax(squares / n - mean * mean, 0) / (n - 1)) / 1e6 : 0.0);
	printf(",\"added_p10_s\":%.9f,\"added_p50_s\":%.9f,\"added_p90_s\":%.9f}\n",
		r[run->count / 10].added_us / 1e6, r[run->count / 2].added_us / 1e6,
		r[run->count * 9 / 10].added_us / 1e6);
}

int bed_pipe(int argc, char **argv)
{
	struct pipe_run run = {0};
	int rc;

	if (argc != 5 || units_parse_bytes(argv[3], &run.length)
	    || units_parse_u64(argv[4], &run.count) || !run.count || run.count > BED_RECORDS_MAX
	    || !run.length || run.length > BED_REQUEST_MAX) {
		fputs("beddrive: --pipe DEVICE MOUNTPOINT rand|seq BYTES COUNT\n", stderr);
		return 2;
	}
	run.device = argv[0];
	run.directory = argv[1];
	run.random = !strcmp(argv[2], "rand");
	run.reads = mem_zalloc(run.count, sizeof *run.reads);
	rc = reset_log(&run) || read_all(&run) || match_log(&run);
	if (!rc)
		report(&run);
	free(run.reads);
	return rc ? 1 : 0;
}
