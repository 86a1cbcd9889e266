/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every option there is, in the order the help shows them. */
#include "cli/options.h"
#include "drive/drive.h"

#define ALL (COMMAND_LIST | COMMAND_PROBE | COMMAND_SHOW | COMMAND_SIMS | COMMAND_HDPARM | \
	COMMAND_HELP | COMMAND_PLAN | COMMAND_SMART)
#define WISH (COMMAND_PROBE | COMMAND_PLAN)
#define PAPER (COMMAND_PROBE | COMMAND_SHOW | COMMAND_SMART)
#define ANSWER (PAPER | COMMAND_PLAN | COMMAND_LIST | COMMAND_SIMS | COMMAND_HDPARM)
#define AT(member) offsetof(struct options, member)

static const struct option table[] = {
	{COMMAND_HDPARM, 'T', NULL, NULL, OPTION_FLAG, AT(cached),
		"time cached reads, as hdparm -T does", 0, 0, NULL},
	{COMMAND_HDPARM, 't', NULL, NULL, OPTION_FLAG, AT(disk),
		"time reads of the disk, as hdparm -t does", 0, 0, NULL},
	{COMMAND_HDPARM, 0, "direct", NULL, OPTION_FLAG, AT(direct),
		"read past the page cache", 0, 0, NULL},
	{COMMAND_HDPARM, 0, "offset", "GIB", OPTION_NUMBER, AT(offset),
		"with -t, begin that many GiB into the drive",
		0, UINT64_MAX, "a whole number of GiB"},
	{WISH, 0, "quick", NULL, OPTION_FLAG, AT(quick),
		"a short look, about 20 seconds", 0, 0, NULL},
	{WISH, 0, "full", NULL, OPTION_FLAG, AT(full),
		"narrower intervals, rarer events: about four minutes", 0, 0, NULL},
	{WISH, 0, "probes", "NAMES", OPTION_TEXT, AT(probes),
		"only these probes, separated by commas", 0, 0, NULL},
	{WISH, 0, "from", "PLACE", OPTION_PLACE, AT(from),
		"begin here: bytes (64k, 10GB, 1GiB) or percent (25%)", 0, 0, NULL},
	{WISH, 0, "to", "PLACE", OPTION_PLACE, AT(to),
		"end before here: bytes, percent or \"end\"", 0, 0, NULL},
	{WISH, 0, "max-time", "TIME", OPTION_DURATION, AT(max_time),
		"measure no longer than this (90, 45s, 10min)",
		1000000, UINT64_C(3600000000000000), "a time from 1ms to 1000h"},
	{WISH, 0, "seed", "N", OPTION_NUMBER, AT(seed),
		"read the places that the run with this seed read",
		0, UINT64_MAX, "a whole number from 0 to 18446744073709551615"},
	{WISH, 0, "runs", "N", OPTION_NUMBER, AT(runs),
		"repeat the quick figures N times (3); more take longer",
		1, 100, "a whole number from 1 to 100"},
	{WISH, 0, "request", "BYTES", OPTION_BYTES, AT(request),
		"read this much at once where a probe has no other need",
		512, DRIVE_LENGTH_MAX, "a number of bytes from 512 to 16MiB, like 64k"},
	{WISH, 0, "depth", "N", OPTION_NUMBER, AT(depth),
		"reads outstanding in the probe seekers (3)",
		1, DRIVE_DEPTH_MAX, "a whole number from 1 to 256"},
	{WISH, 0, "no-wake", NULL, OPTION_FLAG, AT(no_wake),
		"leave a drive alone that sleeps or may sleep", 0, 0, NULL},
	{COMMAND_PROBE, 0, "no-smart", NULL, OPTION_FLAG, AT(no_smart),
		"do not ask the drive how it is", 0, 0, NULL},
	{COMMAND_SMART, 0, "wake", NULL, OPTION_FLAG, AT(wake),
		"ask a drive that sleeps too, which wakes it", 0, 0, NULL},
	{COMMAND_SMART, 0, "save", "FILE", OPTION_FILE, AT(save),
		"keep the drive's answers in FILE, as skdump does", 0, 0, NULL},
	{COMMAND_SMART, 0, "load", "FILE", OPTION_FILE, AT(load),
		"show what a saved FILE says, without the drive", 0, 0, NULL},
	{COMMAND_LIST, 0, "health", NULL, OPTION_FLAG, AT(health),
		"ask every drive that is awake how it is (needs root)", 0, 0, NULL},
	{COMMAND_PROBE, 'o', "output", "FILE", OPTION_FILE, AT(output),
		"write the document to FILE, a directory or \"-\"", 0, 0, NULL},
	{COMMAND_PROBE, 0, "trace", "FILE", OPTION_FILE, AT(trace),
		"record every request, for replay:FILE", 0, 0, NULL},
	{ANSWER, 0, "json", NULL, OPTION_FLAG, AT(json),
		"JSON on standard output instead of text", 0, 0, NULL},
	{COMMAND_LIST, 'a', "all", NULL, OPTION_FLAG, AT(all),
		"partitions and memory disks too", 0, 0, NULL},
	{PAPER | COMMAND_LIST, 0, "show-serial", NULL, OPTION_FLAG, AT(show_serial),
		"the whole serial number and WWN, else masked", 0, 0, NULL},
	{PAPER, 0, "full-identity", NULL, OPTION_FLAG, AT(full_identity),
		"the same, and labels and UUIDs of what is on it", 0, 0, NULL},
	{PAPER, 0, "anonymous", NULL, OPTION_FLAG, AT(anonymous),
		"replace what names the specimen in files and JSON", 0, 0, NULL},
	{COMMAND_PROBE, 'q', "quiet", NULL, OPTION_FLAG, AT(quiet),
		"no progress and no report, only errors", 0, 0, NULL},
	{COMMAND_PROBE, 'v', "verbose", NULL, OPTION_FLAG, AT(verbose),
		"a line for each step on standard error", 0, 0, NULL},
	{PAPER | COMMAND_PLAN, 0, "color", "WHEN", OPTION_WHEN, AT(color),
		"auto (on a terminal), always or never", 0, 0, NULL},
	{PAPER | COMMAND_PLAN, 0, "ascii", NULL, OPTION_FLAG, AT(ascii),
		"draw with plain ASCII", 0, 0, NULL},
	{ALL, 'h', "help", NULL, OPTION_FLAG, AT(help),
		"this text", 0, 0, NULL},
};

const struct option *option_at(size_t i)
{
	return i < sizeof(table) / sizeof(table[0]) ? &table[i] : NULL;
}
