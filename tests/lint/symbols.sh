#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the shared library exports, what symbols.txt lists and what the headers
# declare must be the same names.
# usage: symbols.sh [--update] LIBTDAT.SO SOURCE_DIR
set -eu
update=
if [ "$1" = --update ]; then
	update=1
	shift
fi
lib=$1
src=$2
list=$src/tests/lint/symbols.txt
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C

nm -D --defined-only "$lib" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort -u >"$tmp/exported"
# A declaration starts with TDAT_API; its name is the first word before "(".
sed '/^#/d' "$src"/include/tdat/*.h "$src"/user-events/include/tdat/*.h | tr '\n' ' ' | grep -oE 'TDAT_API [^;(]*\(' |
	sed -E 's/.*[ *]([a-z_0-9]+)\($/\1/' | sort -u >"$tmp/declared"
[ -z "$update" ] || cp "$tmp/exported" "$list"

bad=0
if ! diff -u "$list" "$tmp/exported" >"$tmp/diff"; then
	echo "symbols.txt (-) and $lib (+) differ; if that is meant: $0 --update $lib $src"
	cat "$tmp/diff"
	bad=1
fi
if ! diff -u "$tmp/declared" "$tmp/exported" >"$tmp/diff"; then
	echo "headers (-) and $lib (+) differ:"
	cat "$tmp/diff"
	bad=1
fi
[ -s "$tmp/exported" ] || { echo "nothing is exported"; bad=1; }
exit $bad
