/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A child a drive, each with a platform of its own and a pipe on which it says its line. Whoever has
 * not spoken when the time is over is ended and not waited for: it may sit in the kernel. */
#include "cli/ask_all.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/asked.h"
#include "cli/signals.h"
#include "judge/judge_signs.h"

#define SLICE_MS 100

struct child {
	pid_t pid; /* 0: none, or has ended */
	int fd;    /* -1: nothing more to come */
};

static void say_word(struct health *h, const char *word, const char *why)
{
	snprintf(h->word, sizeof(h->word), "%s", word);
	snprintf(h->why, sizeof(h->why), "%s", why);
}

/* Not only who it is, as sticks and virtual disks do. */
static bool tells_how_it_is(const struct facts *f)
{
	return facts_is(f, "smart_status.passed") >= 0 ||
	       !isnan(facts_number(f, "power_on_time.hours")) ||
	       !isnan(facts_number(f, "scsi_grown_defect_list")) ||
	       facts_length(f, "ata_smart_attributes.table") > 0;
}

static void judge(struct health *h, const struct asked *a)
{
	struct signs signs = {0};
	struct judge_signs_input in = {.identity = &a->identity, .smart = &a->facts,
		.not_asked = a->not_asked[0] ? a->not_asked : NULL};
	const struct sign *worst;

	judge_signs(&signs, &in);
	worst = signs.n && signs.signs[0].severity > SIGN_INFO ? &signs.signs[0] : NULL;
	h->made = (unsigned)signs.made;
	h->unmade = (unsigned)signs.unmade_n;
	h->temperature = facts_number(&a->facts, "temperature.current");
	h->known = !a->not_asked[0];
	h->bad = worst && worst->severity == SIGN_REJECT;
	if (a->asleep && !h->bad)
		say_word(h, "asleep", a->not_asked);
	else if (worst)
		say_word(h, h->bad ? "REJECT" : "warn", worst->evidence);
	else if (a->not_asked[0])
		say_word(h, a->no_answer ? "no answer" : "not asked", a->not_asked);
	else if (!tells_how_it_is(&a->facts))
		say_word(h, "tells nothing", "It was asked and does not tell how it is.");
	else
		say_word(h, "no sign", "");
	signs_release(&signs);
}

static _Noreturn void ask_one(const char *name, int fd)
{
	struct health h = {.temperature = NAN};
	struct platform *platform = NULL;
	struct asked a = {0};
	struct err e = {0};

	if (platform_start(&platform, &e) || ask_drive(&a, platform, name, ASK_AWAKE, &e))
		say_word(&h, "not asked", e.text);
	else
		judge(&h, &a);
	if (write(fd, &h, sizeof(h)) != (ssize_t)sizeof(h))
		_exit(1);
	platform_stop(platform);
	_exit(0);
}

static void start(struct child *c, const char *name)
{
	int ends[2];

	c->fd = -1;
	if (pipe(ends) != 0)
		return;
	c->pid = fork();
	if (c->pid == 0) {
		close(ends[0]);
		ask_one(name, ends[1]);
	}
	close(ends[1]);
	if (c->pid < 0) {
		c->pid = 0;
		close(ends[0]);
		return;
	}
	c->fd = ends[0];
}

/* Shorter than PIPE_BUF, the line comes whole or not at all. */
static void hear(struct child *c, struct health *h)
{
	struct health said;

	if (read(c->fd, &said, sizeof(said)) == (ssize_t)sizeof(said))
		*h = said;
	close(c->fd);
	c->fd = -1;
}

static void hear_all(struct child *children, struct health *health, size_t n)
{
	struct pollfd *fds = mem_zalloc(n + 1, sizeof(*fds));
	uint64_t end_ns = platform_now_ns() + ASK_ALL_LIMIT_S * UINT64_C(1000000000);
	size_t left = n;

	while (left && platform_now_ns() < end_ns && !signals_stop) {
		left = 0;
		for (size_t i = 0; i < n; i++) {
			fds[i] = (struct pollfd){.fd = children[i].fd, .events = POLLIN};
			left += children[i].fd >= 0;
		}
		if (!left || poll(fds, (nfds_t)n, SLICE_MS) <= 0)
			continue;
		for (size_t i = 0; i < n; i++)
			if (fds[i].fd >= 0 && fds[i].revents)
				hear(&children[i], &health[i]);
	}
	free(fds);
}

static void end(struct child *c)
{
	struct timespec pause = {0, 1000000};

	if (!c->pid)
		return;
	if (c->fd >= 0) {
		close(c->fd);
		kill(c->pid, SIGKILL);
	}
	for (int i = 0; i < 600 && waitpid(c->pid, NULL, WNOHANG) == 0; i++)
		nanosleep(&pause, NULL);
}

void ask_all(struct health *health, const char *const *names, size_t n)
{
	struct child *children = mem_zalloc(n + 1, sizeof(*children));

	for (size_t i = 0; i < n; i++) {
		health[i] = (struct health){.temperature = NAN};
		say_word(&health[i], "no answer", "It gave no answer within 5 seconds.");
		start(&children[i], names[i]);
	}
	hear_all(children, health, n);
	for (size_t i = 0; i < n; i++)
		end(&children[i]);
	free(children);
}
