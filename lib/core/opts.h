/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies the options of a caller who may be compiled with another version of their struct.
 *
 * Each public struct of options begins with "size_t size", and new members are added at its end.
 * An older caller has a smaller struct: the members that it does not know keep their defaults. A
 * newer one has a larger struct: the members that the library does not know are left out.
 * Tables of functions that callers implement are checked, and their optional members read by
 * TDAT_HAS.
 */
#ifndef TDAT_CORE_OPTS_H
#define TDAT_CORE_OPTS_H

#include <stddef.h>
#include <string.h>

#include <tdat/error.h>

/*
 * Copies the options given over own, which holds the defaults and is own_len bytes long. Nothing
 * is copied when given is NULL. The size of own stays its own.
 */
static inline void tdat_opts_copy(void *own, size_t own_len, const void *given)
{
	size_t len;

	if (!given)
		return;
	memcpy(&len, given, sizeof(len));
	memcpy(own, given, len < own_len ? len : own_len);
	memcpy(own, &own_len, sizeof(own_len));
}

/*
 * Refuses a table of functions that a caller of another version implements, if its size says that
 * it lacks required members: those before the first optional one, least bytes from the start.
 */
static inline enum tdat_status tdat_ops_check(const void *given, size_t least, const char *name,
					      struct tdat_error *err)
{
	size_t size;

	memcpy(&size, given, sizeof(size));
	return size >= least
		       ? TDAT_OK
		       : tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					"struct %s has size %zu, but at least %zu bytes are needed",
					name, size, least);
}

/* The same for the functions of a tdat_emit. */
#define tdat_emit_check(emit, err)                                                                 \
	tdat_ops_check((emit)->ops, offsetof(struct tdat_emit_ops, fact), "tdat_emit_ops", err)

#endif
