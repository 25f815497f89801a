#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a test that reads CTF by Debian's Python, which has the module bt2 (python3-bt2).
# usage: ctf.sh TDAT TEST.py FILE...
set -eu
tdat=$1
test=$2
shift 2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
/usr/bin/python3 "$test" "$tdat" "$tmp" "$@"
