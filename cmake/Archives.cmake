# SPDX-License-Identifier: LGPL-2.1-or-later
# Links archives of other libraries in place of shared ones, where there are such, so that what is
# built needs libc only. The targets of pkg-config stay what all others link.
foreach(module ${tdat_modules})
	string(REGEX REPLACE ":.*" "" prefix ${module})
	set(archives)
	foreach(name ${${prefix}_LIBRARIES})
		find_library(TDAT_ARCHIVE_${name} NAMES lib${name}.a HINTS ${${prefix}_LIBRARY_DIRS})
		mark_as_advanced(TDAT_ARCHIVE_${name})
		if(TDAT_ARCHIVE_${name})
			list(APPEND archives ${TDAT_ARCHIVE_${name}})
		endif()
	endforeach()
	if(archives)
		# libelf calls zlib, libtraceevent loads plugins, libsqlite3 calculates.
		if(prefix STREQUAL "LIBELF")
			list(APPEND archives PkgConfig::ZLIB)
		endif()
		set_target_properties(PkgConfig::${prefix} PROPERTIES
			INTERFACE_LINK_LIBRARIES "${archives};${CMAKE_DL_LIBS};m")
	endif()
endforeach()
