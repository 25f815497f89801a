#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Mutated fixtures: TDAT_MUTATIONS of them (default 300), seed TDAT_MUTATION_SEED (1).
# usage: run.sh MUTATE TDAT FIXTURES
set -eu
mutate=$1
tdat=$2
fixtures=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
"$mutate" "${TDAT_MUTATIONS:-300}" "${TDAT_MUTATION_SEED:-1}" "$fixtures"/valid/*.dat \
	-- "$tdat" dump
