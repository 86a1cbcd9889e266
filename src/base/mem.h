/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that is either had or ends the program: platter's own needs are a few megabytes, and a
 * machine that cannot give them can measure nothing. None of these returns NULL; when memory is
 * exhausted or a size overflows they call abort(). Release with free(). */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* n objects of size bytes each, zeroed. */
void *mem_zalloc(size_t n, size_t size);

/* Grows (or shrinks) p to n objects of size bytes; what is added is not cleared. */
void *mem_resize(void *p, size_t n, size_t size);

/* Makes room for one more object in an array that grows by doubling: *capacity (in objects) is
 * updated, the (possibly moved) array returned. used: objects in use. */
void *mem_grow(void *p, size_t used, size_t *capacity, size_t size);

/* A copy of the string s; NULL gives NULL. */
char *mem_strdup(const char *s);

/* A copy of n objects of size bytes; n 0 gives a pointer that may be freed. */
void *mem_copy(const void *p, size_t n, size_t size);

#endif
