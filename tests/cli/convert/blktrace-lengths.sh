# SPDX-License-Identifier: GPL-2.0-or-later
# The payload length of a block trace record is the truth, also where it covers the records behind
# it; where it goes beyond the end of the file nothing is read.
# Expectation: by hand: record 3 of 5, the first event, takes in record 4 and then 5; the last two
# have the sequence numbers 4 and 5
for version in 7 8; do
	cp "$FIXTURES/foreign/gtsc/blktrace_v${version}_le/sda.blktrace.0" .
	chmod u+w sda.blktrace.0
	head=48 at=$((120 + 46))
	[ $version = 7 ] || head=64 at=$((152 + 50))
	for len in $((16 + head)) $((16 + 2 * head)) 255; do
		printf "\\$(printf %o $len)" | dd of=sda.blktrace.0 bs=1 seek=$at conv=notrunc 2>/dev/null
		timeout 20 "$TDAT" convert -q -f -o out.dat sda.blktrace.0 || echo "exit $?"
		timeout 20 "$TDAT" dump out.dat
	done
done
