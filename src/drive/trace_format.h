/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layout of a recording, shared by who writes it (drive/trace.c) and who plays it back
 * (sim/replay.c). What the sectors held is never recorded: a recording may be passed on.
 *
 * A "varint" is a 64-bit number in groups of seven bits, least first, the top bit of each byte set
 * on all but the last (at most 10 bytes). A "signed varint" is
 * one of (v << 1) ^ (v >> 63). A "time" is a signed varint: ns since the time before it in the file
 * (the first: since 0). A "string" is a varint of its length and its bytes.
 *
 * Header:
 *   8 bytes  "PLATTRC1"
 *   varint   plan version
 *   string   drive_info.name
 *   varint   size_bytes, logical_block_bytes, physical_block_bytes, memory_align_bytes,
 *            max_request_bytes, path, rotating, simulated (0 or 1; TRACE_CLOCK_ERROR is added
 *            where one more varint follows: the bits of clock_error_ratio as an IEEE 754 double),
 *            reported_rpm, power, first_read_ns
 *   string   read_method, queue_method
 *
 * Then one record for each call, in order; the first byte says which:
 *   'N' now       time
 *   'R' run       varint n, varint depth, varint until (0: no end, else 1 and a time),
 *                 varint -status, then n ios
 *   'W' witness   varint -status; at 0 varint known and the eight counters as varints, in the order
 *                 of struct witness
 *   'S' resident  varint offset, varint length, varint -status, varint bytes
 *
 * An io:
 *   1 byte   flags, TRACE_IO_…
 *   signed varint  offset minus the end of the io before it (the first of a file: minus 0)
 *   varint   length, unless TRACE_IO_SAME_LENGTH (as the io before it)
 *   time     not_before, with TRACE_IO_NOT_BEFORE
 *   varint   -error, with TRACE_IO_ERROR
 *   time     sent, then time done, with TRACE_IO_TIMES */
#ifndef DRIVE_TRACE_FORMAT_H
#define DRIVE_TRACE_FORMAT_H

#define TRACE_MAGIC "PLATTRC1"
#define TRACE_MAGIC_BYTES 8u

#define TRACE_CLOCK_ERROR 2u

#define TRACE_NOW      'N'
#define TRACE_RUN      'R'
#define TRACE_WITNESS  'W'
#define TRACE_RESIDENT 'S'

#define TRACE_IO_SAME_LENGTH 1u
#define TRACE_IO_NOT_BEFORE  2u
#define TRACE_IO_ERROR       4u
#define TRACE_IO_TIMES       8u
#define TRACE_IO_CONTENT     16u /* content was wanted */
#define TRACE_IO_ALL         31u

#endif
