/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the version: "tdat --version" of the program and of the parts that it was built without,
 * -v also of the commit, the parts that are there and the libraries of the build. Called by main.c.
 * built_with.h is made by cmake/BuiltWith.cmake.
 */
#include "version.h"

#include <stdio.h>

#include <built_with.h>
#include <tdat/base.h>

#include "input/unpack.h"
#include "output/json_out.h"
#include "terminal/message.h"

struct part {
	const char *option, *what;
	bool there;
};

/* CMakeLists.txt defines them where the preloaded library and the program tdat-view are built. */
#ifdef TDAT_RECORDS
enum { RECORDS = true };
#else
enum { RECORDS = false };
#endif
#ifdef TDAT_VIEWS
enum { VIEWS = true };
#else
enum { VIEWS = false };
#endif

enum { PARTS = 10, LIBRARIES = sizeof(built_with) / sizeof(built_with[0]) };

static void find_parts(struct part parts[PARTS])
{
	static const struct {
		enum tdat_component component;
		const char *option, *what;
	} components[] = {
		{TDAT_COMPONENT_IMPORTERS, "TDAT_IMPORTERS", "importers of foreign captures"},
		{TDAT_COMPONENT_KTR, "TDAT_KTR", "the importer of KTR"},
		{TDAT_COMPONENT_ELF, "TDAT_LIBELF", "KTR with ELF kernels and modules"},
		{TDAT_COMPONENT_PLUGINS, "TDAT_PLUGINS", "plugins of libtraceevent"},
		{TDAT_COMPONENT_SQLITE, "TDAT_SQLITE", "SQLite"},
		{TDAT_COMPONENT_HIST, "TDAT_HIST", "hist triggers"},
		{TDAT_COMPONENT_USER_EVENTS, "TDAT_USER_EVENTS", "user_events"},
	};
	enum { COUNT = sizeof(components) / sizeof(components[0]) };

	for (size_t i = 0; i < COUNT; i++)
		parts[i] = (struct part){components[i].option, components[i].what,
					 tdat_has(components[i].component)};
	parts[COUNT] = (struct part){"TDAT_PACKED", "packed inputs", cli_unpack_needs != NULL};
	parts[COUNT + 1] = (struct part){"TDAT_RECORD", "user-events record", RECORDS};
	parts[COUNT + 2] = (struct part){"TDAT_VIEW", "view", VIEWS};
}

static void print_json(const struct part parts[PARTS])
{
	struct tdat_json j;

	cli_json_init(&j, stdout, true);
	tdat_json_object(&j, NULL);
	tdat_json_str(&j, "version", tdat_version());
	tdat_json_str(&j, "commit", *built_commit ? built_commit : NULL);
	tdat_json_object(&j, "parts");
	for (size_t i = 0; i < PARTS; i++)
		tdat_json_bool(&j, parts[i].option, parts[i].there);
	tdat_json_object_end(&j);
	tdat_json_object(&j, "libraries");
	for (size_t i = 0; i < LIBRARIES; i++)
		tdat_json_str(&j, built_with[i].name, built_with[i].version);
	tdat_json_object_end(&j);
	tdat_json_object_end(&j);
	cli_json_end(&j);
}

int print_version(bool verbose, bool json)
{
	struct part parts[PARTS];

	find_parts(parts);
	if (json) {
		print_json(parts);
		return CLI_OK;
	}
	printf("tdat %s\n", tdat_version());
	if (verbose)
		printf("commit %s\n", *built_commit ? built_commit : "unknown");
	for (size_t i = 0; i < PARTS; i++)
		if (verbose || !parts[i].there)
			printf("built %s %s (%s)\n", parts[i].there ? "with" : "without",
			       parts[i].what, parts[i].option);
	for (size_t i = 0; verbose && i < LIBRARIES; i++)
		printf("library %s %s\n", built_with[i].name, built_with[i].version);
	return CLI_OK;
}
