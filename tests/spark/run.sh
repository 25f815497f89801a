#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the tests of tdat.spark with the package that tests/python/site.sh laid out. Exit status 77:
# there is no Java of version 17 or later, or PySpark cannot be had.
# usage: run.sh SOURCE_DIR FOLDER
set -eu
source=$1
folder=$2
# shellcheck source=tests/java.sh
. "$source/tests/java.sh"
venv=$("$source/scripts/python-venv")
[ -d "$folder/site" ] || exit 77
cd "$source/tests/spark"
export PYTHONPATH="$folder/site:$source/tests/spark" PYTHONDONTWRITEBYTECODE=1
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider test_spark.py
