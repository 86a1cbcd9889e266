/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive asked who it is and how it is, from the sources there are, in the order in which they are
 * trusted: its own answers now, what the system kept of earlier ones, the system's files. */
#ifndef CLI_ASKED_H
#define CLI_ASKED_H

#include "doc/facts.h"
#include "doc/identity.h"
#include "host/platform.h"
#include "smart/pages.h"

struct asked {
	struct identity identity;
	struct pages pages;   /* its answers, those the system kept too */
	struct facts facts;   /* what they say, and what else the system knows */
	char not_asked[512];  /* why it was not asked itself, or its answers are not
	                       * whole, one sentence; "" it was */
	bool from_file;       /* a dump's */
	bool no_answer;       /* it was asked in vain */
	bool asleep;          /* it was left asleep */
	int status;           /* negative errno: why it could not be asked; 0 it was, or sleeps */
};

enum ask_how {
	ASK_NOTHING, /* only what the system knows: no command, no privilege */
	ASK_AWAKE,   /* not one that sleeps */
	ASK_WAKE,
};

/* Fills a (release with asked_release() in every case). platform may be NULL with ASK_NOTHING. 0 also
 * when the drive could not be asked; negative errno with e: there is no such drive. */
int ask_drive(struct asked *a, struct platform *platform, const char *name, enum ask_how how,
	struct err *e);
/* The same from a dump that --save wrote (length bytes of it), shown under that name. 0 or -EINVAL: it
 * is none. */
int ask_dump(struct asked *a, const char *name, const void *dump, size_t length);
/* Makes the answers nobody's: what names the specimen is replaced in pages, facts and identity. */
void ask_anonymise(struct asked *a);
void asked_release(struct asked *a);

#endif
