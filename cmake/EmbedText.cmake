# SPDX-License-Identifier: LGPL-2.1-or-later
# Included by the scripts that make C files of texts: tdat_embed_text(FILE NAME) appends the bytes of a
# file, and a NUL, to the variable arrays as "static const char NAME[]", and sets len to their number.
macro(tdat_embed_text file name)
	file(READ ${file} hex HEX)
	string(LENGTH "${hex}" digits)
	math(EXPR len "${digits} / 2")
	string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
	string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
	string(APPEND arrays "static const char ${name}[] = {\n${hex}0};\n")
endmacro()
