#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# mypy --strict has nothing to say of the Python package: pyproject.toml sets it, and that what else is
# installed does not matter.
# usage: types.sh SOURCE_DIR
set -eu
venv=$("$1/scripts/python-venv")
cd "$1"
exec "$venv/bin/mypy" --no-site-packages --cache-dir=/dev/null
