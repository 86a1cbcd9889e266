/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dumps of real drives against the table that says of each, in words, what is right. They are not
 * part of this tree: ../shared/smart, or the directory in SMART_DUMPS, holds them and TABLE.md. Every
 * column is read: what a cell does not speak of is not looked at. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "judge/judge_signs.h"
#include "smart/dump.h"
#include "smart/witness.h"
#include "tests/unit/ata_blob.h"

enum { FILE_NAME = 1, IDENTIFY, HOURS, DEGREES, COUNTS, STATUS, VERDICT, LIBATASMART, CELLS = 10 };

static const char *directory(void)
{
	const char *set = getenv("SMART_DUMPS");

	return set ? set : "../shared/smart";
}

static size_t cells_of(char *line, char *cells[CELLS])
{
	size_t n = 0;

	for (char *p = line; n < CELLS && p; n++) {
		cells[n] = p;
		p = strchr(p, '|');
		if (p)
			*p++ = 0;
		cells[n] = text_trim(cells[n]);
	}
	return n;
}

/* "2,161.5 h …" */
static double number_at(const char *s)
{
	char digits[32];
	size_t n = 0;

	for (; *s && strchr("0123456789.,-", *s) && n + 1 < sizeof(digits); s++)
		if (*s != ',')
			digits[n++] = *s;
	digits[n] = 0;
	return n && digits[0] != '-' ? strtod(digits, NULL) : NAN;
}

static int wrong(const char *file, const char *what, const char *cell, double ours)
{
	print_message("%s: %s: the table says \"%s\", we say %g\n", file, what, cell, ours);
	return 1;
}

static int check_identify(const char *file, const char *cell, const struct facts *f)
{
	const char *gb = strstr(cell, " GB"), *ncq = strstr(cell, "NCQ ");
	double bytes = facts_number(f, "user_capacity.bytes"), rotation = facts_number(f, "rotation_rate");
	int bad = 0;

	if (gb) {
		while (gb > cell && strchr("0123456789.", gb[-1]))
			gb--;
		if (fabs(number_at(gb) - bytes / 1e9) > 0.00501)
			bad += wrong(file, "size", cell, bytes / 1e9);
	}
	if (strstr(cell, "217=1") ? rotation != 0 : !isnan(rotation))
		bad += wrong(file, "rotation", cell, rotation);
	if (ncq) {
		ncq += 4 + (strncmp(ncq + 4, "depth ", 6) == 0 ? 6 : 0);
		if (!isnan(number_at(ncq)) &&
			number_at(ncq) != facts_number(f, "platter.queue_depth"))
			bad += wrong(file, "queue", cell, facts_number(f, "platter.queue_depth"));
	}
	if (strstr(cell, "TRIM (169=1") && facts_is(f, "trim.supported") != 1)
		bad += wrong(file, "TRIM", cell, facts_is(f, "trim.supported"));
	if (strstr(cell, "write cache supported but DISABLED") && facts_is(f, "write_cache.enabled"))
		bad += wrong(file, "write cache", cell, facts_is(f, "write_cache.enabled"));
	if (strstr(cell, "AAM supported but off") && facts_is(f, "ata_aam.enabled"))
		bad += wrong(file, "AAM", cell, facts_is(f, "ata_aam.enabled"));
	if (strstr(cell, "no WWN") && facts_find(f, "wwn.naa"))
		bad += wrong(file, "WWN", cell, 5);
	if (strstr(cell, "PATA") && facts_find(f, "interface_speed.max.string"))
		bad += wrong(file, "link", cell, 1);
	if (facts_number(f, "logical_block_size") != 512)
		bad += wrong(file, "sector", "512 in all", facts_number(f, "logical_block_size"));
	return bad;
}

static int check_hours(const char *file, const char *cell, const struct facts *f)
{
	double want = number_at(cell), minutes = facts_number(f, "power_on_time.minutes");
	double ours = facts_number(f, "power_on_time.hours") + (isnan(minutes) ? 0 : minutes / 60);

	return isnan(want) ? !isnan(ours) && wrong(file, "hours", cell, ours)
			   : !(fabs(want - ours) < 0.8) && wrong(file, "hours", cell, ours);
}

static int check_degrees(const char *file, const char *cell, const struct facts *f)
{
	double want = number_at(cell), ours = facts_number(f, "temperature.current");
	const char *pair = strchr(cell, '(');
	int low, high, bad = 0;

	if (isnan(want) ? !isnan(ours) : want != ours)
		bad += wrong(file, "temperature", cell, ours);
	if (pair && (sscanf(pair, "(%d/%d)", &low, &high) == 2 ||
			    sscanf(pair, "(min = %d%*[^;]; max %d)", &low, &high) == 2)) {
		if (facts_number(f, "temperature.lifetime_min") != low)
			bad += wrong(file, "lowest", cell, facts_number(f, "temperature.lifetime_min"));
		if (facts_number(f, "temperature.lifetime_max") != high)
			bad += wrong(file, "highest", cell, facts_number(f, "temperature.lifetime_max"));
	}
	return bad;
}

/* "63/529/0"; what is no number is not to be counted. */
static int check_counts(const char *file, const char *cell, const struct facts *f)
{
	static const char *const paths[] = {"platter.reallocated_sectors", "platter.pending_sectors",
		"platter.uncorrectable_sectors"};
	int bad = 0;

	for (size_t i = 0; i < 3 && cell; i++) {
		double want = number_at(cell), ours = facts_number(f, paths[i]);

		if (isnan(want) ? !isnan(ours) : want != ours)
			bad += wrong(file, paths[i], cell, ours);
		cell = strchr(cell, '/');
		cell = cell ? cell + 1 : NULL;
	}
	return bad;
}

static int check_status(const char *file, const char *cell, const struct facts *f)
{
	int want = strstr(cell, "OK") == cell ? 1 : strstr(cell, "FAIL") == cell ? 0 : -1;
	int ours = facts_is(f, "smart_status.passed");

	return want != ours && wrong(file, "status", cell, ours);
}

static int check_verdict(const char *file, const char *cell, const struct facts *f)
{
	struct identity id = {0};
	struct signs signs = {0};
	enum severity worst = SIGN_INFO;
	int bad = 0;

	judge_signs(&signs, &(struct judge_signs_input){.identity = &id, .smart = f});
	if (signs.n)
		worst = signs.signs[0].severity;
	if (strstr(cell, "REJECT/WARN") == cell || strstr(cell, "WARN") == cell)
		bad = worst < SIGN_WARN;
	else if (strstr(cell, "REJECT") == cell)
		bad = worst != SIGN_REJECT;
	else if (strstr(cell, "good") == cell)
		bad = worst == SIGN_REJECT;
	signs_release(&signs);
	return bad && wrong(file, "verdict", cell, worst);
}

static int check_witness(const char *file, const char *cell, const struct facts *f)
{
	const char *says = facts_words(f, "platter.libatasmart.overall");
	const char *there = *says ? strstr(cell, says) : NULL;
	int bad = 0;

	if (!witness_name)
		return 0;
	if (!there)
		bad += wrong(file, "libatasmart", cell, NAN);
	if (facts_length(f, "platter.disagreements"))
		bad += wrong(file, "no disagreement is unexplained",
			facts_words(f, "platter.disagreements[0].what"),
			(double)facts_length(f, "platter.disagreements"));
	return bad;
}

static int check_drive(char *cells[CELLS], const struct facts *f)
{
	const char *file = cells[FILE_NAME];

	return check_identify(file, cells[IDENTIFY], f) + check_hours(file, cells[HOURS], f) +
	       check_degrees(file, cells[DEGREES], f) + check_counts(file, cells[COUNTS], f) +
	       check_status(file, cells[STATUS], f) + check_verdict(file, cells[VERDICT], f) +
	       check_witness(file, cells[LIBATASMART], f);
}

/* The facts of a dump; false: no such file. */
static bool drive_says(struct facts *facts, const char *name)
{
	static char bytes[1 << 20];
	char path[512];
	struct pages pages = {0};
	size_t n;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory(), name);
	file = fopen(path, "rb");
	if (!file)
		return false;
	n = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	*facts = (struct facts){0};
	assert_true(dump_read(&pages, bytes, n) > 0);
	smart_read_ata(facts, &pages, 0);
	pages_release(&pages);
	return true;
}

static void each_drive_reads_right(void **state)
{
	char path[512], line[8192], *cells[CELLS];
	unsigned drives = 0;
	int bad = 0;
	FILE *table;

	(void)state;
	snprintf(path, sizeof(path), "%s/TABLE.md", directory());
	table = fopen(path, "r");
	if (!table) {
		print_message("no %s: the dumps are not here\n", path);
		skip();
	}
	while (fgets(line, sizeof(line), table)) {
		struct facts facts;

		if (line[0] != '|' || cells_of(line, cells) < CELLS - 1 ||
			!strstr(cells[FILE_NAME], "--") || !drive_says(&facts, cells[FILE_NAME]))
			continue;
		bad += check_drive(cells, &facts);
		facts_release(&facts);
		drives++;
	}
	fclose(table);
	print_message("%u drives read\n", drives);
	assert_true(drives > 0);
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_drive_reads_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
