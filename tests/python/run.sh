#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs tests of this folder with the package that site.sh laid out. TDAT_DUCKDB in the environment: with this
# version of DuckDB.
# usage: run.sh SOURCE_DIR FOLDER FILE...
set -eu
source=$1
folder=$2
shift 2
venv=$("$source/scripts/python-venv")
[ -d "$folder/site" ] || exit 77
cd "$source/tests/python"
export PYTHONPATH="$folder/site" PYTHONDONTWRITEBYTECODE=1
if [ "${TDAT_DUCKDB:-}" ]; then
	duckdb=$folder/duckdb-$TDAT_DUCKDB
	[ -d "$duckdb/duckdb" ] || "$venv/bin/pip" install --disable-pip-version-check -q --no-deps \
		--target "$duckdb" "duckdb==$TDAT_DUCKDB" || exit 77
	PYTHONPATH=$duckdb:$PYTHONPATH
fi
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
