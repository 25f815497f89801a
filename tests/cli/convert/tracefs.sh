# SPDX-License-Identifier: GPL-2.0-or-later
# Copies of tracefs, in both versions: dump shows the events of the kernel's own
# "trace" text, trace-cmd reads the file without a word on stderr and finds as many,
# and nothing is found damaged.
# Expectation: from the kernel's own "trace" text of the same events, kept with the capture;
# trace-cmd, run here, finds as many; made by tdat: their number

fail() {
	echo "$sample, version $version: $*" >&2
	exit 1
}

# Addresses and symbols are masked: the kernel prints hashes of the first, and of
# the second only a part is in the captures. print is tracing_mark_write in trace.
# Names of hrtimer modes and the address of a page need values (HRTIMER_MODE_ABS,
# vmemmap_base) that are not in the format file, and libtraceevent reads the flags of
# timer_start otherwise than the kernel: trace-cmd shows the same as tdat there. So it is
# with arrays of probes, which have no elements in trace-cmd's print.
mask() {
	sed -e 's/  */ /g' -e 's/^ //' -e 's/ *$//' -e 's/0x[0-9a-f]\{7,\}/PTR/g' \
		-e 's/\b[0-9a-f]\{8,16\}\b/PTR/g' -e 's/[^ =(]*+0x[0-9a-f]*\(\/0x[0-9a-f]*\)\?/SYM/g' \
		-e 's/call_site=[^ ]*/call_site=SYM/' -e 's/function=[^ ]*/function=SYM/' \
		-e 's/: print: [^ ]*: /: tracing_mark_write: /' \
		-e 's/: sys_\([a-z0-9_]*\) -> .*/: sys_exit_\1:/' -e 's/\(: sys_exit_[^:]*:\).*/\1/' \
		-e 's/: sys_\([a-z0-9_]*\)(.*/: sys_enter_\1:/' -e 's/\(: sys_enter_[^:]*:\).*/\1/' \
		-e 's/: ([a-z_]*\.[a-z_]*) /: /' \
		-e 's/\(: hrtimer_[a-z]*: .*\) mode=[^ ]*/\1 mode=NAME/' -e 's/\(: mm_page_[^:]*: page=\)[^ ]*/\1PTR/' \
		-e 's/(nil)/PTR/g' -e 's/\(: timer_start: .*\) flags=.*/\1 flags=/' \
		-e 's/\(: page_fault_[a-z]*: .*\) ip=[^ ]*/\1 ip=SYM/' \
		-e 's/\(: workqueue_[a-z_]*: .*function\)[ =][^ ]*/\1 SYM/' \
		-e 's/\(: k[pr]_[a-z]*:\) (\(SYM\|PTR\)\( <- [^)]*\)\?)/\1 (SYM)/' \
		-e '/: kp_/s/=[{][0-9,]*[}]/=ARRAY/g' -e '/^$/d' \
		-e 's/: \(raw_data: \)\?# \([0-9a-f]*\) buf: .*/: raw_data: id:\2/' -e 's/\(: raw_data: id:[0-9a-f]*\) .*/\1/'
}

# What has a print format that only the kernel can run is compared up to its name.
unprintable() {
	sed -n 's/^.*: \([a-z0-9_]*\): \[FAILED TO PARSE\].*$/s=: \1: .*=: \1:=/p' got | sort -u >cut
	sed -f cut want >want.cut
	sed -f cut got >got.cut
	mv want.cut want
	mv got.cut got
}

# "task-pid [cpu] time: event: fields" of the kernel's columns.
recorded() {
	grep -v -e '^#' -e '^CPU:.*LOST' "$sample/trace" |
		sed -e 's/ ([ 0-9-]*) *\[/ [/' -e 's/(-*) *\[/[/' \
			-e 's/\(\[[0-9]*\]\) *[^ ]* *\([0-9.]*:\)/\1 \2/' | mask
}

shown() {
	"$TDAT" dump -N out.dat 2>notes | grep -v -e '^cpus=' -e '^CPU:.*DROPPED' | mask
}

# Of a function graph: CPU, duration, function. Comments behind them differ.
graph_mask() {
	sed -e 's/ *\/\*.*//' -e 's/  */ /g' -e 's/ *$//'
}

recorded_graph() {
	sed -n 's/^ *\([0-9]*\)) *\([^|]*\)|\(.*[;{}].*\)$/\1 \2|\3/p' "$sample/trace" | graph_mask
}

shown_graph() {
	"$TDAT" dump out.dat 2>notes |
		sed -n 's/^.* \[0*\([0-9][0-9]*\)\].*funcgraph_[a-z]*: *\([^|]*\)|\(.*\)$/\1 \2|\3/p' |
		graph_mask
}

check_one() {
	"$TDAT" convert --from "$from" --force --file-version "$version" -o out.dat "$sample" 2>messages ||
		fail "convert failed: $(cat messages)"
	[ "$(wc -l <messages)" = 1 ] || fail "$(cat messages)"
	"$TDAT" check out.dat >checked || fail "$(cat checked)"
	trace-cmd report out.dat >report 2>complaints || fail "report failed"
	[ ! -s complaints ] || fail "trace-cmd says: $(cat complaints)"
	"$TDAT" dump out.dat 2>notes | wc -l >lines
	[ "$(wc -l <report)" = "$(cat lines)" ] || fail "trace-cmd finds other events"
	if grep -q '^# *tracer: function_graph' "$sample/trace"; then
		recorded_graph >want
		shown_graph >got
	else
		recorded >want
		shown >got
		unprintable
	fi
	[ "$(wc -l <want)" -ge 100 ] || fail "nothing to compare"
	diff want got >differences || fail "other events: $(head -20 differences)"
	events=$((events + $(wc -l <want)))
}

events=0
from=auto
for sample in "$FIXTURES"/foreign/tracefs/*/; do
	sample=${sample%/}
	for version in 6 7; do
		check_one
	done
done
echo "$events events"

from=tracefs
version=7
for tar in ${SHARED:+"$SHARED"/corpus/tracefs/*.tar.gz}; do
	[ -f "$tar" ] || continue
	rm -rf tree
	mkdir tree
	tar -xzf "$tar" -C tree
	sample=$(echo tree/*)
	check_one
	# The folder around it does as well.
	"$TDAT" convert --from auto -qf -o out2.dat tree
	cmp out.dat out2.dat || fail "another file from the folder above"
done
