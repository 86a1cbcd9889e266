/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Out of six raw bytes: a time, a temperature, a count. Makers pack other things beside the number, so only
 * the low bytes count; all bits set means "never written", and a number that cannot be is none. */
#include "smart/ata_parts.h"

#include <string.h>

/* No drive with SMART is older; what says so counts in another unit than is known here. */
#define HOURS_MAX (30u * 8766)

static bool all_set(const uint8_t *bytes, size_t n)
{
	while (n--)
		if (bytes[n] != 0xFF)
			return false;
	return true;
}

static bool near_hours(uint64_t value, uint64_t hours)
{
	uint64_t apart = value > hours ? value - hours : hours - value;

	return apart <= 2 + hours / 50;
}

/* Within two points of what the normalised value stands for. */
static bool fits_value(uint64_t hours, uint8_t value, unsigned a_point)
{
	uint64_t points = 100u - value;

	return hours <= (points + 2) * a_point && (points <= 2 || hours >= (points - 2) * a_point);
}

enum ata_hours_unit ata_hours_unit(const struct ata_attribute *a, const struct ata_who *who)
{
	static const unsigned an_hour[] = {[ATA_HOURS] = 1, [ATA_MINUTES] = 60,
		[ATA_HALF_MINUTES] = 120, [ATA_SECONDS] = 3600};
	unsigned a_point = ata_hours_a_point(who);
	uint64_t raw = le_n(a->raw, 4);
	bool known;
	enum ata_hours_unit family = ata_family_hours_unit(who, &known);

	/* a young drive's numbers are near each other in any unit */
	if (known || raw < 24)
		return family;
	for (unsigned unit = ATA_HOURS; who->hours_known && unit <= ATA_SECONDS; unit++)
		if (near_hours(raw / an_hour[unit], who->hours))
			return (enum ata_hours_unit)unit;
	for (unsigned unit = ATA_HOURS; a_point && a->value > 1 && a->value <= 100 && unit <= ATA_SECONDS;
		unit++)
		if (fits_value(raw / an_hour[unit], a->value, a_point))
			return (enum ata_hours_unit)unit;
	return family;
}

bool ata_power_on_minutes(uint64_t *minutes, const struct ata_attribute *a, const struct ata_who *who)
{
	uint64_t raw = le_n(a->raw, 4);

	if (a->id != 9 || all_set(a->raw, 4))
		return false;
	switch (ata_hours_unit(a, who)) {
	case ATA_HOURS:
		/* some keep milliseconds of the hour, or a check, from the fourth byte on */
		if (raw > HOURS_MAX)
			raw &= 0xFFFFFF;
		*minutes = raw * 60;
		break;
	case ATA_MINUTES: *minutes = raw; break;
	case ATA_HALF_MINUTES: *minutes = raw / 2; break;
	case ATA_SECONDS: *minutes = raw / 60; break;
	}
	return *minutes <= HOURS_MAX * 60ull;
}

static int signed_16(const uint8_t *p)
{
	int value = p[0] | p[1] << 8;

	return value < 0x8000 ? value : value - 0x10000;
}

/* Two numbers are the range when they are in order and the temperature is between them. */
static bool range_of(struct ata_temperature *t, int a, int b)
{
	if (a < -60 || b > 120 || a > t->current || b < t->current || (!a && !b))
		return false;
	t->min = a;
	t->max = b;
	t->min_max = true;
	return true;
}

/* Three ways in use: two signed words (Fujitsu, Hitachi), over the life; two bytes in word 1, since
 * power-on (Seagate's 190); word 2 alone is the lowest of all on Seagate's 194, and no range. */
static void find_range(struct ata_temperature *t, const struct ata_attribute *a, bool words_are_range)
{
	int low = (int8_t)a->raw[2], high = (int8_t)a->raw[3];

	if (a->id == 190) {
		t->of_power_cycle = range_of(t, low, high);
		return;
	}
	if (words_are_range && (range_of(t, signed_16(a->raw + 2), signed_16(a->raw + 4)) ||
				       range_of(t, signed_16(a->raw + 4), signed_16(a->raw + 2))))
		return;
	if (!a->raw[4] && !a->raw[5] && !range_of(t, low, high))
		range_of(t, high, low);
}

bool ata_temperature(
	struct ata_temperature *t, const struct ata_attribute *a, const struct ata_who *who)
{
	int low_word = signed_16(a->raw);

	*t = (struct ata_temperature){0};
	if ((a->id != 194 && a->id != 190) || ata_means_other(who, a->id))
		return false;
	if (ata_like("SAMSUNG SV*", who->model) && low_word > 130 && low_word < 1000)
		low_word /= 10;
	/* junk in the second byte is not part of it */
	t->current = low_word >= -60 && low_word <= 130 ? low_word : a->raw[0];
	/* exactly 0 is what those without a sensor say */
	if (t->current < -40 || t->current > 115 || t->current == 0)
		return false;
	find_range(t, a, !ata_like("ST*", who->model) && !ata_like("* ST#*", who->model));
	return true;
}

bool ata_count(uint64_t *count, const struct ata_attribute *a, const struct ata_who *who)
{
	size_t bytes;

	switch (a->id) {
	case 5: case 12: case 197: case 198: case 199: bytes = 4; break;
	case 3: case 187: case 188: case 196: bytes = 2; break;
	default: return false;
	}
	if (ata_means_other(who, a->id) || all_set(a->raw, 4))
		return false;
	*count = le_n(a->raw, bytes);
	if ((a->id == 5 || a->id == 197 || a->id == 198) && who->sectors && *count > who->sectors)
		return false;
	return true;
}
