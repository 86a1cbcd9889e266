/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One sentence for the user about why something could not be done. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

/* Filled by the function that failed, read by src/cli, which alone speaks. */
struct err {
	int code;       /* negative errno, 0 while nothing went wrong */
	char text[512]; /* one sentence: what was being done, to what, what the user can do */
};

/* Sets code and text (overwriting what was there, cut at the end of text) and returns code, so
 * that a failing function can end with `return err_set(e, -EINVAL, "…")`. e may be NULL: then
 * only the code is returned. code: negative errno. */
int err_set(struct err *e, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " in front of the text already there; for a caller that knows the device. */
void err_prefix(struct err *e, const char *prefix);

#endif
