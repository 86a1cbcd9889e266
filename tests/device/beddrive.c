/* SPDX-License-Identifier: GPL-2.0-or-later */
/* beddrive MOUNTPOINT SPEC [KEY=VALUE…] serves the drive SPEC describes (a built-in name, a truth
 * file, random:SEED) until it is unmounted or ended; scripts/bed puts a loop device on its `disk`.
 * One loop: it sleeps until shortly before the next modelled completion, then spins, taking in what
 * arrives meanwhile, so that a reply leaves within a microsecond or two of its time. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/units.h"
#include "tests/device/bed.h"

#define SPIN_NS 200000u  /* sleep ends this long before a completion */
#define RT_PRIORITY 20   /* above any prober under test */

static volatile sig_atomic_t told_to_stop;

static void on_signal(int sig)
{
	(void)sig;
	told_to_stop = 1;
}

uint64_t bed_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Larger logical blocks than the medium's own make a drive of such sectors (4Kn) of the same rates. */
static void set_block(struct truth *t, uint64_t block_bytes)
{
	if (block_bytes > t->physical_block_bytes) {
		unsigned times = (unsigned)(block_bytes / t->physical_block_bytes);

		t->physical_block_bytes = block_bytes;
		t->outer_sectors_per_track /= times;
		t->inner_sectors_per_track /= times;
	}
	t->logical_block_bytes = block_bytes;
	t->size_bytes = t->size_bytes / block_bytes * block_bytes;
}

int bed_describe(int argc, char **argv, struct truth *truth, uint64_t *seed, struct err *e)
{
	int rc;

	*seed = 1;
	if (argc < 1)
		return err_set(e, -EINVAL, "no drive was named: give a built-in name or a file");
	rc = truth_of_spec(argv[0], truth, e);
	for (int i = 1; !rc && i < argc; i++) {
		uint64_t number;

		if (text_starts(argv[i], "seed="))
			rc = units_parse_u64(argv[i] + 5, seed);
		else if (!text_starts(argv[i], "block="))
			rc = truth_set(truth, argv[i], e);
		else if (!(rc = units_parse_bytes(argv[i] + 6, &number)))
			set_block(truth, number);
		if (rc && !e->code)
			err_set(e, rc, "%s is no number", argv[i]);
	}
	return rc ? rc : truth_check(truth, e);
}

static int control_size(struct bed *bed, const char *number)
{
	uint64_t size_bytes;

	if (units_parse_bytes(number, &size_bytes) || size_bytes > bed->truth.size_bytes)
		return -EINVAL;
	bed->size_bytes = size_bytes;
	fuse_lowlevel_notify_inval_inode(bed->session, BED_DISK, 0, 0);
	return 0;
}

int bed_control(struct bed *bed, char *line)
{
	line = text_trim(line);
	if (!*line)
		return 0;
	if (text_starts(line, "size "))
		return control_size(bed, line + 5);
	if (!strcmp(line, "quit")) {
		told_to_stop = 1;
		return 0;
	}
	if (!strcmp(line, "resetlog")) {
		bed->records_n = 0;
		memset(&bed->stats, 0, sizeof bed->stats);
		return 0;
	}
	return model_fault(bed->model, line);
}

/* Sleeps until there is a message or due_ns is near. */
static void wait_for(int fuse_fd, int timer_fd, uint64_t due_ns)
{
	struct pollfd fds[2] = {
		{.fd = fuse_fd, .events = POLLIN}, {.fd = timer_fd, .events = POLLIN},
	};
	struct itimerspec at = {0};

	if (due_ns != UINT64_MAX) {
		at.it_value.tv_sec = (time_t)((due_ns - SPIN_NS) / 1000000000u);
		at.it_value.tv_nsec = (long)((due_ns - SPIN_NS) % 1000000000u);
	}
	timerfd_settime(timer_fd, TFD_TIMER_ABSTIME, &at, NULL);
	poll(fds, 2, -1);
}

static int serve(struct bed *bed)
{
	int fuse_fd = fuse_session_fd(bed->session);
	int timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	struct fuse_buf message = {0};

	if (timer_fd < 0 || fcntl(fuse_fd, F_SETFL, O_RDWR | O_NONBLOCK) < 0)
		return 1;
	while (!told_to_stop && !fuse_session_exited(bed->session)) {
		int got = fuse_session_receive_buf(bed->session, &message);
		uint64_t due_ns, now_ns = bed_now_ns();

		bed->received_ns = now_ns;
		if (got > 0)
			fuse_session_process_buf(bed->session, &message);
		else if (got != -EAGAIN && got != -EINTR)
			break; /* unmounted */
		now_ns = bed_now_ns();
		bed_answer(bed, now_ns);
		if (got > 0)
			continue; /* take in all there is before sleeping */
		due_ns = model_next_ns(bed->model);
		if (due_ns == UINT64_MAX || due_ns > now_ns + SPIN_NS)
			wait_for(fuse_fd, timer_fd, due_ns);
	}
	free(message.mem);
	close(timer_fd);
	return 0;
}

/* What makes replies punctual; each may be refused, the log then shows it. */
static void be_punctual(void)
{
	struct sched_param priority = {.sched_priority = RT_PRIORITY};

	prctl(PR_SET_TIMERSLACK, 1ul, 0ul, 0ul, 0ul);
	prctl(PR_SET_IO_FLUSHER, 1ul, 0ul, 0ul, 0ul);
	mlockall(MCL_CURRENT);
	sched_setscheduler(0, SCHED_FIFO, &priority);
}

static void into_background(const char *pid_file)
{
	pid_t child;
	FILE *f;
	int null;

	fflush(NULL);
	child = fork();
	if (child)
		_exit(child < 0);
	setsid();
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	f = fopen(pid_file, "we");
	if (!f)
		_exit(1);
	fprintf(f, "%d\n", (int)getpid());
	fclose(f);
}

static void bed_release(struct bed *bed)
{
	while (bed->free) {
		struct bed_request *r = bed->free;

		bed->free = r->next_free;
		free(r->data);
		free(r);
	}
	munmap(bed->records, BED_RECORDS_MAX * sizeof *bed->records);
	model_close(bed->model);
}

static int mount_and_serve(struct bed *bed, char *mountpoint)
{
	struct fuse_args args = FUSE_ARGS_INIT(0, NULL);
	struct sigaction action = {.sa_handler = on_signal};
	struct text pid_file = {0};
	int rc = 1;

	fuse_opt_add_arg(&args, "beddrive");
	fuse_opt_add_arg(&args, "-ofsname=platterbed,allow_other,default_permissions");
	bed->session = fuse_session_new(&args, &bed_fuse_ops, sizeof bed_fuse_ops, bed);
	if (!bed->session)
		goto free_args;
	if (fuse_session_mount(bed->session, mountpoint))
		goto destroy;
	text_add(&pid_file, "%s.pid", mountpoint);
	into_background(text_chars(&pid_file));
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	be_punctual();
	rc = serve(bed);
	fuse_session_unmount(bed->session);
	unlink(text_chars(&pid_file));
	text_release(&pid_file);
destroy:
	fuse_session_destroy(bed->session);
free_args:
	fuse_opt_free_args(&args);
	return rc;
}

static int run_drive(int argc, char **argv)
{
	struct bed bed = {0};
	struct err e = {0};
	int rc;

	if (bed_describe(argc - 2, argv + 2, &bed.truth, &bed.seed, &e)) {
		fprintf(stderr, "beddrive: %s\n", e.text);
		return 2;
	}
	bed.size_bytes = bed.truth.size_bytes;
	bed.sector_bytes = (uint32_t)bed.truth.logical_block_bytes;
	bed.model = model_open(&bed.truth, bed.seed);
	bed.records = mmap(NULL, BED_RECORDS_MAX * sizeof *bed.records, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bed.records == MAP_FAILED) {
		perror("beddrive: memory for the log");
		return 1;
	}
	rc = mount_and_serve(&bed, argv[1]);
	bed_release(&bed);
	return rc;
}

int main(int argc, char **argv)
{
	if (argc >= 4 && !strcmp(argv[1], "--expect"))
		return bed_expect(argc - 2, argv + 2);
	if (argc >= 3 && !strcmp(argv[1], "--pipe"))
		return bed_pipe(argc - 2, argv + 2);
	if (argc >= 3 && argv[1][0] != '-')
		return run_drive(argc, argv);
	fputs("usage: beddrive MOUNTPOINT SPEC [KEY=VALUE...]\n"
	      "       beddrive --expect STRATA SPEC [KEY=VALUE...]\n"
	      "       beddrive --pipe DEVICE MOUNTPOINT rand|seq BYTES COUNT\n", stderr);
	return 2;
}
