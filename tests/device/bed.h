/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The test bed: a simulated drive served as a file through FUSE, so that a loop device on top of it
 * is a real block device whose reads take the time src/sim/model.h says. One thread, one loop. */
#ifndef DEVICE_BED_H
#define DEVICE_BED_H

#define FUSE_USE_VERSION 312
#include <fuse3/fuse_lowlevel.h>

#include "base/err.h"
#include "base/text.h"
#include "sim/model.h"
#include "sim/truth.h"

#define BED_REQUEST_MAX (1u << 20) /* bytes in one FUSE read */

/* One read on its way. The model holds it until it is done. */
struct bed_request {
	struct model_request model; /* its owner is this struct */
	fuse_req_t fuse;
	char *data;                 /* BED_REQUEST_MAX bytes, filled on arrival */
	uint64_t skew;              /* of the last fill: offset within a sector */
	size_t reply_bytes;         /* of data */
	uint64_t offset;            /* as asked for, bytes */
	unsigned depth;             /* reads in the drive when it arrived, itself included */
	struct bed_request *next_free;
};

/* One line of `log`. Times are CLOCK_MONOTONIC, ns. */
struct bed_record {
	uint64_t arrive_ns, done_ns, reply_ns; /* done: as modelled; reply: handed to the kernel */
	uint64_t offset;                       /* bytes */
	uint32_t length;                       /* bytes */
	int error;                             /* 0 or negative errno */
	unsigned how, depth;                   /* enum model_how bits; reads in the drive */
};
#define BED_RECORDS_MAX (1u << 20) /* later ones are counted in stats, not kept */

struct bed_stats {
	uint64_t reads, read_bytes, writes, write_bytes, flushes, discards;
	uint64_t hits, streams, misses, retries, unmapped, errors;
	uint64_t late_over_50us, max_late_ns, late_sum_ns; /* reply after the modelled time */
	uint64_t max_depth, opens;
};

struct bed {
	struct truth truth;
	struct model *model;
	uint64_t seed;
	uint64_t size_bytes;    /* as it is now; ctl may change it */
	uint32_t sector_bytes;  /* logical, of the drive described */
	struct fuse_session *session;
	struct bed_request *free; /* list */
	unsigned in_drive;        /* reads the model holds */
	uint64_t received_ns;     /* when the FUSE message being handled was read */
	struct bed_record *records;
	size_t records_n;
	struct bed_stats stats;
};

/* CLOCK_MONOTONIC in ns: the time of the bed, the log and the modelled drive. */
uint64_t bed_now_ns(void);

/* Sectors as the drive holds them: LBA (8 bytes, little-endian), "PLATTERSIMDRIVE", zeros. Fills
 * length bytes from offset on; dst must hold zeros or an earlier fill of the same sector size and
 * the same offset within a sector. */
void bed_fill(char *dst, uint64_t offset, size_t length, uint32_t sector_bytes);

/* Files of the mount. BED_NONE ends the list. */
enum bed_file { BED_ROOT = 1, BED_DISK, BED_CTL, BED_STATS, BED_TRUTH, BED_LOG, BED_NONE };
extern const struct fuse_lowlevel_ops bed_fuse_ops; /* user data: struct bed */

/* Answers every read that is due at now_ns. */
void bed_answer(struct bed *bed, uint64_t now_ns);

/* One line written to `ctl`: "size BYTES", "resetlog", "quit", or words of model_fault(). 0 or
 * -EINVAL. */
int bed_control(struct bed *bed, char *line);

/* Notes an answered read in log and stats. */
void bed_record_add(struct bed *bed, const struct bed_request *request, uint64_t reply_ns);
/* What the files `stats` (JSON) and `log` (one read a line) hold. */
void bed_stats_write(const struct bed *bed, struct text *out);
void bed_log_write(const struct bed *bed, struct text *out);

/* The other things the program does, each prints JSON to stdout and returns an exit status:
 * --expect STRATA SPEC [KEY=VALUE…]: what a perfect observer of the drive would find, no host in
 * between (tests/truth/oracle.h); STRATA equal parts of the drive for its rates.
 * --pipe DEVICE DIRECTORY PATTERN BYTES COUNT: the delay between who reads DEVICE and the modelled
 * drive behind it, measured by reading and by DIRECTORY/log. */
int bed_expect(int argc, char **argv);
int bed_pipe(int argc, char **argv);

/* argv = SPEC [KEY=VALUE…]: fills truth, and seed from "seed=N" (1 when not given); "block=N" gives it
 * logical blocks of N bytes. 0 or negative errno with e. */
int bed_describe(int argc, char **argv, struct truth *truth, uint64_t *seed, struct err *e);

#endif
