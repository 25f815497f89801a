# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by import.sh and import_memory.sh, which set $tdat: makes captures and
# converts them. Kinds: kmemtrace ktr gtsc record blktrace ftrace-text perf perf-text.
bench=$(dirname "$(realpath "$0")")

# Two kinds of events as the kernel's file trace has them, or as perf script prints them.
# make_text KIND MIB CPUS
make_text() {
	awk -v bytes="$(($2 * 1048576))" -v cpus="$3" -v perf="$([ "$1" = perf-text ] && echo 1)" 'BEGIN {
		form = "%16s-%-7d [%03d] d..2. %5d.%06d: "
		if (perf)
			form = "%16s %7d [%03d] %5d.%06d: sched:"
		else
			print "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION"
		for (i = 0; len < bytes; i++) {
			task = sprintf(form, "worker/" i % 97, 100 + i % 97,
				i % cpus, 100 + i / 1000000, i % 1000000)
			if (i % 2)
				line = task "sched_waking: comm=worker pid=" 100 + i % 89 " prio=120 target_cpu=000"
			else
				line = task "sched_switch: prev_comm=worker prev_pid=" 100 + i % 97 " prev_prio=120 prev_state=S ==> next_comm=other next_pid=" 100 + i % 89 " next_prio=120"
			print line
			len += length(line) + 1
		}
	}'
}

# make_capture KIND DIR MIB CPUS: the capture is DIR/in.
make_capture() {
	source=$1
	[ "$1" = record ] && source=gtsc
	mkdir "$2/in"
	if [ "$1" = ftrace-text ] || [ "$1" = perf-text ]; then
		make_text "$1" "$3" "$4" >"$2/in/trace"
		return
	fi
	${CC:-cc} -O2 -o "$2/make" "$bench/make_$source.c"
	"$2/make" "$2/in" "$3" "$4" "$1"
}

# convert_capture KIND IN OUT [OPTION...]
convert_capture() {
	from=$1
	in=$2
	out=$3
	shift 3
	if [ "$from" = record ]; then
		from=gtsc
		set -- "$@" --record 'fork u64 ts; u32 pid; u32 child; char comm[16]'
	fi
	${measure:-} "$tdat" convert -q --from "$from" "$@" -o "$out" "$in"
}

# most_memory FUNCTION [ARG...]: runs it, tells the largest resident set of tdat.
most_memory() {
	measure="/usr/bin/time -f %M -o $dir/memory"
	"$@"
	measure=
	kib=$(tail -n 1 "$dir/memory")
	echo "most memory: $kib KiB"
}
