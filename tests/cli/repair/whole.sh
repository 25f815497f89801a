# SPDX-License-Identifier: GPL-2.0-or-later
# A file without damage loses nothing, whatever is made of it.
# Expectation: compared here: the dump before and after
for name in x64-61-v6-tiny i386-61-v7-buffers s390x-61-v7-zstd-sched; do
	for opts in "" "--file-version 6" "--compression zlib"; do
		[ "$name$opts" != "x64-61-v6-tiny--compression zlib" ] || continue
		# shellcheck disable=SC2086
		"$TDAT" repair -q -f -o out.dat $opts "$FIXTURES/valid/$name.dat"
		"$TDAT" check -q out.dat
		"$TDAT" dump "$FIXTURES/valid/$name.dat" >a
		"$TDAT" dump out.dat >b
		cmp a b
	done
done
