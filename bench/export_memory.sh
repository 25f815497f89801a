#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Peak memory of Parquet exports of 2,600 event types with so many rows each, by 1, 2, 4 and 8
# threads, and of data sets of two and of four such files; fails beyond 200 MiB. 5,000 rows take 0.25
# GB in FOLDER for each of the inputs and 0.4 for each output.
# usage: export_memory.sh MAKE_TYPES TDAT FOLDER ROWS
set -eu
exec "$(dirname "$0")/../tests/export/many_types.sh" "$1" "$2" "$3/many_types" "$4"
