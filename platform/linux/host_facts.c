/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that measures: kernel, processor, memory, clock, and whether it is itself one that
 * another machine runs. No name of host or user. */
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/text.h"
#include "host/platform.h"
#include "sysfs.h"

/* The value after "key : " in /proc/cpuinfo; false when it is not there. */
static bool cpuinfo(char *dst, size_t size, const char *key)
{
	char text[16384], *line, *rest = text;

	dst[0] = 0;
	if (sysfs_read(text, sizeof(text), "/proc/cpuinfo") != 0)
		return false;
	while ((line = strsep(&rest, "\n"))) {
		char *colon = strchr(line, ':');

		if (!colon)
			continue;
		*colon = 0;
		if (strcmp(text_trim(line), key) != 0)
			continue;
		text_copy_clean(dst, size, text_trim(colon + 1));
		return true;
	}
	return false;
}

static void virtual_machine(char *dst, size_t size)
{
	static const char *const makers[][2] = {{"QEMU", "QEMU"}, {"VMware", "VMware"},
		{"innotek", "VirtualBox"}, {"Xen", "Xen"}, {"Microsoft", "Hyper-V"},
		{"Amazon EC2", "Amazon EC2"}, {"Google", "Google Compute Engine"},
		{"Parallels", "Parallels"}, {"Bochs", "Bochs"}};
	char vendor[128], flags[8192];
	bool seen = cpuinfo(flags, sizeof(flags), "flags") && strstr(flags, "hypervisor");

	dst[0] = 0;
	sysfs_read(vendor, sizeof(vendor), "/sys/class/dmi/id/sys_vendor");
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		/* Microsoft, Amazon and Google make real machines too */
		if (text_starts(vendor, makers[i][0]) && (seen || i < 4)) {
			snprintf(dst, size, "%s", makers[i][1]);
			return;
		}
	}
	if (sysfs_read(vendor, sizeof(vendor), "/sys/hypervisor/type") == 0 && vendor[0])
		text_copy_clean(dst, size, vendor);
	else if (seen)
		snprintf(dst, size, "a hypervisor");
}

void platform_host(struct host_facts *facts)
{
	struct utsname u;
	struct sysinfo s;
	char clock[48];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	memset(facts, 0, sizeof(*facts));
	if (uname(&u) == 0) {
		snprintf(facts->kernel, sizeof(facts->kernel), "%.40s %.80s", u.sysname, u.release);
		snprintf(facts->machine, sizeof(facts->machine), "%.31s", u.machine);
	}
	if (!cpuinfo(facts->cpu, sizeof(facts->cpu), "model name") &&
		!cpuinfo(facts->cpu, sizeof(facts->cpu), "Model"))
		snprintf(facts->cpu, sizeof(facts->cpu), "%s", facts->machine);
	facts->cpus = cpus > 0 ? (unsigned)cpus : 0;
	if (sysinfo(&s) == 0)
		facts->memory_bytes = (uint64_t)s.totalram * s.mem_unit;
	sysfs_read(clock, sizeof(clock),
		"/sys/devices/system/clocksource/clocksource0/current_clocksource");
	snprintf(facts->clock, sizeof(facts->clock), "CLOCK_MONOTONIC_RAW%s%.28s",
		clock[0] ? ", clock source " : "", clock);
	virtual_machine(facts->virtual_machine, sizeof(facts->virtual_machine));
}
