/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front's line to the broker. Calls from several threads wait for each other. */
#ifndef PLATFORM_LINUX_FRONT_H
#define PLATFORM_LINUX_FRONT_H

#include <stdint.h>

#include "base/err.h"
#include "host/platform.h"
#include "wire.h"

/* How long anything may go without an answer, ns: well above the half minute in which the kernel
 * gives up a command by itself (30 s, retried), and a spin-up. */
#define FRONT_LIMIT_NS 60000000000u

/* Sends the request (its tag is filled in) and waits for its reply. fds: MESSAGE_FDS_MAX, may be
 * NULL. 0 (look at reply->status then); -EPIPE: the broker is gone; -ETIME: no answer within
 * limit_ns, and the broker is not asked again. */
int front_call(struct platform *p, struct wire_request *request, struct wire_reply *reply, int *fds,
	uint64_t limit_ns);

/* 0 when there is something to receive, -ETIME past deadline_ns of clock_raw_ns(). */
int front_wait_readable(int socket, uint64_t deadline_ns);

/* Sends a request that has no reply. */
void front_tell(struct platform *p, struct wire_request *request);

#endif
