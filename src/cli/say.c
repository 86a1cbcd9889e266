/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard output goes without stdio, so that every failed write is seen where it happens. */
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool output_closed;
static bool output_failed;

void say_start(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		if (fd == STDOUT_FILENO)
			output_closed = true;
		/* the lowest free number is this one */
		if (open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) < 0)
			continue;
	}
}

void say(const char *format, ...)
{
	struct text t = {0};
	va_list ap;

	text_add(&t, "platter: ");
	va_start(ap, format);
	text_add_v(&t, format, ap);
	va_end(ap);
	text_add(&t, "\n");
	fputs(text_chars(&t), stderr);
	fflush(stderr);
	text_release(&t);
}

int say_output_open(void)
{
	if (!output_closed)
		return EXIT_FINE;
	say("standard output is closed, so there is nowhere to show the result");
	output_failed = true;
	return EXIT_UNSURE;
}

int say_output(const struct text *t)
{
	size_t done = 0;

	if (output_failed)
		return EXIT_UNSURE;
	if (output_closed)
		return say_output_open();
	while (done < t->length) {
		ssize_t n = write(STDOUT_FILENO, t->chars + done, t->length - done);

		if (n >= 0) {
			done += (size_t)n;
		} else if (errno != EINTR) {
			say("cannot write to standard output: %s", strerror(errno));
			output_failed = true;
			return EXIT_UNSURE;
		}
	}
	return EXIT_FINE;
}
