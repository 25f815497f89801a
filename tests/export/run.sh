#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What exporters of tables write is read back by pyarrow, DuckDB, polars and ClickHouse, from a
# virtual environment of exact versions: TEST.py PROGRAM SCRATCH_FOLDER [ARGUMENT]...
# usage: run.sh PROGRAM SOURCE_DIR TEST.py [ARGUMENT]...
set -eu
program=$1
source=$2
shift 2
venv=$("$source/scripts/python-venv")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
test=$1
shift
"$venv/bin/python" "$source/tests/export/$test" "$program" "$tmp" "$@"
