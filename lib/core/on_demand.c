/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Loads a library by its soname and finds functions in it. Called by the three files that need
 * libelf, libsqlite3 and libtraceevent. A program in a sandbox loads the library before it enters.
 */
#include "core/on_demand.h"

#include <dlfcn.h>
#include <string.h>

#include <tdat/error.h>

enum tdat_status tdat_on_demand(const char *library, const char *const *names, size_t count,
				void *calls, bool global, struct tdat_error *err)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_NODELETE | (global ? RTLD_GLOBAL : 0));
	enum tdat_status st = TDAT_OK;

	if (!handle)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				      "cannot load %s, which is needed: install it (%s)", library,
				      dlerror());
	for (size_t i = 0; st == TDAT_OK && i < count; i++) {
		void *function = dlsym(handle, names[i]);

		if (!function)
			st = tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
					    "%s lacks the function %s: install a newer version",
					    library, names[i]);
		memcpy((char *)calls + i * sizeof(function), &function, sizeof(function));
	}
	dlclose(handle);
	return st;
}
