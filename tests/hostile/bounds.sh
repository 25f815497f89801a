#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# bounds.c in a folder of its own.
# usage: bounds.sh BOUNDS TDAT [OPTION...]
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
bounds=$1
tdat=$2
shift 2
"$bounds" "$@" "$tdat"
