/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard output goes without stdio, so that every failed write is seen where it happens. */
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

/* What can be known of standard output without writing to it: 0, or the errno that is to come. */
static int foreseen(void)
{
	struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
	int flags = fcntl(STDOUT_FILENO, F_GETFL);
	struct stat here, full;

	if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
		return EBADF;
	if (poll(&p, 1, 0) == 1 && (p.revents & POLLERR))
		return EPIPE;
	if (fstat(STDOUT_FILENO, &here) == 0 && S_ISCHR(here.st_mode) &&
		stat("/dev/full", &full) == 0 && here.st_rdev == full.st_rdev)
		return ENOSPC;
	return 0;
}

int say_output_open(void)
{
	int error = output_closed ? 0 : foreseen();

	if (!output_closed && !error)
		return EXIT_FINE;
	if (output_closed)
		say("standard output is closed, so there is nowhere to show the result");
	else
		say("cannot write to standard output: %s", strerror(error));
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
