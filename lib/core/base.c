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

/* CMakeLists.txt defines TDAT_HAVE_NAME for each component that is built. */
bool tdat_has(enum tdat_component component)
{
	switch (component) {
#ifdef TDAT_HAVE_IMPORTERS
	case TDAT_COMPONENT_IMPORTERS:
#endif
#ifdef TDAT_HAVE_ELF
	case TDAT_COMPONENT_ELF:
#endif
#ifdef TDAT_HAVE_PLUGINS
	case TDAT_COMPONENT_PLUGINS:
#endif
#ifdef TDAT_HAVE_SQLITE
	case TDAT_COMPONENT_SQLITE:
#endif
#ifdef TDAT_HAVE_HIST
	case TDAT_COMPONENT_HIST:
#endif
#ifdef TDAT_HAVE_KTR
	case TDAT_COMPONENT_KTR:
#endif
#ifdef TDAT_HAVE_USER_EVENTS
	case TDAT_COMPONENT_USER_EVENTS:
#endif
		return true;
	default:
		return false;
	}
}

/* Short names for messages and bindings; they are part of the interface. */
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
