# SPDX-License-Identifier: GPL-2.0-or-later
# Every relay capture, in both versions: exit status and warnings are the expected
# ones, and trace-cmd reads the file without a word on stderr and prints as many
# events, with the expected texts.
# Expectation: by hand from the list of events that the captures were packed from
# (expected.txt); trace-cmd, run here, prints the golden

fail() {
	echo "$sample, version $version: $*" >&2
	exit 1
}

# "[000] 1000: text" and a report's line -> "000 text", for text captures.
texts() {
	case $sample in
	*/blk*) sed -n 's/^\[\([0-9]*\)\] .*/\1/p' ;;
	*) sed -n 's/^\[\([0-9]*\)\] [-0-9]*: /\1 /p' ;;
	esac <"$sample/expected.txt"
}

report_texts() {
	case $sample in
	*/blk*) sed -n 's/^[^[]*\[\([0-9]*\)\] .*/\1/p' report ;;
	*) sed -n 's/^[^[]*\[\([0-9]*\)\] *[0-9.]*: [a-z_]*: */\1 /p' report ;;
	esac
}

check_one() {
	want=0
	grep -q '^# warning' "$sample/expected.txt" && want=1
	got=0
	"$TDAT" convert --force --file-version "$version" --compression none -o out.dat \
		"$sample" 2>messages || got=$?
	[ "$got" = "$want" ] || fail "convert ended with $got, not $want: $(cat messages)"
	sed -n 's/^# warning: //p' "$sample/expected.txt" >warnings
	sed -e '$d' -e 's/^tdat: //' -e "s|^$sample/||" -e 's/: offset [0-9]*: /: /' messages |
		diff -u warnings - || fail "other warnings"
	trace-cmd report out.dat >report 2>complaints || fail "report failed"
	[ ! -s complaints ] || fail "trace-cmd says: $(cat complaints)"
	texts | sed 's/ *$//' >expected
	report_texts | sed 's/ *$//' | diff -u expected - || fail "other events"
}

samples=0
for sample in "$FIXTURES"/foreign/gtsc/*/ ${SHARED:+"$SHARED"/samples/gtsc/*/}; do
	sample=${sample%/}
	samples=$((samples + 1))
	for version in 6 7; do
		check_one
	done
done
[ "$samples" -ge 10 ] || { echo "only $samples samples" >&2; exit 1; }

# Actions as trace-cmd prints them.
"$TDAT" convert -q --from blktrace --no-wall-clock -f --compression none -o out.dat \
	"$FIXTURES"/foreign/gtsc/blktrace_v8_le
trace-cmd report -t out.dat
