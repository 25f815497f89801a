# SPDX-License-Identifier: GPL-2.0-or-later
"""Processor time of the Python package: counts and rows, beside tdat stat, DuckDB on Parquet and trace-cmd report.

Each figure is the least of some runs, of this process and those that it starts. The counts of all ways are compared
first. Rows as Arrow are those of one CPU, so that some of the file is left out, and their memory is the peak of a process
of its own. The package must have been built with optimizing, as pip does (not the one of the tests).
usage: python.py TDAT FILE.dat [RUNS] [TRACE-CMD]
"""
import collections
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import duckdb

import tdat

BOTH = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
COLUMNS = ("ts", "cpu", "pid", "comm", "event")
ROWS = f"SELECT {', '.join(COLUMNS)} FROM events WHERE cpu = 0"
LINE = re.compile(rb"^\s*.*-(\d+)\s+\[\d+\]\s+(?:\S+\s+)?\d+\.\d+:\s+([^:\s]+):", re.M)


def used():
    """The processor time so far, in milliseconds."""
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, BOTH)) * 1000


def least(runs, work):
    """The least processor time of some runs, and what work returned."""
    times = []
    for _ in range(runs):
        start = used()
        found = work()
        times.append(used() - start)
    return min(times), found


def row(name, took, other, what):
    print(f"{name:<76} {took:8.0f} ms CPU, {took / other:7.2f} x {what}")


def stat(program, path, columns):
    """The lines of tdat stat on one thread."""
    return subprocess.run([program, "stat", "--threads", "1", "--by", columns, path], check=True,
                          stdout=subprocess.PIPE).stdout


def batches(trace):
    """Reads the rows that ROWS has, and keeps none."""
    for _ in trace["events"].select(*COLUMNS).cpu(0).to_batches():
        pass


def by_arrow(trace):
    """Counts by pyarrow, batch by batch."""
    counts = collections.Counter()
    for batch in trace["events"].select("event").to_batches():
        for pair in batch.column(0).value_counts():
            counts[pair["values"].as_py()] += pair["counts"].as_py()
    return counts


def by_rows(trace):
    """Counts by a loop over events, as for trace-cmd's text."""
    return collections.Counter(name for name, in trace["events"].select("event").tuples())


def by_report(program, path):
    """Counts of the lines of trace-cmd report."""
    with subprocess.Popen([program, "report", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as report:
        counts = collections.Counter()
        while lines := report.stdout.readlines(16 << 20):
            counts.update(name.decode() for _, name in LINE.findall(b"".join(lines)))
    return counts


def counts_of(answer):
    return collections.Counter(dict(answer))


def main(program, path, runs=3, other="trace-cmd"):
    runs, trace = int(runs), tdat.open(path)
    print(f"DuckDB {duckdb.__version__}, extension: {tdat.duckdb_extension()}, least of {runs} runs")
    base = {}
    for columns in ("event", "pid,event"):
        base[columns], _ = least(runs, lambda c=columns: stat(program, path, c))
        row(f"tdat stat --by {columns}", base[columns], base[columns], "itself")
    with tempfile.TemporaryDirectory() as folder:
        parquet = os.path.join(folder, "events.parquet")
        took, _ = least(1, lambda: tdat.export(trace, "parquet", parquet, tables="events"))
        row("tdat.export of events to Parquet, once", took, base["event"], "stat --by event")
        query = "SELECT event, count(*) FROM {} GROUP BY ALL"
        ways = [("trace.sql: " + query.format("events"), lambda: counts_of(trace.sql(query.format("events")))),
                ("to_batches() and value_counts() of pyarrow", lambda: by_arrow(trace)),
                ("a loop over tuples()", lambda: by_rows(trace)),
                ("DuckDB on that Parquet file", lambda: counts_of(duckdb.sql(query.format(f"'{parquet}'")).fetchall()))]
        if shutil.which(other):
            ways.append(("trace-cmd report | Python", lambda: by_report(other, path)))
        first = None
        for name, work in ways:
            took, found = least(runs, work)
            row(name, took, base["event"], "stat --by event")
            first = first or found
            if found != first:
                sys.exit(f"{name}: other counts: {found - first} {first - found}")
    query = "SELECT pid, event, count(*) FROM events GROUP BY ALL"
    took, _ = least(runs, lambda: trace.sql(query))
    row(f"trace.sql: {query}", took, base["pid,event"], "stat --by pid,event")
    took, _ = least(runs, lambda: trace.sql(ROWS).to_arrow())
    base_rows, _ = least(runs, lambda: batches(trace))
    done = subprocess.run([sys.executable, __file__, path], stdout=subprocess.PIPE, text=True, check=True)
    row(f"trace.sql: {ROWS}", took, base_rows, "to_batches()")
    print(f"  {done.stdout.strip()}")


def peak(path):
    """Prints what a process that has the rows as Arrow holds at most."""
    rows = tdat.open(path).sql(ROWS).to_arrow().num_rows
    with open("/proc/self/status", encoding="ascii") as status:  # ru_maxrss would be that of who started it
        most = next(line for line in status if line.startswith("VmHWM:"))
    print(f"{rows} rows, {int(most.split()[1]) // 1024} MiB at most")


if len(sys.argv) > 2:
    main(*sys.argv[1:])
else:
    peak(sys.argv[1])
