# SPDX-License-Identifier: LGPL-2.1-or-later
# Defines the target by whose options everything is built with the same warnings.
add_library(tdat_warnings INTERFACE)
target_compile_options(tdat_warnings INTERFACE
	-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wvla
	-Wmissing-prototypes -Wno-sign-conversion)
if(TDAT_WERROR)
	target_compile_options(tdat_warnings INTERFACE -Werror)
endif()
