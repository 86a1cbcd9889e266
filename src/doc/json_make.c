/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doc/json_make.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

json_t *json_had(json_t *value)
{
	if (!value)
		abort();
	return value;
}

void json_put(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, json_had(value)))
		abort();
}

void json_push(json_t *array, json_t *value)
{
	if (json_array_append_new(array, json_had(value)))
		abort();
}

json_t *json_clean(const char *s)
{
	size_t size = strlen(s) + 1;
	char *clean = mem_zalloc(size, 1);
	json_t *string;

	text_copy_clean(clean, size, s);
	string = json_had(json_string(clean));
	free(clean);
	return string;
}

void json_put_string(json_t *object, const char *key, const char *s)
{
	if (s && s[0])
		json_put(object, key, json_clean(s));
}

json_t *json_whole(uint64_t n)
{
	struct text digits = {0};
	json_t *value;

	if (n <= INT64_MAX)
		return json_had(json_integer((json_int_t)n));
	text_add(&digits, "%llu", (unsigned long long)n);
	value = json_had(json_string(text_chars(&digits)));
	text_release(&digits);
	return value;
}
