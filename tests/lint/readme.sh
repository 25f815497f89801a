#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What README.md and the pages below show in console blocks is what the commands print. A block of other commands (sh),
# in any page of docs/, follows a line "<!-- live: REASON -->", which says why it is not run.
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
	while IFS= read -r line; do
		case $line in
		'```console') on=1 ;;
		'```') on=0 ;;
		esac
		if [ $on = 1 ] && [ "${line#\$ }" != "$line" ]; then
			printf '%s\n' "$line"
			sh -c "${line#\$ }" 2>&1 </dev/null || true
			count=$((count + 1))
		elif [ $on = 0 ] || [ "$line" = '```console' ]; then
			printf '%s\n' "$line"
		fi
	done <"$src/$1"
	[ "$count" -gt 2 ] || { echo "$1 shows only $count commands" >&2; return 1; }
}

bad=0
for page in README.md docs/start.md docs/recipes.md docs/from-kernelshark.md docs/from-perfetto.md docs/from-lisa.md docs/sql.md docs/hist.md; do
	(made "$page") >"$tmp/page" || { bad=1; continue; }
	if [ -n "$update" ]; then
		cp "$tmp/page" "$src/$page"
	elif ! diff -u "$src/$page" "$tmp/page"; then
		echo "$page (-) does not show what is printed (+): $0 --update TDAT SOURCE_DIR"
		bad=1
	fi
done

# lake_commands runs those of docs/scale.md.
for page in "$src/README.md" "$src"/docs/*.md "$src"/docs/*/*.md; do
	[ "$page" != "$src/docs/scale.md" ] || continue
	awk -v page="$page" '/^```(sh|bash)/ && before !~ /^<!-- live: .* -->$/ { print page ":" FNR ": a block of sh that is not marked as live"; bad = 1 }
		{ before = $0 } END { exit bad }' "$page" || bad=1
done
exit $bad
