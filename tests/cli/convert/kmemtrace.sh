# SPDX-License-Identifier: GPL-2.0-or-later
# Every kmemtrace capture, in both versions and all compressions: the exit status
# and warnings are the expected ones, and trace-cmd reads the file without a word
# on stderr and prints exactly the expected events. Where this trace-cmd has no
# zlib, dump must print what trace-cmd printed for the uncompressed file.
# Expectation: by hand from the list of events that the captures were packed from
# (expected.txt); trace-cmd, run here, prints the same

# expected.txt -> "cpu stamp event: fields", as report_events makes of a report.
expected_events() {
	sed -n -e 's/ feature\[.*//' -e 's/call_site=0x/call_site=/' \
		-e 's/gfp_flags=0x[0-9a-f]*(\([^)]*\))/gfp_flags=\1/' \
		-e 's/^\[\([0-9]*\)\] \([0-9]*\) [a-z]*:/\1 \2 /p' "$1"
}

report_events() {
	sed -n -e 's/ptr=(nil)/ptr=0x0/' -e 's/: *([^ )]*+0x[0-9a-f]*) /: /' \
		-e 's/^ *<idle>-0 *\[\([0-9]*\)\] *\([0-9]*\)\.\{0,1\}\([0-9]*\): *\([a-z_]*:\) */\1 \2\3 \4 /p' \
		"$1"
}

fail() {
	echo "$sample, version $version, $codec: $*" >&2
	exit 1
}

check_one() {
	want=0
	grep -q '^# warning' "$sample/expected.txt" && want=1
	got=0
	"$TDAT" convert --from kmemtrace --force --file-version "$version" \
		--compression "$codec" -o out.dat "$sample" 2>messages || got=$?
	[ "$got" = "$want" ] || fail "convert ended with $got, not $want: $(cat messages)"
	sed -n 's/^# warning: //p' "$sample/expected.txt" >warnings
	sed -e '$d' -e 's/^tdat: //' -e "s|^$sample/||" messages | diff -u warnings - ||
		fail "other warnings"
	if [ "$codec" != zlib ] || trace-cmd list -c | grep -q zlib; then
		trace-cmd report -t out.dat >report 2>complaints || fail "report failed"
		[ ! -s complaints ] || fail "trace-cmd says: $(cat complaints)"
	fi
	"$TDAT" dump --compat debian12 -t out.dat | cmp - report || fail "dump differs from report"
	report_events report >events
	expected_events "$sample/expected.txt" | diff -u - events || fail "other events"
}

samples=0
for sample in "$FIXTURES"/foreign/kmemtrace/*/ ${SHARED:+"$SHARED"/samples/kmemtrace/*/}; do
	sample=${sample%/}
	samples=$((samples + 1))
	for way in 6:none 7:none 7:zlib 7:zstd; do
		version=${way%:*}
		codec=${way#*:}
		check_one
	done
done
[ "$samples" -ge 20 ] || { echo "only $samples samples" >&2; exit 1; }
