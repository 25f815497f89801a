#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the wheel of the Python package, and lays it out in FOLDER/site for the other tests.
# usage: wheel.sh SOURCE_DIR FOLDER
set -eu
source=$1
folder=$2
venv=$("$source/scripts/python-venv" python)
# Without the headers the wheel has no extension of DuckDB.
"$source/scripts/duckdb-header" >"$folder/header" || true
rm -rf "$folder/wheel" "$folder/site"
mkdir -p "$folder/wheel"
launcher=$(command -v ccache || true)
# Without optimising, which takes more time than all that uses the wheel here.
PATH=$venv/bin:$PATH "$venv/bin/pip" wheel --disable-pip-version-check -q --no-deps \
	--no-build-isolation -w "$folder/wheel" --config-settings build-dir="$folder/build" \
	--config-settings cmake.define.CMAKE_C_COMPILER_LAUNCHER="$launcher" --config-settings cmake.define.TDAT_WERROR=ON \
	--config-settings cmake.define.CMAKE_C_FLAGS_RELEASE=-O0 "$source"
"$venv/bin/pip" install --disable-pip-version-check -q --no-deps --target "$folder/site" \
	"$folder"/wheel/tdat-*-cp39-abi3-linux_*.whl
# The extension and the program contain what they need: of other libraries they load libc's.
for file in "$folder/site/tdat/_tdat.abi3.so" "$folder/site/tdat/bin/tdat" "$folder/site/tdat/tdat.duckdb_extension"; do
	[ -e "$file" ] || [ ! -s "$folder/header" ] || { echo "there is no $file"; exit 1; }
	[ -e "$file" ] || continue
	objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }' |
		grep -vE '^(libc|libm|libdl|libpthread|ld-linux.*)\.so\.' && {
		echo "$file needs other libraries"
		exit 1
	}
done
# It uses nothing of CPython beyond the limited API of 3.9.
for python in python3.9 python3.13; do
	command -v $python >/dev/null && $python -c '' 2>/dev/null || continue
	PYTHONPATH=$folder/site $python -S -c 'import tdat; print(tdat.__version__)'
done
