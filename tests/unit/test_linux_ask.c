/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line to an asker: what cannot be asked says why, and platter goes on; what an asker has left of
 * system calls and capabilities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/fs.h>
#include <linux/hdreg.h>
#include <scsi/sg.h>

#include "host/platform.h"
#include "platform/linux/confine_calls.h"

static struct platform *platform;

static int start(void **state)
{
	struct err e;

	(void)state;
	return platform_start(&platform, &e);
}

static int stop(void **state)
{
	(void)state;
	platform_stop(platform);
	platform = NULL;
	return 0;
}

static void test_no_drives(void **state)
{
	static const struct {
		const char *name;
		int status;
	} names[] = {{"/dev/null", -ENOTBLK}, {"/", -ENOTBLK}, {"/dev/there-is-none", -ENOENT},
		{"serial:", -ENOENT}, {"serial:nobody has this", -ENOENT}};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct asker asker;
		struct err e = {.text = ""};

		assert_int_equal(platform_ask(platform, names[i].name, &asker, &e), names[i].status);
		assert_true(strlen(e.text) > 10);
		assert_null(asker.context);
		platform_unask(&asker); /* nothing was opened: nothing happens */
	}
}

static const char *some_loop(void)
{
	return access("/dev/loop0", R_OK) == 0 ? "/dev/loop0" : NULL;
}

static char wrong_status[] = "another status", no_sentence[] = "no sentence";

/* A loop device has no door; the sentence says so, and the next is asked all the same. */
static void *ask_loop(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++) {
		struct asker asker;
		struct err e = {.text = ""};
		int status = platform_ask(platform, some_loop(), &asker, &e);

		if (status != -EOPNOTSUPP && status != -ENXIO)
			return wrong_status;
		if (!e.text[0])
			return no_sentence;
	}
	return NULL;
}

static void test_no_door(void **state)
{
	pthread_t threads[4];

	(void)state;
	if (!some_loop())
		skip();
	assert_null(ask_loop(NULL));
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_loop, NULL), 0);
	for (size_t i = 0; i < 4; i++) {
		void *wrong;

		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
}

/* Runs in a child that has given up what an asker gives up. 0: as it should be. */
static int try_calls(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	uint64_t number = 0;
	struct sg_io_hdr h = {.interface_id = 'S'};
	int status;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 1;
	status = confine_asker_calls();
	if (status == -ENOSYS)
		return 77;
	if (status)
		return 2;
	if (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0 || errno != EPERM)
		return 3;
	if (ioctl(fd, BLKFLSBUF, 0) == 0 || errno != EPERM)
		return 4;
	if (ioctl(fd, HDIO_DRIVE_CMD, &number) == 0 || errno != EPERM)
		return 5;
	if (ioctl(fd, BLKGETSIZE64, &number) == 0 || errno != EPERM)
		return 6;
	if (syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0) >= 0 || errno != EPERM)
		return 7;
	if (ioctl(fd, SG_IO, &h) == 0 || errno == EPERM) /* it reaches the kernel, which has no door */
		return 8;
	return 0;
}

static void test_calls_left(void **state)
{
	int status;
	pid_t child = fork();

	(void)state;
	if (child == 0)
		_exit(try_calls());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_no_drives, start, stop),
		cmocka_unit_test_setup_teardown(test_no_door, start, stop),
		cmocka_unit_test(test_calls_left),
	};

	return cmocka_run_group_tests_name("linux_ask", tests, NULL, NULL);
}
