/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order matters: the bounding set can only be emptied while there is a capability to do it
 * with, and a change of user clears the signal that ties a process to its parent. */
#include "confine.h"
#include "confine_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY          65534
#define HIGH_DESCRIPTOR 32 /* above every place a kept descriptor moves to */
#define READER_NICE     (-5)
#define READER_SLICE_NS 100000u
#define PARSER_BYTES    (256u << 20)
#define LOCKED_BYTES    (256u << 20) /* buffers a reader may lock: pool and arena, with room */

/* Sanitizers map terabytes that they do not use. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

static void close_from(unsigned first)
{
	if (close_range(first, ~0u, 0) == 0)
		return;
	for (int fd = (int)first; fd < 65536; fd++)
		close(fd);
}

int confine_descriptors(int *fds, size_t n)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (nothing < 0)
		return -errno;
	for (size_t i = 0; i < n; i++) {
		int high = fcntl(fds[i], F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);

		if (high < 0)
			return -errno;
		fds[i] = high;
	}
	for (int fd = 0; fd < 3; fd++)
		if (dup2(nothing, fd) < 0)
			return -errno;
	for (size_t i = 0; i < n; i++) {
		if (dup2(fds[i], 3 + (int)i) < 0)
			return -errno;
		fds[i] = 3 + (int)i;
	}
	close_from(3 + (unsigned)n);
	return 0;
}

static void reset_signals(void)
{
	sigset_t none;

	for (int s = 1; s < 32; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int follow_parent(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
		return -errno;
	return getppid() == parent ? 0 : -ECHILD;
}

int confine_broker(pid_t parent)
{
	reset_signals();
	signal(SIGCHLD, SIG_IGN); /* readers are reaped by the kernel: nobody asks how they ended */
	setsid();                 /* the terminal's Ctrl-C is for the front alone */
	prctl(PR_SET_NAME, "platter-broker");
	return follow_parent(parent);
}

/* Keeps of the capabilities that there are those in kept. */
static int keep_capabilities(uint32_t kept)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct now[2] = {{0, 0, 0}, {0, 0, 0}};

	if (kept && syscall(SYS_capget, &header, now) != 0)
		return -errno;
	kept &= now[0].permitted;
	now[0] = (struct __user_cap_data_struct){kept, kept, 0};
	now[1] = (struct __user_cap_data_struct){0, 0, 0};
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return syscall(SYS_capset, &header, now) == 0 ? 0 : -errno;
}

static int drop_user(void)
{
	if (geteuid() != 0)
		return 0;
	for (int capability = 0; capability < 64; capability++)
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EINVAL)
			return -errno;
	if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
		setresuid(NOBODY, NOBODY, NOBODY) != 0)
		return -errno;
	return 0;
}

/* Takes the processor the moment a read is done, and gives it back soon. The kernel takes an ordinary
 * task's sched_runtime as the slice it may run in one go (from 6.12 on): who asks for little is let in
 * at once. Older kernels take the nice value alone. */
static void be_prompt(void)
{
	struct sched_attr_v0 {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime_ns, deadline_ns, period_ns;
	} attr = {.size = sizeof(attr), .nice = READER_NICE, .runtime_ns = READER_SLICE_NS};

	prctl(PR_SET_TIMERSLACK, 1ul, 0ul, 0ul, 0ul);
	setpriority(PRIO_PROCESS, 0, READER_NICE);
	if (sched_getscheduler(0) == SCHED_OTHER) /* who was given real time keeps it */
		syscall(SYS_sched_setattr, 0, &attr, 0);
}

/* No user, no capability, nothing to gain, nothing left behind; the last step. */
static int give_up_all(pid_t parent)
{
	struct rlimit none = {0, 0};
	int status;

	setrlimit(RLIMIT_CORE, &none);
	status = drop_user();
	if (!status)
		status = keep_capabilities(0);
	if (!status && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
			       prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0))
		status = -errno;
	return status ? status : follow_parent(parent);
}

int confine_reader(pid_t parent)
{
	struct rlimit locked = {LOCKED_BYTES, LOCKED_BYTES};

	reset_signals();
	prctl(PR_SET_NAME, "platter-reader");
	be_prompt();
	setrlimit(RLIMIT_MEMLOCK, &locked);
	return give_up_all(parent);
}

int confine_parser(pid_t parent, unsigned limit_s)
{
	struct rlimit none = {0, 0}, time = {limit_s, limit_s};
	struct rlimit memory = {PARSER_BYTES, PARSER_BYTES};
	int status;

	reset_signals();
	prctl(PR_SET_NAME, "platter-parser");
	setrlimit(RLIMIT_CPU, &time);
	setrlimit(RLIMIT_FSIZE, &none);
	setrlimit(RLIMIT_NPROC, &none);
	if (!SANITIZED)
		setrlimit(RLIMIT_AS, &memory);
	alarm(limit_s);
	status = give_up_all(parent);
	if (!status)
		status = confine_calls();
	return status == -ENOSYS ? 0 : status;
}

int confine_asker(pid_t parent)
{
	struct rlimit none = {0, 0};
	int status;

	reset_signals();
	prctl(PR_SET_NAME, "platter-asker");
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
	status = drop_user();
	if (!status)
		status = keep_capabilities(1u << CAP_SYS_RAWIO | 1u << CAP_SYS_ADMIN);
	if (!status && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
			       prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0))
		status = -errno;
	if (!status)
		status = follow_parent(parent);
	if (!status)
		status = confine_asker_calls();
	return status == -ENOSYS ? 0 : status;
}
