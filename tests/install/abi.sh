#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the library's ABI with that of the release, abi/libtdat.xml: functions, types and symbols may be added,
# and nothing else may change while the soname is the same. docs/stability.md says what follows.
# usage: abi.sh [--update] SOURCE_DIR CC GENERATOR [LAUNCHER]
set -eu
update=
if [ "$1" = --update ]; then
	update=1
	shift
fi
source=$1
cc=$2
generator=$3
launcher=${4:-}
command -v abidw >/dev/null && command -v abidiff >/dev/null || { echo "no abidw (abigail-tools)"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "abi/libtdat.xml is of x86_64"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Types are read from debug information, which the release preset has not.
cmake -G "$generator" -S "$source" -B "$tmp/build" -DCMAKE_C_COMPILER="$cc" \
	-DCMAKE_C_COMPILER_LAUNCHER="$launcher" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O0 -g" \
	-DTDAT_TESTS=OFF -DTDAT_EXAMPLES=OFF -DTDAT_VIEW=OFF -DTDAT_PACKED=OFF -DTDAT_DUCKDB=OFF >"$tmp/log" 2>&1 &&
	cmake --build "$tmp/build" --target tdat_shared >>"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
lib=$(find "$tmp/build" -name 'libtdat.so.*.*.*')
set -- --headers-dir "$source/include" --headers-dir "$source/user-events/include" --drop-private-types \
	--exported-interfaces-only --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed \
	--type-id-style hash
if [ "$update" ]; then
	abidw "$@" --out-file "$source/abi/libtdat.xml" "$lib"
	exit
fi
abidw "$@" --out-file "$tmp/now.xml" "$lib"
grep -q "elf-symbol name='tdat_version'" "$tmp/now.xml" || { echo "abidw found no functions"; exit 1; }
# Its status is a set of bits: 4 a change, 8 one that breaks; additions are no failure.
abidiff --no-added-syms "$source/abi/libtdat.xml" "$tmp/now.xml" >"$tmp/diff" || {
	cat "$tmp/diff"
	echo "the ABI differs from abi/libtdat.xml; before 1.0 this needs another minor version: docs/stability.md"
	exit 1
}
