/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a command line may stand in a document that is passed on. */
#ifndef CLI_PRIVACY_H
#define CLI_PRIVACY_H

#include "cli/options.h"

/* The arguments, NULL-ended, each string and the array to be freed: the program's name and every
 * file without its folders, and of the drives only `drive`, by the name it is shown under: the name
 * that was typed may hold a serial number, a label or a user's folder. */
char **privacy_argv(const struct options *o, const char *drive);

#endif
