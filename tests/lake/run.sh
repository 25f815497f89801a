#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of data sets with all readers that people have for them, from a virtual environment of exact
# versions. Exit status 77: it cannot be had, or there is no Java of version 17 or later for Spark.
# usage: run.sh PROGRAM SOURCE_DIR TEST.py [ARGUMENT]...
set -eu
program=$1
source=$2
test=$3
shift 3
# shellcheck source=tests/java.sh
. "$source/tests/java.sh"
venv=$("$source/scripts/python-venv")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
PATH=$(dirname "$program"):$PATH "$venv/bin/python" "$source/tests/lake/$test" "$program" "$tmp" "$@"
