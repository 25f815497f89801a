/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the next definition of an interposed function: the one that the program would have had
 * without this library, usually libc's. Each wrapper keeps the result (UE_NEXT in state.h).
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "state.h"

void *ue_next(const char *name)
{
	void *p = dlsym(RTLD_NEXT, name);

	/* Each caller is built only where the C library has the function. */
	if (!p)
		abort();
	return p;
}
