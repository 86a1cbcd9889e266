/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ticks are those of timers in use: 1000, 1024, 256, 250 and 100 a second, and one that is the turn
 * of a 7200 rpm drive. */
#include "tests/accuracy/still.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/truth/runner.h"

static const char *const devices[] = {
	"like = virtual\n",
	"like = virtual\ncompletion_tick_s = 0.001\n",
	"like = virtual\ncompletion_tick_s = 0.0009765625\n",
	"like = virtual\ncompletion_tick_s = 0.00390625\n",
	"like = virtual\ncompletion_tick_s = 0.004\n",
	"like = virtual\ncompletion_tick_s = 0.0083333333\n",
	"like = virtual\ncompletion_tick_s = 0.010\n",
	"like = virtual\nvirtual_hit_share = 0\nvirtual_sigma = 0.1\nvirtual_median_s = 0.004\n",
	"like = virtual\nvirtual_hit_share = 0\ncompletion_tick_s = 0.004\n",
	"like = ssdsa2m080g2gc\n",
	"like = ssdsa2m080g2gc\ncompletion_tick_s = 0.001\n",
	"like = ssdsa2m080g2gc\ncompletion_tick_s = 0.004\n",
	"like = ssdsa2m080g2gc\ncompletion_tick_s = 0.0083333333\n",
	"like = mzvl21t0hcjr\n",
	"like = mzvl21t0hcjr\ncompletion_tick_s = 0.004\n",
	"like = smrnew\n",
	"like = smrnew\ncompletion_tick_s = 0.004\n",
};
#define DEVICES (sizeof(devices) / sizeof(devices[0]))

struct shared {
	atomic_uint next, done, known;
	atomic_uint last; /* device that told a speed */
};

static bool write_device(char *path, size_t device)
{
	FILE *f;

	snprintf(path, 48, "/tmp/still-%ld-%zu.truth", (long)getpid(), device);
	f = fopen(path, "w");
	if (!f)
		return false;
	fputs(devices[device], f);
	return fclose(f) == 0;
}

static void run_one(struct shared *shared, unsigned number)
{
	size_t device = number % DEVICES;
	char path[48], spec[64];
	struct run run = {.spec = spec, .probe = "rotation", .seed = 1 + number / DEVICES,
		.effort = EFFORT_STANDARD};
	const struct finding *f;
	struct plan plan;
	struct cost cost;
	struct doc doc;

	if (!write_device(path, device))
		return;
	snprintf(spec, sizeof(spec), "sim:%s", path);
	if (runner_run(&run, &plan, &doc, &cost) == 0) {
		f = doc_find(&doc, "rotation.rpm");
		atomic_fetch_add(&shared->done, 1);
		if (f && f->how != HOW_UNKNOWN) {
			atomic_fetch_add(&shared->known, 1);
			atomic_store(&shared->last, (unsigned)device);
		}
	}
	doc_release(&doc);
	unlink(path);
}

void still_run(struct still *still, unsigned runs, unsigned jobs)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned number;
	bool child = false;

	memset(still, 0, sizeof(*still));
	if (shared == MAP_FAILED)
		return;
	fflush(stdout);
	for (unsigned i = 1; i < jobs && !child; i++)
		child = fork() == 0;
	while ((number = atomic_fetch_add(&shared->next, 1)) < runs)
		run_one(shared, number);
	if (child)
		_exit(0);
	while (wait(NULL) > 0)
		continue;
	still->runs = shared->done;
	still->known = shared->known;
	snprintf(still->spec, sizeof(still->spec), "%.63s", devices[shared->last]);
	for (char *c = still->spec; *c; c++)
		if (*c == '\n')
			*c = ' ';
	munmap(shared, sizeof(*shared));
}
