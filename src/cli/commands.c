/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every command there is, in the order the help shows them. */
#include "cli/commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/say.h"

static const struct command_row table[] = {
	{COMMAND_LIST, "list", "list", "list [OPTION...]",
		"the drives of this machine",
		"Shows the drives of this machine without opening or waking one: name, size,\n"
		"model, end of the serial number, how fast it says it turns, how it is attached,\n"
		"how warm it is and who uses it. With --health each drive is asked how it is.\n",
		cmd_list},
	{COMMAND_PROBE, "probe", "probe", "probe [OPTION...] DEVICE...",
		"measure a drive and report",
		"Reads each DEVICE, one after the other, and reports how fast it reads, from\n"
		"cache and from the medium, from its first to its last sector, how fast it turns\n"
		"and how long it takes to get anywhere. Nothing is ever written to a drive; one\n"
		"that sleeps is woken. DEVICE is one of\n"
		"  /dev/...             a disk, partition, md, dm or loop device, or a link to it\n"
		"  serial:... wwn:...   the drive with this serial number or WWN\n"
		"  sim:NAME sim:FILE    a simulated drive (see platter sims)\n"
		"  replay:FILE          a recording made by --trace\n",
		cmd_probe},
	{COMMAND_PLAN, "plan", "plan", "plan [OPTION...] DEVICE",
		"what probe would do, and how long it takes",
		"Shows the steps that platter probe with the same options would take on DEVICE,\n"
		"what each asks and about how long it takes. The drive is neither opened nor\n"
		"woken. DEVICE is named as for platter probe.\n",
		cmd_plan},
	{COMMAND_SMART, "smart", "smart", "smart [OPTION...] DEVICE...",
		"who a drive is, how it is, and what is on it",
		"Asks each DEVICE who it is and how it is, and shows what it says, what is on it\n"
		"and who uses it, and every sign of trouble in that with the reason. Nothing in\n"
		"the drive is changed: no self-test is started and nothing switched on. A drive\n"
		"that sleeps is left asleep. Most of it needs root; without, what the system\n"
		"knows is shown. DEVICE is named as for platter probe.\n",
		cmd_smart},
	{COMMAND_SHOW, "show", "show", "show [OPTION...] FILE",
		"the report of a saved document",
		"Shows a result document that platter probe -o FILE saved, as probe showed it, or\n"
		"each of the documents that probe --json printed of several drives.\n"
		"FILE may be \"-\": standard input.\n",
		cmd_show},
	{COMMAND_SIMS, "sims", "sims", "sims [OPTION...]",
		"the simulated drives that are built in",
		"Names the simulated drives that platter probe sim:NAME can measure.\n",
		cmd_sims},
	{COMMAND_HDPARM, NULL, "hdparm", "-t | -T | -tT [OPTION...] DEVICE...",
		"time a drive in hdparm's words",
		"Times reads as hdparm -t and -T do and prints the same lines, so that programs\n"
		"which read those go on working; MB in them is 2^20 bytes. Nothing is synced or\n"
		"flushed. -T takes about two seconds, -t about three. With --json, a document as\n"
		"that of platter probe stands in place of the lines.\n",
		cmd_hdparm},
	{COMMAND_HELP, "help", "help", "help [COMMAND]",
		"how to use a command",
		"Shows how to use COMMAND, or which commands there are.\n",
		cmd_help},
};

const struct command_row *command_at(size_t i)
{
	return i < sizeof(table) / sizeof(table[0]) ? &table[i] : NULL;
}

const struct command_row *command_find(const char *topic)
{
	for (size_t i = 0; command_at(i); i++)
		if (strcmp(command_at(i)->topic, topic) == 0)
			return command_at(i);
	return NULL;
}

int usage_error(enum command command, const char *format, ...)
{
	const char *topic = "";
	struct text t = {0};
	va_list ap;

	va_start(ap, format);
	text_add_v(&t, format, ap);
	va_end(ap);
	for (size_t i = 0; command_at(i); i++)
		if (command_at(i)->command == command)
			topic = command_at(i)->topic;
	say("%s", text_chars(&t));
	fprintf(stderr, "Try: platter help%s%s\n", *topic ? " " : "", topic);
	text_release(&t);
	return EXIT_USAGE;
}
