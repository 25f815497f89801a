#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each source file names the licence of its folder in its first three lines.
# usage: spdx.sh SOURCE_DIR
set -eu
cd "$1"
bad=0
count=0

# check LICENCE FILE...: names files that do not say it in their first three lines.
check() {
	want=$1
	shift
	count=$((count + $#))
	awk -v want="SPDX-License-Identifier: $want" '
		BEGIN {
			for (i = 1; i < ARGC; i++)
				seen[ARGV[i]] = 0
		}
		index($0, want) { seen[FILENAME] = 1 }
		FNR == 3 { nextfile }
		END {
			for (file in seen)
				if (!seen[file] && ++bad)
					print file " does not say " want " in its first three lines"
			exit bad > 0
		}' "$@" || bad=1
}

present() {
	for dir; do
		[ ! -d "$dir" ] || echo "$dir"
	done
}

# shellcheck disable=SC2046 # no name here has a blank
check LGPL-2.1-or-later $(find $(present lib include formats sql duckdb python user-events examples cmake) \
	! -path 'user-events/recorder/*' ! -path 'user-events/commands/*' \
	\( -name '*.[ch]' -o -name '*.py' -o -name '*.cmake' -o -name CMakeLists.txt \) | sort) pyproject.toml
# shellcheck disable=SC2046
check GPL-2.0-or-later $(find $(present cli user-events/recorder user-events/commands view tests fuzz bench) \
	-name '*.[ch]' -o -name '*.sh' -o -name CMakeLists.txt | sort) \
	$(find scripts .ci site -type f | sort)
# shellcheck disable=SC2046
check LGPL-2.1-or-later $(find $(present man docs) -type f \( -name '*.[1-9]' -o -name '*.md' \) | sort) README.md CHANGELOG.md
[ "$count" -gt 20 ] || { echo "only $count files found"; bad=1; }
exit $bad
