#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs one case: a shell script in a scratch folder of its own with
#   TDAT      the program          FIXTURES  tests/fixtures
#   SHARED    the shared corpus, or empty
# Beside CASE.sh lie CASE.stdout.exact and CASE.stderr.exact (a missing one is empty) and
# CASE.exit (0 when missing).
# usage: run.sh [--update] TDAT FIXTURES CASE.sh
set -eu
update=
if [ "$1" = --update ]; then
	update=1
	shift
fi
TDAT=$1
FIXTURES=$2
case=$(realpath "$3")
base=${case%.sh}
SHARED=${TDAT_SHARED:-}
export TDAT FIXTURES SHARED
export LC_ALL=C.UTF-8 TERM=dumb TZ=UTC
unset NO_COLOR

tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
mkdir "$tmp/cwd"
cd "$tmp/cwd"
status=0
sh -eu "$case" >"$tmp/stdout" 2>"$tmp/stderr" </dev/null || status=$?

if [ -n "$update" ]; then
	rm -f "$base.exit" "$base.stdout.exact" "$base.stderr.exact"
	[ ! -s "$tmp/stdout" ] || cp "$tmp/stdout" "$base.stdout.exact"
	[ ! -s "$tmp/stderr" ] || cp "$tmp/stderr" "$base.stderr.exact"
	[ "$status" = 0 ] || echo "$status" >"$base.exit"
	exit 0
fi

bad=0
want=0
[ ! -f "$base.exit" ] || want=$(cat "$base.exit")
if [ "$status" != "$want" ]; then
	echo "exit status is $status, not $want; stderr:"
	cat "$tmp/stderr"
	bad=1
fi
for stream in stdout stderr; do
	diff -uN "$base.$stream.exact" "$tmp/$stream" || bad=1
done
exit $bad
