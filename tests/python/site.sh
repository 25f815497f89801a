#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Lays out the Python package of this build in FOLDER/site for the other tests. scripts/wheels builds and tests the wheels.
# usage: site.sh SOURCE_DIR BUILD_DIR FOLDER
set -eu
source=$1
build=$2
folder=$3
rm -rf "$folder/site"
cmake --install "$build" --component python --prefix "$folder/site" >"$folder/install.log"
cp "$source"/python/tdat/*.py "$source"/python/tdat/*.pyi "$source"/python/tdat/py.typed "$folder/site/tdat/"
cp -r "$build"/python/tdat-*.dist-info "$folder/site/"
python3 -S -c 'import sys; sys.path.insert(0, sys.argv[1]); import tdat; print(tdat.__version__)' "$folder/site"
