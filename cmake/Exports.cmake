# SPDX-License-Identifier: LGPL-2.1-or-later
# Included: tdat_exports(TARGET SYMBOL...) lets a loaded module show these functions only, and none of the
# libraries inside. A version script does it, as not every linker has --exclude-libs (zig's has not).
function(tdat_exports target)
	set(map ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
	list(JOIN ARGN "; " symbols)
	file(CONFIGURE OUTPUT ${map} CONTENT "{ global: ${symbols}; local: *; };\n" @ONLY)
	target_link_options(${target} PRIVATE LINKER:--version-script,${map})
	set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
endfunction()
