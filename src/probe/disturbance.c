/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What disturbs a measurement is seen from outside: the device's own counters grow by more than was
 * asked for, the reader's thread stood in line for a processor, the machine's host took one away. A
 * sample with such a thing in it is measured again while there is time for that; what had to be kept is
 * told, because from inside it looks like a slower drive. */
#include "probe/disturbance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "stat/robust.h"

/* Requests that the device may count at the other end of a witness: they end a little before or after
 * it is told that they did. */
#define STRADDLE_REQUESTS 4u
#define FOREIGN_SHARE     0.02
#define FOREIGN_REQUESTS  16u
#define FOREIGN_BYTES     (1u << 20)

#define LOST_NOTED   0.01    /* share */
#define KEPT_NOTED   0.02    /* share of the samples */
#define WAITED_LEAST 300000u /* ns in a sample; less is what every wake-up may cost */
#define AGAIN_PART   4u      /* of the budget */
#define PAUSE_S      0.010 /* more than the usual time by so much, */
#define PAUSE_RATIO  0.5   /* and by so much of it */
#define PAUSES_READS 8u
#define PAUSES_MOST  0.02 /* share; and one may be chance */
#define UNLIKE_MOST  0.3   /* quartiles apart, of the median */
#define HALVED_MAX   6u
#define CLEAN_ROW    8u      /* so many samples without a spoiler, and they may be longer again */

static const char SUSPECTED[] = "reads paused: others were at the drive or it has trouble, and this machine "
	"does not tell which; measure again when it is left alone";

static uint64_t above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

struct watched session_watch(const struct session *s)
{
	struct watched w = {.issued = s->issued, .answered = s->answered};

	drive_witness(s->drive, &w.before);
	w.start_ns = drive_now_ns(s->drive);
	return w;
}

/* Past the page cache only: what goes through it is cut, merged and read ahead. */
static bool others_were_there(
	const struct session *s, const struct watched *w, const struct witness *seen)
{
	if (!(seen->known & WITNESS_DEVICE) || s->drive->info.path != DRIVE_DIRECT)
		return false;
	/* a request of ours may have been told of before the device had counted it: one more */
	return seen->device_writes > 0 ||
	       seen->device_read_bytes > s->issued.bytes - w->issued.bytes ||
	       seen->device_reads > s->issued.requests - w->issued.requests + s->issued.large -
			       w->issued.large + 1;
}

static bool too_long(uint64_t waited_ns, uint64_t elapsed_ns)
{
	return waited_ns > WAITED_LEAST && (double)waited_ns > SPOILED_SHARE * (double)elapsed_ns;
}

static void count_spoiled(struct watch_count *c, unsigned why)
{
	c->samples++;
	if (!why) {
		if (++c->clean_in_row % CLEAN_ROW == 0 && c->halved)
			c->halved--;
		return;
	}
	c->spoiled++;
	c->clean_in_row = 0;
	c->halved += c->halved < HALVED_MAX;
	for (unsigned i = 0; i < SPOILERS; i++)
		c->by[i] += why >> i & 1;
	c->others_kept += why >> SPOILED_BY_OTHERS & 1;
}

unsigned session_spoiled(struct session *s, const struct watched *w)
{
	uint64_t elapsed_ns = drive_now_ns(s->drive) - w->start_ns;
	struct witness now, seen;
	unsigned why = 0;

	drive_witness(s->drive, &now);
	seen = witness_since(&w->before, &now);
	if (others_were_there(s, w, &seen))
		why |= 1u << SPOILED_BY_OTHERS;
	if (seen.known & WITNESS_RUN_DELAY && too_long(seen.run_delay_ns, elapsed_ns))
		why |= 1u << SPOILED_BY_PROCESSOR;
	if (seen.known & WITNESS_STEAL && too_long(seen.steal_ns, elapsed_ns))
		why |= 1u << SPOILED_BY_HOST;
	count_spoiled(&s->watch, why);
	return why;
}

void session_throw_away(struct session *s, uint64_t samples, uint64_t reads)
{
	s->watch.thrown_away += samples;
	s->watch.reads_thrown_away += reads;
}

bool session_again(struct session *s, const struct watched *w)
{
	uint64_t took_ns = drive_now_ns(s->drive) - w->start_ns;
	unsigned why;

	why = session_spoiled(s, w);
	if (!why || s->watch.again_ns + took_ns > s->scope->budget_ns / AGAIN_PART)
		return false;
	s->watch.again_ns += took_ns;
	s->watch.others_kept -= why >> SPOILED_BY_OTHERS & 1;
	session_throw_away(s, 1, s->answered - w->answered);
	return true;
}

static bool is_blind(const struct session *s)
{
	return !(s->before.known & WITNESS_DEVICE);
}

/* Whether a probe before this one had to suspect others. */
static bool was_suspected(const struct doc *doc)
{
	static const char *const keys[] = {"sequential.bytes_per_s", "zones.mean_bytes_per_s",
		"access.mean_s"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct finding *f = doc_find(doc, keys[i]);

		if (f && f->how == HOW_UNKNOWN && strcmp(f->why_not, SUSPECTED) == 0)
			return true;
	}
	return false;
}

static double others_share(const struct watch_count *c)
{
	uint64_t kept = c->samples - c->thrown_away;

	return kept ? (double)c->others_kept / (double)kept : 0;
}

bool session_is_busy(const struct session *s)
{
	if (s->watch.samples == 0)
		return false;
	return others_share(&s->watch) > BUSY_SHARE ||
		(is_blind(s) && (s->watch.suspected || was_suspected(s->doc)));
}

void session_suspect(struct session *s)
{
	s->watch.suspected = true;
}

void session_put_busy(struct session *s, const char *key)
{
	struct watch_count *c = &s->watch;

	c->told = true;
	if (is_blind(s))
		doc_put_unknown(s->doc, key, s->method, "%s", SUSPECTED);
	else
		doc_put_unknown(s->doc, key, s->method,
			"others were at the drive during %.0f %% of the reads: measure again when it is "
			"left alone", 100.0 * (double)c->by[SPOILED_BY_OTHERS] / (double)c->samples);
}

bool session_pauses(double *times_s, size_t n)
{
	double middle, apart;
	size_t over = 0;

	if (n < PAUSES_READS)
		return false;
	stat_sort(times_s, n);
	middle = stat_quantile_sorted(times_s, n, 0.5);
	apart = stat_quantile_sorted(times_s, n, 0.75) - stat_quantile_sorted(times_s, n, 0.25);
	while (over < n && times_s[n - 1 - over] > middle + fmax(middle * PAUSE_RATIO, PAUSE_S))
		over++;
	return (double)over > fmax(PAUSES_MOST * (double)n, 1) ||
		/* where every read met somebody */
		(middle > PAUSE_S && apart > UNLIKE_MOST * middle);
}

size_t session_sample_reads(const struct session *s, size_t most)
{
	size_t reads = most >> s->watch.halved;

	return reads ? reads : 1;
}

/* The device's traffic that was not ours. */
static struct traffic foreign(const struct session *s, const struct witness *seen)
{
	bool cache = s->drive->info.path != DRIVE_DIRECT;
	struct traffic f = {
		.requests = seen->device_writes,
		/* through a page cache the kernel reads ahead of what was asked, and merges and cuts */
		.bytes = seen->device_written_bytes + above(seen->device_read_bytes,
			s->issued.bytes + (cache ? s->issued.bytes / 10 + (32u << 20) : 0)),
	};

	if (!cache)
		f.requests += above(seen->device_reads,
			s->issued.requests + s->issued.large + STRADDLE_REQUESTS);
	return f;
}

/* Of all the device's traffic; 0 when it is no more than what a partition table's reader or a health
 * check would do. */
static double foreign_share(const struct session *s, const struct witness *seen)
{
	struct traffic f = foreign(s, seen);
	double bytes_all = (double)seen->device_read_bytes + (double)seen->device_written_bytes;
	double share = 0;

	if (f.bytes > FOREIGN_BYTES)
		share = (double)f.bytes / bytes_all;
	if (f.requests > FOREIGN_REQUESTS)
		share = fmax(share, (double)f.requests /
			(double)(seen->device_reads + seen->device_writes));
	return share > FOREIGN_SHARE ? share : 0;
}

/* "others at the drive, waiting for a processor" */
static void name_spoilers(const struct watch_count *c, char *dst, size_t size)
{
	static const char *const names[SPOILERS] = {"others at the drive",
		"waiting for a processor", "processor time that this machine's host took"};
	size_t used = 0;

	dst[0] = 0;
	for (unsigned i = 0; i < SPOILERS; i++)
		if (c->by[i] && used < size)
			used += (size_t)snprintf(dst + used, size - used, "%s%s", used ? ", " : "",
				names[i]);
}

/* Spoiled samples that are in the figures all the same. Whether others at the drive were told of. */
static bool tell_kept(struct session *s)
{
	const struct watch_count *c = &s->watch;
	uint64_t kept = c->spoiled - c->thrown_away;
	char why[128], head[224];

	if (c->told)
		return true; /* what stayed unknown says why */
	if ((double)kept <= KEPT_NOTED * (double)(c->samples - c->thrown_away))
		return false;
	name_spoilers(c, why, sizeof(why));
	snprintf(head, sizeof(head),
		"Samples were spoiled by %s and could not be replaced by better ones: ", why);
	doc_note_part(s->doc, &(struct note_kind){head, " %", c->by[SPOILED_BY_OTHERS] ?
			". These figures are those of a busy drive." :
			". These figures are those of a busy machine.", 0},
		s->probe, 100.0 * (double)kept / (double)(c->samples - c->thrown_away));
	return c->by[SPOILED_BY_OTHERS];
}

static void tell_foreign(struct session *s)
{
	struct witness after, seen;
	bool in_figures = s->watch.samples == 0 || s->watch.spoiled > s->watch.thrown_away;
	bool told = tell_kept(s);
	double share;

	drive_witness(s->drive, &after);
	seen = witness_since(&s->before, &after);
	if (!(seen.known & WITNESS_DEVICE)) {
		doc_note(s->doc, "This machine does not tell what others read or write on the drive: "
			"whether anybody disturbed the measurement is not known.");
		return;
	}
	share = s->answered ? foreign_share(s, &seen) : 0;
	if (share == 0)
		return;
	doc_event(s->doc, &(struct event){.kind = "foreign_load",
		.at_s = (double)drive_now_ns(s->drive) / 1e9});
	if (told || !in_figures)
		return;
	doc_note_part(s->doc, &(struct note_kind){"Others used the drive, and had of its traffic while "
			"these were measured: ", " %", ". Their figures are those of a busy drive.", 0},
		s->probe, share * 100);
}

/* "read errors, others at the drive"; "" where the probe itself found the reads of no use. */
static void name_losses(const struct session *s, struct text *losses)
{
	char why[128];

	if (s->failed)
		text_add(losses, "read errors");
	if (s->slow)
		text_add(losses, "%sreads of more than 2 s", losses->length ? ", " : "");
	name_spoilers(&s->watch, why, sizeof(why));
	if (why[0] && s->watch.thrown_away)
		text_add(losses, "%s%s", losses->length ? ", " : "", why);
}

static void tell_lost(struct session *s)
{
	struct text losses = {0}, head = {0};

	if (s->lost_most <= LOST_NOTED)
		return;
	name_losses(s, &losses);
	text_add(&head, "Of what was read, so much was lost%s%s and left out: ",
		losses.length ? " to " : "", text_chars(&losses));
	doc_note_part(s->doc, &(struct note_kind){text_chars(&head), " %",
		". These figures speak of the rest.", 0}, s->probe, s->lost_most * 100);
	text_release(&losses);
	text_release(&head);
}

static void tell_slow(struct session *s)
{
	if (s->slow)
		doc_note_part(s->doc, &(struct note_kind){"Reads took longer than 2 s and are in no "
			"figure; the longest: ", " s", ".", 1}, s->probe,
			(double)(s->slowest.done_ns - s->slowest.sent_ns) / 1e9);
}

void disturbance_tell(struct session *s)
{
	tell_foreign(s);
	tell_lost(s);
	tell_slow(s);
}
