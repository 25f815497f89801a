#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each public header compiles alone, as C11 and as C++17, and has in its opening comment a
# paragraph that says what several threads may do at once, "Threads: ...".
# usage: headers.sh SOURCE_DIR CC CXX
set -eu
include=$1/include
cc=$2
cxx=$3
component=$1/user-events/include
flags="-pedantic -Werror -Wall -Wextra -fsyntax-only -I$include -I$component"
bad=0
count=0
for header in "$include"/tdat/*.h "$component"/tdat/*.h; do
	count=$((count + 1))
	name=tdat/$(basename "$header")
	# shellcheck disable=SC2086
	echo "#include <$name>" | "$cc" -std=c11 $flags -x c - || {
		echo "$name does not compile alone as C11"
		bad=1
	}
	# shellcheck disable=SC2086
	echo "#include <$name>" | "$cxx" -std=c++17 $flags -x c++ - || {
		echo "$name does not compile alone as C++17"
		bad=1
	}
	sed 1d "$header" | sed '/\*\//q' |
		grep -B 1 '^ \* Threads: ' | grep -q '^ \*$' || {
		echo "$name: no paragraph \"Threads:\" in the opening comment"
		bad=1
	}
	grep -q "include <tdat/$(basename "$header")>" "$include/tdat/tdat.h" ||
		[ "$name" = tdat/tdat.h ] || [ "${header#"$component"}" != "$header" ] || {
		echo "tdat/tdat.h does not include $name"
		bad=1
	}
done
[ "$count" -gt 5 ] || { echo "only $count headers found"; bad=1; }
exit $bad
