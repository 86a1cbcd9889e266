/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system calls a process has left. */
#ifndef PLATFORM_LINUX_CONFINE_CALLS_H
#define PLATFORM_LINUX_CONFINE_CALLS_H

/* From here on, ioctls are refused with EINVAL but for those that ask a block device for its sizes, and
 * so is every start of a program. Needs "no new privileges". 0; negative errno, -ENOSYS: this kernel
 * or machine has no such filter. */
int confine_calls(void);

/* From here on, only what an asker needs: talking over descriptors that are open, the two ioctls that
 * carry questions, its end. The rest is refused with EPERM. Returns as confine_calls(). */
int confine_asker_calls(void);

#endif
