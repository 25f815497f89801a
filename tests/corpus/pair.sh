#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Host and guest together: tdat dump prints what trace-cmd report prints, whatever
# the options of time. Needs trace-cmd; exits 77 (skipped) without it.
# usage: pair.sh TDAT MAKE_PAIR
set -eu
tdat=$1
make_pair=$2
command -v trace-cmd >/dev/null || exit 77
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C TZ=UTC
cd "$tmp"
bad=0
count=0

# compare CASE ARGUMENT...
compare() {
	case=$1
	shift
	count=$((count + 1))
	trace-cmd report "$@" >want 2>want.err || echo "trace-cmd ends with status $?" >>want
	"$tdat" dump --compat debian12 "$@" >got 2>got.err || echo "tdat ends with status $?" >>got
	cmp -s want got && return
	bad=$((bad + 1))
	echo "$case: $*: report (-) and dump (+) differ"
	diff -u want got | sed -n '3,14p' || :
}

for case in $("$make_pair"); do
	"$make_pair" "$case" host.dat guest.dat
	compare "$case" -i guest.dat
	for time in "" --nodate --raw-ts --ts-diff -t --align-ts "--align-ts -t"; do
		# shellcheck disable=SC2086
		compare "$case" $time -i host.dat -i guest.dat
		# shellcheck disable=SC2086
		compare "$case" $time -i guest.dat -i host.dat
	done
	compare "$case" -i host.dat -i guest.dat --ts-offset 123456789
	compare "$case" -t -i host.dat -i guest.dat --ts-offset -5000
	compare "$case" -i host.dat -i guest.dat --ts2secs 2600000000
	compare "$case" --ts2secs 1300000000 -i host.dat -i guest.dat
	compare "$case" --cpu 1 -i guest.dat
done
[ "$(wc -l <want)" -gt 100 ] || { echo "too few lines to tell"; bad=1; }
echo "$count comparisons, $bad differ"
[ "$bad" = 0 ]
