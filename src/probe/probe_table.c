/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probes in the order they run: quick figures first, so that a survey cut short has them;
 * buffered before cached, which leaves its blocks in the page cache. */
#include "probe/probe_table.h"

#include <string.h>

static const struct probe probes[] = {
	{"clock", "What are the times measured here worth?", DRIVE_DIRECT, true, {.8, 1.2, 3},
		clock_run, "overhead", {NULL}, NULL, 0, false, {{.7, 1, 1.4}, {.3, .3, .3}}},
	{"buffered", "How fast does an ordinary program read from the start?", DRIVE_PAGE_CACHE,
		true, {1.5, 1.9, 9}, buffered_run, NULL, {NULL}, NULL, 0, true, {{0}}},
	{"cached", "How fast is data that is already in memory?", DRIVE_PAGE_CACHE, true,
		{.5, .9, 6}, cached_run, NULL, {NULL}, NULL, 0, true, {{0}}},
	{"sequential", "How fast does the drive itself deliver one block after the other?",
		DRIVE_DIRECT, true, {1, 1.5, 12}, sequential_run, NULL, {NULL}, NULL, 0, true,
		{{1.6, 2.4, 12}, {1.2, 1.7, 12}}},
	{"rotation", "How fast do the platters turn?", DRIVE_DIRECT, true, {1.5, 2.1, 8},
		rotation_run, NULL, {"clock", NULL}, NULL, 1, false, {{1, 1.1, 1.2}, {0}}},
	{"track", "How long are the tracks, and how far apart do they begin?", DRIVE_DIRECT, true,
		{1, 2.9, 20}, track_run, NULL, {"rotation", NULL}, NULL, 4, false,
		{{.9, 2.5, 19.5}, {0}}},
	{"zones", "How fast is each part of the surface?", DRIVE_DIRECT, true, {4, 10.2, 60},
		zones_run, NULL, {NULL}, NULL, 3, false, {{4, 10.2, 50}, {4, 8.8, 34}}},
	{"access", "How long does a random read take?", DRIVE_DIRECT, true, {3.5, 7.7, 75},
		access_run, NULL, {NULL}, NULL, 2, false, {{3.4, 6, 60}, {.4, .4, .4}}},
	{"seek", "How long does the arm take, without the rotation?", DRIVE_DIRECT, true, {2, 6, 40},
		seek_run, NULL, {"clock", "rotation", "track", "zones", "access", NULL}, NULL, 6,
		false, {{1.8, 5.2, 10}, {0}}},
	{"cache", "What does the drive keep and read ahead?", DRIVE_DIRECT, true, {1, 3.3, 20},
		cache_run, NULL, {"clock", "rotation", NULL}, NULL, 7, false,
		{{1, 2, 2.4}, {0}}},
	{"queue", "What does the drive make of several reads at a time?", DRIVE_DIRECT, true,
		{2.5, 7.2, 30}, queue_run, NULL, {NULL}, NULL, 5, false,
		{{2.4, 7.1, 29.4}, {1.2, 1.8, 1.8}}},
	{"seekers", "How many random reads a second with several outstanding?", DRIVE_DIRECT, true,
		{.5, 1.8, 12}, seekers_run, NULL, {NULL}, NULL, 8, true,
		{{.3, 1.8, 11.5}, {.5, 1.8, 3.5}}},
	{"patterns", "What of reading again, backwards and with gaps?", DRIVE_DIRECT, true,
		{.7, 2.2, 12}, patterns_run, NULL, {NULL}, NULL, 9, true,
		{{.9, 2.3, 11.4}, {.7, 2.1, 10}}},
	{"class", "What kind of drive is it?", DRIVE_DIRECT, true, {0, 0, 0}, class_run, NULL,
		{"clock", "rotation", "track", "zones", "access", "cache", "queue"}, NULL, 5, false, {{0}}},
	{"spindle", "Does it turn at the same speed all the time?", DRIVE_DIRECT, true,
		{.1, .12, .3}, spindle_run, NULL, {"track", NULL}, "track", 4, false,
		{{.1, .1, .12}, {0}}},
};

const struct probe *probe_at(size_t i)
{
	return i < sizeof(probes) / sizeof(probes[0]) ? &probes[i] : NULL;
}

const struct probe *probe_find(const char *name)
{
	const struct probe *p;

	for (size_t i = 0; (p = probe_at(i)); i++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}
