#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs tests of this folder with the wheel that wheel.sh laid out.
# usage: run.sh SOURCE_DIR FOLDER FILE...
set -eu
source=$1
folder=$2
shift 2
venv=$("$source/scripts/python-venv" python)
[ -d "$folder/site" ] || exit 77
cd "$source/tests/python"
export PYTHONPATH="$folder/site" PYTHONDONTWRITEBYTECODE=1
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
