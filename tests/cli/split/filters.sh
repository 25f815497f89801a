# SPDX-License-Identifier: GPL-2.0-or-later
# What dump shows of a file with a filter is what it shows of the file split with it;
# and trace-cmd prints the same lines of both.
# Lines of events without the column of the buffer's name.
# Expectation: compared here: dump with a filter and dump of the piece; trace-cmd, run here,
# prints the same lines; counts are made by tdat
lines() {
	grep -v -e '^cpus=' -e 'EVENTS DROPPED' "$1" | sed 's/^[a-z]*: *\([^ ]*-[0-9]\)/\1/; s/^ *//' || :
}
for name in x64-61-v7-none-tiny i386-61-v7-buffers s390x-61-v7-zstd-sched x64-lab612-lost-v6 \
	x64-61-syscalls ppc64el-61-syscalls x64-61-conv-v7-zlib; do
	in=$name.dat
	cp "$FIXTURES/valid/$in" .
	trace-cmd report "$in" >report 2>/dev/null || [ "$name" = x64-61-conv-v7-zlib ]
	lines report >all
	for filter in "--from +5ms --until -5ms" "--cpu 1" "-F .*:common_pid==0" \
		"-v -F .*:common_pid==0" "--event *s*" "--buffer top" "--comm *sh*"; do
		set -f
		# shellcheck disable=SC2086 # words
		set -- $filter
		"$TDAT" split -q -f -i "$in" -o out "$@"
		"$TDAT" check out.1 >/dev/null
		"$TDAT" dump out.1 >split
		[ "$1" != --cpu ] || set -- "$@" --buffer '*'
		set +f
		"$TDAT" dump "$@" "$in" >dump
		lines dump >a
		lines split >b
		cmp a b || echo "$name $filter: other events"
		case $name in
		*zlib) continue ;; # Debian builds trace-cmd without it
		esac
		trace-cmd report out.1 >piece 2>/dev/null
		lines piece >b
		! diff all b | grep '^>' || echo "$name $filter: trace-cmd prints other lines"
		echo "$name $filter: $(wc -l <b) of $(wc -l <all) lines"
	done
done
