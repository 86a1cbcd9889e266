/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every option there is, in the order the help shows them. */
#include "cli/options.h"

#define ALL (COMMAND_LIST | COMMAND_PROBE | COMMAND_SHOW | COMMAND_SIMS | COMMAND_HDPARM | COMMAND_HELP)
#define PAPER (COMMAND_PROBE | COMMAND_SHOW)
#define AT(member) offsetof(struct options, member)

static const struct option table[] = {
	{COMMAND_HDPARM, 'T', NULL, NULL, OPTION_FLAG, AT(cached),
		"time cached reads, as hdparm -T does"},
	{COMMAND_HDPARM, 't', NULL, NULL, OPTION_FLAG, AT(disk),
		"time reads of the disk, as hdparm -t does"},
	{COMMAND_HDPARM, 0, "direct", NULL, OPTION_FLAG, AT(direct),
		"read past the page cache"},
	{COMMAND_HDPARM, 0, "offset", "GIB", OPTION_NUMBER, AT(offset),
		"with -t, begin that many GiB into the drive"},
	{COMMAND_PROBE, 0, "quick", NULL, OPTION_FLAG, AT(quick),
		"a short look, about 20 seconds"},
	{COMMAND_PROBE, 0, "full", NULL, OPTION_FLAG, AT(full),
		"narrower intervals and rarer events, about two and a half minutes"},
	{COMMAND_PROBE, 0, "probes", "NAME,...", OPTION_TEXT, AT(probes),
		"only these probes"},
	{COMMAND_PROBE, 0, "from", "PLACE", OPTION_PLACE, AT(from),
		"begin here: bytes (64k, 10GB, 1GiB) or percent (25%)"},
	{COMMAND_PROBE, 0, "to", "PLACE", OPTION_PLACE, AT(to),
		"end before here: bytes, percent or \"end\""},
	{COMMAND_PROBE, 0, "max-time", "TIME", OPTION_DURATION, AT(max_time),
		"measure no longer than this (90, 45s, 10min)"},
	{COMMAND_PROBE, 0, "seed", "N", OPTION_NUMBER, AT(seed),
		"choose the places to read as the run with this seed did"},
	{COMMAND_PROBE, 0, "runs", "N", OPTION_COUNT, AT(runs),
		"repeat the quick figures N times (3)"},
	{COMMAND_PROBE, 0, "request", "BYTES", OPTION_BYTES, AT(request),
		"read this much at once, where a probe leaves the choice"},
	{COMMAND_PROBE, 0, "depth", "N", OPTION_COUNT, AT(depth),
		"keep N reads outstanding in the probe seekers (3)"},
	{COMMAND_PROBE, 'o', "output", "FILE", OPTION_FILE, AT(output),
		"write the result document to FILE (\"-\": standard output; a directory: a file in it)"},
	{COMMAND_PROBE, 0, "trace", "FILE", OPTION_FILE, AT(trace),
		"record every request, to be played back as replay:FILE"},
	{PAPER | COMMAND_LIST, 0, "json", NULL, OPTION_FLAG, AT(json),
		"the document on standard output instead of the report"},
	{COMMAND_LIST, 'a', "all", NULL, OPTION_FLAG, AT(all),
		"partitions and memory disks too"},
	{PAPER | COMMAND_LIST, 0, "show-serial", NULL, OPTION_FLAG, AT(show_serial),
		"the whole serial number and WWN, which are masked otherwise"},
	{COMMAND_PROBE, 'q', "quiet", NULL, OPTION_FLAG, AT(quiet),
		"no progress and no report, only errors"},
	{COMMAND_PROBE, 'v', "verbose", NULL, OPTION_FLAG, AT(verbose),
		"say each step on standard error, also where that is no terminal"},
	{PAPER, 0, "color", "WHEN", OPTION_WHEN, AT(color),
		"auto (on a terminal), always or never"},
	{PAPER, 0, "ascii", NULL, OPTION_FLAG, AT(ascii),
		"draw with plain ASCII"},
	{ALL, 'h', "help", NULL, OPTION_FLAG, AT(help),
		"this text"},
};

const struct option *option_at(size_t i)
{
	return i < sizeof(table) / sizeof(table[0]) ? &table[i] : NULL;
}
