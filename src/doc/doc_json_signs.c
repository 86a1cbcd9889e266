/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reading half of signs and of the checks that could not be made. */
#include <string.h>

#include "doc/doc_json_check.h"

#define SIGNS_MAX 1000u

static int read_sign(struct signs *signs, const json_t *object, struct err *e)
{
	struct sign s = {0};
	char severity[16];
	int level = SIGN_INFO;

	if (json_read_string(object, "key", s.key, sizeof(s.key)) || !s.key[0] ||
		json_read_string(object, "severity", severity, sizeof(severity)) ||
		json_read_string(object, "evidence", s.evidence, sizeof(s.evidence)) ||
		json_read_string(object, "why", s.why, sizeof(s.why)))
		return json_damaged(e, "signs", "", "holds one that is none");
	while (level <= SIGN_REJECT && strcmp(severity_name((enum severity)level), severity) != 0)
		level++;
	if (level > SIGN_REJECT)
		return json_damaged(e, "signs", s.key, "has a severity that is none");
	signs_add(signs, s.key, (enum severity)level, s.why, "%s", s.evidence);
	return 0;
}

static int read_unmade(struct signs *signs, const json_t *object, struct err *e)
{
	struct unmade_check u = {0};

	if (json_read_string(object, "key", u.key, sizeof(u.key)) || !u.key[0] ||
		json_read_string(object, "why_not", u.why_not, sizeof(u.why_not)))
		return json_damaged(e, "checks", "could_not", "holds one that is none");
	signs_unmade(signs, u.key, "%s", u.why_not);
	return 0;
}

int json_read_signs(struct doc *doc, const json_t *root, struct err *e)
{
	const json_t *found;
	const json_t *checks;
	const json_t *could_not;
	uint64_t made;
	int status;

	if ((status = json_member(root, "signs", JSON_ARRAY, &found, e)) ||
		(status = json_member(root, "checks", JSON_OBJECT, &checks, e)) ||
		(status = json_member(checks, "could_not", JSON_ARRAY, &could_not, e)))
		return status;
	if (json_array_size(found) > SIGNS_MAX || json_array_size(could_not) > SIGNS_MAX)
		return json_damaged(e, "", "signs", "are too many");
	for (size_t i = 0; !status && i < json_array_size(found); i++)
		status = read_sign(&doc->signs, json_array_get(found, i), e);
	for (size_t i = 0; !status && i < json_array_size(could_not); i++)
		status = read_unmade(&doc->signs, json_array_get(could_not, i), e);
	if (status)
		return status;
	if (json_read_count(checks, "made", INT32_MAX, &made))
		return json_damaged(e, "checks", "made", "is not a whole number from 0 up");
	doc->signs.made = (size_t)made;
	return 0;
}
