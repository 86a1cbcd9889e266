/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A result file is as hostile as a drive: what is read from it is written, and that reads the same
 * once more, whatever it was and whoever may see it. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "doc/doc_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct doc_json_options shown[] = {
		{0}, {.full_identity = true}, {.anonymous = true}};
	struct doc doc;

	if (!size)
		return 0;
	if (doc_json_read(&doc, (const char *)data + 1, size - 1, NULL) == 0) {
		const struct doc_json_options *o = &shown[data[0] % 3];
		struct text first = {0}, second = {0};
		struct doc again;

		doc_json_write(&doc, o, &first);
		if (doc_json_read(&again, first.chars, first.length, NULL))
			abort();
		/* who was made up once is made up anew */
		doc_json_write(&again, o->anonymous ? &shown[1] : o, &second);
		if (strcmp(first.chars, second.chars) != 0 && !o->anonymous)
			abort();
		doc_release(&again);
		text_release(&first);
		text_release(&second);
	}
	doc_release(&doc);
	return 0;
}
