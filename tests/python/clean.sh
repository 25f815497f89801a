#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs the wheel into an environment that has nothing else, and reads, asks and writes there.
# usage: clean.sh SOURCE_DIR FOLDER
set -eu
source=$1
folder=$2
venv=$("$source/scripts/python-venv" python)
[ -d "$folder/wheel" ] || exit 77
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv --without-pip "$tmp/venv"
"$venv/bin/pip" --disable-pip-version-check -q --python "$tmp/venv/bin/python" install --no-deps \
	"$folder"/wheel/tdat-*.whl
cd "$tmp"
PATH=/nowhere "$tmp/venv/bin/python" "$source/tests/python/clean.py" "$source/tests/fixtures/valid"
"$tmp/venv/bin/tdat" --version
# The same with other CPythons of this machine: one wheel is for all from 3.9 on.
for python in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3 /usr/bin/python3.[0-9]*; do
	case $python in *-config) continue ;; esac
	"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || continue
	rm -f out.dat six.dat out.parquet
	PATH=/nowhere PYTHONPATH=$folder/site PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1 \
		"$python" -S "$source/tests/python/clean.py" "$source/tests/fixtures/valid"
	"$python" --version
done
