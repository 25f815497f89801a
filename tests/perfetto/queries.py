#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the queries of queries.sql with Perfetto's trace processor and with tdat sql --perfetto, and compares.

usage: queries.py TDAT FOLDER TRACE_PROCESSOR FILE...

The trace processor gets the file as tdat exports it. Rows are compared as multisets, in their order where the
query ends with ORDER BY.
"""
import collections
import json
import os
import re
import subprocess
import sys

from processor import Failed, Processor

# Queries whose rows differ, and the files, as their names begin. Perfetto counts of a slice only what lies in the
# period in which it begins, and knows no wakeup without a sched_waking.
PERIODS, WAKEUPS = ("",), ("x64-lab612-net",)
KNOWN = {
    "module linux.cpu.utilization.system": PERIODS,
    "module linux.cpu.utilization.system, seconds": PERIODS,
    "module linux.cpu.utilization.thread, periods": PERIODS,
    "states of threads": WAKEUPS,
    "who woke whom": WAKEUPS,
    "time in each state": WAKEUPS,
    "module sched.runnable": WAKEUPS,
    "module sched.latency": WAKEUPS,
    "module sched.thread_level_parallelism, runnable": WAKEUPS,
    "module sched.time_in_state": WAKEUPS,
    "module sched.time_in_state, percentages": WAKEUPS,
}


def queries():
    """(what, statements) of queries.sql"""
    with open(os.path.join(os.path.dirname(__file__), "queries.sql"), encoding="utf-8") as f:
        parts = re.split(r"^---- (.*)\n", f.read(), flags=re.M)
    return list(zip(parts[1::2], (text.strip().rstrip(";") for text in parts[2::2]), strict=True))


def same(value):
    """Integers that one of both has as a double."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return round(value, 6) if isinstance(value, float) else value


def tidy(rows):
    return [tuple(same(v) for v in row) for row in rows]


def by_perfetto(processor, text):
    *before, last = text.split(";\n")
    for statement in before:
        processor.query(statement)
    return tidy(processor.query(last))


def by_tdat(tdat, path, text, *options):
    ran = subprocess.run([tdat, "sql", "--jsonl", *options, path, text], capture_output=True, text=True, check=False)
    said = [line for line in ran.stderr.splitlines() if ": omitted " not in line]
    if ran.returncode not in (0, 1) or any("SQL:" in line for line in said):
        raise Failed(f"exit {ran.returncode}: {ran.stderr.strip()}")
    return tidy(json.loads(line, object_pairs_hook=lambda pairs: tuple(v for _, v in pairs)) for line in ran.stdout.splitlines())


def ordered(text):
    return re.search(r"ORDER BY[^()]*$", text) is not None


def difference(want, got, in_order):
    if in_order:
        return None if want == got else f"want {want[:5]} got {got[:5]}"
    a, b = collections.Counter(want), collections.Counter(got)
    if a == b:
        return None
    return f"{len(want)} and {len(got)} rows; only Perfetto {list((a - b).items())[:3]}; only tdat {list((b - a).items())[:3]}"


def check(tdat, folder, processor, path):
    """The queries that differ."""
    exported = os.path.join(folder, "queries.pftrace")
    done = subprocess.run([tdat, "export", "--to", "perfetto", "-f", "-o", exported, path], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not os.path.exists(exported):
        sys.exit(f"{path}: exit {done.returncode}: {done.stderr}")
    wrong, rows = [], 0
    for what, text in queries():
        processor.load(exported)
        try:
            want = by_perfetto(processor, text)
        except Failed as e:
            # Newer releases have modules and macros that this one lacks.
            if not re.search("unknown module|no such macro", str(e)):
                wrong.append(f"{what}: Perfetto: {e}"[:300])
            continue
        try:
            got = by_tdat(tdat, path, text, "--perfetto")
        except Failed as e:
            wrong.append(f"{what}: tdat: {e}")
            continue
        rows += len(want)
        found = difference(want, got, ordered(text))
        if found and not any(os.path.basename(path).startswith(f) for f in KNOWN.get(what, ())):
            wrong.append(f"{what}: {found}")
    print(f"{os.path.basename(path)}: {len(queries()) - len(wrong)} of {len(queries())} queries equal, {rows} rows")
    return wrong


def main():
    tdat, folder, program, *files = sys.argv[1:]
    script = os.path.join(os.path.dirname(__file__), "trace_processor.js")
    processor = Processor(script, program)
    bad = 0
    for path in files:
        for line in check(tdat, folder, processor, path):
            print(f"  {line}")
            bad += 1
    processor.close()
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
