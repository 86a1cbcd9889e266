/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A shell that runs a loop over drives stops it only when it sees that the program died of the
 * signal; therefore the signal is raised again at the end. */
#include "cli/signals.h"

#include <stddef.h>

volatile sig_atomic_t signals_stop;
static volatile sig_atomic_t came;

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
#define WATCHED_N (sizeof(watched) / sizeof(watched[0]))

static void die_of(int number)
{
	sigset_t set;

	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
}

static void handle(int number)
{
	if (signals_stop)
		die_of(number);
	came = number;
	signals_stop = 1;
}

void signals_install(void)
{
	struct sigaction ours = {.sa_handler = handle};
	struct sigaction before;

	sigemptyset(&ours.sa_mask);
	for (size_t i = 0; i < WATCHED_N; i++)
		if (sigaction(watched[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(watched[i], &ours, NULL);
	signal(SIGPIPE, SIG_IGN);
}

void signals_finish(void)
{
	if (came)
		die_of(came);
}
