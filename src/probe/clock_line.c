/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A piece is read, and then its beginning again and again, as many bytes as chance says: the line of
 * those times over bytes has the interface's rate as its slope, and where it meets no bytes at all the
 * command and the host. Chance sizes also keep the answers from always meeting the same side of a bus
 * frame. A drive that keeps less than the piece answers such reads from the medium: then the line does
 * not go through the time of a small one, and the next piece is half as long. */
#include "probe/clock_line.h"

#include <errno.h>
#include <math.h>

#include "stat/fit.h"
#include "stat/robust.h"

#define LONGEST     (128u << 10)
#define SHORTEST    (8u << 10)
#define ALIGN       (1u << 20) /* members of arrays are not crossed */
#define PIECES      10u
#define AGAIN       14u /* re-reads of a piece */
#define LEAST       20u
#define ROOM        (PIECES * AGAIN)
#define AGREE       0.2  /* the line at a small read, of its own time */
#define SCATTER     0.05 /* of the line's rise: standard deviation about it */
#define FLOOR_RATIO 0.002
#define WIDEN       1.25 /* of intervals: times have longer tails than normal numbers */
#define BYTES_SE    3.0  /* the slope in its standard errors: less is no rate */

uint64_t clock_place(struct clock_places *c, uint64_t length, uint64_t align)
{
	uint64_t to = c->first + c->n * c->unit, room = to - c->first - length, at;

	at = c->first + rng_below(&c->rng, room / c->unit + 1) * c->unit;
	if (align && at / align * align >= c->first)
		at = at / align * align;
	return at;
}

/* One piece and its re-reads; how many times were got. */
static int read_piece(struct clock_places *c, uint32_t length, uint64_t until_ns, double *bytes,
	double *time_s, size_t *n)
{
	struct session *s = &c->s;
	uint64_t at = clock_place(c, length, ALIGN);
	int status;

	s->ios[0] = (struct io){.offset = at, .length = length};
	for (size_t i = 1; i <= AGAIN; i++)
		s->ios[i] = (struct io){.offset = at,
			.length = c->unit * (1 + (uint32_t)rng_below(&c->rng, length / c->unit))};
	status = session_run_again(s, 1 + AGAIN, until_ns);
	for (size_t i = 2; i <= AGAIN; i++) {
		const struct io *io = &s->ios[i];

		if (io->error || s->ios[i - 1].error || s->ios[0].error)
			continue;
		bytes[*n] = io->length;
		time_s[(*n)++] = (double)(io->done_ns - io->sent_ns) / 1e9;
	}
	return status;
}

/* Whether these are times of a memory: on a line, and the line through that of a small read. */
static bool on_line(const struct clock_places *c, const struct fit *line, double hit_s, double length)
{
	double small = line->intercept + line->slope * c->unit;

	return line->slope > BYTES_SE * line->slope_se && line->intercept > 0 &&
	       fabs(small - hit_s) < AGREE * hit_s + 2 * line->intercept_se &&
	       line->residual_sd < fmax(SCATTER * line->slope * length, AGREE * hit_s);
}

static void put(struct clock_places *c, const struct fit *line)
{
	double dof = (double)line->n - 2;
	struct interval v = interval_student(line->intercept, WIDEN * line->intercept_se, dof, CONFIDENCE);
	struct finding f;

	v = interval_at_least(v, FLOOR_RATIO * v.value);
	f = session_finding(&c->s, v, line->n);
	session_put(&c->s, "overhead.command_s", &f);
	v = interval_student(line->slope, WIDEN * line->slope_se, dof, CONFIDENCE);
	v = interval_at_least(v, FLOOR_RATIO * v.value);
	f = session_finding(&c->s, interval_inverse(v, 1), line->n);
	session_put(&c->s, "overhead.interface_bytes_per_s", &f);
}

static void cannot_tell(struct clock_places *c)
{
	doc_put_unknown(c->s.doc, "overhead.command_s", c->s.method,
		"reading again what was read just now does not take a time that grows evenly with its "
		"length");
	doc_put_unknown(c->s.doc, "overhead.interface_bytes_per_s", c->s.method,
		"reading again what was read just now does not take a time that grows evenly with its "
		"length");
}

static uint32_t longest(const struct clock_places *c)
{
	const struct drive_info *info = &c->s.drive->info;
	uint64_t most = LONGEST;

	most = most < info->max_request_bytes ? most : info->max_request_bytes;
	most = most < c->n * c->unit ? most : c->n * c->unit;
	return (uint32_t)(most - most % c->unit);
}

int clock_line(struct clock_places *c, double hit_s, uint64_t until_ns)
{
	double bytes[ROOM], time_s[ROOM];
	size_t n = 0;
	struct fit line;

	for (uint32_t length = longest(c); length >= SHORTEST && length >= 4 * c->unit;) {
		bool held, ended = drive_now_ns(c->s.drive) >= until_ns || n + AGAIN > ROOM;
		int status = ended ? 0 : read_piece(c, length, until_ns, bytes, time_s, &n);

		if (status)
			return status;
		held = n >= AGAIN / 2 && fit_line_clipped(bytes, time_s, n, &line) == 0 &&
		       on_line(c, &line, hit_s, length);
		if (ended && held && n >= LEAST) {
			put(c, &line);
			return 0;
		}
		if (ended)
			break;
		if (held)
			continue;
		length = length / 2 - length / 2 % c->unit;
		n = 0;
	}
	cannot_tell(c);
	return 0;
}
