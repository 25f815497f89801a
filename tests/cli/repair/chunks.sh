# SPDX-License-Identifier: GPL-2.0-or-later
# A chunk whose stored length is wrong, or takes in the chunk behind it: the data tells where it
# ends, so all events are given out, check and dump tell of it, and repair loses nothing.
# Expectation: by hand; the events are those of the unchanged file
"$TDAT" convert -q --file-version 7 --compression zlib -o whole.dat "$FIXTURES/valid/x64-61-syscalls.dat"
"$TDAT" dump whole.dat >events
at=$("$TDAT" sql --csv whole.dat 'SELECT off FROM cpus' | sed -n 2p | tr -d '\r')

# word OFFSET: the little-endian number there
word() {
	od -An -tu4 -j"$1" -N4 whole.dat | tr -d ' '
}
# put OFFSET NUMBER: writes it to wrong.dat
put() {
	printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $(($2 & 255)) $(($2 >> 8 & 255)) \
		$(($2 >> 16 & 255)) $(($2 >> 24 & 255)))" |
		dd of=wrong.dat bs=1 seek="$1" conv=notrunc 2>/dev/null
}
count=$(word "$at")
len=$(word $((at + 4)))
next=$((8 + $(word $((at + 12 + len)))))
[ "$count" -ge 3 ] || echo "only $count chunks"
# try LENGTH COUNT: of the first chunk, and of chunks
try() {
	cp whole.dat wrong.dat
	put "$at" "$2"
	put $((at + 4)) "$1"
	for threads in 1 3; do
		"$TDAT" dump --threads "$threads" wrong.dat >found 2>told || echo "dump: exit $?"
		cmp events found
		grep -c 'CPU 0: 1 damaged page or chunk, .*the chunk' told
	done
	"$TDAT" check wrong.dat | grep -o 'length differs.*'
	"$TDAT" repair -f -o fixed.dat wrong.dat | grep 'put\|lost'
	"$TDAT" check --exact fixed.dat
	"$TDAT" dump fixed.dat | cmp events -
}
try $((len - 1)) "$count"
try $((len + 1)) "$count"
try 4000000000 "$count"
try $((len + next)) "$count"
try $((len + next)) $((count - 1))
