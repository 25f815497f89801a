#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# clang's warnings are errors too: reads each source of library and program with
# it, by the flags of the build.
# usage: clang.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
commands=$1/compile_commands.json
src=$(realpath "$2")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# A line for each file: the command without its compiler, output and dependencies, and without
# the option of tests that only gcc knows.
# What is compiled once more, with its steps counted, is no other source.
jq -r --arg src "$src/" '.[] | select(.command | contains("trace-pc") | not) | select(.file | ltrimstr($src) | test("^(lib|formats|sql|cli|examples)/")) | .command' "$commands" |
	sed -E 's/^[^ ]+ //; s/ -o [^ ]+//; s/ -M[TF] [^ ]+//g; s/ -MD//; s/ -Werror\b//; s/ -c / /; s/ -Wno-format-truncation//' |
	sort -u >"$tmp/list"
count=$(wc -l <"$tmp/list")
[ "$count" -gt 50 ] || { echo "only $count sources found: the check itself is broken"; exit 1; }
# shellcheck disable=SC2016 # the inner shell expands it
xargs -P 2 -d '\n' -n 1 sh -c 'eval "clang -fsyntax-only -Werror $1"' sh <"$tmp/list"
