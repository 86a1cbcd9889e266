/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probes in the order they run: quick figures first, so that a survey cut short has them;
 * buffered before cached, which leaves its blocks in the page cache. */
#include "probe/probe_table.h"

#include <string.h>

static const struct probe probes[] = {
	{"clock", "What are the times measured here worth?", DRIVE_DIRECT, true, {.8, 1.2, 3},
		clock_run, "overhead", {NULL}, NULL},
	{"buffered", "How fast does an ordinary program read from the start?", DRIVE_PAGE_CACHE,
		true, {1.5, 2, 9}, buffered_run, NULL, {NULL}, NULL},
	{"cached", "How fast is data that is already in memory?", DRIVE_PAGE_CACHE, true, {0.5, 1, 6},
		cached_run, NULL, {NULL}, NULL},
	{"sequential", "How fast does the drive itself deliver one block after the other?",
		DRIVE_DIRECT, true, {1, 1.5, 12}, sequential_run, NULL, {NULL}, NULL},
	{"rotation", "How fast do the platters turn?", DRIVE_DIRECT, true, {1.5, 2.5, 8},
		rotation_run, NULL, {"clock", NULL}, NULL},
	{"track", "How long are the tracks, and how far apart do they begin?", DRIVE_DIRECT, true,
		{1, 3, 20}, track_run, NULL, {"rotation", NULL}, NULL},
	{"zones", "How fast is each part of the surface?", DRIVE_DIRECT, true, {4, 10.5, 60},
		zones_run, NULL, {NULL}, NULL},
	{"access", "How long does a random read take?", DRIVE_DIRECT, true, {3.5, 8, 75},
		access_run, NULL, {NULL}, NULL},
	{"seek", "How long does the arm take, without the rotation?", DRIVE_DIRECT, true, {2, 6, 40},
		seek_run, NULL, {"clock", "rotation", "track", "zones", "access", NULL}, NULL},
	{"cache", "What does the drive keep and read ahead?", DRIVE_DIRECT, true, {1, 3.5, 20},
		cache_run, NULL, {"clock", "rotation", NULL}, NULL},
	{"queue", "What does the drive make of several reads at a time?", DRIVE_DIRECT, true,
		{2.5, 7.5, 30}, queue_run, NULL, {NULL}, NULL},
	{"seekers", "How many random reads a second with several outstanding?", DRIVE_DIRECT, true,
		{0.5, 2.2, 12}, seekers_run, NULL, {NULL}, NULL},
	{"patterns", "What of reading again, backwards and with gaps?", DRIVE_DIRECT, true,
		{0.7, 2.6, 12}, patterns_run, NULL, {NULL}, NULL},
	{"class", "What kind of drive is it?", DRIVE_DIRECT, true, {0, 0, 0}, class_run, NULL,
		{"clock", "rotation", "track", "zones", "access", "cache", "queue"}, NULL},
	{"spindle", "Does it turn at the same speed all the time?", DRIVE_DIRECT, true,
		{0.1, 0.12, 0.3}, spindle_run, NULL, {"track", NULL}, "track"},
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
