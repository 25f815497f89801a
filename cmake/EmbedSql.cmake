# SPDX-License-Identifier: LGPL-2.1-or-later
# Included: tdat_embed_sql(OUT DIR) makes the C file OUT of the files DIR/*.sql, as "const struct
# sql_module_text sql_module_texts[]" (sql/perfetto_modules.h). Run with cmake -P: writes that file.

if(NOT CMAKE_SCRIPT_MODE_FILE)
	set(TDAT_EMBED_SQL_SCRIPT ${CMAKE_CURRENT_LIST_FILE} CACHE INTERNAL "")

	function(tdat_embed_sql out dir)
		file(GLOB files CONFIGURE_DEPENDS ${dir}/*.sql)
		add_custom_command(OUTPUT ${out}
			COMMAND ${CMAKE_COMMAND} -DDIR=${dir} -DOUT=${out} -P ${TDAT_EMBED_SQL_SCRIPT}
			DEPENDS ${files} ${TDAT_EMBED_SQL_SCRIPT}
			COMMENT "Embedding the modules of PerfettoSQL" VERBATIM)
	endfunction()
	return()
endif()

file(GLOB files RELATIVE ${DIR} ${DIR}/*.sql)
list(SORT files)
set(arrays "")
set(rows "")
set(index 0)
foreach(path IN LISTS files)
	string(REGEX REPLACE "\\.sql$" "" name ${path})
	file(READ ${DIR}/${path} hex HEX)
	string(LENGTH "${hex}" digits)
	math(EXPR len "${digits} / 2")
	string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
	string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
	string(APPEND arrays "static const char text_${index}[] = {\n${hex}0};\n")
	string(APPEND rows "\t{\"${name}\", text_${index}, ${len}},\n")
	math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT} "/* Made by cmake/EmbedSql.cmake from sql/perfetto/. */
#include \"sql/perfetto_modules.h\"

${arrays}
const struct sql_module_text sql_module_texts[] = {
${rows}};
const size_t sql_module_count = ${index};
")
