#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what is made of the kernel's text with the trace.dat of the same records.

usage: typed_text.py TDAT FOLDER...

FOLDER has NAME.dat and NAME.trace.txt.xz. Texts are converted twice: with the formats of NAME.dat,
and with those that are built in. Events are paired by CPU, in order. Over all recordings together
- with formats, of at least 95 of 100 event types all events are typed and have the values that
  NAME.dat has in all fields which the print fmt shows;
- without them, of the built-in event types of sched, irq, raw_syscalls and of system calls, too;
- the tables sched, irq, softirq and syscall, and all lines of latency and profile, are those of
  NAME.dat: the same rows and keys, those of tables in the same order, times to 1 us, durations and
  sums to 2 us for each interval; flame has the same stacks. So it is where the text has the times of
  the records in nanoseconds (layouts without times have not, nor have kernels that threw records
  away) and tells of all losses. Without formats a text does not tell the machine, so not the names
  of numbers of calls, nor that a word has 32 bits; and page faults are no built-in events.
The module truthfmt, whose types have edge cases of print fmt that hide most of a value, does not
count.

Expectation: trace.dat files and texts are of the same records, which trace-cmd and the kernel wrote.
"""
import collections
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from part import part_of

STABLE = ("sched", "irq", "raw_syscalls", "syscalls")
DURATIONS = ("dur", "wait_dur", "on_cpu", "waiting", "blocked", "sleeping", "irq_dur", "softirq_dur",
             "syscall_dur", "mean", "min", "p50", "p90", "p99", "p99.9", "max")
KEYS = ("table", "value", "nr", "pid", "comm", "vec", "irq", "name", "buffer")
COUNTS = ("count", "switches", "irqs", "softirqs", "syscalls", "wakeups")
TABLES = ("sched", "irq", "softirq", "syscall")


def run(tdat, *args):
    done = subprocess.run([tdat, *args], capture_output=True, text=True, errors="surrogateescape")
    return done.returncode, done.stdout


def events(tdat, path):
    status, out = run(tdat, "dump", "--json", "--threads", "1", path)
    if status or not out:
        return None
    cpus = collections.defaultdict(list)
    for line in out.split("\n"):
        if line:
            event = json.loads(line)
            cpus[event["cpu"]].append(event)
    return cpus


def same(want, have):
    """Whether all fields of a typed event have the values of the recording."""
    for name, value in have.items():
        if name == "__syscall_nr" or name.endswith(("_name", "_sym")) or value == want.get(name):
            continue
        # A function is its name, where the recording has no address of that name.
        symbol = want.get(f"{name}_sym")
        if not symbol or not isinstance(value, str) or value.split("/")[0] != symbol:
            return False
    return True


def same_times(want, have):
    return all(abs(w["ts"] - h["ts"]) <= 1000 for cpu in want for w, h in zip(want[cpu], have[cpu]))


def compare_types(want, have, types):
    """Marks types with an event that is not typed or has other values; tells of other numbers."""
    for cpu in want:
        if len(want[cpu]) != len(have[cpu]):
            return f"CPU {cpu} has {len(want[cpu])} and {len(have[cpu])} events"
        for w, h in zip(want[cpu], have[cpu]):
            if w["system"] in ("ftrace", "truthfmt"):  # no print fmt makes the text of ftrace's
                continue
            good = w["system"] == h["system"] and w["event"] == h["event"] and \
                same(w["fields"], h["fields"])
            name = w["system"], w["event"]
            if not good and types.get(name, True):
                types[name] = (w, h)
            types.setdefault(name, True)
    return ""


def rows(tdat, *args):
    status, out = run(tdat, *args)
    if status:
        return None  # it has none of these events
    return list(csv.DictReader(out.split("\n")))


def near(name, want, have, count, machine):
    """Whether two values of a column are as near as microseconds let them be."""
    # Texts have no numbers of calls.
    if want == have or name == "nr" and have in ("", "-1"):
        return True
    if not machine and (name == "name" and not have or name in ("ret", "error")):
        return True
    if not want.lstrip("-").isdigit() or not have.lstrip("-").isdigit():
        return False
    if name not in ("ts", "raise_ts") and name not in DURATIONS:
        return False
    return abs(int(want) - int(have)) <= (1000 if name.endswith("ts") else 2000 * count)


def compare_rows(want, have, by_key, machine):
    """The first difference; empty: there is none. by_key: rows are not in an order of times."""
    if want is None or have is None:
        return "" if want is have or not machine else "only one of both has such events"
    if len(want) != len(have):
        return f"{len(want)} rows, {len(have)} of the text: {have[:1]}"
    if by_key:
        want, have = (sorted(rows, key=lambda row: [row.get(n, "") for n in KEYS])
                      for rows in (want, have))
    for w, h in zip(want, have):
        # Sums may be of as many intervals as there are.
        count = max([int(w[n]) for n in COUNTS if w.get(n)] + [1])
        for name in w:
            if not near(name, w[name], h.get(name, ""), count, machine):
                return f"{name} {w[name]}, {h.get(name)} of the text: {w}, {h}"
    return ""


def compare_tables(tdat, dat, text, machine):
    questions = [("sql", "--csv", None, f"SELECT * FROM {table}") for table in TABLES]
    questions += [("latency", "--csv", "--top", "0", "--table", table, None)
                  for table in ("wakeup",) + TABLES]
    questions += [("profile", "--csv", None)]
    for question in questions:
        want, have = (rows(tdat, *[path if word is None else word for word in question])
                      for path in (dat, text))
        different = compare_rows(want, have, question[0] != "sql", machine)
        if different:
            yield f"{' '.join(word or dat for word in question)}: {different}"
    want, have = (run(tdat, "flame", path)[1] for path in (dat, text))
    if want != have:
        yield f"flame {dat}: other stacks"


def shares(types, what):
    bad = {name: pair for name, pair in types.items() if pair is not True}
    print(f"{what}: {len(types) - len(bad)} of {len(types)} types")
    for (system, name), pair in sorted(bad.items()):
        print(f"  {system}/{name}:\n    {pair[0]}\n    {pair[1]}")
    # A part of the recordings may have more of the difficult ones.
    most = 20 if os.environ.get("TDAT_PART", "1/1") == "1/1" else 10
    return not types or len(bad) * most > len(types)


def main():
    tdat, folders = sys.argv[1], sys.argv[2:]
    given, built_in, wrong, compared = {}, {}, [], 0
    pairs = [f"{folder}/{name[:-13]}" for folder in folders for name in sorted(os.listdir(folder))
             if name.endswith(".trace.txt.xz") and os.path.exists(f"{folder}/{name[:-13]}.dat")]
    with tempfile.TemporaryDirectory() as tmp:
        for pair in part_of(pairs):
            want, texts = events(tdat, f"{pair}.dat"), {}
            for types, more in ((given, ("--formats-from", f"{pair}.dat")), (built_in, ())):
                texts[more] = f"{tmp}/{len(more)}.dat"
                status, _ = run(tdat, "convert", "-q", "-f", "--from", "ftrace-text", *more, "-o",
                                texts[more], f"{pair}.trace.txt.xz")
                if status:
                    wrong.append(f"{pair}: convert {' '.join(more)} ends with {status}")
                    continue
                have = events(tdat, texts[more])
                if want is None or have is None:
                    wrong.append(f"{pair} {' '.join(more)}: dump fails")
                    continue
                different = compare_types(want, have, types)
                if different:
                    wrong.append(f"{pair}: {different}")
                if "-clock-" in pair or not same_times(want, have) or \
                        rows(tdat, "sql", "--csv", f"{pair}.dat", "SELECT * FROM lost"):
                    continue
                compared += 1
                wrong += [f"{pair} {' '.join(more)}: {sentence}"
                          for sentence in compare_tables(tdat, f"{pair}.dat", texts[more],
                                                     bool(more))]
    built_in = {name: pair for name, pair in built_in.items() if name[0] in STABLE}
    print(f"tables of {compared} texts compared")
    failed = shares(given, "with formats") + shares(built_in, "without")
    for sentence in wrong:
        print(sentence)
    sys.exit(bool(wrong) or failed != 0 or not compared)


main()
