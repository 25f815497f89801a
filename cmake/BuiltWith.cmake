# SPDX-License-Identifier: LGPL-2.1-or-later
# Included: tdat_built_with(OUT PREFIX:MODULE...) writes the header OUT: the commit of the sources, and the versions of
# the modules of pkg-config that the build found. A source archive has its commit in commit.txt; a git tree is asked.
function(tdat_built_with out) # PREFIX:MODULE...
	file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/commit.txt commit LIMIT_COUNT 1)
	string(REGEX MATCH "^[0-9a-f]+" commit "${commit}")
	if(NOT commit)
		find_package(Git QUIET)
	endif()
	if(NOT commit AND GIT_FOUND AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
		execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse HEAD --git-path logs/HEAD
			WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE said ERROR_QUIET)
		string(REGEX MATCH "^[0-9a-f]+" commit "${said}")
		string(REGEX REPLACE "^[^\n]*\n([^\n]*)\n$" "\\1" log "${said}")
		get_filename_component(log "${log}" ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
		if(EXISTS ${log})
			set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
		endif()
	endif()
	set(rows "")
	foreach(module ${ARGN})
		string(REGEX MATCH "^([^:]*):(.*)$" module ${module})
		string(APPEND rows "\t{\"${CMAKE_MATCH_2}\", \"${${CMAKE_MATCH_1}_VERSION}\"},\n")
	endforeach()
	file(CONFIGURE OUTPUT ${out} CONTENT "/* Made by cmake/BuiltWith.cmake. */
static const char built_commit[] = \"@commit@\";
static const struct {
	const char *name, *version;
} built_with[] = {
@rows@};
" @ONLY)
endfunction()
