/* SPDX-License-Identifier: GPL-2.0-or-later */
/* touch_cost FILE: how much slower reading 2 MiB from the page cache gets by changing one byte in
 * every 512 of what was read, as hdparm -T does inside its timing. Prints the ratio (1.15: reads alone
 * are 15 % faster) and the rate of the reads alone in MB/s (10^6): medians of 9 pairs of a tenth of a
 * second each. For scripts/side-by-side. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LENGTH ((size_t)2 << 20)
#define PAIRS  9

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Reads for a tenth of a second; the time of one read. 0: reading failed. */
static double time_of_read(int fd, volatile char *buffer, int touching)
{
	double start = now_s(), elapsed = 0;
	unsigned n = 0;

	while (elapsed < 0.1) {
		if (pread(fd, (char *)buffer, LENGTH, 0) != (ssize_t)LENGTH)
			return 0;
		for (size_t i = 0; touching && i < LENGTH; i += 512)
			buffer[i] &= 1;
		n++;
		elapsed = now_s() - start;
	}
	return elapsed / n;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	double ratio[PAIRS], rate[PAIRS];
	void *buffer = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (fd < 0 || buffer == MAP_FAILED)
		return 1;
	for (int i = 0; i < PAIRS; i++) {
		double alone = time_of_read(fd, buffer, 0);
		double touching = time_of_read(fd, buffer, 1);

		if (alone <= 0 || touching <= 0)
			return 1;
		ratio[i] = touching / alone;
		rate[i] = (double)LENGTH / alone / 1e6;
	}
	qsort(ratio, PAIRS, sizeof ratio[0], by_size);
	qsort(rate, PAIRS, sizeof rate[0], by_size);
	printf("%.4f %.3f\n", ratio[PAIRS / 2], rate[PAIRS / 2]);
	return 0;
}
