#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Fails when a C file is not as clang-format and .clang-format make it. Versions of
# clang-format differ in details: Debian 12's, 14, decides, and others are not asked.
# usage: format.sh SOURCE_DIR
set -eu
cd "$1"
tool=
for name in clang-format-14 clang-format; do
	if command -v "$name" >/dev/null && "$name" --version | grep -q 'version 14\.'; then
		tool=$name
		break
	fi
done
if [ -z "$tool" ]; then
	echo "clang-format 14 is not installed: not checked"
	exit 77
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
files=$(find lib cli formats sql duckdb python user-events view include tests fuzz bench examples -name '*.[ch]' ! -path '*/fixtures/*' | sort)
[ "$(echo "$files" | wc -l)" -gt 100 ] || { echo "too few files found: the check itself is broken"; exit 1; }
# shellcheck disable=SC2086 # names without blanks
if ! "$tool" --dry-run -Werror $files 2>"$log"; then
	grep -o '^[^:]*:[0-9]*' "$log" | head -20
	echo "these are not as clang-format makes them: run clang-format -i on the files"
	exit 1
fi
