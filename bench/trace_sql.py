# SPDX-License-Identifier: GPL-2.0-or-later
"""The processor time of trace.sql by DuckDB: counts against tdat stat --by, and rows as Arrow against to_batches().

Each figure is the least of some runs in this process. The rows are those of one CPU, so that some of
the file is left out, and their memory is the peak of a process of its own.
usage: trace_sql.py FILE.dat RUNS MS_BY_EVENT MS_BY_PID_AND_EVENT
"""
import resource
import subprocess
import sys
import time

import duckdb

import tdat

COLUMNS = ("ts", "cpu", "pid", "comm", "event")
ROWS = f"SELECT {', '.join(COLUMNS)} FROM events WHERE cpu = 0"


def least(runs, work):
    """The least processor time of some runs, in milliseconds."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1000)
    return min(times)


def batches(trace):
    """Reads the rows that ROWS has, and keeps none."""
    for _ in trace["events"].select(*COLUMNS).cpu(0).to_batches():
        pass


def main(path, runs, by_event, by_both):
    trace = tdat.open(path)
    counts = (("event", by_event), ("pid, event", by_both))
    print(f"trace.sql, DuckDB {duckdb.__version__}, extension: {tdat.duckdb_extension()}")
    for columns, other in counts:
        query = f"SELECT {columns}, count(*) FROM events GROUP BY ALL"
        took = least(int(runs), lambda q=query: trace.sql(q))
        print(f"{query:<52} {took:8.0f} ms CPU, {took / float(other):.2f} x stat --threads 1 --by")
    took = least(int(runs), lambda: trace.sql(ROWS).to_arrow())
    other = least(int(runs), lambda: batches(trace))
    done = subprocess.run([sys.executable, __file__, path], stdout=subprocess.PIPE, text=True, check=True)
    print(f"{ROWS}\n{'  to Arrow':<52} {took:8.0f} ms CPU, {took / other:.2f} x to_batches(), {done.stdout.strip()}")


def peak(path):
    """Prints what a process that has the rows as Arrow holds at most."""
    rows = tdat.open(path).sql(ROWS).to_arrow().num_rows
    print(f"{rows} rows, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB at most")


if len(sys.argv) > 2:
    main(*sys.argv[1:])
else:
    peak(sys.argv[1])
