#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each source file names the licence of its folder in its first three lines.
# usage: spdx.sh SOURCE_DIR
set -eu
cd "$1"
bad=0
count=0

check() {
	want=$1
	file=$2
	count=$((count + 1))
	head -n 3 "$file" | grep -q "SPDX-License-Identifier: $want" || {
		echo "$file does not say SPDX-License-Identifier: $want in its first three lines"
		bad=1
	}
}

# Those of the folders that are there.
present() {
	for dir; do
		[ ! -d "$dir" ] || echo "$dir"
	done
}

# shellcheck disable=SC2046 # no name here has a blank
for file in $(find $(present lib include formats sql python user-events examples cmake) \
	! -path 'user-events/recorder/*' ! -path 'user-events/commands/*' \
	\( -name '*.[ch]' -o -name '*.py' -o -name '*.cmake' -o -name CMakeLists.txt \) | sort) pyproject.toml; do
	check LGPL-2.1-or-later "$file"
done
# shellcheck disable=SC2046
for file in $(find $(present cli user-events/recorder user-events/commands view tests fuzz bench) \
	-name '*.[ch]' -o -name '*.sh' -o -name CMakeLists.txt | sort) \
	$(find scripts .ci -type f | sort); do
	check GPL-2.0-or-later "$file"
done
# shellcheck disable=SC2046
for file in $(find $(present man docs) -type f \( -name '*.[1-9]' -o -name '*.md' \) | sort) README.md CHANGELOG.md; do
	check LGPL-2.1-or-later "$file"
done
[ "$count" -gt 20 ] || { echo "only $count files found"; bad=1; }
exit $bad
