/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers with units, as people type and read them. kB, MB, GB, TB are powers of 1000; KiB, MiB,
 * GiB, TiB powers of 1024; a bare K, M, G, T (as dd, fio and hdparm take them) means KiB, MiB, … */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

enum unit {
	UNIT_NONE,        /* a count */
	UNIT_BYTES,
	UNIT_BYTES_PER_S,
	UNIT_S,
	UNIT_PER_S,       /* IOPS, seeks/s */
	UNIT_RPM,
	UNIT_RATIO,       /* 0..1, or one figure over another */
	UNIT_PPM,         /* a ratio that is shown in millionths */
};

/* "4096", "64k", "1.5GiB", "500 MB" → bytes, rounded to the nearest. Case of the suffix does not
 * matter. Returns 0; -EINVAL for anything else, negative or not finite; -ERANGE above 2^63 - 1. */
int units_parse_bytes(const char *s, uint64_t *bytes);

/* As units_parse_bytes, and "37%" (of size_bytes) or "end". Same returns; a percentage above
 * 100 is -ERANGE. */
int units_parse_place(const char *s, uint64_t size_bytes, uint64_t *bytes);

/* "90", "90s", "1.5m", "2h", "250ms" → ns. Same returns. */
int units_parse_duration(const char *s, uint64_t *ns);

/* Whole decimal number, nothing before or after it. 0, -EINVAL or -ERANGE. */
int units_parse_u64(const char *s, uint64_t *value);

/* How a value of this unit is shown to a person: shown = value * factor, followed by name. The
 * scale is chosen by size (bytes/s → kB/s, MB/s, GB/s; s → µs, ms, s, min, h; …). UNIT_RATIO is
 * shown in percent, UNIT_PPM in millionths; UNIT_NONE has an empty name. */
struct unit_scale {
	double factor;
	const char *name; /* UTF-8; static */
};
struct unit_scale units_scale(enum unit unit, double value);

/* Capacity as makers print it: "500 GB", "16 TB"; 3 significant digits, powers of 1000. */
void units_format_capacity(char *dst, size_t size, uint64_t bytes);

/* A power-of-two size as people name request sizes: "4 KiB", "1 MiB", else "12345 bytes". */
void units_format_request(char *dst, size_t size, uint64_t bytes);

/* "0.8 s", "42 s", "3 min 20 s", "5 h 10 min". */
void units_format_duration(char *dst, size_t size, double seconds);

#endif
