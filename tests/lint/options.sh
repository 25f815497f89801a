#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The options of each command are the same in --help and in its man page, and
# each command has a page that tdat(1) names; the options of each format are the
# same in list --formats and in tdat-formats(5).
# usage: options.sh TDAT SOURCE_DIR
set -eu
tdat=$1
man=$2/man
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C
bad=0

commands=$("$tdat" --help | awk '/^  [a-z]/ { print $1 }')
[ -n "$commands" ] || { echo "tdat --help names no commands"; bad=1; }
for cmd in $commands; do
	page=$man/tdat-$cmd.1
	if [ ! -f "$page" ]; then
		echo "man/tdat-$cmd.1 is missing"
		bad=1
		continue
	fi
	grep -q "tdat-$cmd 1" "$man/tdat.1" || { echo "man/tdat.1 does not name tdat-$cmd(1)"; bad=1; }
	# Rows of the help start with two to six spaces and a dash.
	"$tdat" "$cmd" --help | sed -nE 's/^ {2,6}(-.*)/\1/p' |
		sed -E 's/  .*//' | grep -oE '(^|[ ,])--?[A-Za-z0-9][-a-z0-9]*' |
		tr -d ' ,' | sort -u >"$tmp/help"
	# Items of the page: ".It Fl o , Fl -output Ar FILE".
	sed -nE 's/^\.It (Fl .*)/\1/p' "$page" | grep -oE 'Fl -?[A-Za-z0-9][-a-z0-9]*' |
		sed 's/Fl /-/' | sort -u >"$tmp/page"
	if ! diff -u "$tmp/help" "$tmp/page" >"$tmp/diff"; then
		echo "tdat $cmd --help (-) and man/tdat-$cmd.1 (+) differ:"
		grep '^[-+][^-+]\|^[-+]--\?[a-zA-Z]' "$tmp/diff" || cat "$tmp/diff"
		bad=1
	fi
done

"$tdat" list --formats >"$tmp/formats"
for format in $(awk '/^[^ ].*[^:]$/ { print $1 }' "$tmp/formats"); do
	awk -v f="$format" '/^[^ ]/ { on = $1 == f } on && /^ / { print $1 }' "$tmp/formats" |
		sort -u >"$tmp/help"
	awk -v f="$format" '/^\.(Ss|Sh) / { on = $0 == ".Ss " f } on && /^\.It Fl / { print "-" $3 }' \
		"$man/tdat-formats.5" | sort -u >"$tmp/page"
	grep -qx "\.Ss $format" "$man/tdat-formats.5" ||
		{ echo "man/tdat-formats.5 does not tell of $format"; bad=1; }
	if ! diff -u "$tmp/help" "$tmp/page" >"$tmp/diff"; then
		echo "options of $format in list --formats (-) and man/tdat-formats.5 (+) differ:"
		cat "$tmp/diff"
		bad=1
	fi
done
exit $bad
