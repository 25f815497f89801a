#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each test is in exactly one tier (tests/tiers.cmake), and each tier has tests.
# usage: tiers.sh BUILD
set -eu
list=$(ctest --test-dir "$1" --show-only=json-v1 | jq -r '.tests[] |
	[.name, ([.properties[] | select(.name == "LABELS") | .value[]] | join(","))] | @tsv')
bad=$(printf '%s\n' "$list" | awk -F '\t' '$2 !~ /^(quick|full|hostile)$/ { print $1 ": \"" $2 "\"" }')
if [ -n "$bad" ]; then
	printf 'in no tier, or in several:\n%s\n' "$bad"
	exit 1
fi
for tier in quick full hostile; do
	n=$(printf '%s\n' "$list" | awk -F '\t' -v tier="$tier" '$2 == tier { n++ } END { print n + 0 }')
	echo "$tier: $n tests"
	[ "$n" -gt 2 ] || exit 1
done
