#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports of event types with hostile names and of 5,000 fields, read by pyarrow and DuckDB.

usage: hostile_names.py MAKE_TYPES FOLDER TDAT
"""
import os
import subprocess
import sys

import duckdb
import pyarrow.dataset as ds
import pyarrow.parquet as pq

NAMES = ("select", "it's", 'quo"te', "a/b", "\U0001f600", "na\u00efve", "back\\slash", "..", "-rf",
         "%s%n", "events", "ts")
# docs/tables.md: a name that is taken goes behind "field_", and then has a number.
COLUMNS = ("select", "same", "field_same", "field_SAME_2", "field_ts", "field_field_ts", "__proto__",
           "file", "order")


def need(good, what):
    if not good:
        sys.exit(f"hostile_names: {what}")


def main():
    make, folder, tdat = sys.argv[1:]
    trace, plain, parts = (os.path.join(folder, n) for n in ("h.dat", "plain", "parts"))
    subprocess.run([make, trace], check=True)
    for more, out in (((), plain), (("--partition", "table,file"), parts)):
        subprocess.run([tdat, "export", "-q", "--to", "parquet", *more, "-o", out, trace],
                       check=True)
    files = sorted(os.path.join(plain, f) for f in os.listdir(plain))
    tables = [pq.read_table(f) for f in files]
    strange = [t for t in tables if "__proto__" in t.column_names]
    need(len(strange) == len(NAMES), f"{len(strange)} tables of {len(NAMES)}: {files}")
    for table in strange:
        rows = table.select(COLUMNS).to_pylist()
        need(len(rows) == 3 and all(list(r.values()) == list(range(1, 10)) for r in rows), f"{rows}")
    wide = [t for t in tables if "f4999" in t.column_names]
    need(len(wide) == 1 and wide[0].num_rows == 1, "no table of 5,000 fields")
    values = wide[0].to_pylist()[0]
    need(all(values[f"f{i}"] == (0 if i % 100 % 4 else i % 100 // 4 + 1) for i in range(5000)),
         "values of 5,000 fields")
    need(not any("without" in f for f in files), "a table without rows has a file")
    # Names of partitions are those of the tables.
    data = ds.dataset(parts, partitioning="hive", format="parquet").to_table(
        columns=["table"]).to_pylist()
    got = {row["table"] for row in data}
    want = {("odd/" if i % 2 else "it's/") + name for i, name in enumerate(NAMES)}
    need(want | {"wide/fields", "formats"} <= got, f"{want - got} missing")
    for file in files:
        n = duckdb.sql(f"""select count(*) from read_parquet('{file.replace("'", "''")}')""")
        need(n.fetchall()[0][0] == pq.read_metadata(file).num_rows, file)
    print(f"{len(files)} files, {len(got)} tables")


main()
