#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the Parquet and Arrow files of traces, read by pyarrow, with tdat dump --json.

Both are tdat's own and have the schema of tables, but read values by code of their own: JSON those
of one event (lib/table/cells.c), which tests/unit/table/test_cells.c compares with libtraceevent;
tables runs of rows. Every value of JSON is compared.
usage: trace_values.py TDAT FOLDER FIXTURES
Of the shared corpus, where TDAT_SHARED names one, some files are compared as well.
"""
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

COMMON = ("ts", "cpu", "pid", "comm")
COUNTS = collections.Counter()


def fail(where, what):
    sys.exit(f"trace_values: {where}: {what}")


def column_name(columns, name):
    """docs/tables.md: a field that is called as a column of every event is."""
    return "field_" + name if "field_" + name in columns else name


def check_metadata(where, info, metadata):
    """All that is known of the trace, as tdat info has it; drops are the kernel's words."""
    texts = [o["value"]["text"] for o in info["options"] if o["name"] == "CPUSTAT"]
    want = {"source": info["file"], "clock": info["clock"], "uname": info["uname"],
            "host": (info["uname"] or "").split(" ")[1] if info["uname"] else None,
            "recorder": info["trace_cmd_version"],
            "clock_unit": "ns" if info["times_in_ns"] else "ticks"}
    for option in info["options"]:
        if option["name"] == "TRACEID":
            want["trace_id"] = f"{int(str(option['value']['trace_id']), 0):016x}"
    for key, line in (("overrun", "overrun"), ("commit_overrun", "commit overrun"),
                      ("dropped_events", "dropped events")):
        found = [int(n) for t in texts for n in re.findall(f"(?m)^{line}: (\\d+)$", t)]
        want[key] = str(sum(found)) if texts else None
    for key, value in want.items():
        had = metadata.get(b"tdat." + key.encode())
        if (had.decode() if had else None) != (value or None):
            fail(where, f"tdat.{key} is {had!r}, info has {value!r}")
        COUNTS["metadata"] += had is not None
    if not metadata.get(b"tdat.version") or not metadata.get(b"tdat.table"):
        fail(where, "no version or name of the table")


def plain(column):
    """Times of the wall clock are numbers of nanoseconds in JSON."""
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    return column.to_pylist()


def same(value, field):
    if isinstance(value, bytes):
        return value.hex() == field
    if isinstance(field, (list, dict)) and isinstance(value, str):
        return json.loads(value) == field  # a text that is JSON, such as args of bprint
    return type(value) is type(field) and value == field


def compare(where, table, rows):
    if table.num_rows != len(rows):
        fail(where, f"{table.num_rows} rows, {len(rows)} events")
    columns = table.column_names
    values = {name: plain(table.column(name)) for name in columns}
    for i, row in enumerate(rows):
        for name in COMMON:
            if values[name][i] != row[name]:
                fail(where, f"row {i}, {name}: {values[name][i]!r}, JSON {row[name]!r}")
        for name, field in row["fields"].items():
            name = column_name(columns, name)
            if name not in values:
                fail(where, f"no column {name}")
            COUNTS["values"] += 1
            if not same(values[name][i], field):
                fail(where, f"row {i}, {name}: {values[name][i]!r}, JSON {field!r}")


def read_events(tdat, path):
    """The events of JSON by type. Names that are there twice cannot be told apart in it."""
    out = subprocess.run([tdat, "dump", "--json", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False).stdout
    events = collections.defaultdict(list)
    for line in out.decode("utf-8").splitlines():
        event = json.loads(line)
        if event["event"] is not None and "cut" not in event:
            events[event["system"], event["event"]].append(event)
    return events


def main():
    tdat, folder, fixtures = sys.argv[1:]
    files = sorted(glob.glob(os.path.join(fixtures, "valid", "*.dat")))
    shared = os.environ.get("TDAT_SHARED")
    if shared:
        files += sorted(glob.glob(os.path.join(shared, "corpus", "files", "*.dat")))[::9]
    for path in files:
        events = read_events(tdat, path)
        info = json.loads(subprocess.run([tdat, "info", "--json", path], stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL, check=False).stdout)[0]
        for form, suffix in (("parquet", ".parquet"), ("arrow", ".arrow")):
            out = os.path.join(folder, form)
            shutil.rmtree(out, ignore_errors=True)
            subprocess.run([tdat, "export", "-q", "--to", form, "-o", out, path],
                           stderr=subprocess.DEVNULL, check=False)
            for (system, event), rows in events.items():
                file = os.path.join(out, f"{system}.{event}{suffix}")
                if not os.path.exists(file):
                    fail(path, f"{file} is missing")
                table = pq.read_table(file) if form == "parquet" else \
                    pa.ipc.open_file(file).read_all()
                check_metadata(f"{path}: {form}: {system}/{event}", info, table.schema.metadata)
                compare(f"{path}: {form}: {system}/{event}", table, rows)
                COUNTS["tables"] += 1
        COUNTS["files"] += 1
    if not COUNTS["values"] or not COUNTS["metadata"]:
        fail(folder, "nothing was compared")
    print(", ".join(f"{n} {what}" for what, n in sorted(COUNTS.items())))


main()
