/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each trial multiplies the weight of every place of the grid by how likely its answer would be,
 * were the threshold there. */
#include "stat/threshold.h"

#include <math.h>

#define LAPSE 0.02 /* of the trials are wrong, whatever the noise */

void threshold_init(struct threshold *t, double low, double high, double centre, double scale)
{
	t->low = low;
	t->step = (high - low) / (THRESHOLD_GRID - 1);
	for (size_t i = 0; i < THRESHOLD_GRID; i++) {
		double off = (low + (double)i * t->step - centre) / scale;

		t->log_weight[i] = isfinite(scale) ? -2.5 * log1p(off * off / 4) : 0;
	}
}

void threshold_learn(struct threshold *t, double at, bool above, double blur)
{
	for (size_t i = 0; i < THRESHOLD_GRID; i++) {
		double over = (at - t->low - (double)i * t->step) / blur;
		double share = over > 6 ? 1 : over < -6 ? 0 : 0.5 * erfc(-over * M_SQRT1_2);

		share = LAPSE + (1 - 2 * LAPSE) * share;
		t->log_weight[i] += log(above ? share : 1 - share);
	}
}

static double most(const struct threshold *t)
{
	double m = t->log_weight[0];

	for (size_t i = 1; i < THRESHOLD_GRID; i++)
		m = fmax(m, t->log_weight[i]);
	return m;
}

double threshold_quantile(const struct threshold *t, double q)
{
	double weight[THRESHOLD_GRID], sum = 0, reached = 0, top = most(t);

	for (size_t i = 0; i < THRESHOLD_GRID; i++)
		sum += weight[i] = exp(t->log_weight[i] - top);
	for (size_t i = 0; i < THRESHOLD_GRID; i++) {
		if (reached + weight[i] >= q * sum)
			return t->low + t->step * ((double)i - 0.5 + (q * sum - reached) / weight[i]);
		reached += weight[i];
	}
	return t->low + t->step * (THRESHOLD_GRID - 1);
}

struct interval threshold_interval(const struct threshold *t, double confidence)
{
	return (struct interval){
		.value = threshold_quantile(t, 0.5),
		.low = threshold_quantile(t, (1 - confidence) / 2),
		.high = threshold_quantile(t, (1 + confidence) / 2),
	};
}

double threshold_evidence(const struct threshold *t)
{
	double sum = 0, top = most(t);

	for (size_t i = 0; i < THRESHOLD_GRID; i++)
		sum += exp(t->log_weight[i] - top);
	return top + log(sum / THRESHOLD_GRID);
}
