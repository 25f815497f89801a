# SPDX-License-Identifier: LGPL-2.1-or-later
add_library(tdat_sanitizers INTERFACE)
if(TDAT_SANITIZE)
	# MemorySanitizer meets libraries that it did not compile: it tells and goes on.
	if(TDAT_SANITIZE STREQUAL "memory")
		set(recover -fsanitize-recover=memory)
	else()
		set(recover -fno-sanitize-recover=all)
	endif()
	target_compile_options(tdat_sanitizers INTERFACE
		-fsanitize=${TDAT_SANITIZE} -fno-omit-frame-pointer ${recover})
	target_link_options(tdat_sanitizers INTERFACE -fsanitize=${TDAT_SANITIZE})
endif()
