#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Big-endian files that trace-cmd converts on this machine have some numbers in its
# order, and trace-cmd cannot read them itself: tdat dump prints them as it does the
# files they came from, and repair makes them readable for trace-cmd.
# usage: other_order.sh TDAT FIXTURES
set -eu
tdat=$1
command -v trace-cmd >/dev/null || exit 77
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C TZ=UTC
bad=0
count=0
for file in "$2"/valid/s390x-*.dat; do
	"$tdat" dump --compat debian12 "$file" >"$tmp/want"
	for how in "6 none" "7 none" "7 zstd"; do
		rm -f "$tmp/new.dat" "$tmp/fixed.dat"
		trace-cmd convert -i "$file" -o "$tmp/new.dat" --file-version "${how% *}" \
			--compression "${how#* }" >/dev/null 2>&1
		count=$((count + 1))
		"$tdat" dump --compat debian12 "$tmp/new.dat" >"$tmp/got" 2>"$tmp/err" || bad=1
		cmp "$tmp/want" "$tmp/got" && [ ! -s "$tmp/err" ] || {
			echo "$file, $how: dump differs"
			cat "$tmp/err"
			bad=1
		}
		"$tdat" repair -q -o "$tmp/fixed.dat" "$tmp/new.dat" || bad=1
		"$tdat" check -q "$tmp/fixed.dat" || { echo "$file, $how: repaired, not clean"; bad=1; }
		trace-cmd report "$tmp/fixed.dat" >"$tmp/got" 2>/dev/null || bad=1
		case $file in *kstack*) continue ;; esac # its stacks are longer than their records
		cmp "$tmp/want" "$tmp/got" || { echo "$file, $how: report differs"; bad=1; }
	done
done
echo "$count files"
[ "$count" -ge 9 ] || bad=1
exit $bad
