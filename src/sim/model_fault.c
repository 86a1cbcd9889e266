/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words are split at blanks and looked up in one table with the number of arguments they take. */
#include "sim/model_fault.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define WORDS_MAX 8
#define NS_PER_MS 1e6

struct words {
	unsigned n; /* arguments, the word itself not counted */
	char text[96];
	char *arg[WORDS_MAX];
};

static bool split(struct words *w, const char *s)
{
	char *save = NULL;

	w->n = 0;
	if (strlen(s) >= sizeof(w->text))
		return false;
	strcpy(w->text, s);
	for (char *a = strtok_r(w->text, " \t\n", &save); a; a = strtok_r(NULL, " \t\n", &save)) {
		if (w->n == WORDS_MAX)
			return false;
		w->arg[w->n++] = a;
	}
	if (!w->n--)
		return false;
	return true;
}

/* Argument i as a number of at least 0, or what is taken when it is missing. False: not a
 * number. */
static bool number(const struct words *w, unsigned i, double missing, double *value)
{
	char *end;

	*value = missing;
	if (i > w->n)
		return true;
	*value = strtod(w->arg[i], &end);
	return end != w->arg[i] && !*end && *value >= 0 && *value < 1e15;
}

static int put_range(struct faults *f, const struct words *w)
{
	struct range_fault r = {.kind = RANGE_SLOW};
	double x = 0, count = 0, error = EIO;
	uint64_t length;
	bool eio = !strcmp(w->arg[0], "eio");
	bool fine;

	if (w->n < 2 || units_parse_bytes(w->arg[1], &r.from) ||
		units_parse_bytes(w->arg[2], &length) || f->n == FAULTS_MAX)
		return -EINVAL;
	r.to = r.from + length;
	fine = eio ? number(w, 3, EIO, &error) && number(w, 4, 0, &x) && number(w, 5, 0, &count) :
		     number(w, 3, 0, &x) && number(w, 4, 0, &count) && w->n >= 3 && w->n <= 4;
	if (!fine || error < 1 || error > 4095)
		return -EINVAL;
	r.count = count > 0 ? (uint64_t)count : UINT64_MAX;
	r.error = (int)error;
	r.kind = eio ? RANGE_EIO : !strcmp(w->arg[0], "slow") ? RANGE_SLOW : RANGE_RETRY;
	if (r.kind == RANGE_RETRY)
		r.turns = x;
	else
		r.delay_ns = x * NS_PER_MS;
	f->range[f->n++] = r;
	return 0;
}

static int put_hang(struct faults *f, const struct words *w)
{
	double s;

	if (!number(w, 1, 0, &s))
		return -EINVAL;
	f->hang_ns = s * 1e9;
	return 0;
}

static int put_standby(struct faults *f, const struct words *w)
{
	(void)w;
	f->standby = true;
	return 0;
}

static int put_idle_standby(struct faults *f, const struct words *w)
{
	double s;

	if (!number(w, 1, 0, &s))
		return -EINVAL;
	f->idle_ns = (uint64_t)(s * 1e9);
	return 0;
}

static int put_noise(struct faults *f, const struct words *w)
{
	double share, ms;

	if (!number(w, 1, 0, &share) || !number(w, 2, 0, &ms) || share > 1)
		return -EINVAL;
	f->noise_share = share;
	f->noise_ns = ms * NS_PER_MS;
	return 0;
}

static int put_remove(struct faults *f, const struct words *w)
{
	double error;

	if (!number(w, 1, ENODEV, &error) || error < 1 || error > 4095)
		return -EINVAL;
	f->gone = (int)error;
	return 0;
}

static int put_restore(struct faults *f, const struct words *w)
{
	(void)w;
	f->gone = 0;
	return 0;
}

static int put_clear(struct faults *f, const struct words *w)
{
	(void)w;
	f->n = 0;
	f->hang_ns = 0;
	f->standby = false;
	f->idle_ns = 0;
	f->noise_share = 0;
	f->gone = 0;
	f->later_n = 0;
	return 0;
}

static const struct {
	const char *word;
	unsigned min, max; /* arguments */
	int (*put)(struct faults *f, const struct words *w);
} WORDS[] = {
	{"eio", 2, 5, put_range},
	{"slow", 3, 4, put_range},
	{"retry", 3, 4, put_range},
	{"hang", 1, 1, put_hang},
	{"standby", 0, 0, put_standby},
	{"idle-standby", 1, 1, put_idle_standby},
	{"noise", 2, 2, put_noise},
	{"remove", 0, 1, put_remove},
	{"restore", 0, 0, put_restore},
	{"clear", 0, 0, put_clear},
};

static int put_now(struct faults *f, const char *words)
{
	struct words w;

	if (!split(&w, words))
		return -EINVAL;
	for (size_t i = 0; i < sizeof(WORDS) / sizeof(WORDS[0]); i++)
		if (!strcmp(WORDS[i].word, w.arg[0]))
			return w.n < WORDS[i].min || w.n > WORDS[i].max ? -EINVAL :
									  WORDS[i].put(f, &w);
	return -EINVAL;
}

/* at SECONDS WORDS */
static int put_later(struct faults *f, const char *words)
{
	struct faults trial = {.n = 0};
	char *rest;
	double s = strtod(words, &rest);

	if (rest == words || !(s >= 0 && s < 1e9) || strlen(rest) >= sizeof(f->later[0].words))
		return -EINVAL;
	if (put_now(&trial, rest) || f->later_n == TRUTH_LINES_MAX)
		return -EINVAL;
	f->later[f->later_n].at_ns = (uint64_t)(s * 1e9);
	strcpy(f->later[f->later_n++].words, rest);
	return 0;
}

int faults_set(struct faults *f, const char *words)
{
	while (*words == ' ' || *words == '\t')
		words++;
	f->putting_later = !strncmp(words, "at ", 3);
	return f->putting_later ? put_later(f, words + 3) : put_now(f, words);
}

bool model_fault_valid(const char *words)
{
	struct faults trial = {.n = 0};

	return !faults_set(&trial, words);
}

bool faults_due(struct faults *f, uint64_t arrive_ns, const char **words)
{
	if (!f->started) {
		f->started = true;
		f->start_ns = arrive_ns;
	}
	for (unsigned i = 0; i < f->later_n; i++)
		if (f->later[i].at_ns != UINT64_MAX &&
			f->later[i].at_ns <= arrive_ns - f->start_ns) {
			f->later[i].at_ns = UINT64_MAX;
			*words = f->later[i].words;
			return true;
		}
	return false;
}

struct fault_effect faults_meet(struct faults *f, const struct model_request *r, struct rng *rng)
{
	struct fault_effect e = {0};

	if (f->gone) {
		e.error = -f->gone;
		e.how = MODEL_GONE;
		return e;
	}
	e.hang_ns = f->hang_ns;
	f->hang_ns = 0;
	if (f->noise_share > 0 && rng_uniform(rng) < f->noise_share)
		e.delay_ns += f->noise_ns;
	for (unsigned i = 0; i < f->n; i++) {
		struct range_fault *x = &f->range[i];

		if (!x->count || r->offset >= x->to || r->offset + r->length <= x->from)
			continue;
		if (x->count != UINT64_MAX)
			x->count--;
		e.delay_ns += x->delay_ns;
		e.turns += x->turns;
		e.how |= MODEL_RETRY;
		if (x->kind == RANGE_EIO)
			e.error = -x->error;
	}
	return e;
}
