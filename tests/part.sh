# SPDX-License-Identifier: GPL-2.0-or-later
# Which of the files that a test goes through it takes, for scripts: TDAT_PART as in
# tests/unit/common/part.h, files by the order in which they come.

# takes N: the part has the Nth of things.
takes() {
	[ -z "${TDAT_PART:-}" ] || [ $(($1 % ${TDAT_PART#*/})) = $((${TDAT_PART%/*} - 1)) ]
}

# part_of THING...: those of them that it has, one in a line.
part_of() {
	nth=0
	for thing; do
		takes $nth && printf '%s\n' "$thing"
		nth=$((nth + 1))
	done
}
