#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# bounds.c in a folder of its own. TDAT_BOUNDS: its options.
# usage: bounds.sh BOUNDS TDAT
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
# shellcheck disable=SC2086
"$1" ${TDAT_BOUNDS:-} "$2"
