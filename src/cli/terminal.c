/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment is read here, once; no locale is ever set, so that numbers keep their dot. */
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/units.h"

static const char *first_set(const char *const *names)
{
	for (; *names; names++) {
		const char *value = getenv(*names);

		if (value && *value)
			return value;
	}
	return "";
}

static bool names_utf8(const char *locale)
{
	const char *dot = strchr(locale, '.');

	return dot && (strncasecmp(dot + 1, "utf-8", 5) == 0 ||
		strncasecmp(dot + 1, "utf8", 4) == 0);
}

static unsigned columns_of(int fd)
{
	struct winsize size;
	const char *text = getenv("COLUMNS");
	uint64_t n = 0;

	if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
		n = size.ws_col;
	else if (!text || units_parse_u64(text, &n))
		n = 80;
	return n < 40 ? 40 : n > 200 ? 200 : (unsigned)n;
}

struct terminal terminal_look(void)
{
	static const char *const locale[] = {"LC_ALL", "LC_CTYPE", "LANG", NULL};
	static const char *const no_color[] = {"NO_COLOR", NULL};
	static const char *const term[] = {"TERM", NULL};
	struct terminal t = {.out = isatty(STDOUT_FILENO), .err = isatty(STDERR_FILENO)};

	t.columns = columns_of(STDOUT_FILENO);
	t.utf8 = names_utf8(first_set(locale));
	t.color = t.out && !*first_set(no_color) && *first_set(term) &&
		strcmp(first_set(term), "dumb") != 0;
	return t;
}
