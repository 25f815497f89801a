#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What README.md and the pages below show in console blocks is what the commands print. A block of other
# commands (sh) follows a line "<!-- live: REASON -->", which says why it is not run.
# usage: readme.sh [--update] TDAT SOURCE_DIR
set -eu
update=
if [ "$1" = --update ]; then
	update=1
	shift
fi
tdat=$(realpath "$1")
src=$(realpath "$2")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin"
ln -s "$tdat" "$tmp/bin/tdat"
export PATH="$tmp/bin:$PATH" LC_ALL=C.UTF-8 TZ=UTC TERM=dumb

# made PAGE: the page with each block's output made anew, in a folder of its own.
made() {
	mkdir -p "$tmp/cwd/${1%.md}"
	cd "$tmp/cwd/${1%.md}"
	ln -s "$src/tests" tests
	on=0
	count=0
	before=
	while IFS= read -r line; do
		case $line in
		'```console') on=1 ;;
		'```') on=0 ;;
		'```sh')
			case $before in
			'<!-- live: '?*' -->') ;;
			*) echo "$1: a block of sh that is not marked as live" >&2; return 1 ;;
			esac
			;;
		esac
		if [ $on = 1 ] && [ "${line#\$ }" != "$line" ]; then
			printf '%s\n' "$line"
			sh -c "${line#\$ }" 2>&1 </dev/null || true
			count=$((count + 1))
		elif [ $on = 0 ] || [ "$line" = '```console' ]; then
			printf '%s\n' "$line"
		fi
		before=$line
	done <"$src/$1"
	[ "$count" -gt 2 ] || { echo "$1 shows only $count commands" >&2; return 1; }
}

bad=0
for page in README.md docs/start.md docs/recipes.md docs/from-kernelshark.md docs/from-perfetto.md docs/from-lisa.md; do
	(made "$page") >"$tmp/page" || { bad=1; continue; }
	if [ -n "$update" ]; then
		cp "$tmp/page" "$src/$page"
	elif ! diff -u "$src/$page" "$tmp/page"; then
		echo "$page (-) does not show what is printed (+): $0 --update TDAT SOURCE_DIR"
		bad=1
	fi
done
exit $bad
