#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Traces for Perfetto are loaded with its trace processor, and its tables compared with tdat dump --json.
# usage: run-importer.sh TDAT SOURCE_DIR TEST.py [ARGUMENT]...
set -eu
tdat=$1
source=$2
test=$3
shift 3
venv=$("$source/scripts/python-venv" perfetto)
program=$("$source/tests/perfetto/trace-processor")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$venv/bin/python" "$source/tests/perfetto/$test" "$tdat" "$tmp" "$program" "$@"
