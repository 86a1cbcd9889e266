/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each value is checked for type and range before it is used; strings are cleaned on the way in. */
#include "doc/doc_json_check.h"

#include <errno.h>
#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

int json_damaged(struct err *e, const char *object, const char *name, const char *what)
{
	char place[96];

	text_copy_clean(place, sizeof(place), name);
	return err_set(e, -EINVAL, "the result file is damaged: %s%s%s %s", object,
		object[0] && name[0] ? "." : "", place, what);
}

int json_member(const json_t *root, const char *name, json_type type, const json_t **value,
	struct err *e)
{
	*value = json_object_get(root, name);
	if (!*value || json_typeof(*value) == type)
		return 0;
	return json_damaged(e, "", name,
		type == JSON_OBJECT ? "is not an object" : "is not a list");
}

int json_read_whole(const json_t *value, uint64_t max, uint64_t *n)
{
	if (json_is_string(value)) {
		if (units_parse_u64(json_string_value(value), n))
			return -EINVAL;
	} else if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*n = (uint64_t)json_integer_value(value);
	} else {
		return -EINVAL;
	}
	return *n > max ? -ERANGE : 0;
}

int json_read_string(const json_t *object, const char *name, char *dst, size_t size)
{
	const json_t *value = json_object_get(object, name);

	dst[0] = 0;
	if (!value)
		return 0;
	if (!json_is_string(value))
		return -EINVAL;
	text_copy_clean(dst, size, json_string_value(value));
	return 0;
}

char *json_copy_string(const json_t *value)
{
	size_t size = json_string_length(value) + 1;
	char *copy = mem_zalloc(size, 1);

	text_copy_clean(copy, size, json_string_value(value));
	return copy;
}

int json_read_real(const json_t *object, const char *name, double low, double high, double *value)
{
	const json_t *v = json_object_get(object, name);

	*value = NAN;
	if (!v || json_is_null(v))
		return 0;
	if (!json_is_number(v))
		return -EINVAL;
	*value = json_number_value(v);
	return isfinite(*value) && *value >= low && *value <= high ? 0 : -EINVAL;
}

int json_read_count(const json_t *object, const char *name, uint64_t max, uint64_t *n)
{
	const json_t *v = json_object_get(object, name);

	*n = 0;
	return v ? json_read_whole(v, max, n) : 0;
}
