/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which share of the stroke lies before a place: seek times go by tracks, addresses by bytes, and an
 * outer track holds more of them. The number of tracks in a stretch is proportional to its bytes over
 * the rate there, since a track takes the same time everywhere. */
#ifndef PROBE_STROKE_H
#define PROBE_STROKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doc/doc.h"

/* A straight line from edge to edge. Beside the part of the drive that was mapped, the nearest rate
 * is taken to go on. */
struct stroke {
	size_t n;         /* edges, >= 2; the first is byte 0, the last the drive's size */
	double *edge;     /* bytes, ascending */
	double *share;    /* 0 … 1 */
};

/* From the series zones.rate; without it, or where it is much flatter than track.length (what is behind
 * a slow interface), from that. True: so; false: neither is there (or what
 * is there makes no sense), and the share is that of the bytes. size_bytes > 0. Release with
 * stroke_release() in both cases. */
bool stroke_init(struct stroke *s, const struct doc *doc, uint64_t size_bytes);
void stroke_release(struct stroke *s);

/* Share of all tracks that lie before that byte: 0 … 1, also for places beside the drive. */
double stroke_share(const struct stroke *s, double offset_bytes);

/* The byte that has this share of all tracks before it, 0 … size. */
double stroke_offset(const struct stroke *s, double share);

/* Edges of the parts that the rows of zones.rate (first column: the middles) speak of: part i lies
 * between edges[i] and edges[i + 1]. Parts adjoin and the first begins at from_bytes. edges has room for
 * rows + 1. False: the middles do not fit such parts; the edges are then half-way between them. */
bool stroke_parts(const struct series *rows, double from_bytes, double to_bytes, double *edges);

#endif
