/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SIGINT, SIGTERM and SIGHUP set a flag, so that the document can be finished; the second one ends
 * the program at once. SIGPIPE is ignored: a write says so itself. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <signal.h>

/* Not 0 once one of them came. */
extern volatile sig_atomic_t signals_stop;

/* Before anything else is started. A signal that was ignored on entry (nohup) stays ignored. */
void signals_install(void);

/* When one came: gives it its default meaning back and raises it, and so does not return. */
void signals_finish(void);

#endif
