/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls functions of a library that is loaded at first use, so that programs linked with libtdat do
 * not load libraries that they may never need. If the library is linked nevertheless (libtdat.a,
 * except libtraceevent), TDAT_ON_DEMAND is undefined, and the same calls go to the linked
 * functions.
 */
#ifndef TDAT_CORE_ON_DEMAND_H
#define TDAT_CORE_ON_DEMAND_H

#include <tdat/error.h>

/*
 * Loads a library and sets the count pointers at calls to its functions of these names. It stays
 * loaded. global: what it defines is seen by objects that are loaded later.
 */
enum tdat_status tdat_on_demand(const char *library, const char *const *names, size_t count,
				void *calls, bool global, struct tdat_error *err);

#define TDAT_CALL_MEMBER(name) __typeof__(name) *name;
#define TDAT_CALL_NAME(name) #name,
#define TDAT_CALL_LINKED(name) .name = (name),

/*
 * Defines struct type with a pointer for each function of LIST, an X macro, and type_load(), which
 * sets them.
 */
#define TDAT_CALLS(type, LIST, library, global)                                                    \
	struct type {                                                                              \
		LIST(TDAT_CALL_MEMBER)                                                             \
	};                                                                                         \
	static enum tdat_status type##_load(struct type *calls, struct tdat_error *err)            \
	{                                                                                          \
		TDAT_CALLS_SET(type, LIST, library, global);                                       \
	}

#ifdef TDAT_ON_DEMAND
#define TDAT_CALLS_SET(type, LIST, library, global)                                                \
	static const char *const names[] = {LIST(TDAT_CALL_NAME)};                                 \
	return tdat_on_demand(library, names, sizeof(names) / sizeof(names[0]), calls, global, err)
#else
#define TDAT_CALLS_SET(type, LIST, library, global)                                                \
	(void)err;                                                                                 \
	*calls = (struct type){LIST(TDAT_CALL_LINKED)};                                            \
	return TDAT_OK
#endif

#endif
