/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every batch goes on with a hook of the watch's own, which carries the stop flag down to where
 * requests are issued and the ticks back up. A deadline is an earlier until_ns. What ended a run
 * once ends all later ones, without the inner drive being asked again. */
#include "drive/watch.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"

struct watch {
	struct drive drive;
	struct drive *inner;
	struct watch_config config;
	const struct batch_hook *outer; /* the hook the batch came with, while one runs */
	volatile sig_atomic_t stop_any; /* stands for two flags when both sides have one */
	bool ended;                     /* -EINTR was given: it stays so */
	bool deadline_passed;
};

static bool flag_set(const volatile sig_atomic_t *flag)
{
	return flag && *flag;
}

static bool told_to_stop(const struct watch *w)
{
	return flag_set(w->config.stop) || (w->outer && flag_set(w->outer->stop));
}

static void watch_tick(void *arg, uint64_t now_ns)
{
	struct watch *w = arg;

	if (told_to_stop(w))
		w->stop_any = 1;
	if (w->config.seen)
		w->config.seen(w->config.arg, now_ns);
	if (w->outer && w->outer->tick)
		w->outer->tick(w->outer->arg, now_ns);
}

static uint64_t watch_now_ns(struct drive *d)
{
	return drive_now_ns(((struct watch *)d)->inner);
}

static int end(struct watch *w, bool deadline)
{
	w->ended = true;
	w->deadline_passed = deadline;
	return -EINTR;
}

static bool any_not_issued(const struct batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->ios[i].error == -ECANCELED)
			return true;
	return false;
}

static const volatile sig_atomic_t *flag_below(struct watch *w)
{
	if (!w->outer || !w->outer->stop)
		return w->config.stop;
	if (!w->config.stop)
		return w->outer->stop;
	w->stop_any = 0;
	return &w->stop_any;
}

static int watch_run(struct drive *d, struct batch *b)
{
	struct watch *w = (struct watch *)d;
	uint64_t deadline_ns = w->config.deadline_ns;
	struct batch inner = *b;
	struct batch_hook hook = {.tick = watch_tick, .arg = w};
	bool cut;
	int status;

	if (w->ended)
		return -EINTR;
	w->outer = b->hook;
	if (told_to_stop(w))
		return end(w, false);
	if (deadline_ns && drive_now_ns(w->inner) >= deadline_ns)
		return end(w, true);
	cut = deadline_ns && (!b->until_ns || deadline_ns < b->until_ns);
	if (cut)
		inner.until_ns = deadline_ns;
	hook.stop = flag_below(w);
	inner.hook = &hook;
	status = drive_run(w->inner, &inner);
	w->outer = NULL;
	if (status == -EINTR)
		return end(w, false);
	if (status == 0 && cut && any_not_issued(b))
		return end(w, true);
	return status;
}

static int watch_witness(struct drive *d, struct witness *w)
{
	return drive_witness(((struct watch *)d)->inner, w);
}

static int watch_resident(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	return drive_resident(((struct watch *)d)->inner, offset, length, bytes);
}

static void watch_close(struct drive *d)
{
	free(d);
}

static const struct drive_ops watch_ops = {
	.now_ns = watch_now_ns,
	.run = watch_run,
	.witness = watch_witness,
	.resident = watch_resident,
	.close = watch_close,
};

struct drive *watch_open(struct drive *inner, const struct watch_config *config)
{
	struct watch *w = mem_zalloc(1, sizeof(*w));

	w->drive.ops = &watch_ops;
	w->drive.info = inner->info;
	w->inner = inner;
	w->config = *config;
	return &w->drive;
}

void watch_set_deadline(struct drive *watch, uint64_t deadline_ns)
{
	((struct watch *)watch)->config.deadline_ns = deadline_ns;
}

bool watch_deadline_passed(const struct drive *watch)
{
	return watch->ops == &watch_ops && ((const struct watch *)watch)->deadline_passed;
}
