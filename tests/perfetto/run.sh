#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Traces for Perfetto are read with its own message classes, and compared with tdat dump --json.
# usage: run.sh TDAT SOURCE_DIR TEST.py [ARGUMENT]...
set -eu
tdat=$1
source=$2
test=$3
shift 3
venv=$("$source/scripts/python-venv" perfetto)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$venv/bin/python" "$source/tests/perfetto/$test" "$tdat" "$tmp" "$@"
