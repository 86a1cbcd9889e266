/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What no standard says: which families of drives count hours in minutes, pack or reuse raw values,
 * and what the numbers of attributes usually stand for. A family is told by its model name, and
 * where the meaning came with a firmware by that too. Known from makers' papers and from drives whose
 * normalised value falls with the hours; a family that is not here counts as most do. */
#include "smart/ata_parts.h"

#include <ctype.h>
#include <string.h>

/* Whether c is in the set that begins after "["; *end: at its "]". */
static bool in_set(const char *set, char c, const char **end)
{
	bool in = false;

	for (; *set && *set != ']'; set++) {
		if (set[1] == '-' && set[2] && set[2] != ']') {
			in = in || (c >= set[0] && c <= set[2]);
			set += 2;
		} else {
			in = in || c == *set;
		}
	}
	*end = set;
	return in;
}

bool ata_like(const char *pattern, const char *s)
{
	for (; *pattern; pattern++, s++) {
		if (*pattern == '*') {
			for (;; s++) {
				if (ata_like(pattern + 1, s))
					return true;
				if (!*s)
					return false;
			}
		}
		if (!*s || (*pattern == '#' && !isdigit((unsigned char)*s)))
			return false;
		if (*pattern == '[' && !in_set(pattern + 1, *s, &pattern))
			return false;
		if (!strchr("#?]", *pattern) && *pattern != *s)
			return false;
	}
	return !*s;
}

struct family {
	const char *model, *firmware; /* patterns; firmware NULL: any */
};

static bool is_of(const struct ata_who *who, const struct family *family)
{
	return ata_like(family->model, who->model) &&
	       (!family->firmware || ata_like(family->firmware, who->firmware));
}

static const struct {
	struct family family;
	enum ata_hours_unit unit;
} hours[] = {
	/* Fujitsu: seconds up to the MHV2, then hours; one firmware of the MHY2 BH, and the MHZ2 BJ, minutes */
	{{"FUJITSU MHY2*", "0085000B"}, ATA_MINUTES},
	{{"FUJITSU MHZ2###BJ*", NULL}, ATA_MINUTES},
	{{"FUJITSU MH[GHJKLMNRSTUV]*", NULL}, ATA_SECONDS},
	{{"FUJITSU MP[A-G]3*", NULL}, ATA_SECONDS},
	{{"FUJITSU M1623TAU*", NULL}, ATA_SECONDS},
	/* Maxtor's own drives, not those of Seagate's making (STM…) or of Quantum's */
	{{"Maxtor 2[BF]0*", NULL}, ATA_MINUTES},
	{{"Maxtor 3####[UH]*", NULL}, ATA_MINUTES},
	{{"Maxtor 4[DGRWA]*", NULL}, ATA_MINUTES},
	{{"Maxtor 5[AT]*", NULL}, ATA_MINUTES},
	{{"Maxtor 5####[UH]*", NULL}, ATA_MINUTES},
	{{"Maxtor 6[BEKLY]*", NULL}, ATA_MINUTES},
	{{"Maxtor 7[LY]*", NULL}, ATA_MINUTES},
	{{"Maxtor 8####[AD]*", NULL}, ATA_MINUTES},
	{{"Maxtor 9####[DEUH]*", NULL}, ATA_MINUTES},
	/* Hitachi before it bought IBM's drives */
	{{"HITACHI_DK*", NULL}, ATA_MINUTES},
	{{"HTA42*", NULL}, ATA_MINUTES},
	{{"HE[JN]42*", NULL}, ATA_MINUTES},
	/* Toshiba 2.5": these four generations */
	{{"TOSHIBA MK##51GSY*", NULL}, ATA_MINUTES},
	{{"TOSHIBA MK##56GSY*", NULL}, ATA_MINUTES},
	{{"TOSHIBA MK##61GSY*", NULL}, ATA_MINUTES},
	{{"TOSHIBA MK##76GSX*", NULL}, ATA_MINUTES},
	/* Samsung: half minutes until about 2005 */
	{{"SAMSUNG SV####[HN]*", NULL}, ATA_HALF_MINUTES},
	{{"SAMSUNG SP##A#H*", NULL}, ATA_HALF_MINUTES},
	{{"SAMSUNG SP8004H*", NULL}, ATA_HALF_MINUTES},
	{{"SAMSUNG SP04#1[CN]*", "*-[23]#*"}, ATA_HALF_MINUTES},
	{{"SAMSUNG SP08#2[CN]*", "*-[23]#*"}, ATA_HALF_MINUTES},
	{{"SAMSUNG SP12#3[CN]*", "*-[23]#*"}, ATA_HALF_MINUTES},
	{{"SAMSUNG SP16#4[CN]*", "*-[23]#*"}, ATA_HALF_MINUTES},
	{{"SAMSUNG HM0[468]0H[CI]*", NULL}, ATA_HALF_MINUTES},
	{{"SAMSUNG HM1[026]0J[CI]*", NULL}, ATA_HALF_MINUTES},
	{{"SAMSUNG HM120I[CI]*", NULL}, ATA_HALF_MINUTES},
	{{"SAMSUNG MP0###H*", NULL}, ATA_HALF_MINUTES},
	{{"Adtron A25FB-*3?N*", NULL}, ATA_SECONDS},
	{{"* [AIS]25FBS*", NULL}, ATA_SECONDS},
};

enum ata_hours_unit ata_family_hours_unit(const struct ata_who *who, bool *known)
{
	*known = true;
	for (size_t i = 0; i < sizeof(hours) / sizeof(hours[0]); i++)
		if (is_of(who, &hours[i].family))
			return hours[i].unit;
	*known = false;
	return ATA_HOURS;
}

unsigned ata_hours_a_point(const struct ata_who *who)
{
	return ata_like("FUJITSU M*", who->model) ? 525 : ata_like("TOSHIBA MK*", who->model) ? 400 : 0;
}

static const struct {
	struct family family;
	uint8_t ids[6];
} others[] = {
	{{"MCCOE64G*", NULL}, {5}},
	{{"APPLE SSD SM*", NULL}, {5}},
	{{"HTS541010G9SA00*", NULL}, {5}},
	{{"FUJITSU MHY2*", "0085000B"}, {197, 198, 199}},
	{{"FUJITSU MHR2040AT*", NULL}, {198}},
	{{"FUJITSU MHS2*", NULL}, {198}},
	{{"SAMSUNG SP0[48]##[CN]*", NULL}, {198}},
	{{"SAMSUNG SP1[26]##[CN]*", NULL}, {198}},
	/* firmware that shows a pending sector now and then, and no longer a moment later */
	{{"CT#*MX500SSD*", NULL}, {197}},
	{{"OCZ*", NULL}, {5, 187, 197, 198}},
	{{"CRUCIAL_CT*M225", NULL}, {197, 198}},
	{{"SMART A25FD*", NULL}, {197}},
	{{"SH9MST6D*", NULL}, {197, 198}},
	/* no temperature, or one that is not said how */
	{{"Maxtor 2B0*", NULL}, {194}},
	{{"Maxtor 4[DG]*", NULL}, {194}},
	{{"* [AIS]25FB*", NULL}, {194}},
	{{"XF1230-*", NULL}, {190}},
};

bool ata_means_other(const struct ata_who *who, uint8_t id)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (memchr(others[i].ids, id, sizeof(others[i].ids)) &&
			is_of(who, &others[i].family))
			return true;
	return false;
}

uint64_t ata_bytes_unit(const struct ata_who *who)
{
	static const struct {
		const char *model;
		uint64_t bytes; /* 0: a logical sector */
	} units[] = {
		{"INTEL SSD*", 32u << 20}, {"SSDSC2*", 32u << 20}, {"SSDSA*", 32u << 20},
		{"Samsung SSD*", 0}, {"SAMSUNG SSD*", 0}, {"SAMSUNG MZ*", 0},
		{"ST#*", 0},
		{"WDC WD*", 0}, {"HGST H*", 0}, {"WDC  WUH*", 0}, {"WDC WUH*", 0},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (ata_like(units[i].model, who->model))
			return units[i].bytes ? units[i].bytes : who->logical_bytes;
	return 0;
}

struct meaning {
	uint8_t id;
	const char *disk, *flash; /* what it is on disks, and on drives without a spindle */
};

static const struct meaning meanings[] = {
	{1, "raw read error rate", "raw read error rate"},
	{2, "throughput performance", "throughput performance"},
	{3, "spin-up time", "spin-up time"},
	{4, "starts and stops", "starts and stops"},
	{5, "reallocated sectors", "reallocated sectors"},
	{6, "read channel margin", NULL},
	{7, "seek error rate", NULL},
	{8, "seek time performance", NULL},
	{9, "power-on time", "power-on time"},
	{10, "spin-up retries", "spin-up retries"},
	{11, "calibration retries", NULL},
	{12, "power cycles", "power cycles"},
	{13, "soft read error rate", "soft read error rate"},
	{22, "helium level", NULL},
	{170, NULL, "spare blocks left"},
	{171, NULL, "program failures"},
	{172, NULL, "erase failures"},
	{173, NULL, "wear levelling"},
	{174, NULL, "unexpected power losses"},
	{175, NULL, "power loss protection"},
	{177, NULL, "wear levelling"},
	{179, NULL, "spare blocks used"},
	{180, NULL, "spare blocks left"},
	{181, NULL, "program failures"},
	{182, NULL, "erase failures"},
	{183, "link speed reductions", "link speed reductions"},
	{184, "end-to-end errors", "end-to-end errors"},
	{187, "reported uncorrectable errors", "reported uncorrectable errors"},
	{188, "command timeouts", "command timeouts"},
	{189, "high-fly writes", NULL},
	{190, "airflow temperature", "temperature"},
	{191, "shocks", NULL},
	{192, "emergency head retracts", "unsafe power losses"},
	{193, "head load cycles", NULL},
	{194, "temperature", "temperature"},
	{195, "corrected by ECC", "corrected by ECC"},
	{196, "reallocation events", "reallocation events"},
	{197, "pending sectors", "pending sectors"},
	{198, "offline uncorrectable sectors", "offline uncorrectable sectors"},
	{199, "interface CRC errors", "interface CRC errors"},
	{200, "write error rate", NULL},
	{201, "soft read error rate", "soft read error rate"},
	{202, "data address mark errors", "life left"},
	{220, "disk shift", NULL},
	{222, "hours with heads loaded", NULL},
	{223, "head load retries", NULL},
	{224, "head load friction", NULL},
	{225, "head load cycles", "written by the host"},
	{226, "head load time", "timed workload, media wear"},
	{227, "torque amplification", "timed workload, reads"},
	{228, "power-off retracts", "timed workload, time"},
	{231, NULL, "life left"},
	{232, NULL, "spare space left"},
	{233, NULL, "media wear"},
	{240, "head flying hours", NULL},
	{241, "written by the host", "written by the host"},
	{242, "read by the host", "read by the host"},
	{249, NULL, "written to flash"},
	{250, "read retries", "read retries"},
	{254, "free falls", NULL},
};

const char *ata_attribute_name(const struct ata_who *who, uint8_t id)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (meanings[i].id == id) {
			const char *name = who->solid ? meanings[i].flash : meanings[i].disk;

			return name ? name : "maker's own";
		}
	return "maker's own";
}
