/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Linux platform on a real block device: a loop device over a sparse file in which every 512
 * bytes begin with their own number. Needs root and a free loop device; skips without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drive/drive.h"
#include "host/platform.h"
#include "platform/linux/clock_linux.h"
#include "platform/linux/drive_linux.h"
#include "platform/linux/residency.h"

#define MIB        (1u << 20)
#define FILE_BYTES (64u * MIB)
#define ERROR_AT   (48u * MIB) /* the file is cut here for the test of read errors */

static char file[] = "/tmp/platter-test-XXXXXX";
static char loop[64];
static struct platform *platform;

static int shell(char *out, size_t size, const char *command)
{
	FILE *f = popen(command, "r");
	int status;

	if (!f)
		return -1;
	if (!fgets(out, (int)size, f))
		out[0] = 0;
	out[strcspn(out, "\n")] = 0;
	status = pclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int set_up(void **state)
{
	static unsigned char buffer[MIB];
	char command[256];
	int fd;

	(void)state;
	if (geteuid() != 0)
		return 0;
	fd = mkstemp(file);
	if (fd < 0)
		return -1;
	for (uint64_t at = 0; at < FILE_BYTES; at += MIB) {
		for (uint64_t s = 0; s < MIB; s += 512) {
			uint64_t number = (at + s) / 512;

			memcpy(buffer + s, &number, sizeof(number));
		}
		if (pwrite(fd, buffer, MIB, (off_t)at) != MIB)
			return -1;
	}
	close(fd);
	snprintf(command, sizeof(command),
		"losetup --find --show --read-only --direct-io=on %s 2>/dev/null || "
		"losetup --find --show --read-only %s 2>/dev/null",
		file, file);
	if (shell(loop, sizeof(loop), command) != 0)
		loop[0] = 0;
	/* where there is an udev, let it finish looking into the new device */
	return system("udevadm settle --timeout=10 > /dev/null 2>&1") == -1;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	if (geteuid() != 0)
		return 0;
	if (loop[0]) {
		snprintf(command, sizeof(command), "losetup -d %.60s", loop);
		(void)!system(command);
	}
	unlink(file);
	return 0;
}

static int start(void **state)
{
	struct err e;

	(void)state;
	platform = NULL;
	return loop[0] ? platform_start(&platform, &e) : 0;
}

static int stop(void **state)
{
	(void)state;
	platform_stop(platform);
	platform = NULL;
	return 0;
}

static struct drive *open_with(enum drive_path path, enum wire_queue queue, uint64_t limit_ns)
{
	struct drive_linux_options options = {queue, limit_ns};
	struct drive *d;
	struct err e;

	if (!loop[0])
		skip();
	if (drive_linux_open_name(platform, loop, path, &options, &d, &e) != 0)
		fail_msg("%s", e.text);
	return d;
}

static struct drive *open_usual(void)
{
	return open_with(DRIVE_DIRECT, WIRE_QUEUE_BEST, FRONT_LIMIT_NS);
}

static void test_info(void **state)
{
	struct drive *d = open_usual();

	(void)state;
	assert_string_equal(d->info.name, loop);
	assert_int_equal(d->info.size_bytes, FILE_BYTES);
	assert_int_equal(d->info.logical_block_bytes, 512);
	assert_true(d->info.physical_block_bytes >= 512);
	assert_true(d->info.max_request_bytes >= 4096);
	assert_int_equal(d->info.max_request_bytes % 512, 0);
	assert_int_equal(d->info.path, DRIVE_DIRECT);
	assert_false(d->info.simulated);
	assert_string_equal(d->info.read_method, "pread");
	drive_close(d);
}

/* A drive of the test bed says so in its sectors. */
static void test_bed_mark(void **state)
{
	static const char mark[] = "PLATTERSIMDRIVE", nothing[sizeof(mark)];
	struct drive *d;
	int fd = open(file, O_WRONLY);

	(void)state;
	if (!loop[0])
		skip();
	for (int path = DRIVE_DIRECT; path <= DRIVE_PAGE_CACHE; path++) {
		assert_int_equal(pwrite(fd, mark, sizeof(mark) - 1, 8), sizeof(mark) - 1);
		d = open_with((enum drive_path)path, WIRE_QUEUE_BEST, FRONT_LIMIT_NS);
		assert_true(d->info.simulated);
		drive_close(d);
		assert_int_equal(pwrite(fd, nothing, sizeof(mark) - 1, 8), sizeof(mark) - 1);
		d = open_with((enum drive_path)path, WIRE_QUEUE_BEST, FRONT_LIMIT_NS);
		assert_false(d->info.simulated);
		drive_close(d);
	}
	close(fd);
}

/* Far apart and out of order, every one with its content. */
static void read_all(struct drive *d, unsigned depth, size_t n, uint32_t length)
{
	struct io *ios = calloc(n, sizeof(*ios));
	unsigned char *data = calloc(n, length);
	struct batch b = {.ios = ios, .n = n, .depth = depth};
	uint64_t before = drive_now_ns(d), last_ns = 0, after;

	for (size_t i = 0; i < n; i++) {
		ios[i].offset = (i * 7919u % (FILE_BYTES / length)) * length;
		ios[i].length = length;
		ios[i].data = data + i * length;
	}
	assert_int_equal(drive_run(d, &b), 0);
	after = drive_now_ns(d);
	for (size_t i = 0; i < n; i++) {
		uint64_t number;

		assert_int_equal(ios[i].error, 0);
		assert_true(ios[i].sent_ns >= before && ios[i].done_ns <= after);
		assert_true(ios[i].done_ns > ios[i].sent_ns);
		if (depth == 1)
			assert_true(ios[i].sent_ns >= last_ns);
		last_ns = ios[i].done_ns;
		for (uint32_t s = 0; s < length; s += 512) {
			memcpy(&number, data + i * length + s, sizeof(number));
			assert_int_equal(number, (ios[i].offset + s) / 512);
		}
	}
	free(data);
	free(ios);
}

static void test_content_depth_1(void **state)
{
	struct drive *d = open_usual();

	(void)state;
	read_all(d, 1, 1000, 4096);
	read_all(d, 1, 3, 512);
	/* more content than the arena holds: several batches behind one */
	read_all(d, 1, 300, DRIVE_CONTENT_MAX);
	drive_close(d);
}

static void test_content_uring(void **state)
{
	struct drive_linux_options options = {WIRE_QUEUE_URING, FRONT_LIMIT_NS};
	struct drive *d = NULL;
	struct err e;

	(void)state;
	if (!loop[0] || drive_linux_open_name(platform, loop, DRIVE_DIRECT, &options, &d, &e) != 0)
		skip(); /* built without it, or the system does not give it */
	assert_string_equal(d->info.queue_method, "io_uring");
	read_all(d, 32, 2000, 4096);
	read_all(d, DRIVE_DEPTH_MAX, 2000, 512);
	read_all(d, 2, 1, 4096);
	drive_close(d);
}

static void test_content_threads(void **state)
{
	struct drive *d = open_with(DRIVE_DIRECT, WIRE_QUEUE_THREADS, FRONT_LIMIT_NS);

	(void)state;
	assert_string_equal(d->info.queue_method, "threads");
	read_all(d, 32, 2000, 4096);
	read_all(d, 4, 100, 65536);
	read_all(d, 64, 3, 4096);
	drive_close(d);
}

/* Large reads whose content nobody wants, at every depth, last byte included. */
static void large_reads(struct drive *d, unsigned depth)
{
	struct io ios[16] = {{0}};
	struct batch b = {.ios = ios, .n = 16, .depth = depth};

	for (size_t i = 0; i < 16; i++) {
		ios[i].length = 4 * MIB;
		ios[i].offset = i * 4 * MIB;
	}
	ios[3].length = DRIVE_LENGTH_MAX;
	assert_int_equal(drive_run(d, &b), 0);
	for (size_t i = 0; i < 16; i++) {
		assert_int_equal(ios[i].error, 0);
		assert_true(ios[i].done_ns > ios[i].sent_ns);
	}
}

static void test_large(void **state)
{
	struct drive *d = open_usual(), *t;

	(void)state;
	large_reads(d, 1);
	large_reads(d, 8);
	drive_close(d);
	t = open_with(DRIVE_PAGE_CACHE, WIRE_QUEUE_THREADS, FRONT_LIMIT_NS);
	assert_int_equal(t->info.path, DRIVE_PAGE_CACHE);
	large_reads(t, 16);
	drive_close(t);
}

static void paced(struct io *ios, size_t n, uint64_t from_ns, uint64_t step_ns)
{
	memset(ios, 0, n * sizeof(*ios));
	for (size_t i = 0; i < n; i++) {
		ios[i].offset = i * 4096;
		ios[i].length = 4096;
		ios[i].not_before_ns = from_ns + i * step_ns;
	}
}

static void until_at_depth(struct drive *d, unsigned depth)
{
	struct io ios[100];
	struct batch b = {.ios = ios, .n = 100, .depth = depth};
	uint64_t now = drive_now_ns(d);
	size_t answered = 0;

	paced(ios, 100, now + 5000000, 5000000);
	b.until_ns = now + 102500000; /* in the middle between the 20th and the 21st */
	assert_int_equal(drive_run(d, &b), 0);
	for (size_t i = 0; i < 100; i++) {
		if (ios[i].error == -ECANCELED) {
			assert_int_equal(ios[i].sent_ns, 0);
			continue;
		}
		answered++;
		assert_int_equal(ios[i].error, 0);
		assert_true(ios[i].sent_ns >= ios[i].not_before_ns);
		assert_true(ios[i].sent_ns < b.until_ns);
		assert_int_equal(answered, i + 1);
	}
	/* a busy machine may leave out some, never add one */
	assert_in_range(answered, 1, 20);
}

static void test_until(void **state)
{
	struct drive *d = open_usual(), *t;

	(void)state;
	until_at_depth(d, 1);
	until_at_depth(d, 4);
	drive_close(d);
	t = open_with(DRIVE_DIRECT, WIRE_QUEUE_THREADS, FRONT_LIMIT_NS);
	until_at_depth(t, 4);
	drive_close(t);
}

static volatile sig_atomic_t stop_flag;
static unsigned ticks;
static void (*at_third_tick)(void *arg);

static void on_tick(void *arg, uint64_t now)
{
	(void)now;
	if (++ticks == 3)
		at_third_tick(arg);
}

static void raise_stop(void *arg)
{
	(void)arg;
	stop_flag = 1;
}

static void freeze_reader(void *arg)
{
	kill(*(int *)arg, SIGSTOP);
}

static void kill_reader(void *arg)
{
	kill(*(int *)arg, SIGKILL);
}

/* A batch that would take 100 s, with something happening after about 300 ms. Returns its status;
 * checks that it ended within 10 s and that the reads say truly whether they were answered. */
static int disturbed(struct drive *d, unsigned depth, void (*what)(void *arg))
{
	struct io ios[1000];
	int reader = drive_linux_reader(d), status;
	struct batch_hook hook = {.stop = &stop_flag, .tick = on_tick, .arg = &reader};
	struct batch b = {.ios = ios, .n = 1000, .depth = depth, .hook = &hook};
	uint64_t began = drive_now_ns(d);
	size_t answered = 0;

	paced(ios, 1000, began, 100000000);
	stop_flag = 0;
	ticks = 0;
	at_third_tick = what;
	status = drive_run(d, &b);
	assert_true(drive_now_ns(d) - began < 10000000000u);
	for (size_t i = 0; i < 1000; i++) {
		if (ios[i].error == -ECANCELED)
			assert_int_equal(ios[i].done_ns, 0);
		else
			answered++;
	}
	assert_in_range(answered, 1, 100);
	return status;
}

static void test_stop(void **state)
{
	struct drive *d = open_usual(), *t;

	(void)state;
	assert_int_equal(disturbed(d, 1, raise_stop), -EINTR);
	assert_int_equal(disturbed(d, 4, raise_stop), -EINTR);
	stop_flag = 0;
	assert_int_equal(drive_read(d, 0, 4096, NULL, NULL), 0); /* and goes on afterwards */
	drive_close(d);
	t = open_with(DRIVE_DIRECT, WIRE_QUEUE_THREADS, FRONT_LIMIT_NS);
	assert_int_equal(disturbed(t, 4, raise_stop), -EINTR);
	drive_close(t);
}

/* A reader that does not run is, from outside, a reader whose drive does not answer. */
static void test_no_answer(void **state)
{
	struct drive *d = open_with(DRIVE_DIRECT, WIRE_QUEUE_BEST, 300000000);
	int reader = drive_linux_reader(d);
	uint64_t began;

	(void)state;
	assert_int_equal(disturbed(d, 1, freeze_reader), -ETIME);
	assert_int_equal(drive_read(d, 0, 4096, NULL, NULL), -ETIME);
	began = clock_raw_ns();
	drive_close(d);
	platform_stop(platform);
	platform = NULL;
	assert_true(clock_raw_ns() - began < 2000000000u);
	for (int i = 0; i < 200 && kill(reader, 0) == 0; i++)
		usleep(10000);
	assert_int_equal(kill(reader, 0), -1); /* gone with the broker, though frozen */
}

static void test_reader_dies(void **state)
{
	struct drive *d = open_usual();

	(void)state;
	assert_int_equal(disturbed(d, 2, kill_reader), -EIO);
	assert_int_equal(drive_read(d, 0, 4096, NULL, NULL), -EIO);
	drive_close(d);
}

static void test_resident(void **state)
{
	struct drive *d = open_with(DRIVE_PAGE_CACHE, WIRE_QUEUE_BEST, FRONT_LIMIT_NS);
	uint64_t before, after, direct;

	(void)state;
	/* opening left the page cache as it was */
	assert_int_equal(drive_resident(d, 0, FILE_BYTES, &before), 0);
	assert_int_equal(before, 0);
	assert_int_equal(drive_resident(d, 32 * MIB, MIB, &before), 0);
	assert_int_equal(drive_read(d, 32 * MIB, MIB, NULL, NULL), 0);
	assert_int_equal(drive_resident(d, 32 * MIB, MIB, &after), 0);
	assert_int_equal(before, 0);
	assert_int_equal(after, MIB);
	drive_close(d);
	d = open_usual();
	assert_int_equal(drive_read(d, 16 * MIB, MIB, NULL, NULL), 0);
	assert_int_equal(drive_resident(d, 16 * MIB, MIB, &direct), 0);
	assert_int_equal(direct, 0);
	drive_close(d);
}

/* The older way of asking says the same as the newer. */
static void test_resident_both_ways(void **state)
{
	static const uint64_t places[][2] = {
		{0, FILE_BYTES}, {8 * MIB, 4 * MIB}, {9 * MIB, 4096}, {40 * MIB, MIB}};
	char page[4096];
	uint64_t one, other;
	int fd;

	(void)state;
	if (!loop[0])
		skip();
	fd = open(loop, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM), 0); /* this descriptor only */
	assert_int_equal(pread(fd, page, sizeof(page), 9 * MIB), sizeof(page));
	assert_int_equal(pread(fd, page, sizeof(page), 11 * MIB), sizeof(page));
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(residency_bytes(fd, places[i][0], places[i][1], &one), 0);
		assert_int_equal(residency_by_mincore(fd, places[i][0], places[i][1], &other), 0);
		assert_int_equal(one, other);
	}
	assert_int_equal(residency_by_mincore(fd, 8 * MIB, 4 * MIB, &other), 0);
	assert_int_equal(other, 8192);
	close(fd);
}

static void test_witness(void **state)
{
	struct drive *d = open_usual();
	struct witness before, after, w;
	struct io ios[256] = {{0}};
	struct batch b = {.ios = ios, .n = 256, .depth = 1};

	(void)state;
	for (size_t i = 0; i < 256; i++) {
		ios[i].offset = i * 4096;
		ios[i].length = 4096;
	}
	assert_int_equal(drive_witness(d, &before), 0);
	assert_int_equal(drive_run(d, &b), 0);
	assert_int_equal(drive_witness(d, &after), 0);
	w = witness_since(&before, &after);
	assert_int_equal(w.known & (WITNESS_DEVICE | WITNESS_CPU), WITNESS_DEVICE | WITNESS_CPU);
	assert_int_equal(w.device_reads, 256);
	assert_int_equal(w.device_read_bytes, 256 * 4096);
	assert_int_equal(w.device_writes, 0);
	drive_close(d);
}

/* What /proc says of the reader: nobody, without a capability, without new privileges. */
static void test_reader_is_nobody(void **state)
{
	struct drive *d = open_usual();
	char path[64], line[256];
	unsigned seen = 0;
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "/proc/%d/status", drive_linux_reader(d));
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		static const char *const wanted[] = {"Uid:\t65534\t65534\t65534\t65534\n",
			"Gid:\t65534\t65534\t65534\t65534\n", "CapPrm:\t0000000000000000\n",
			"CapEff:\t0000000000000000\n", "CapBnd:\t0000000000000000\n",
			"CapInh:\t0000000000000000\n", "CapAmb:\t0000000000000000\n",
			"NoNewPrivs:\t1\n", "Groups:\t \n"};

		for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
			seen += strcmp(line, wanted[i]) == 0;
	}
	fclose(f);
	assert_int_equal(seen, 9);
	drive_close(d);
}

/* Late, because it cuts the file: reads of what is gone fail one by one, the others do not. */
static void test_read_errors(void **state)
{
	struct drive *d = open_usual();
	struct io ios[64] = {{0}};
	struct batch b = {.ios = ios, .n = 64, .depth = 1};

	(void)state;
	assert_int_equal(truncate(file, ERROR_AT), 0);
	for (unsigned depth = 1; depth <= 8; depth += 7) {
		size_t bad = 0;

		for (size_t i = 0; i < 64; i++) {
			ios[i].offset = i * MIB;
			ios[i].length = 4096;
		}
		b.depth = depth;
		assert_int_equal(drive_run(d, &b), 0);
		for (size_t i = 0; i < 64; i++) {
			assert_true(ios[i].done_ns > ios[i].sent_ns);
			if (ios[i].offset < ERROR_AT)
				assert_int_equal(ios[i].error, 0);
			else
				bad += ios[i].error == -EIO;
		}
		if (bad == 0)
			skip(); /* this kernel's loop driver reads zeros there */
		assert_int_equal(bad, 16);
	}
	drive_close(d);
}

/* After that one: the device is made shorter under the reader, who then reads nothing at all. */
static void test_gone(void **state)
{
	char command[128], out[16];
	struct drive *d = open_usual();
	struct io ios[4] = {{0}};
	struct batch b = {.ios = ios, .n = 4, .depth = 1};

	(void)state;
	assert_int_equal(truncate(file, ERROR_AT / 2), 0);
	snprintf(command, sizeof(command), "losetup --set-capacity %.60s", loop);
	assert_int_equal(shell(out, sizeof(out), command), 0);
	for (size_t i = 0; i < 4; i++) {
		ios[i].offset = i * 16 * MIB;
		ios[i].length = 4096;
	}
	assert_int_equal(drive_run(d, &b), -ENODEV);
	assert_int_equal(ios[0].error, 0);
	assert_int_equal(ios[1].error, 0);
	assert_int_equal(ios[2].error, -ECANCELED);
	assert_int_equal(ios[3].error, -ECANCELED);
	assert_int_equal(drive_read(d, 0, 4096, NULL, NULL), -ENODEV);
	drive_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_info, start, stop),
		cmocka_unit_test_setup_teardown(test_bed_mark, start, stop),
		cmocka_unit_test_setup_teardown(test_content_depth_1, start, stop),
		cmocka_unit_test_setup_teardown(test_content_uring, start, stop),
		cmocka_unit_test_setup_teardown(test_content_threads, start, stop),
		cmocka_unit_test_setup_teardown(test_large, start, stop),
		cmocka_unit_test_setup_teardown(test_until, start, stop),
		cmocka_unit_test_setup_teardown(test_stop, start, stop),
		cmocka_unit_test_setup_teardown(test_no_answer, start, stop),
		cmocka_unit_test_setup_teardown(test_reader_dies, start, stop),
		cmocka_unit_test_setup_teardown(test_resident, start, stop),
		cmocka_unit_test(test_resident_both_ways),
		cmocka_unit_test_setup_teardown(test_witness, start, stop),
		cmocka_unit_test_setup_teardown(test_reader_is_nobody, start, stop),
		cmocka_unit_test_setup_teardown(test_read_errors, start, stop),
		cmocka_unit_test_setup_teardown(test_gone, start, stop),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
