/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A seccomp filter (seccomp(2)): a program of a few jumps that the kernel runs at each system call. A
 * call of another machine's numbering, which could mean anything, ends the process. */
#include "confine_calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/blkzoned.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/nvme_ioctl.h>
#include <linux/seccomp.h>
#include <scsi/sg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#define MACHINE 0 /* not known here: no filter */
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skip))
#define END(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSED (SECCOMP_RET_ERRNO | EINVAL)
/* the lower half of the second argument, which is where an ioctl's number stands */
#define LOAD_REQUEST BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8)

static int install(struct sock_filter *filter, unsigned short n)
{
	struct sock_fprog program = {n, filter};

	if (MACHINE == 0)
		return -ENOSYS;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return errno == EINVAL ? -ENOSYS : -errno;
	return 0;
}

int confine_calls(void)
{
	static struct sock_filter filter[] = {
		LOAD(arch), UNLESS(MACHINE, 1), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
		END(SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
		UNLESS(SYS_execve, 1), END(REFUSED),
		UNLESS(SYS_execveat, 1), END(REFUSED),
		UNLESS(SYS_ioctl, 8),
		LOAD_REQUEST,
		UNLESS(BLKGETSIZE64, 1), END(SECCOMP_RET_ALLOW),
		UNLESS(BLKSSZGET, 1), END(SECCOMP_RET_ALLOW),
		UNLESS(BLKGETZONESZ, 1), END(SECCOMP_RET_ALLOW),
		END(REFUSED),
		END(SECCOMP_RET_ALLOW),
	};

	return install(filter, sizeof(filter) / sizeof(filter[0]));
}

int confine_asker_calls(void)
{
	static const uint32_t allowed[] = {SYS_recvfrom, SYS_sendto, SYS_recvmsg, SYS_sendmsg,
		SYS_read, SYS_write, SYS_close, SYS_exit_group, SYS_rt_sigreturn, SYS_clock_gettime,
		SYS_clock_nanosleep, SYS_nanosleep, SYS_restart_syscall, SYS_fstat, SYS_newfstatat,
		SYS_munmap, SYS_brk, SYS_sigaltstack, SYS_gettid};
	static const uint32_t requests[] = {SG_IO, NVME_IOCTL_ADMIN_CMD};
	struct sock_filter filter[64] = {
		LOAD(arch), UNLESS(MACHINE, 1), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
		END(SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
	};
	unsigned short n = 5;

	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		filter[n++] = (struct sock_filter)UNLESS(allowed[i], 1);
		filter[n++] = (struct sock_filter)END(SECCOMP_RET_ALLOW);
	}
	filter[n++] = (struct sock_filter)UNLESS(SYS_ioctl, 5);
	filter[n++] = (struct sock_filter)LOAD_REQUEST;
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		filter[n++] = (struct sock_filter)UNLESS(requests[i], 1);
		filter[n++] = (struct sock_filter)END(SECCOMP_RET_ALLOW);
	}
	filter[n++] = (struct sock_filter)END(SECCOMP_RET_ERRNO | EPERM);
	return install(filter, n);
}
