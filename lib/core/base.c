/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives the library's version, its components and the names of statuses. Components are those
 * of CMakeLists.txt that can be left out; the compiler's definitions say which are there.
 * Nothing here depends on a file.
 */
#include <tdat/base.h>

const char *tdat_version(void)
{
#define TEXT(number) #number
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)
	return VERSION(TDAT_VERSION_MAJOR, TDAT_VERSION_MINOR, TDAT_VERSION_PATCH);
}

/*
 * Each component has a definition of the compiler, which CMakeLists.txt sets from its options.
 */
bool tdat_has(enum tdat_component component)
{
	switch (component) {
	case TDAT_COMPONENT_IMPORTERS:
#ifdef TDAT_HAVE_IMPORTERS
		return true;
#else
		return false;
#endif
	case TDAT_COMPONENT_ELF:
#ifdef TDAT_HAVE_ELF
		return true;
#else
		return false;
#endif
	case TDAT_COMPONENT_PLUGINS:
#ifdef TDAT_HAVE_PLUGINS
		return true;
#else
		return false;
#endif
	case TDAT_COMPONENT_SQLITE:
#ifdef TDAT_HAVE_SQLITE
		return true;
#else
		return false;
#endif
	}
	return false;
}

const char *tdat_status_name(enum tdat_status status)
{
	switch (status) {
	case TDAT_OK:
		return "ok";
	case TDAT_E_SYSTEM:
		return "system";
	case TDAT_E_NOMEM:
		return "memory";
	case TDAT_E_FORMAT:
		return "format";
	case TDAT_E_DAMAGED:
		return "damaged";
	case TDAT_E_UNSUPPORTED:
		return "unsupported";
	case TDAT_E_LIMIT:
		return "limit";
	case TDAT_E_USAGE:
		return "usage";
	case TDAT_E_NOT_FOUND:
		return "not found";
	case TDAT_E_CANCELLED:
		return "cancelled";
	}
	return "unknown";
}
