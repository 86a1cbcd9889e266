/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Abbreviations are not accepted: a script that used one would break the day another option begins
 * with the same letters. */
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"

unsigned option_distance(const char *a, const char *b)
{
	enum { MAX = 40 };
	unsigned row[MAX + 1];
	size_t la = strlen(a), lb = strlen(b);

	if (la > MAX || lb > MAX)
		return MAX;
	for (size_t j = 0; j <= lb; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned change = diagonal + (a[i - 1] != b[j - 1]);
			unsigned least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;

			diagonal = row[j];
			row[j] = change < least ? change : least;
		}
	}
	return row[lb];
}

static const struct option *find_long(unsigned commands, const char *name, size_t length)
{
	const struct option *o;

	for (size_t i = 0; (o = option_at(i)); i++)
		if ((o->commands & commands) && o->long_name && strlen(o->long_name) == length &&
			strncmp(o->long_name, name, length) == 0)
			return o;
	return NULL;
}

static const struct option *find_short(unsigned commands, char name)
{
	const struct option *o;

	for (size_t i = 0; (o = option_at(i)); i++)
		if ((o->commands & commands) && o->short_name == name)
			return o;
	return NULL;
}

static int no_such_option(enum command command, const char *argument, size_t length, struct err *e)
{
	const struct option *o, *nearest = NULL;
	unsigned least = 4;
	char name[64];

	length = length < sizeof(name) ? length : sizeof(name) - 1;
	memcpy(name, argument, length);
	name[length] = 0;
	for (size_t i = 0; (o = option_at(i)); i++) {
		unsigned d = o->long_name ? option_distance(name + 2, o->long_name) : 99;

		if ((o->commands & command) && d < least && 2 * d < strlen(o->long_name)) {
			least = d;
			nearest = o;
		}
	}
	if (find_long(~0u, name + 2, length - 2))
		return err_set(e, -EINVAL, "%s is an option of another command", name);
	if (nearest)
		return err_set(e, -EINVAL, "there is no option %s; did you mean --%s?", name,
			nearest->long_name);
	return err_set(e, -EINVAL, "there is no option %s", name);
}

static void *target(struct options *o, const struct option *option)
{
	return (char *)o + option->target;
}

/* How the option is named in a sentence. */
static void name_of(const struct option *option, char name[32])
{
	if (option->long_name)
		snprintf(name, 32, "--%s", option->long_name);
	else
		snprintf(name, 32, "-%c", option->short_name);
}

static int set_number(struct options *o, const struct option *option, const char *value,
	struct err *e)
{
	struct option_number *n = target(o, option);
	char name[32];
	int status;

	switch (option->kind) {
	case OPTION_BYTES: status = units_parse_bytes(value, &n->value); break;
	case OPTION_DURATION: status = units_parse_duration(value, &n->value); break;
	default: status = units_parse_u64(value, &n->value);
	}
	if (status == 0 && (n->value < option->least || n->value > option->most))
		status = -ERANGE;
	n->given = true;
	if (status == 0)
		return 0;
	name_of(option, name);
	return err_set(e, -EINVAL, status == -ERANGE ? "%s %s is out of range: it takes %s"
		: "%s %s is not understood: it takes %s", name, value, option->range);
}

static int set_value(struct options *o, const struct option *option, const char *value,
	struct err *e)
{
	char name[32];
	uint64_t place;
	int status;

	name_of(option, name);
	if (!*value)
		return err_set(e, -EINVAL, "%s needs a value: %s", name, option->argument);
	switch (option->kind) {
	case OPTION_WHEN:
		if (strcmp(value, "auto") && strcmp(value, "always") && strcmp(value, "never"))
			return err_set(e, -EINVAL,
				"%s %s is not understood: it takes auto, always or "
				"never", name, value);
		break;
	case OPTION_PLACE:
		status = units_parse_place(value, INT64_MAX, &place);
		if (status)
			return err_set(e, -EINVAL, "%s %s is %s: it takes bytes (64k, 10GB, 1GiB) "
				"up to the drive's end, 0%% to 100%%, or \"end\"", name, value,
				status == -ERANGE ? "out of range" : "not understood");
		break;
	case OPTION_TEXT: case OPTION_FILE: break;
	default: return set_number(o, option, value, e);
	}
	*(const char **)target(o, option) = value;
	return 0;
}

struct cursor {
	int argc, at;
	char **argv;
};

/* The value of an option: what stands after '=' or in the next argument. */
static int take_value(struct options *o, struct cursor *c, const struct option *option,
	char *inline_value, struct err *e)
{
	char name[32];
	char *value = inline_value;

	name_of(option, name);
	if (!option->argument) {
		if (inline_value)
			return err_set(e, -EINVAL, "%s takes no value", name);
		*(bool *)target(o, option) = true;
		return 0;
	}
	if (!value) {
		if (c->at + 1 >= c->argc)
			return err_set(e, -EINVAL, "%s needs a value: %s", name, option->argument);
		value = c->argv[++c->at];
	}
	if (option->kind == OPTION_FILE)
		o->file_at[c->at] = (size_t)(value - c->argv[c->at]) + 1;
	return set_value(o, option, value, e);
}

static int parse_long(struct options *o, struct cursor *c, struct err *e)
{
	char *argument = c->argv[c->at];
	char *equals = strchr(argument, '=');
	size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
	const struct option *option = find_long(o->command, argument + 2, length - 2);

	if (!option)
		return no_such_option(o->command, argument, length, e);
	return take_value(o, c, option, equals ? equals + 1 : NULL, e);
}

/* "-tT", "-o FILE", "-oFILE". */
static int parse_short(struct options *o, struct cursor *c, struct err *e)
{
	char *p = c->argv[c->at] + 1;
	int status = 0;

	for (; *p && status == 0; p++) {
		const struct option *option = find_short(o->command, *p);

		if (!option)
			return err_set(e, -EINVAL,
				"there is no option -%c", *p >= ' ' && *p < 127 ? *p : '?');
		if (option->argument)
			return take_value(o, c, option, p[1] ? p + 1 : NULL, e);
		status = take_value(o, c, option, NULL, e);
	}
	return status;
}

int options_parse(struct options *o, enum command command, int argc, char **argv, int first,
	struct err *e)
{
	struct cursor c = {argc, first, argv};
	bool operands_only = false;
	int status = 0;

	memset(o, 0, sizeof(*o));
	o->command = command;
	o->argv = argv;
	o->argc = (size_t)argc;
	o->operands = mem_zalloc((size_t)argc + 1, sizeof(*o->operands));
	o->file_at = mem_zalloc((size_t)argc + 1, sizeof(*o->file_at));
	o->operand_at = mem_zalloc((size_t)argc + 1, sizeof(*o->operand_at));
	for (; c.at < argc && status == 0; c.at++) {
		char *argument = argv[c.at];

		if (!*argument) {
			status = err_set(e, -EINVAL,
				"an argument is empty, which names no drive and no file");
		} else if (operands_only || argument[0] != '-' || !argument[1]) {
			o->operand_at[c.at] = true;
			o->operands[o->operands_n++] = argument;
		} else if (strcmp(argument, "--") == 0) {
			operands_only = true;
		} else if (argument[1] == '-') {
			status = parse_long(o, &c, e);
		} else {
			status = parse_short(o, &c, e);
		}
	}
	return status;
}

void options_release(struct options *o)
{
	free(o->operands);
	free(o->file_at);
	free(o->operand_at);
}
