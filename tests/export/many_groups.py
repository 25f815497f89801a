#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of many row groups, between which tdat keeps facts of its own, have the rows of a file of one.

usage: many_groups.py MAKE_TYPES FOLDER TDAT
"""
import os
import subprocess
import sys

import duckdb
import polars
import pyarrow.parquet as pq

TYPES, ROWS, GROUP = 5, 20000, 256


def main():
    make_types, folder, tdat = sys.argv[1:4]
    trace = os.path.join(folder, "types.dat")
    subprocess.run([make_types, trace, str(TYPES), str(ROWS)], check=True)
    for name, options in ("one", []), ("many", ["-O", f"row-group={GROUP}"]):
        subprocess.run([tdat, "export", "-q", "--to", "parquet", "--table", "*/*", "-o",
                        os.path.join(folder, name), *options, trace], check=True)
    files = sorted(os.listdir(os.path.join(folder, "one")))
    if len(files) != TYPES:
        sys.exit(f"many_groups: {len(files)} files")
    for file in files:
        one, many = (os.path.join(folder, name, file) for name in ("one", "many"))
        metadata = pq.read_metadata(many)
        if metadata.num_row_groups != -(-ROWS // GROUP) or metadata.num_rows != ROWS:
            sys.exit(f"many_groups: {file}: {metadata.num_row_groups} row groups")
        if not pq.read_table(one).equals(pq.read_table(many)):
            sys.exit(f"many_groups: {file}: pyarrow reads other rows")
        if not polars.read_parquet(one).equals(polars.read_parquet(many)):
            sys.exit(f"many_groups: {file}: polars reads other rows")
        query = ("select count(*), bit_xor(hash(COLUMNS(*))) from read_parquet('{0}') "
                 "where ts > (select quantile_disc(ts, 0.5) from read_parquet('{0}'))")
        if duckdb.sql(query.format(one)).fetchall() != duckdb.sql(query.format(many)).fetchall():
            sys.exit(f"many_groups: {file}: DuckDB reads other rows")
    print(f"{len(files)} files of {metadata.num_row_groups} row groups")


main()
