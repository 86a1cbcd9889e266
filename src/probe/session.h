/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every probe carries through its run: room for requests, the count of what went wrong, and
 * what was seen from outside while it ran. */
#ifndef PROBE_SESSION_H
#define PROBE_SESSION_H

#include <errno.h>

#include "probe/probe.h"
#include "stat/interval.h"

#define CONFIDENCE 0.95

/* Reads as the device's own counters see them. */
struct traffic {
	uint64_t requests, bytes;
	uint64_t large; /* reads of more than half of what one command carries: may be cut once more */
};

/* A read that took longer tells of waiting, not of the drive's mechanics or interface. */
#define SESSION_SLOW_NS 2000000000u
#define SESSION_TOO_SLOW (-ETIME) /* the error such a read is given when it had none */

/* What can be seen from outside to have spoiled a sample. */
enum spoiler {
	SPOILED_BY_OTHERS,    /* the device's counters show reads or writes that were not ours */
	SPOILED_BY_PROCESSOR, /* the reader waited for a processor, */
	SPOILED_BY_HOST,      /* or this machine's host had it: for more than SPOILED_SHARE of the time */
	SPOILERS
};
#define SPOILED_SHARE 0.02

/* Samples that were watched, by what became of them. */
struct watch_count {
	uint64_t samples, spoiled, thrown_away; /* thrown away: of the spoiled ones; the rest was kept */
	uint64_t by[SPOILERS];                  /* a sample may have been spoiled by several */
	bool suspected;                         /* session_suspect() */
	bool told;                              /* session_put_busy() */
	uint64_t others_kept;                   /* of those that others spoiled: not thrown away */
	uint64_t reads_thrown_away;
	uint64_t again_ns;                      /* spent on what session_again threw away */
	unsigned clean_in_row;
	unsigned halved;                        /* times session_sample_reads halves */
};

struct session {
	struct drive *drive;
	const struct scope *scope;
	struct doc *doc;
	struct err *e;
	const char *probe;  /* its name, "access" */
	const char *method; /* "access/1" */
	uint64_t start_ns;  /* drive's clock when it began */
	struct io *ios;     /* room for capacity requests */
	size_t capacity;
	uint64_t answered, failed; /* reads so far */
	uint64_t own_bytes;        /* read without error */
	struct traffic issued;     /* what this probe put on the device, failed reads included */
	unsigned failed_in_row, gone_in_row;
	unsigned slow;             /* reads that took longer than SESSION_SLOW_NS */
	struct io slowest;
	double lost_most;          /* of what was put */
	struct watch_count watch;
	struct witness before; /* when it began */
};

/* Room for capacity requests (1 … DRIVE_BATCH_MAX) is allocated here, nothing later. */
void session_start(struct session *s, const char *probe, const char *method, size_t capacity,
	struct drive *d, const struct scope *scope, struct doc *doc, struct err *e);

/* Frees what session_start allocated. When others read or wrote the drive meanwhile the document gets an
 * event "foreign_load". Where that is in the figures, where samples were spoiled, and where reads were slow
 * or lost, the probe gets its part in the note that says so of all probes; a note too where nothing can be
 * seen from outside. */
void session_end(struct session *s);

/* A sample under watch: one run of reads whose figure stands or falls as a whole. The shorter, the less
 * is lost with it; a look costs some 0.1 ms. */
struct watched {
	struct witness before;
	struct traffic issued;
	uint64_t answered, start_ns;
};
struct watched session_watch(const struct session *s);

/* At the end of a sample: was it spoiled, and may it be measured again? true: it was, is counted as
 * thrown away (its reads in lost_share), and the caller forgets it and measures again. false: it was not,
 * or a quarter of the budget went on samples thrown away: it is kept, and the document will say so. */
bool session_again(struct session *s, const struct watched *w);

/* The two halves of that, for who decides later. Bits (1u << enum spoiler) of what spoiled the sample, 0:
 * nothing that is seen; counted as kept, till so many samples with so many reads in all are told to have
 * been thrown away. */
unsigned session_spoiled(struct session *s, const struct watched *w);
void session_throw_away(struct session *s, uint64_t samples, uint64_t reads);

/* Whether what is made of the samples that were kept is no figure of the drive: others were at it in more
 * than BUSY_SHARE of them; or nothing is seen from outside, and an earlier probe or session_suspect() had to
 * suspect it. Never where no sample was watched. */
#define BUSY_SHARE 0.08
bool session_is_busy(const struct session *s);

/* Reads stopped and went on as they do while others are at the drive: from now on the session is busy, if
 * counters cannot deny it. */
void session_suspect(struct session *s);

/* The quantity as unknown, because it is. */
void session_put_busy(struct session *s, const char *key);

/* Whether times (s, sorted here) from one completion to the next of like reads in a row speak of others: more
 * of them are above the median than a track's end or a second try can make it, or, where they are long, they
 * differ as moves between places do. false too where they are too few to tell. */
bool session_pauses(double *times_s, size_t n);

/* How many like reads the next sample should have, 1 … most: fewer where samples were spoiled, so that
 * more of them are not. */
size_t session_sample_reads(const struct session *s, size_t most);

/* Carries out the first n of s->ios; a failed read becomes an event, and so does one that took longer than
 * SESSION_SLOW_NS, which is given the error SESSION_TOO_SLOW, so that it is in no figure. until_ns as in struct batch.
 * 0, what drive_run returned, -ENODEV (e filled) when SESSION_GONE_MAX reads in a row found no
 * drive, or -EIO (e filled) when SESSION_FAILURES_MAX reads in a row failed: the probe then reads
 * no more, and the survey goes on with the next. The reads answered are valid in each case. */
#define SESSION_FAILURES_MAX 10
#define SESSION_GONE_MAX     3
int session_run(struct session *s, size_t n, unsigned depth, uint64_t until_ns);

/* The same at depth 1 for reads that all are of the place of the first, which alone is read where that
 * fails (the others are -ECANCELED): what cannot be read is not asked for again and again. */
int session_run_again(struct session *s, size_t n, uint64_t until_ns);

/* The region's first SESSION_FAILURES_MAX blocks (fewer where there are not so many), untimed:
 * wakes what sleeps, and a drive that cannot read at all is given up before it is asked for more.
 * Returns as session_run. */
int session_warm_up(struct session *s);

/* Reads on from offset, request bytes at a time (the last one shorter, where to comes first), depth
 * 1, until until_ns or until there is no more room; *n: how many of s->ios were planned. Returns as
 * session_run. from < to; both whole blocks. */
int session_stream(struct session *s, uint64_t from, uint64_t to, uint32_t request,
	uint64_t until_ns, size_t *n);

/* Distance to leave between pieces that must not meet what the drive read ahead of the one before:
 * more than drives read ahead, at most 1/8192 of the region; whole blocks. */
uint64_t session_gap(const struct session *s);

/* Time since session_start, and what of the budget is left, ns; 0: nothing. */
uint64_t session_elapsed_ns(const struct session *s);
uint64_t session_left_ns(const struct session *s);

/* Reads that failed, took too long or were thrown away with a spoiled sample, of all answered, 0..1. */
double session_lost_share(const struct session *s);

/* A finding of this probe: region, method, lost share and 95 % interval filled; the rest (runs,
 * request, depth) is the probe's to add before doc_put. */
struct finding session_finding(const struct session *s, struct interval v, uint64_t samples);

/* Puts what was measured, which is above 0, or 0 with nothing below it. An interval that reaches down
 * to 0, or whose half-width is more than the value itself, is no figure: then unknown, with the range.
 * Unknown too where session_is_busy(). */
void session_put(struct session *s, const char *key, const struct finding *f);

/* What to end a sentence with that says there was too little time: the command that has more, or "" where
 * there is none. */
const char *session_longer(const struct session *s);

/* Puts every quantity of this probe that was not put yet as unknown, for this reason. */
void session_unknown(const struct session *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What a run of requests in order at depth 1 achieved. */
struct stretch {
	uint64_t bytes; /* of the reads timed */
	uint64_t ns;    /* from one completion to the next, summed */
	size_t reads;
	uint64_t end; /* offset behind the last read answered; 0: none was */
};

/* Times each of the first n reads from the completion of the one before it, but for the first skip
 * of them (at least 1) and for a read that failed or followed one that failed. */
struct stretch stretch_of(const struct io *ios, size_t n, size_t skip);
double stretch_bytes_per_s(struct stretch t); /* 0: nothing was timed */

/* The share of one processor the reader used between two witnesses elapsed_ns apart; NAN: not
 * known. */
double cpu_share(const struct witness *before, const struct witness *after, uint64_t elapsed_ns);

/* The rates of STRETCH_PARTS parts with the same number of timed reads, for a run that has to tell its
 * scatter alone; how many: STRETCH_PARTS, or 0 where there are fewer than two reads for each. */
#define STRETCH_PARTS 8u
size_t stretch_parts(const struct io *ios, size_t n, size_t skip, double *rates);

/* A figure measured once a run. */
struct repeats {
	const double *runs;
	size_t n;            /* >= 1 */
	const double *parts; /* n 1: of that run; else not looked at */
	size_t parts_n;      /* 0: it could not be cut */
};

/* The mean of the runs as a finding, spread filled and each side at least floor_ratio of the value
 * wide. Of one run the interval is that of its parts; without parts there is none (low and high
 * NAN), and the document gets a note. */
struct finding session_finding_of_runs(
	struct session *s, const struct repeats *r, double floor_ratio, uint64_t samples);

#endif
