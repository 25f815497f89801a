# SPDX-License-Identifier: GPL-2.0-or-later
# What the scripts of this folder share: where things are, and recording with a look at the trace.
way='' suffix=''
case $1 in
notify_*) way=--notify ;;
static_*) suffix=_static ;;
esac
case=${1#notify_}
case=${case#static_}
tdat=$2
bin=$3
source=$4
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
tmp=$(TMPDIR=${TMPDIR:-/tmp} mktemp -d)
trap 'rm -rf "$tmp"' EXIT
out=$tmp/out.dat

die() {
	echo "$case: $*"
	exit 1
}

# can_notify FILE: ends the test where the kernel, or who contains us, does not let us be notified.
can_notify() {
	! grep 'cannot be recorded through seccomp notifications: ' "$1" || exit 77
}

# record STATUS OPTION... -- PROGRAM...: with this exit status; a whole trace, for trace-cmd too.
record() {
	want=$1
	got=0
	shift
	"$tdat" user-events record $way -f -o "$out" "$@" >"$tmp/stdout" 2>"$tmp/stderr" || got=$?
	can_notify "$tmp/stderr"
	[ "$got" = "$want" ] ||
		die "exit status $got, not $want: $(cat "$tmp/stdout" "$tmp/stderr")"
	"$tdat" check "$out" >"$tmp/check" || die "$(cat "$tmp/check")"
	grep -q ': clean, ' "$tmp/check" || die "$(cat "$tmp/check")"
	"$tdat" dump "$out" >"$tmp/text"
}

# count PATTERN NUMBER: lines of the text.
count() {
	n=$(grep -c -- "$1" "$tmp/text" || :)
	[ "$n" = "$2" ] || die "$n lines with '$1', not $2"
}

same_as_trace_cmd() {
	command -v trace-cmd >/dev/null || return 0
	trace-cmd report "$out" >"$tmp/theirs" 2>/dev/null
	cmp "$tmp/theirs" "$tmp/text" || die "trace-cmd report differs"
}

in_order() {
	awk '{ t = $4; sub(":", "", t); if (t + 0 < last) exit 1; last = t + 0 }' FS='[][ ]+' \
		"$tmp/text" || die "times go back"
}
