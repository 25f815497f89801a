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

include(${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake)
file(GLOB files RELATIVE ${DIR} ${DIR}/*.sql)
list(SORT files)
set(arrays "")
set(rows "")
set(index 0)
foreach(path IN LISTS files)
	string(REGEX REPLACE "\\.sql$" "" name ${path})
	tdat_embed_text(${DIR}/${path} text_${index})
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
