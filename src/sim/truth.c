/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Truth text in and out. Plain keys are rows of sim/truth_keys.h; `like`, `fault` and `resident`
 * are the three that are not one field. A file is laid over the defaults line by line, then
 * checked as a whole. */
#include "sim/truth.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "sim/model.h"
#include "sim/truth_keys.h"

#define KEY_MAX 64

void truth_init(struct truth *t)
{
	*t = (struct truth){
		.kind = TRUTH_DISK, .vendor = "PLATTER", .model = "SIMULATED DISK",
		.serial = "SIM00000001", .firmware = "1.0", .transport = "sata",
		.size_bytes = 500107862016, .logical_block_bytes = 512, .physical_block_bytes = 512,
		.max_request_bytes = 1 << 20, .queue_depth = 32,
		.rpm = 7200, .rpm_error_ppm = 60, .rpm_wander_s = 8, .actuators = 1, .heads = 4,
		.tracks_per_run = 1, .zones = 16, .zone_width_spread = 0.3,
		.outer_sectors_per_track = 1600, .inner_sectors_per_track = 800,
		.track_to_track_s = 0.001, .average_seek_s = 0.0105, .full_stroke_s = 0.020,
		.seek_inward_ratio = 1, .head_switch_s = 0.0009, .settle_noise_s = 0.00004, .skew_margin = 1.15,
		.seek_retry_share = 0.004, .seek_retry_s = 0.002, .reread_share = 0.0005,
		.reported_rpm = 1, .spin_up_s = 6, .command_s = 0.0001, .command_jitter_s = 0.000008,
		.interface_bytes_per_s = 280e6, .cache_bytes = 16 << 20, .cache_segments = 16,
		.readahead_bytes = 768 << 10, .queue_order = TRUTH_SPTF, .queue_age_s = 2,
		.flash_read_s = 0.00006, .flash_jitter_s = 0.000004, .flash_units = 32,
		.flash_page_bytes = 16 << 10, .flash_unit_bytes_per_s = 60e6,
		.flash_outlier_share = 0.001, .flash_outlier_s = 0.001,
		.virtual_hit_share = 0.35, .virtual_hit_s = 0.00008, .virtual_median_s = 0.0012,
		.virtual_sigma = 0.6,
		.members = 2, .chunk_bytes = 512 << 10,
		.smr_band_bytes = 256 << 20, .smr_fragment_bytes = 64 << 10,
		.smr_fragment_share = 0.25, .smr_media_cache_bytes = 20ull << 30,
		.bridge_request_bytes = 120 << 10, .bridge_frame_s = 0.000125,
		.bridge_command_s = 0.0002,
		.host_delay_s = 0.000016, .host_jitter_s = 0.000005, .host_outlier_share = 0.003,
		.host_outlier_s = 0.00025, .host_user_s = 0.000001, .host_system_s = 0.000005,
		.host_system_s_per_mb = 0.00001, .memory_bytes_per_s = 8e9, .memory_jitter = 0.02,
		.host_readahead_bytes = 128 << 10, .run_delay_s = 0.002, .steal_s = 0.005,
		.counters = 1,
	};
}

/* Place of word among words ("a|b|c"), or -1. */
static int word_place(const char *words, const char *word)
{
	size_t length = strlen(word);
	int place = 0;

	for (const char *w = words; w; place++) {
		const char *end = strchr(w, '|');
		size_t n = end ? (size_t)(end - w) : strlen(w);

		if (n == length && !strncmp(w, word, n))
			return place;
		w = end ? end + 1 : NULL;
	}
	return -1;
}

static int parse_number(const char *s, double *value)
{
	char *end;

	if (strchr("+-.0123456789", *s) == NULL || strpbrk(s, "xXpP"))
		return -EINVAL;
	*value = strtod(s, &end);
	return end == s || *end || !isfinite(*value) ? -EINVAL : 0;
}

static int out_of_range(const struct truth_key *k, const char *value, struct err *e)
{
	return err_set(e, -EINVAL, "%s: %.40s is not between %.15g and %.15g", k->name, value,
		k->min, k->max);
}

static int set_number(const struct truth_key *k, void *field, const char *value, struct err *e)
{
	double x;

	if (parse_number(value, &x))
		return err_set(e, -EINVAL, "%s: '%.40s' is not a plain number", k->name, value);
	if (x < k->min || x > k->max)
		return out_of_range(k, value, e);
	*(double *)field = x;
	return 0;
}

static int set_count(const struct truth_key *k, void *field, const char *value, struct err *e)
{
	uint64_t n;

	if (units_parse_u64(value, &n))
		return err_set(e, -EINVAL, "%s: '%.40s' is not a whole number", k->name, value);
	if ((double)n < k->min || (double)n > k->max)
		return out_of_range(k, value, e);
	*(unsigned *)field = (unsigned)n;
	return 0;
}

static int set_bytes(const struct truth_key *k, void *field, const char *value, struct err *e)
{
	uint64_t n;

	if (units_parse_bytes(value, &n))
		return err_set(e, -EINVAL, "%s: '%.40s' is not a size such as 4096, 64k or 500GB",
			k->name, value);
	if ((double)n < k->min || (double)n > k->max)
		return out_of_range(k, value, e);
	*(uint64_t *)field = n;
	return 0;
}

static int set_word(const struct truth_key *k, void *field, const char *value, struct err *e)
{
	int place = word_place(k->words, value);

	if (place < 0)
		return err_set(e, -EINVAL, "%s: '%.40s' is none of %s", k->name, value, k->words);
	*(unsigned *)field = (unsigned)place;
	return 0;
}

static int set_key(struct truth *t, const struct truth_key *k, const char *value, struct err *e)
{
	void *field = (char *)t + k->field;

	switch (k->type) {
	case TRUTH_NUMBER: return set_number(k, field, value, e);
	case TRUTH_COUNT: return set_count(k, field, value, e);
	case TRUTH_BYTES: return set_bytes(k, field, value, e);
	case TRUTH_WORD: return set_word(k, field, value, e);
	case TRUTH_TEXT: break;
	}
	if (strlen(value) >= sizeof(t->model) || strchr(value, '#'))
		return err_set(e, -EINVAL, "%s: more than 63 characters, or a '#'", k->name);
	text_copy_clean(field, sizeof(t->model), value);
	return 0;
}

static int set_resident(struct truth *t, const char *value, struct err *e)
{
	char from[32], length[32], rest;
	uint64_t f, l;

	if (sscanf(value, "%31s %31s %c", from, length, &rest) != 2 ||
		units_parse_bytes(from, &f) || units_parse_bytes(length, &l))
		return err_set(e, -EINVAL, "resident: '%.60s' is not FROM LENGTH", value);
	if (t->resident_n == TRUTH_LINES_MAX)
		return err_set(e, -EINVAL, "resident: more than %u lines", TRUTH_LINES_MAX);
	t->resident[t->resident_n].from_bytes = f;
	t->resident[t->resident_n++].length_bytes = l;
	return 0;
}

static int set_fault(struct truth *t, const char *value, struct err *e)
{
	if (strlen(value) >= sizeof(t->fault[0]) || !model_fault_valid(value))
		return err_set(e, -EINVAL, "fault: '%.60s' is not understood", value);
	if (t->fault_n == TRUTH_LINES_MAX)
		return err_set(e, -EINVAL, "fault: more than %u lines", TRUTH_LINES_MAX);
	snprintf(t->fault[t->fault_n++], sizeof(t->fault[0]), "%s", value);
	return 0;
}

static int set_like(struct truth *t, const char *value, struct err *e)
{
	struct truth_builtin b;

	for (unsigned i = 0; truth_builtin_at(i, &b); i++)
		if (!strcmp(b.name, value))
			return truth_parse(b.text, t, e);
	return err_set(e, -EINVAL, "like: there is no built-in drive '%.40s'", value);
}

int truth_set(struct truth *t, const char *key_equals_value, struct err *e)
{
	char line[256], *key, *value;
	const struct truth_key *k;

	if (strlen(key_equals_value) >= sizeof(line))
		return err_set(e, -EINVAL, "'%.40s…' is too long", key_equals_value);
	strcpy(line, key_equals_value);
	value = strchr(line, '=');
	if (!value)
		return err_set(e, -EINVAL, "'%.60s' is not key = value", key_equals_value);
	*value++ = 0;
	key = text_trim(line);
	value = text_trim(value);
	if (!*value)
		return err_set(e, -EINVAL, "%.60s: the value is missing", key);
	if (!strcmp(key, "like"))
		return set_like(t, value, e);
	if (!strcmp(key, "resident"))
		return set_resident(t, value, e);
	if (!strcmp(key, "fault"))
		return set_fault(t, value, e);
	k = truth_key_find(key);
	if (!k)
		return err_set(e, -EINVAL, "%.60s: there is no such key", key);
	return set_key(t, k, value, e);
}

static int parse_line(struct truth *t, char *line, unsigned number, struct err *e)
{
	char *comment = strchr(line, '#'), prefix[32];
	int status = 0;

	if (comment)
		*comment = 0;
	line = text_trim(line);
	if (*line)
		status = truth_set(t, line, e);
	if (status) {
		snprintf(prefix, sizeof(prefix), "line %u", number);
		err_prefix(e, prefix);
	}
	return status;
}

int truth_parse(const char *text, struct truth *t, struct err *e)
{
	char *copy = mem_strdup(text), *line = copy;
	int status = 0;

	truth_init(t);
	for (unsigned number = 1; line && !status; number++) {
		char *end = strchr(line, '\n');

		if (end)
			*end = 0;
		status = parse_line(t, line, number, e);
		line = end ? end + 1 : NULL;
	}
	free(copy);
	return status ? status : truth_check(t, e);
}

static void print_key(const struct truth *t, const struct truth_key *k, struct text *out)
{
	const void *field = (const char *)t + k->field;
	const char *w = k->words;

	switch (k->type) {
	case TRUTH_NUMBER: text_add(out, "%s = %.17g\n", k->name, *(const double *)field); break;
	case TRUTH_COUNT: text_add(out, "%s = %u\n", k->name, *(const unsigned *)field); break;
	case TRUTH_BYTES:
		text_add(out, "%s = %llu\n", k->name, (unsigned long long)*(const uint64_t *)field);
		break;
	case TRUTH_TEXT:
		if (*(const char *)field)
			text_add(out, "%s = %s\n", k->name, (const char *)field);
		break;
	case TRUTH_WORD:
		for (unsigned i = *(const unsigned *)field; i; i--)
			w = strchr(w, '|') + 1;
		text_add(out, "%s = %.*s\n", k->name, (int)strcspn(w, "|"), w);
		break;
	}
}

void truth_print(const struct truth *t, struct text *out)
{
	for (size_t i = 0; truth_key_at(i); i++)
		print_key(t, truth_key_at(i), out);
	for (unsigned i = 0; i < t->resident_n; i++)
		text_add(out, "resident = %llu %llu\n",
			(unsigned long long)t->resident[i].from_bytes,
			(unsigned long long)t->resident[i].length_bytes);
	for (unsigned i = 0; i < t->fault_n; i++)
		text_add(out, "fault = %s\n", t->fault[i]);
}
