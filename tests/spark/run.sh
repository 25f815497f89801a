#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the tests of tdat.spark with the wheel that tests/python/wheel.sh laid out. Exit status 77:
# there is no Java of version 17 or later, or PySpark cannot be had.
# usage: run.sh SOURCE_DIR FOLDER
set -eu
source=$1
folder=$2
version=$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1) || version=
[ "${version:-0}" -ge 17 ] || {
	echo "skipped: no Java of version 17 or later"
	exit 77
}
venv=$("$source/scripts/python-venv" spark)
[ -d "$folder/site" ] || exit 77
cd "$source/tests/spark"
export PYTHONPATH="$folder/site:$source/tests/spark" PYTHONDONTWRITEBYTECODE=1
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider test_spark.py
