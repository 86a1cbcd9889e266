/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stream that the medium limits takes the turns between its first and last sector; everything
 * else is found by asking the simulated drive itself often enough, always the same specimen. */
#include "tests/truth/oracle_inside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "sim/sim_inside.h"

#define SPECIMEN      ORACLE_SPECIMEN
#define BATCH         4096u
#define ACCESS_READS  200000u
#define QUEUED_READS  50000u /* at a depth: their tail is asked by nobody */
#define WHOLE_MOST    1000000u /* requests of a stream that are all done; more: windows of it */
#define WINDOWS       500u
#define WINDOWS_LEAST 20u
#define WINDOWS_APART 3u /* windows' lengths */
#define WINDOW        400u /* requests, */
#define LEAD_BYTES    (2u << 20)
#define LEAD          40u  /* of them to get there: each member of an array has its own way */
#define REQUESTS_LEAST 50000u /* in one answer, */
#define SPECIMENS_MOST 100u /* unless it takes more specimens than this */
#define SMR_WHOLE     10000000u /* what an SMR drive does changes from band to band: more of both */
#define SMR_WINDOWS   5000u
#define PATTERNS_KEPT 64u
#define RATES_KEPT    512u
#define ACCESSES_KEPT 16u

struct kept_rate {
	int buffered;
	uint64_t from, to;
	uint32_t request;
	double bytes_per_s;
};

struct kept_pattern {
	enum oracle_pattern pattern;
	uint64_t from, to, range;
	uint32_t record;
	unsigned stride;
	double bytes_per_s;
};

struct kept_access {
	uint64_t from, to;
	uint32_t request;
	unsigned depth;
	size_t reads;
	double *latency_s; /* sorted, so many */
	struct oracle_access answer;
};

struct oracle {
	struct truth truth;
	uint32_t cached_bytes; /* the last answer of oracle_cached, and what to; 0: none */
	uint64_t cached_from;
	double cached_bytes_per_s;
	uint64_t specimen; /* whose rates and patterns are asked for, */
	double after_s;    /* so long after it was switched on */
	struct disk_geometry geometry; /* of geometry_seed */
	struct disk_seek seek;
	uint64_t geometry_seed;
	int geometry_known;
	struct kept_rate rates[RATES_KEPT];
	struct kept_access accesses[ACCESSES_KEPT];
	struct kept_pattern patterns[PATTERNS_KEPT];
	unsigned rates_n, accesses_n, patterns_n; /* ever kept; the oldest make room */
};

struct oracle *oracle_open(const struct truth *t)
{
	struct oracle *o = mem_zalloc(1, sizeof(*o));

	o->truth = *t;
	o->specimen = SPECIMEN;
	return o;
}

void oracle_close(struct oracle *o)
{
	if (!o)
		return;
	for (unsigned i = 0; i < ACCESSES_KEPT; i++)
		free(o->accesses[i].latency_s);
	free(o);
}

static int specimens_differ(const struct truth *t)
{
	return t->kind == TRUTH_ARRAY || t->head_density_spread > 0;
}

void oracle_specimen(struct oracle *o, uint64_t seed, double after_s)
{
	if (!specimens_differ(&o->truth) || (o->specimen == seed && o->after_s == after_s))
		return;
	o->specimen = seed;
	o->after_s = after_s;
	o->rates_n = o->patterns_n = 0;
}

static const struct disk_geometry *geometry(struct oracle *o, uint64_t seed)
{
	if (!o->geometry_known || o->geometry_seed != seed)
		disk_geometry_init(&o->geometry, &o->seek, &o->truth, seed);
	o->geometry_known = 1;
	o->geometry_seed = seed;
	return &o->geometry;
}

const struct truth *oracle_truth(const struct oracle *o)
{
	return &o->truth;
}

const struct disk_geometry *oracle_geometry(
	struct oracle *o, uint64_t seed, const struct disk_seek **seek)
{
	const struct disk_geometry *g = geometry(o, seed);

	if (seek)
		*seek = &o->seek;
	return g;
}

struct drive *oracle_open_drive(const struct truth *t, uint64_t seed)
{
	return sim_drive_open(t, seed, "sim:oracle");
}

int oracle_turns_per_s(struct oracle *o, uint64_t seed, double *turns_per_s)
{
	if (o->truth.kind != TRUTH_DISK && o->truth.kind != TRUTH_SMR)
		return -ENOENT;
	*turns_per_s = 1e9 / geometry(o, seed)->turn_ns;
	return 0;
}

/* Whether requests follow each other faster than the medium delivers them, with room to spare, and
 * the read-ahead covers the time between them. */
int oracle_medium_limits(struct oracle *o, uint64_t seed, uint64_t from, uint32_t request)
{
	const struct truth *t = &o->truth;
	double between = t->host_delay_s + t->host_jitter_s + t->command_s;
	double track;
	const struct disk_geometry *g;

	if (t->kind != TRUTH_DISK || t->actuators > 1 || t->bridge_bytes_per_s > 0 ||
		t->completion_tick_s > 0 || !t->cache_segments || t->fault_n || t->foreign_share > 0)
		return 0;
	g = geometry(o, seed);
	track = disk_locate(g, from / g->sector_bytes).spt * (double)g->sector_bytes /
		g->turn_ns * 1e9 * (1 + t->head_density_spread * 2);
	between += t->host_outlier_share * t->host_outlier_s;
	return (between + request / t->interface_bytes_per_s) * 1.1 < request / track &&
		(double)t->readahead_bytes > 2 * (between + t->host_outlier_s) * track &&
		t->readahead_bytes <= t->cache_bytes / t->cache_segments;
}

static double exact_rate(struct oracle *o, uint64_t seed, uint64_t from, uint64_t to)
{
	const struct disk_geometry *g = geometry(o, seed);
	double begin = disk_locate(g, from / g->sector_bytes).turns;
	double end = disk_turns_end(g, (to + g->sector_bytes - 1) / g->sector_bytes);

	return (double)(to - from) /
		((end - begin) * g->turn_ns * (1 + o->truth.reread_share)) * 1e9;
}

static struct drive *open_specimen(struct oracle *o, uint64_t seed, int buffered)
{
	struct truth t = o->truth;
	struct drive *d;

	t.resident_n = 0;
	d = oracle_open_drive(&t, seed);
	sim_drive_pass(d, (uint64_t)(o->after_s * 1e9), 0);
	return buffered ? page_cache_open(&t, seed, d) : d;
}

/* Runs the n reads at places[], and tells when number `first` of them and the last were done. */
static int run_places(struct drive *d, const uint64_t *places, size_t n, uint32_t request,
	size_t first, uint64_t *first_ns, uint64_t *last_ns)
{
	struct io *ios = mem_zalloc(BATCH, sizeof(*ios));
	int status = 0;

	for (size_t at = 0; at < n && !status; at += BATCH) {
		struct batch b = {.ios = ios, .depth = 1};

		for (; b.n < BATCH && at + b.n < n; b.n++)
			ios[b.n] = (struct io){.offset = places[at + b.n], .length = request};
		status = drive_run(d, &b);
		if (!at)
			*first_ns = ios[first].done_ns;
		*last_ns = ios[b.n - 1].done_ns;
	}
	free(ios);
	return status ? -ENOENT : 0;
}

/* Reads n requests in a row from `from`; adds what number `lead` (below BATCH) of them is followed
 * by. */
static int run_window(struct drive *d, uint64_t from, uint64_t n, uint32_t request, size_t lead,
	double *bytes, double *ns)
{
	uint64_t places[BATCH], begin = 0, first = 0, last = 0;
	int status = 0;

	for (uint64_t at = 0; at < n && !status; at += BATCH) {
		size_t k = 0;

		for (; k < BATCH && at + k < n; k++)
			places[k] = from + (at + k) * request;
		status = run_places(d, places, k, request, at ? 0 : lead, &first, &last);
		if (!at)
			begin = first;
	}
	*bytes += (double)(n - 1 - lead) * request;
	*ns += (double)(last - begin);
	return status;
}

static int simulate_rate(struct oracle *o, int buffered, uint64_t from, uint64_t to,
	uint32_t request, double *bytes_per_s)
{
	int smr = o->truth.kind == TRUTH_SMR;
	uint64_t n = (to - from) / request, whole = smr ? SMR_WHOLE : WHOLE_MOST;
	uint64_t windows = smr ? SMR_WINDOWS : WINDOWS, step;
	/* the way to a window, and the window, are so many requests and so many bytes at least */
	size_t lead = request * LEAD < LEAD_BYTES ? LEAD_BYTES / request : LEAD;
	uint64_t window = lead * (WINDOW / LEAD), all = 0;
	double bytes = 0, ns = 0;
	int status = 0;

	if (buffered) {
		windows = WINDOWS_LEAST;
		whole = windows * WINDOW;
	} else if (specimens_differ(&o->truth)) { /* asked anew for each */
		whole /= 10;
	}
	if (window > WINDOW)
		windows = windows * WINDOW / window;
	windows = windows < WINDOWS_LEAST ? WINDOWS_LEAST : windows;
	/* no window begins in what was read ahead of the one before */
	if (windows * window * WINDOWS_APART > n)
		windows = n / (window * WINDOWS_APART);
	if (windows < WINDOWS_LEAST)
		whole = n;
	step = n > whole ? (n - window) / (windows - 1) : 0;
	/* a short stream again and again, on other specimens, until its noise is gone */
	for (uint64_t k = 0; k < (specimens_differ(&o->truth) ? 1 : SPECIMENS_MOST) &&
		all < REQUESTS_LEAST && !status; k++) {
		struct drive *d = open_specimen(o, o->specimen + k, buffered);

		if (n <= whole) {
			status = run_window(d, from, n, request, n > 4 * lead ? lead : 0, &bytes,
				&ns);
			all += n;
		}
		for (uint64_t i = 0; n > whole && i < windows && !status; i++, all += window)
			status = run_window(d, from + i * step * request, window, request, lead,
				&bytes, &ns);
		drive_close(d);
	}
	*bytes_per_s = bytes / ns * 1e9;
	return status;
}

/* As simulate_rate, kept. */
static int kept_rate(struct oracle *o, int buffered, uint64_t from, uint64_t to, uint32_t request,
	double *bytes_per_s)
{
	struct kept_rate *k = o->rates;
	int status;

	if (to <= from || (to - from) / request < 2 || to > o->truth.size_bytes)
		return -ENOENT;
	for (unsigned i = 0; i < RATES_KEPT && i < o->rates_n; i++, k++)
		if (k->from == from && k->to == to && k->request == request &&
			k->buffered == buffered) {
			*bytes_per_s = k->bytes_per_s;
			return 0;
		}
	status = simulate_rate(o, buffered, from, to, request, bytes_per_s);
	if (!status)
		o->rates[o->rates_n++ % RATES_KEPT] =
			(struct kept_rate){buffered, from, to, request, *bytes_per_s};
	return status;
}

int oracle_rate(struct oracle *o, uint64_t seed, uint64_t from, uint64_t to,
	uint32_t request_bytes, double *bytes_per_s)
{
	if (to <= from || to > o->truth.size_bytes)
		return -ENOENT;
	if (!oracle_medium_limits(o, seed, from, request_bytes))
		return kept_rate(o, 0, from, to, request_bytes, bytes_per_s);
	*bytes_per_s = exact_rate(o, seed, from, to);
	return 0;
}

int oracle_buffered(struct oracle *o, uint64_t seed, uint64_t from, uint64_t to,
	uint32_t request_bytes, double *bytes_per_s)
{
	(void)seed;
	return kept_rate(o, 1, from, to, request_bytes, bytes_per_s);
}

int oracle_cached(struct oracle *o, uint64_t from, uint32_t length_bytes, double *bytes_per_s)
{
	enum { READS = 500000 };
	struct drive *d;
	uint64_t *places, first = 0, last = 0;
	int status;

	if (from + length_bytes > o->truth.size_bytes)
		return -ENOENT;
	if (o->cached_bytes == length_bytes && o->cached_from == from) {
		*bytes_per_s = o->cached_bytes_per_s;
		return 0;
	}
	d = open_specimen(o, SPECIMEN, 1);
	places = mem_zalloc(READS, sizeof(*places));
	for (size_t i = 0; i < READS; i++)
		places[i] = from;
	status = run_places(d, places, READS, length_bytes, 0, &first, &last);
	*bytes_per_s = (READS - 1) * (double)length_bytes / (double)(last - first) * 1e9;
	free(places);
	drive_close(d);
	if (!status) {
		o->cached_bytes = length_bytes;
		o->cached_from = from;
		o->cached_bytes_per_s = *bytes_per_s;
	}
	return status;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Fills k->latency_s (not sorted yet) and returns the time from the first request to the last
 * answer. */
static int run_random(struct oracle *o, struct kept_access *k, double *elapsed_s)
{
	struct io *ios = mem_zalloc(DRIVE_BATCH_MAX, sizeof(*ios));
	uint64_t places = (k->to - k->from) / k->request, begin = 0;
	struct drive *d = open_specimen(o, SPECIMEN, 0);
	struct rng rng;
	int status = 0;

	*elapsed_s = 0;
	rng_init(&rng, SPECIMEN, 7);
	for (size_t at = 0; at < k->reads && !status;) {
		struct batch b = {.ios = ios, .depth = k->depth};

		for (; b.n < 50000 && at + b.n < k->reads; b.n++)
			ios[b.n] = (struct io){.length = k->request,
				.offset = k->from + rng_below(&rng, places) * k->request};
		begin = drive_now_ns(d);
		status = drive_run(d, &b);
		*elapsed_s += (double)(drive_now_ns(d) - begin) * 1e-9;
		for (size_t i = 0; i < b.n; i++)
			k->latency_s[at + i] = (double)(ios[i].done_ns - ios[i].sent_ns) * 1e-9;
		at += b.n;
	}
	drive_close(d);
	free(ios);
	return status ? -ENOENT : 0;
}

/* Standard error of the mean, by means of 100 batches: latencies at depth > 1 hang together. */
static double batch_error(const double *x, size_t n)
{
	enum { BATCHES = 100 };
	size_t each = n / BATCHES;
	double mean[BATCHES], all = 0, square = 0;

	for (int b = 0; b < BATCHES; b++) {
		mean[b] = 0;
		for (size_t i = 0; i < each; i++)
			mean[b] += x[(size_t)b * each + i] / (double)each;
		all += mean[b] / BATCHES;
	}
	for (int b = 0; b < BATCHES; b++)
		square += (mean[b] - all) * (mean[b] - all);
	return sqrt(square / (BATCHES - 1) / BATCHES);
}

static int measure_access(struct oracle *o, struct kept_access *k)
{
	struct oracle_access *a = &k->answer;
	double elapsed, sum = 0;
	int status = run_random(o, k, &elapsed);

	if (status)
		return status;
	for (size_t i = 0; i < k->reads; i++)
		sum += k->latency_s[i];
	a->mean_s = sum / (double)k->reads;
	a->mean_se_s = batch_error(k->latency_s, k->reads);
	a->iops = (double)k->reads / elapsed;
	a->iops_se = a->iops * a->mean_se_s / a->mean_s;
	qsort(k->latency_s, k->reads, sizeof(*k->latency_s), by_size);
	a->p50_s = k->latency_s[k->reads / 2];
	a->p90_s = k->latency_s[k->reads / 10 * 9];
	a->p99_s = k->latency_s[k->reads / 100 * 99];
	a->p999_s = k->latency_s[k->reads / 1000 * 999];
	return 0;
}

static int find_access(struct oracle *o, uint64_t from, uint64_t to, uint32_t request,
	unsigned depth, struct kept_access **answer)
{
	struct kept_access *k = o->accesses;
	int status;

	if (to <= from || to > o->truth.size_bytes || (to - from) / request < 16)
		return -ENOENT;
	for (unsigned i = 0; i < ACCESSES_KEPT && i < o->accesses_n; i++, k++)
		if (k->from == from && k->to == to && k->request == request && k->depth == depth) {
			*answer = k;
			return 0;
		}
	k = &o->accesses[o->accesses_n++ % ACCESSES_KEPT];
	free(k->latency_s);
	*k = (struct kept_access){.from = from, .to = to, .request = request, .depth = depth,
		.reads = depth > 1 ? QUEUED_READS : ACCESS_READS,
		.latency_s = mem_zalloc(ACCESS_READS, sizeof(double))};
	status = measure_access(o, k);
	if (status)
		k->request = 0; /* nothing is kept here */
	*answer = k;
	return status;
}

int oracle_access(struct oracle *o, uint64_t from, uint64_t to, uint32_t request_bytes,
	unsigned depth, struct oracle_access *answer)
{
	struct kept_access *k;
	int status = find_access(o, from, to, request_bytes, depth, &k);

	if (!status)
		*answer = k->answer;
	return status;
}

int oracle_access_share(struct oracle *o, uint64_t from, uint64_t to, uint32_t request_bytes,
	unsigned depth, double latency_s, double *share)
{
	struct kept_access *k;
	int status = find_access(o, from, to, request_bytes, depth, &k);
	size_t lo = 0, hi;

	if (status)
		return status;
	hi = k->reads;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (k->latency_s[mid] <= latency_s)
			lo = mid + 1;
		else
			hi = mid;
	}
	*share = (double)lo / (double)k->reads;
	return 0;
}

/* One piece of a pattern at `from`: adds bytes and time. */
static int run_piece(struct drive *d, enum oracle_pattern pattern, uint64_t from, size_t records,
	uint32_t record, unsigned stride, double *bytes, double *ns)
{
	uint64_t *places = mem_zalloc(records, sizeof(*places)), first = 0, last = 0, begin;
	size_t n = 0;
	int status;

	for (size_t i = 0; i < records; i++)
		if (pattern != ORACLE_STRIDED || i % stride == 0)
			places[n++] = from +
				(pattern == ORACLE_BACKWARD ? records - 1 - i : i) * record;
	status = run_places(d, places, n, record, 0, &first, &last);
	if (pattern == ORACLE_REREAD && !status) {
		begin = last;
		status = run_places(d, places, n, record, 0, &first, &last);
		first = begin;
		n++;
	}
	*bytes += (double)(n - 1) * record;
	*ns += (double)(last - first);
	free(places);
	return status;
}

static int simulate_pattern(struct oracle *o, struct kept_pattern *k)
{
	enum { RECORDS = 60000, PIECES = 3000, SPECIMENS = 400, APART = 32 << 20,
		SWAY = 8 << 20 };
	uint64_t records = k->range / k->record, pieces = RECORDS / records;
	uint64_t length = k->to - k->from, slots = length / (k->range + APART + SWAY), room;
	int differ = specimens_differ(&o->truth);
	struct rng rng;
	double bytes = 0, ns = 0;
	int status = 0;

	pieces = differ ? pieces / 4 : pieces;
	pieces = pieces < 1 ? 1 : pieces > PIECES ? PIECES : pieces;
	/* no piece of one specimen meets another, nor what was read ahead of it, or it would find
	 * them in the cache; the next one is at a random place of the next slot */
	slots = slots < 1 ? 1 : slots < pieces ? slots : pieces;
	room = (length / slots - k->range) / k->record;
	if (room > (APART + SWAY) / k->record)
		room -= APART / k->record;
	else if (room > SWAY / k->record)
		room = SWAY / k->record;
	rng_init(&rng, SPECIMEN, 8);
	for (uint64_t done = 0, n = 0; done < pieces && n < SPECIMENS && !status; n++) {
		struct drive *d = open_specimen(o, o->specimen + (differ ? 0 : n), 0);

		for (uint64_t i = 0; i < slots && !status; i++, done++)
			status = run_piece(d, k->pattern, k->from +
				(i * (length / slots / k->record) +
					rng_below(&rng, room + 1)) * k->record,
				(size_t)records, k->record, k->stride, &bytes, &ns);
		drive_close(d);
	}
	k->bytes_per_s = bytes / ns * 1e9;
	return status;
}

int oracle_pattern(struct oracle *o, enum oracle_pattern pattern, uint64_t from, uint64_t to,
	uint32_t record_bytes, uint64_t range_bytes, unsigned stride_records, double *bytes_per_s)
{
	struct kept_pattern k = {pattern, from, to, range_bytes, record_bytes, stride_records, 0};
	const struct kept_pattern *old = o->patterns;
	int status;

	if (to > o->truth.size_bytes || from >= to || range_bytes > to - from ||
		range_bytes / record_bytes < 2 ||
		(pattern == ORACLE_STRIDED && range_bytes / record_bytes <= stride_records))
		return -ENOENT;
	for (unsigned i = 0; i < PATTERNS_KEPT && i < o->patterns_n; i++, old++)
		if (old->pattern == pattern && old->from == from && old->to == to &&
			old->range == range_bytes && old->record == record_bytes &&
			old->stride == stride_records) {
			*bytes_per_s = old->bytes_per_s;
			return 0;
		}
	status = simulate_pattern(o, &k);
	if (!status)
		o->patterns[o->patterns_n++ % PATTERNS_KEPT] = k;
	*bytes_per_s = k.bytes_per_s;
	return status;
}
