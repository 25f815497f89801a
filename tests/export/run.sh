#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Random tables, written by each exporter of tables, are read back by pyarrow, DuckDB, polars
# and ClickHouse, from a virtual environment of exact versions.
# usage: run.sh MAKE_TABLES SOURCE_DIR TEST.py [ARGUMENT]...
set -eu
make=$1
source=$2
shift 2
venv=$("$source/scripts/python-venv")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
test=$1
shift
"$venv/bin/python" "$source/tests/export/$test" "$make" "$tmp" "$@"
