/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the definition of an interposed function that the program would have had without us. */
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
