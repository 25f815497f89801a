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
	"$tdat" "$cmd" --help-all | sed -nE 's/^ {2,6}(-.*)/\1/p' |
		sed -E 's/  .*//' | grep -oE '(^|[ ,])--?[A-Za-z0-9][-a-z0-9]*' |
		tr -d ' ,' | grep -vx -e --color -e --no-pager | sort -u >"$tmp/help" # of all: tdat(1)
	lines=$("$tdat" "$cmd" --help | wc -l)
	[ "$lines" -le 40 ] || { echo "tdat $cmd --help has $lines lines"; bad=1; }
	wide=$("$tdat" "$cmd" --help-all | awk 'length > 80')
	[ -z "$wide" ] || { echo "tdat $cmd --help-all is wider than 80 columns: $wide"; bad=1; }
	# Items of the page: ".It Fl o , Fl -output Ar FILE".
	sed -nE 's/^\.It (Fl .*)/\1/p' "$page" | grep -oE 'Fl -?[A-Za-z0-9][-a-z0-9]*' |
		sed 's/Fl /-/' | sort -u >"$tmp/page"
	if ! diff -u "$tmp/help" "$tmp/page" >"$tmp/diff"; then
		echo "tdat $cmd --help (-) and man/tdat-$cmd.1 (+) differ:"
		grep '^[-+][^-+]\|^[-+]--\?[a-zA-Z]' "$tmp/diff" || cat "$tmp/diff"
		bad=1
	fi
done

# The examples of the help are those that the page begins with.
for cmd in $commands; do
	"$tdat" "$cmd" --help | sed -n '/^Examples:/,/^$/s/^  //p' >"$tmp/help"
	sed -n "/^.Sh EXAMPLES/,\$s/\\\\(aq/'/g; s/^.Dl //p" "$man/tdat-$cmd.1" | head -3 >"$tmp/page"
	sections=$(sed -n 's/^.Sh //p' "$man/tdat-$cmd.1" | head -3 | tr '\n' ' ')
	if ! diff "$tmp/help" "$tmp/page" || [ "$(wc -l <"$tmp/help")" != 3 ] || [ "$sections" != "NAME SYNOPSIS EXAMPLES " ]; then
		echo "man/tdat-$cmd.1 does not begin with the three examples of tdat $cmd --help"
		bad=1
	fi
done

# A letter has a long name, and one meaning: that of the table in docs/from-trace-cmd.md. The letters of
# three commands are trace-cmd's.
for cmd in $commands; do
	"$tdat" "$cmd" --help-all | sed -nE 's/^ {2,6}(-[A-Za-z])(, (--[a-z-]+))?.*/\1 \3/p' >"$tmp/rows"
	if grep ' $' "$tmp/rows"; then
		echo "tdat $cmd has letters without a long name"
		bad=1
	fi
	case $cmd in
	report | split | convert) ;;
	*) cat "$tmp/rows" >>"$tmp/letters" ;;
	esac
done
sed -nE 's/^\| `(-[A-Za-z])` \| `(--[a-z-]+)` \|.*/\1 \2/p' "$2/docs/from-trace-cmd.md" | sort >"$tmp/table"
if ! sort -u "$tmp/letters" | diff -u - "$tmp/table"; then
	echo "letters of the help (-) and of docs/from-trace-cmd.md (+) differ"
	bad=1
fi

"$tdat" list --formats >"$tmp/formats"
for format in $(awk '/^[^ ].*[^:]$/ { print $1 }' "$tmp/formats"); do
	awk -v f="$format" '/^[^ ]/ { on = $1 == f } on && /^ / {
		k = $2; sub(/=.*/, "", k); print $1 ($1 == "-O" && k != "OPTION" ? " " k : "") }' \
		"$tmp/formats" | sort -u >"$tmp/help"
	awk -v f="$format" '/^\.(Ss|Sh) / { on = $0 == ".Ss " f } on && /^\.It Fl / {
		print "-" $3 ($3 == "O" && $4 == "Cm" ? " " $5 : "") }' \
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
