#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Mutated files: TDAT_MUTATIONS of them (default 300), seed TDAT_MUTATION_SEED (1),
# of the fixtures and, over 5,000, of the small files of a larger corpus (TDAT_SHARED).
# usage: run.sh MUTATE TDAT FIXTURES
set -eu
mutate=$1
tdat=$2
fixtures=$3
count=${TDAT_MUTATIONS:-300}
set -- "$fixtures"/valid/*.dat
if [ "$count" -gt 5000 ] && [ -d "${TDAT_SHARED:-/nonexistent}/corpus/files" ]; then
	while read -r file; do
		[ -e "$fixtures/valid/${file##*/}" ] || set -- "$@" "$file"
	done <<-EOF
	$(find "$TDAT_SHARED/corpus/files" -name '*.dat' -size -140k | sort)
	EOF
fi
echo "$count mutations of $# files"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
"$mutate" "$count" "${TDAT_MUTATION_SEED:-1}" "$@" -- "$tdat" dump
