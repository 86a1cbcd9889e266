/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct suffix {
	const char *name; /* lower case */
	double factor;
};

static const struct suffix byte_suffixes[] = {
	{"", 1}, {"b", 1}, {"bytes", 1},
	{"k", 1024}, {"m", 1048576}, {"g", 1073741824}, {"t", 1099511627776.0},
	{"p", 1125899906842624.0},
	{"kib", 1024}, {"mib", 1048576}, {"gib", 1073741824}, {"tib", 1099511627776.0},
	{"pib", 1125899906842624.0},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}, {"pb", 1e15},
	{NULL, 0},
};

static const struct suffix duration_suffixes[] = {
	{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1},
	{"m", 60e9}, {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}, {NULL, 0},
};

/* Reads digits[.digits]; strtod would take a comma or not by locale, and also "nan" and "0x". */
static int read_number(const char **s, double *value)
{
	const char *p = *s;
	double scale = 1;
	bool any = false;

	*value = 0;
	for (; *p >= '0' && *p <= '9'; p++, any = true)
		*value = *value * 10 + (*p - '0');
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++, any = true)
			*value += (*p - '0') * (scale /= 10);
	*s = p;
	return any ? 0 : -EINVAL;
}

static bool same_word(const char *s, const char *lower)
{
	for (; *s && *lower; s++, lower++) {
		char c = *s >= 'A' && *s <= 'Z' ? (char)(*s - 'A' + 'a') : *s;

		if (c != *lower)
			return false;
	}
	return !*s && !*lower;
}

static int parse_scaled(const char *s, const struct suffix *table, uint64_t *value)
{
	double number;

	if (read_number(&s, &number))
		return -EINVAL;
	while (*s == ' ')
		s++;
	for (; table->name; table++) {
		if (!same_word(s, table->name))
			continue;
		number = floor(number * table->factor + 0.5);
		if (!(number < 9223372036854775807.0))
			return -ERANGE;
		*value = (uint64_t)number;
		return 0;
	}
	return -EINVAL;
}

int units_parse_u64(const char *s, uint64_t *value)
{
	uint64_t v = 0;

	if (!*s)
		return -EINVAL;
	for (; *s; s++) {
		if (*s < '0' || *s > '9')
			return -EINVAL;
		if (v > (UINT64_MAX - (uint64_t)(*s - '0')) / 10)
			return -ERANGE;
		v = v * 10 + (uint64_t)(*s - '0');
	}
	*value = v;
	return 0;
}

int units_parse_bytes(const char *s, uint64_t *bytes)
{
	/* whole bytes are read as integers: a double holds only 53 bits */
	int status = units_parse_u64(s, bytes);

	if (status == 0)
		return *bytes > INT64_MAX ? -ERANGE : 0;
	return status == -ERANGE ? status : parse_scaled(s, byte_suffixes, bytes);
}

int units_parse_place(const char *s, uint64_t size_bytes, uint64_t *bytes)
{
	const char *p = s;
	double percent;

	if (same_word(s, "end")) {
		*bytes = size_bytes;
		return 0;
	}
	if (read_number(&p, &percent) == 0 && strcmp(p, "%") == 0) {
		if (percent > 100)
			return -ERANGE;
		*bytes = percent >= 100 ? size_bytes
					: (uint64_t)((double)size_bytes * (percent / 100));
		return 0;
	}
	return units_parse_bytes(s, bytes);
}

int units_parse_duration(const char *s, uint64_t *ns)
{
	return parse_scaled(s, duration_suffixes, ns);
}

struct unit_scale units_scale(enum unit unit, double value)
{
	double v = fabs(value);

	switch (unit) {
	case UNIT_BYTES:
		return v < 1e3 ? (struct unit_scale){1, "bytes"}
			: v < 1e6 ? (struct unit_scale){1e-3, "kB"}
			: v < 1e9 ? (struct unit_scale){1e-6, "MB"}
			: v < 1e12 ? (struct unit_scale){1e-9, "GB"} : (struct unit_scale){1e-12, "TB"};
	case UNIT_BYTES_PER_S:
		return v < 1e5 ? (struct unit_scale){1e-3, "kB/s"}
			: v < 1e10 ? (struct unit_scale){1e-6, "MB/s"} : (struct unit_scale){1e-9, "GB/s"};
	case UNIT_S:
		return v > 0 && v < 1e-6 ? (struct unit_scale){1e9, "ns"}
			: v < 1e-3 ? (struct unit_scale){1e6, "µs"}
			: v < 1 ? (struct unit_scale){1e3, "ms"}
			: v < 120 ? (struct unit_scale){1, "s"}
			: v < 7200 ? (struct unit_scale){1.0 / 60, "min"} : (struct unit_scale){1.0 / 3600, "h"};
	case UNIT_PER_S: return (struct unit_scale){1, "/s"};
	case UNIT_RPM: return (struct unit_scale){1, "rpm"};
	case UNIT_RATIO: return (struct unit_scale){100, "%"};
	case UNIT_PPM: return (struct unit_scale){1e6, "ppm"};
	case UNIT_NONE: break;
	}
	return (struct unit_scale){1, ""};
}

void units_format_capacity(char *dst, size_t size, uint64_t bytes)
{
	static const char *const names[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
	double v = (double)bytes;
	size_t i = 0;

	for (; v >= 999.5 && i + 1 < sizeof(names) / sizeof(names[0]); i++)
		v /= 1000;
	snprintf(dst, size, "%.3g %s", v, names[i]);
}

void units_format_request(char *dst, size_t size, uint64_t bytes)
{
	static const char *const names[] = {"bytes", "KiB", "MiB", "GiB"};
	size_t i = 0;

	for (; bytes >= 1024 && bytes % 1024 == 0 && i < 3; i++)
		bytes /= 1024;
	snprintf(dst, size, "%llu %s", (unsigned long long)bytes, names[i]);
}

void units_format_duration(char *dst, size_t size, double seconds)
{
	unsigned long long s = seconds > 0 ? (unsigned long long)(seconds + 0.5) : 0;

	if (seconds < 9.95)
		snprintf(dst, size, "%.1f s", seconds);
	else if (s < 120)
		snprintf(dst, size, "%llu s", s);
	else if (s < 7200)
		snprintf(dst, size, "%llu min %llu s", s / 60, s % 60);
	else
		snprintf(dst, size, "%llu h %llu min", s / 3600, s % 3600 / 60);
}
