# SPDX-License-Identifier: GPL-2.0-or-later
# The same bytes for any number of threads; every codec.
# Expectation: compared here: the bytes of one thread and of five; the count of lines is made by
# tdat
ln -s "$FIXTURES"/valid/*.dat .
for name in none zlib zstd; do
	for threads in 1 5; do
		"$TDAT" merge -q -f --compression $name --threads $threads -o $threads.dat \
			arm64-16k-612-kstack.dat x64-61-date.dat 2>notes
	done
	cmp 1.dat 5.dat
	"$TDAT" info --json 1.dat | jq -r '.[0].compression'
done
"$TDAT" merge -q --compression none -o - arm64-16k-612-kstack.dat x64-61-date.dat 2>notes |
	"$TDAT" dump - | wc -l
