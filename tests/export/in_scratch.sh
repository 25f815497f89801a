#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a test with a scratch folder of its own: TEST.py TDAT FOLDER FILE... By Debian's Python, which
# has the module bt2 (python3-bt2), where there is one.
# usage: in_scratch.sh TEST.py TDAT FILE...
set -eu
test=$1
tdat=$2
shift 2
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$python" "$test" "$tdat" "$tmp" "$@"
