# SPDX-License-Identifier: LGPL-2.1-or-later
# Included: tdat_embed_formats(NAME) builds the format files under
# events/<system>/<event>/format of the calling folder into tdat_objects as
# "const struct import_format import_formats_NAME[]" (formats/import/embedded_format.h).
# Run with cmake -P: writes that C file. No other tool is needed.

if(NOT CMAKE_SCRIPT_MODE_FILE)
	set(TDAT_EMBED_FORMATS_SCRIPT ${CMAKE_CURRENT_LIST_FILE} CACHE INTERNAL "")

	function(tdat_embed_formats name)
		set(dir ${CMAKE_CURRENT_SOURCE_DIR}/events)
		set(out ${CMAKE_CURRENT_BINARY_DIR}/import_formats_${name}.c)
		file(GLOB_RECURSE files CONFIGURE_DEPENDS ${dir}/*/format)
		add_custom_command(OUTPUT ${out}
			COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DDIR=${dir} -DOUT=${out}
				-P ${TDAT_EMBED_FORMATS_SCRIPT}
			DEPENDS ${files} ${TDAT_EMBED_FORMATS_SCRIPT}
			COMMENT "Embedding the event formats of ${name}" VERBATIM)
		add_custom_target(tdat_formats_${name} DEPENDS ${out})
		add_dependencies(tdat_objects tdat_formats_${name})
		target_sources(tdat_objects PRIVATE ${out})
	endfunction()
	return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake)
file(GLOB_RECURSE files RELATIVE ${DIR} ${DIR}/*/format)
list(SORT files)
set(arrays "")
set(rows "")
set(index 0)
foreach(path IN LISTS files)
	if(NOT path MATCHES "^([A-Za-z0-9_]+)/([A-Za-z0-9_]+)/format$")
		message(FATAL_ERROR "${DIR}/${path} is not <system>/<event>/format")
	endif()
	set(system ${CMAKE_MATCH_1})
	set(event ${CMAKE_MATCH_2})
	tdat_embed_text(${DIR}/${path} text_${index})
	string(APPEND rows "\t{\"${system}\", \"${event}\", text_${index}, ${len}},\n")
	math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT} "/* Made by cmake/EmbedFormats.cmake from events/. */
#include \"import/embedded_format.h\"

extern const struct import_format import_formats_${NAME}[];

${arrays}
const struct import_format import_formats_${NAME}[] = {
${rows}\t{0, 0, 0, 0},
};
")
