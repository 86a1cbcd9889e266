/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in a drive's answers: SCSI sends the highest byte first, ATA and NVMe the lowest. Callers
 * have checked that the bytes are there. Internal to smart/. */
#ifndef SMART_BYTES_H
#define SMART_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t be_n(const uint8_t *p, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | p[i];
	return value;
}

static inline uint64_t le_n(const uint8_t *p, size_t n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | p[n];
	return value;
}

static inline uint16_t be16(const uint8_t *p)
{
	return (uint16_t)be_n(p, 2);
}

static inline uint32_t be32(const uint8_t *p)
{
	return (uint32_t)be_n(p, 4);
}

static inline uint64_t be64(const uint8_t *p)
{
	return be_n(p, 8);
}

static inline uint16_t le16(const uint8_t *p)
{
	return (uint16_t)le_n(p, 2);
}

static inline uint32_t le32(const uint8_t *p)
{
	return (uint32_t)le_n(p, 4);
}

static inline uint64_t le64(const uint8_t *p)
{
	return le_n(p, 8);
}

/* Whether each of the n bytes is `value`. */
static inline bool bytes_all(const uint8_t *p, size_t n, uint8_t value)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != value)
			return false;
	return true;
}

/* A field of n characters as a string without the blanks and zeros around it; what is not
 * printable ASCII becomes a blank. dst has room for n + 1. */
static inline void bytes_string(char *dst, const uint8_t *p, size_t n)
{
	size_t begin = 0;

	while (n && (p[n - 1] <= ' ' || p[n - 1] > '~'))
		n--;
	while (begin < n && (p[begin] <= ' ' || p[begin] > '~'))
		begin++;
	for (; begin < n; begin++)
		*dst++ = p[begin] > ' ' && p[begin] <= '~' ? (char)p[begin] : ' ';
	*dst = 0;
}

#endif
