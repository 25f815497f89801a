# SPDX-License-Identifier: LGPL-2.1-or-later
add_library(tdat_sanitizers INTERFACE)
if(TDAT_SANITIZE)
	target_compile_options(tdat_sanitizers INTERFACE
		-fsanitize=${TDAT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
	target_link_options(tdat_sanitizers INTERFACE -fsanitize=${TDAT_SANITIZE})
endif()
