# SPDX-License-Identifier: GPL-2.0-or-later
# A block trace record whose payload length covers the records behind it, or more than the file:
# it ends where the next one begins, which is told of, and no event is lost.
# Expectation: by hand: the changed length, exit status 1, and the events of the sound trace
for version in 7 8; do
	cp "$FIXTURES/foreign/gtsc/blktrace_v${version}_le/sda.blktrace.0" .
	chmod u+w sda.blktrace.0
	"$TDAT" convert -q -f -o want.dat sda.blktrace.0
	"$TDAT" dump want.dat >want
	at=46
	[ $version = 7 ] || at=50
	for len in '\210\0' '\300\0' '\377\377'; do
		printf "$len" | dd of=sda.blktrace.0 bs=1 seek=$at conv=notrunc 2>/dev/null
		rc=0
		"$TDAT" convert -q -f -o out.dat sda.blktrace.0 || rc=$?
		"$TDAT" dump out.dat | cmp - want || echo "other events"
		echo "version $version: exit $rc"
	done
done
