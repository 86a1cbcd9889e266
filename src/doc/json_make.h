/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON values that are there or the program ends, as with memory. Internal to doc/. */
#ifndef DOC_JSON_MAKE_H
#define DOC_JSON_MAKE_H

#include <jansson.h>
#include <stdint.h>

json_t *json_had(json_t *value); /* aborts on NULL */
void json_put(json_t *object, const char *key, json_t *value);
void json_push(json_t *array, json_t *value);
/* Whatever the bytes: valid UTF-8 without control characters. */
json_t *json_clean(const char *s);
/* The same, left out when "" or NULL. */
void json_put_string(json_t *object, const char *key, const char *s);
/* Above 2^63 - 1 a string of digits. */
json_t *json_whole(uint64_t n);

#endif
