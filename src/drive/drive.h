/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The abstract drive: it is asked, and answers at a time. There is no other verb than read.
 *
 * A block device, a simulated drive, a recording and a filter in front of another drive are all a
 * `struct drive`. Time belongs to the drive: now_ns() of a simulated drive is virtual, so that a
 * minute of probing takes milliseconds. The innermost drive stamps the times. */
#ifndef DRIVE_DRIVE_H
#define DRIVE_DRIVE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One read. Offsets and lengths are multiples of the logical block. */
struct io {
	/* asked: filled by whoever makes the request */
	uint64_t offset;        /* bytes from the start of the drive */
	uint64_t not_before_ns; /* earliest issue on the drive's clock; 0: at once */
	uint32_t length;        /* bytes; 1 … DRIVE_LENGTH_MAX */
	void *data;             /* length bytes, aligned to info.memory_align_bytes; NULL: content
	                           does not matter (and is not kept); else length is at most
	                           DRIVE_CONTENT_MAX */
	/* answered: filled by the drive */
	int error;        /* 0; negative errno of this read (a bad sector is data, not failure);
	                     -ECANCELED: never issued, or not answered */
	uint64_t sent_ns; /* drive's clock, just before issue */
	uint64_t done_ns; /* drive's clock, just after completion */
};

#define DRIVE_LENGTH_MAX  (16u << 20)  /* bytes in one read */
#define DRIVE_CONTENT_MAX (512u << 10) /* bytes in one read whose content is wanted */
#define DRIVE_DEPTH_MAX   256u         /* reads in flight */
#define DRIVE_BATCH_MAX   65536u       /* reads in one batch */

/* Set by filters that look on, never by probes. */
struct batch_hook {
	const volatile sig_atomic_t *stop; /* not 0: nothing more is issued, drive_run → -EINTR */
	/* Called now and then (about 10 times a second of the drive's clock) while a batch runs,
	 * outside what is timed. NULL: nobody wants to know. */
	void (*tick)(void *arg, uint64_t now_ns);
	void *arg;
};

struct batch {
	struct io *ios;
	size_t n;          /* 1 … DRIVE_BATCH_MAX */
	unsigned depth;    /* reads kept in flight, 1 … DRIVE_DEPTH_MAX; 1 is always a plain read */
	uint64_t until_ns; /* nothing is issued at or after this time; 0: no end */
	const struct batch_hook *hook; /* NULL but for filters */
};

/* What was seen from outside the reads: counters that only grow; subtract two witnesses. */
struct witness {
	unsigned known; /* WITNESS_… bits: which of these are filled */
	uint64_t device_reads, device_read_bytes;     /* the device's own I/O counters: */
	uint64_t device_writes, device_written_bytes; /* everybody's requests to it */
	uint64_t reader_user_ns, reader_system_ns;    /* CPU time of who issues the reads */
	uint64_t run_delay_ns;                        /* waiting for a CPU while runnable */
	uint64_t steal_ns;                            /* taken from this machine by its host */
};
#define WITNESS_DEVICE    1u
#define WITNESS_CPU       2u
#define WITNESS_RUN_DELAY 4u
#define WITNESS_STEAL     8u

/* How reads reach the medium. */
enum drive_path {
	DRIVE_DIRECT,         /* past the page cache, as asked for */
	DRIVE_PAGE_CACHE,     /* through the page cache, as asked for */
	DRIVE_DIRECT_REFUSED, /* direct was asked for, the system gives only the page cache */
	DRIVE_DIRECT_BELOW_CACHED, /* direct, but what the drive is made of (a loop device's file)
	                              is read through the page cache by the system */
};

enum drive_rotating { ROTATING_UNKNOWN, ROTATING_NO, ROTATING_YES };

/* Whether the platters turn, as far as the system tells that without asking the drive. */
enum drive_power { POWER_UNKNOWN, POWER_AWAKE, POWER_ASLEEP };

struct drive_info {
	char name[256];                /* as shown to people: "/dev/sda", "sim:hts725050a9a362" */
	uint64_t size_bytes;           /* whole logical blocks only */
	uint32_t logical_block_bytes;  /* smallest and aligning unit of a read */
	uint32_t physical_block_bytes; /* >= logical_block_bytes */
	uint32_t memory_align_bytes;   /* of io.data */
	uint32_t max_request_bytes;    /* largest read that reaches the drive as one command; never 0 */
	enum drive_path path;
	enum drive_rotating rotating;  /* what the system says, no measurement */
	unsigned reported_rpm;         /* what the drive gives as its speed of rotation; 0: nothing */
	enum drive_power power;        /* before it was opened */
	uint64_t first_read_ns;        /* what the read made on opening took; 0: none was made */
	bool simulated;                /* figures must be marked so */
	double clock_error_ratio;      /* now_ns() may run fast or slow by this; NAN: not known */
	const char *read_method;       /* depth 1: "pread", "model"; static string */
	const char *queue_method;      /* depth > 1: "io_uring", "threads", "model"; static string */
};

struct drive;

/* What a kind of drive provides. Each takes the drive itself first. */
struct drive_ops {
	uint64_t (*now_ns)(struct drive *d);
	int (*run)(struct drive *d, struct batch *b);
	/* 0 or -ENOTSUP. */
	int (*witness)(struct drive *d, struct witness *w);
	/* Of that range, how many bytes are in the page cache. 0 or -ENOTSUP. */
	int (*resident)(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes);
	void (*close)(struct drive *d);
};

/* First member of each kind's own struct. */
struct drive {
	const struct drive_ops *ops;
	struct drive_info info;
};

/* The drive's clock. Monotonic, no meaning but differences; never 0. */
uint64_t drive_now_ns(struct drive *d);

/* Carries out the batch in this order, at most b->depth in flight, each completed read replaced at
 * once. Every io gets its error, sent_ns and done_ns.
 * 0: every read issued was answered, well or ill (until_ns may have left some -ECANCELED).
 * -EINTR: told to stop. -ENODEV: the drive is gone. -ETIME: a read got no answer within the limit
 * and the drive must be left alone. Other negative errno: the drive cannot go on. On each of these
 * the reads answered before are valid, the others -ECANCELED.
 * Asserts that offsets and lengths are whole logical blocks inside the drive. */
int drive_run(struct drive *d, struct batch *b);

/* One read at depth 1. Returns the batch's failure, else the read's own error, else 0.
 * latency_ns (may be NULL): done - sent. data as in struct io. */
int drive_read(struct drive *d, uint64_t offset, uint32_t length, void *data,
	uint64_t *latency_ns);

/* Counters as they stand now; w->known 0 (and -ENOTSUP) where the drive has none. */
int drive_witness(struct drive *d, struct witness *w);

/* 0 and *bytes, or -ENOTSUP (*bytes 0). */
int drive_resident(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes);

/* Ends d and frees it; filters do not close the drive they hold. NULL is nothing. */
void drive_close(struct drive *d);

/* What happened between two witnesses; only what both know. */
struct witness witness_since(const struct witness *before, const struct witness *after);

#endif
