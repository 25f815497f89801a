/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies the options of a caller who may be compiled with another version of their struct.
 *
 * Each public struct of options begins with "size_t size", and new members are added at its end.
 * An older caller has a smaller struct: the members that it does not know keep their defaults. A
 * newer one has a larger struct: the members that the library does not know are left out.
 */
#ifndef TDAT_CORE_OPTS_H
#define TDAT_CORE_OPTS_H

#include <stddef.h>
#include <string.h>

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

#endif
