/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each row of the map stands for the part of the drive around it, with so many tracks: its bytes
 * over its rate. Their running sum is the stroke. */
#include "probe/stroke.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define FALL_PLAIN 0.25 /* not from heads that differ */
#define FLATTER    0.5  /* part of the tracks' fall */

static void half_way(const struct series *rows, double from, double to, double *edges)
{
	edges[0] = from;
	for (size_t i = 1; i < rows->rows; i++)
		edges[i] = (rows->values[(i - 1) * rows->columns] +
				   rows->values[i * rows->columns]) / 2;
	edges[rows->rows] = to;
}

bool stroke_parts(const struct series *rows, double from_bytes, double to_bytes, double *edges)
{
	double nearly = (to_bytes - from_bytes) * 1e-6;

	edges[0] = from_bytes;
	for (size_t i = 0; i < rows->rows; i++) {
		double middle = rows->values[i * rows->columns];

		edges[i + 1] = 2 * middle - edges[i];
		if (!(edges[i + 1] > edges[i]) || edges[i + 1] > to_bytes + nearly) {
			half_way(rows, from_bytes, to_bytes, edges);
			return false;
		}
	}
	if (fabs(edges[rows->rows] - to_bytes) > nearly) {
		half_way(rows, from_bytes, to_bytes, edges);
		return false;
	}
	edges[rows->rows] = to_bytes;
	return true;
}

/* Rows in order of place, inside the drive, and all above 0. */
static bool makes_sense(const struct series *rows, double size)
{
	double before = 0;

	if (!rows || rows->rows == 0)
		return false;
	for (size_t i = 0; i < rows->rows; i++) {
		const double *row = rows->values + i * rows->columns;

		if (!(row[0] >= before && row[0] <= size && row[1] > 0 && isfinite(row[1])))
			return false;
		before = row[0];
	}
	return true;
}

/* Edges and shares from rows (place, what a track holds or delivers). */
static void fill(struct stroke *s, const struct series *rows, double size)
{
	double tracks = 0;

	s->share[0] = 0;
	s->edge[0] = 0;
	s->edge[s->n - 1] = size;
	for (size_t i = 0; i < rows->rows; i++) {
		tracks += (s->edge[i + 1] - s->edge[i]) / rows->values[i * rows->columns + 1];
		s->share[i + 1] = tracks;
	}
	for (size_t i = 0; i < s->n; i++)
		s->share[i] /= tracks;
}

/* The first row over the last, less one. */
static double fall(const struct series *rows)
{
	return rows->values[1] / rows->values[(rows->rows - 1) * rows->columns + 1] - 1;
}

/* Behind a slow interface the rate is the same everywhere, and the tracks are not. */
static bool hides_tracks(const struct series *map, const struct series *tracks)
{
	return fall(tracks) > FALL_PLAIN && fall(map) < FLATTER * fall(tracks);
}

bool stroke_init(struct stroke *s, const struct doc *doc, uint64_t size_bytes)
{
	const struct series *rows = doc_find_series(doc, "zones.rate");
	const struct finding *mean = doc_find(doc, "zones.mean_bytes_per_s");
	double size = (double)size_bytes;
	const struct series *tracks = doc_find_series(doc, "track.length");
	bool map = makes_sense(rows, size), by_track = makes_sense(tracks, size);

	if (map && by_track && hides_tracks(rows, tracks))
		map = false;
	if (!map)
		rows = tracks;
	s->n = makes_sense(rows, size) ? rows->rows + 1 : 2;
	s->edge = mem_zalloc(s->n, sizeof(*s->edge));
	s->share = mem_zalloc(s->n, sizeof(*s->share));
	if (!makes_sense(rows, size)) {
		s->edge[1] = size;
		s->share[1] = 1;
		return false;
	}
	if (map && mean && mean->how != HOW_UNKNOWN && mean->to_bytes <= size_bytes)
		stroke_parts(rows, (double)mean->from_bytes, (double)mean->to_bytes, s->edge);
	else
		half_way(rows, 0, size, s->edge);
	fill(s, rows, size);
	return true;
}

void stroke_release(struct stroke *s)
{
	free(s->edge);
	free(s->share);
	*s = (struct stroke){0};
}

/* The value at x of the line through (from[i], to[i]), from ascending. */
static double along(const double *from, const double *to, size_t n, double x)
{
	size_t low = 0, high = n - 1;

	if (!(x > from[0]))
		return to[0];
	if (x >= from[n - 1])
		return to[n - 1];
	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (from[middle] <= x)
			low = middle;
		else
			high = middle;
	}
	if (!(from[high] > from[low]))
		return to[low];
	return to[low] + (to[high] - to[low]) * (x - from[low]) / (from[high] - from[low]);
}

double stroke_share(const struct stroke *s, double offset_bytes)
{
	return along(s->edge, s->share, s->n, offset_bytes);
}

double stroke_offset(const struct stroke *s, double share)
{
	return along(s->share, s->edge, s->n, share);
}
