#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Converts made captures of any size and fails when tdat's resident set passes
# 64 MiB. Takes disk: the capture, and up to four times its size for KTR, two
# times for others.
# usage: import_memory.sh TDAT GIB [KIND...]
set -eu
tdat=$(realpath "$1")
gib=$2
shift 2
. "$(dirname "$(realpath "$0")")/import_lib.sh"
[ $# -gt 0 ] || set -- kmemtrace ktr gtsc record blktrace
dir=
trap 'rm -rf "$dir"' EXIT
failed=0
for kind; do
	dir=$(mktemp -d)
	make_capture "$kind" "$dir" $((gib * 1024)) 4
	printf '%s, %s GiB, ' "$kind" "$gib"
	most_memory convert_capture "$kind" "$dir/in" "$dir/out.dat" --compression none
	[ "$kib" -le 65536 ] || failed=1
	rm -rf "$dir"
done
exit $failed
