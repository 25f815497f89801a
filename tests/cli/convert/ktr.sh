# SPDX-License-Identifier: GPL-2.0-or-later
# Every KTR capture, in both versions: the exit status and warnings are the expected
# ones, trace-cmd reads the file without a word on stderr and prints exactly the
# expected events, and dump prints what trace-cmd prints. With all further events
# the two still agree, and the entries' own are as before.
# Expectation: by hand from the list of events that the captures were packed from
# (expected.txt); trace-cmd, run here, prints the same; the golden is made by tdat

# expected.txt -> "cpu stamp file:line: message", as report_events makes of a report.
expected_events() {
	sed -n -e 's/^\[\([0-9]*\)\] \([0-9]*\) td=[^ ]* -: /\1 \2 -:0: /p' -e t \
		-e 's/^\[\([0-9]*\)\] \([0-9]*\) td=[^ ]* /\1 \2 /p' "$1"
}

report_events() {
	sed -n 's/^.*-[0-9][0-9]* *\[\([0-9]*\)\] *\([0-9]*\): ktr: *\(.*\)$/\1 \2 \3/p' "$1"
}

fail() {
	echo "$sample, version $version: $*" >&2
	exit 1
}

convert() {
	want=0
	grep -q '^# warning' "$sample/expected.txt" && want=1
	got=0
	"$TDAT" convert --from ktr --force --file-version "$version" -o out.dat "$@" "$sample" \
		2>messages || got=$?
	[ "$got" = "$want" ] || fail "convert ended with $got, not $want: $(cat messages)"
	trace-cmd report -t out.dat >report 2>complaints || fail "report failed"
	[ ! -s complaints ] || fail "trace-cmd says: $(cat complaints)"
	"$TDAT" dump --compat debian12 -t out.dat | cmp - report || fail "dump differs from report"
	report_events report >events
	expected_events "$sample/expected.txt" | diff -u - events || fail "other events"
}

check_one() {
	convert
	sed -n 's/^# warning: //p' "$sample/expected.txt" >warnings
	sed -e '$d' -e 's/^tdat: //' -e "s|^$sample/||" -e 's/: offset [0-9]*: /: /' \
		-e 's/^offset [0-9]*: //' messages | diff -u warnings - || fail "other warnings"
	lines=$(grep -vc '^cpus=' report || true)
	[ "$lines" = "$(wc -l <events)" ] || fail "$lines events, not one for an entry"
	convert --typed --graph --sched --atrace
}

samples=0
for sample in "$FIXTURES"/foreign/ktr/*/ ${SHARED:+"$SHARED"/samples/ktr/*/}; do
	sample=${sample%/}
	samples=$((samples + 1))
	for version in 6 7; do
		check_one
	done
done
[ "$samples" -ge 17 ] || { echo "only $samples samples" >&2; exit 1; }

# A kernel named by an option does what one in the folder does.
in=$FIXTURES/foreign/ktr/fbsd_amd64_alq
"$TDAT" convert -qf -o a.dat "$in" 2>/dev/null || true
"$TDAT" convert -qf -o b.dat --kernel "$in/kernel.elf" "$in/ktr.out" 2>/dev/null || true
"$TDAT" dump a.dat >a
"$TDAT" dump b.dat | cmp a -
"$TDAT" info a.dat | grep -c "Symbols     3 "
# Nanoseconds.
"$TDAT" convert -qf -o c.dat --cpu-hz 2000000000 "$in" 2>/dev/null || true
"$TDAT" dump -t c.dat | sed -n 2p
