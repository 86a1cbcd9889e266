/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Giving things up: what a process of platter does to itself so that it cannot do harm. */
#ifndef PLATFORM_LINUX_CONFINE_H
#define PLATFORM_LINUX_CONFINE_H

#include <sys/types.h>

/* Keeps the n descriptors fds[] as 3, 4, … (fds[] is rewritten so), points 0, 1 and 2 at nothing
 * (so that a process that hangs holds no pipe of its caller) and closes all others. 0 or negative
 * errno. */
int confine_descriptors(int *fds, size_t n);

/* For the broker: leaves the terminal's session, ends when parent (the process that forked it)
 * does. 0 or negative errno; -ECHILD: the parent is gone already. */
int confine_broker(pid_t parent);

/* For a reader: a little more of the CPU where that is allowed, then no capability (bounding set
 * too), user and group nobody, no supplementary group, no new privileges, not dumpable, ends when
 * parent does. Without privileges to begin with, what is left of that. 0 or negative errno, after
 * which the process must not touch a drive. */
int confine_reader(pid_t parent);

/* For a process that takes apart what it reads: the same but for the CPU, and limited to limit_s
 * seconds (of its processor and by the clock), 256 MiB of memory, no file written, no process
 * started, no ioctl but those that ask for sizes. Returns as confine_reader(). */
int confine_parser(pid_t parent, unsigned limit_s);

/* For an asker: of the capabilities only those without which the kernel lets no question through
 * (raw I/O, administration), user and group nobody, no new privileges, not dumpable, ends when
 * parent does; and of system calls only those that talk over a socket and the two ioctl() that carry
 * questions. 0 or negative errno, after which the process must not touch a drive. */
int confine_asker(pid_t parent);

#endif
