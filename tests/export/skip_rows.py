#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A range of ts makes readers skip row groups: they read fewer bytes of the file.

usage: skip_rows.py MAKE_TABLES FOLDER TDAT TRACE
The events of TRACE are looked at beside made rows. Of the shared
corpus, where TDAT_SHARED names one, a larger trace is too.
"""
import os
import subprocess
import sys

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

ROWS, GROUP = 200000, 10000
TAIL = 65536  # pyarrow reads so much of a file's end for the footer


def expect(condition, what):
    if not condition:
        sys.exit(f"skip_rows: {what}")


class Counting:
    """A file that counts the bytes that are read of it."""

    def __init__(self, path):
        self.file, self.bytes = open(path, "rb"), 0

    def read(self, size=-1):
        data = self.file.read(size)
        self.bytes += len(data)
        return data

    def __getattr__(self, name):
        return getattr(self.file, name)


def bytes_read(path, filters):
    counting = Counting(path)
    table = pq.read_table(pa.PythonFile(counting, "r"), filters=filters, pre_buffer=False)
    return counting.bytes, table


def check_pyarrow(path, first, last):
    every, table = bytes_read(path, None)
    low, high = table["ts"][first], table["ts"][last]
    some, found = bytes_read(path, (ds.field("ts") >= low) & (ds.field("ts") <= high))
    expect(found.num_rows == last - first + 1, f"pyarrow finds {found.num_rows} rows")
    expect(found.equals(table.slice(first, last - first + 1)), "pyarrow finds other rows")
    expect((some - TAIL) * 4 < every - TAIL, f"pyarrow reads {some} of {every} bytes")
    return low, high, some, every


def check_fragments(path, low, high):
    fragment = next(ds.dataset(path).get_fragments())
    groups = fragment.split_by_row_group((ds.field("ts") >= low) & (ds.field("ts") <= high))
    expect(len(groups) == 1, f"{len(groups)} of {ROWS // GROUP} row groups are left")


def read_by_process():
    with open("/proc/self/io", encoding="ascii") as f:
        return int(next(line.split()[1] for line in f if line.startswith("rchar:")))


def check_duckdb(path, low, high, rows):
    connection = duckdb.connect()
    connection.execute("set threads = 1")
    counts = []
    for where, want in ("", ROWS), (" where ts between ?::timestamp_ns and ?::timestamp_ns", rows):
        before = read_by_process()
        row = connection.execute("select count(value), sum(value) from read_parquet(?)" + where,
                                 [path] + ([str(low), str(high)] if where else [])).fetchone()
        counts.append(read_by_process() - before)
        expect(row[0] == want, f"DuckDB counts {row[0]} rows, not {want}")
    expect(counts[1] * 4 < counts[0], f"DuckDB reads {counts[1]} of {counts[0]} bytes")
    return counts


def check_trace(tdat, trace, path, group):
    """The tenth part of the events in the midst of a real trace."""
    subprocess.run([tdat, "export", "-q", "--nodate", "--to", "parquet", "-O", f"row-group={group}",
                    "--table", "events", "-f", "-o", path, trace], check=True)
    metadata = pq.read_metadata(path)
    rows, footer = metadata.num_rows, metadata.serialized_size
    times = pq.read_table(path, columns=["ts"])["ts"].to_pylist()
    expect(times == sorted(times) and rows > 10 * group, f"{trace}: {rows} rows")
    # Events of several CPUs may have the same time.
    first, last = times.index(times[rows // 2]), rows // 2 + rows // 10
    while times[last + 1] == times[last]:
        last += 1
    _, _, some, every = check_pyarrow(path, first, last)
    counts = []
    connection = duckdb.connect()
    for where, want in ("", rows), (f" where ts between {times[first]} and {times[last]}",
                                    last - first + 1):
        before = read_by_process()
        row = connection.execute("select count(ts), sum(ts % 1000 + pid) from read_parquet(?)" +
                                 where, [path]).fetchone()
        counts.append(read_by_process() - before - footer)
        expect(row[0] == want, f"DuckDB counts {row[0]} rows of {trace}, not {want}")
    # Beside the footer, which is most of a small file.
    expect(counts[1] * (5 if rows > 100000 else 1) < counts[0],
           f"{trace}: DuckDB reads {counts[1]} of {counts[0]} bytes")
    print(f"{os.path.basename(trace)}: pyarrow reads {some} of {every} bytes, "
          f"DuckDB {counts[1]} of {counts[0]}")


def check_indexes(path):
    metadata = pq.read_metadata(path)
    for g in range(metadata.num_row_groups):
        for c in range(metadata.num_columns):
            chunk = metadata.row_group(g).column(c)
            expect(chunk.has_offset_index and chunk.has_column_index,
                   f"row group {g}, column {c} has no index")


def main():
    make, folder, tdat, trace = sys.argv[1:5]
    path = os.path.join(folder, "sorted.parquet")
    subprocess.run([make, "sorted", "parquet", path, os.devnull, f"row-group={GROUP}"], check=True)
    metadata = pq.read_metadata(path)
    expect(metadata.num_rows == ROWS and metadata.num_row_groups == ROWS // GROUP,
           f"{metadata.num_rows} rows in {metadata.num_row_groups} row groups")
    low, high, some, every = check_pyarrow(path, 42000, 42999)
    check_fragments(path, low, high)
    counts = check_duckdb(path, low, high, 1000)
    check_indexes(path)
    print(f"a range of ts: pyarrow reads {some} of {every} bytes, "
          f"DuckDB {counts[1]} of {counts[0]}")
    check_trace(tdat, trace, path, 250)
    shared = os.path.join(os.environ.get("TDAT_SHARED", ""), "corpus", "files",
                          "x64-lab612-all-zstd.dat")
    if os.path.exists(shared):
        check_trace(tdat, shared, path, 5000)
    return 0


if __name__ == "__main__":
    sys.exit(main())
