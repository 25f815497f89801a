# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by import.sh and import_memory.sh, which set $tdat: makes captures and
# converts them. Kinds: kmemtrace ktr gtsc record blktrace.
bench=$(dirname "$(realpath "$0")")

# make_capture KIND DIR MIB CPUS: the capture is DIR/in.
make_capture() {
	source=$1
	[ "$1" = record ] && source=gtsc
	mkdir "$2/in"
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
