/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measured are a period and nothing else; the clock's own error is in every figure that has seconds
 * in it. */
#include "probe/rotation_put.h"

#include <math.h>

#include "probe/phase_visits.h"

#define CLOCK_UNKNOWN 100e-6 /* what crystals of computers may be off by */
#define NOMINAL_WITHIN 0.005

static const double nominal_rpm[] = {3600, 4200, 5400, 5700, 5900, 7200, 10000, 10500, 15000};

static double clock_error(struct session *s)
{
	double ratio = phase_clock_error(s);

	if (!isnan(ratio))
		return ratio;
	doc_note(s->doc, "Nobody knows how exact this machine's clock is: every speed of rotation "
		"allows for an error of %.0f ppm in it.", CLOCK_UNKNOWN * 1e6);
	return CLOCK_UNKNOWN;
}

static void put_nominal(struct session *s, const struct finding *rpm)
{
	double nearest = nominal_rpm[0];
	struct finding f = *rpm;

	for (size_t i = 1; i < sizeof(nominal_rpm) / sizeof(nominal_rpm[0]); i++)
		if (fabs(nominal_rpm[i] - rpm->value) < fabs(nearest - rpm->value))
			nearest = nominal_rpm[i];
	if (fabs(rpm->value - nearest) > NOMINAL_WITHIN * nearest) {
		doc_put_unknown(s->doc, "rotation.nominal_rpm", s->method,
			"%.1f rpm is not within 0.5 %% of any usual speed", rpm->value);
		return;
	}
	f.value = f.low = f.high = nearest;
	f.how = HOW_DERIVED;
	doc_put(s->doc, "rotation.nominal_rpm", &f);
}

static void compare_reported(struct session *s, double rpm)
{
	double reported = doc_value(s->doc, "rotation.reported_rpm");

	if (!isnan(reported) && fabs(reported - rpm) > NOMINAL_WITHIN * reported)
		doc_note(s->doc, "This drive says %.0f rpm but turns at %.0f.", reported, rpm);
}

void rotation_put(struct session *s, struct interval period_s, uint64_t samples, uint32_t unit)
{
	double clock = clock_error(s) * period_s.value, half = interval_half(period_s);
	struct interval v = interval_around(period_s.value, sqrt(half * half + clock * clock));
	struct finding f = session_finding(s, v, samples), rpm;

	f.request_bytes = unit;
	f.depth = 1;
	doc_put(s->doc, "rotation.period_s", &f);
	rpm = f;
	v = interval_inverse(v, 60);
	rpm.value = v.value;
	rpm.low = v.low;
	rpm.high = v.high;
	doc_put(s->doc, "rotation.rpm", &rpm);
	put_nominal(s, &rpm);
	f.how = HOW_DERIVED;
	f.value /= 2;
	f.low /= 2;
	f.high /= 2;
	doc_put(s->doc, "rotation.latency_mean_s", &f);
	compare_reported(s, rpm.value);
}

/* Crystals of drives are within some 75 ppm of what they should be, two of them so within twice that. */
void rotation_put_several(const struct session *s)
{
	static const char *const keys[] = {"rotation.period_s", "rotation.rpm",
		"rotation.latency_mean_s"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct finding *known = doc_find(s->doc, keys[i]);
		struct interval v;
		struct finding f;

		if (!known || known->how == HOW_UNKNOWN)
			continue;
		f = *known;
		v = interval_at_least((struct interval){f.value, f.low, f.high},
			SEVERAL_RATIO * f.value);
		f.low = v.low;
		f.high = v.high;
		doc_put(s->doc, keys[i], &f);
	}
	doc_put_unknown(s->doc, "rotation.drift_ratio", s->method,
		"more than one arm reads: more than one spindle may turn, each at its own speed");
}

void rotation_put_reported(const struct session *s)
{
	struct finding f = session_finding(s, (struct interval){0}, 0);

	if (!s->drive->info.reported_rpm) {
		doc_put_unknown(s->doc, "rotation.reported_rpm", s->method,
			"the drive gives no speed of rotation, or it was not asked");
		return;
	}
	f.how = HOW_REPORTED;
	f.value = s->drive->info.reported_rpm;
	f.low = f.high = NAN;
	f.confidence = NAN;
	doc_put(s->doc, "rotation.reported_rpm", &f);
}
