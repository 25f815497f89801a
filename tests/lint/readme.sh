#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What README.md shows in its console blocks is what the commands print.
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
mkdir "$tmp/bin" "$tmp/cwd"
ln -s "$tdat" "$tmp/bin/tdat"
ln -s "$src/tests" "$tmp/cwd/tests"
cd "$tmp/cwd"
export PATH="$tmp/bin:$PATH" LC_ALL=C.UTF-8 TZ=UTC TERM=dumb

# Copies README.md with each block's output made anew.
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
done <"$src/README.md" >"$tmp/README.md"

[ "$count" -gt 2 ] || { echo "README.md shows only $count commands"; exit 1; }
if [ -n "$update" ]; then
	cp "$tmp/README.md" "$src/README.md"
	exit 0
fi
if ! diff -u "$src/README.md" "$tmp/README.md"; then
	echo "README.md (-) does not show what is printed (+): $0 --update TDAT SOURCE_DIR"
	exit 1
fi
