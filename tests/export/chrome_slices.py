#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares Chrome's trace events with what a simple computation makes of tdat dump --json.

Every event is there once, with its time and its fields; the slices of tasks, interrupts, softirqs,
system calls, functions and atrace are those that the events of JSON make.
usage: chrome_slices.py TDAT FOLDER FILE...
"""
import collections
import decimal
import gzip
import json
import os
import subprocess
import sys

UNIT, CPUS, CALLS, FUNCTIONS = 100000000, 99000000, 10000000, 20000000
COUNTS = collections.Counter()


def fail(where, what):
    sys.exit(f"chrome_slices: {where}: {what}")


def read_json(tdat, path):
    out = subprocess.run([tdat, "dump", "--json", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False).stdout
    return [json.loads(line) for line in out.decode("utf-8").splitlines()]


def export(tdat, folder, path, name):
    out = os.path.join(folder, name)
    subprocess.run([tdat, "export", "-qf", "--to", "chrome", "-o", out, path],
                   stderr=subprocess.DEVNULL, check=False)
    with (gzip.open if name.endswith(".gz") else open)(out, "rt", encoding="utf-8") as f:
        return f.read()


# ---- what is in the file ----

def nanoseconds(ts):
    return int(ts * 1000)


def kind_of(event):
    """The kind of track, and the CPU or the task."""
    number = event["tid"] % UNIT
    if event["pid"] % UNIT == CPUS:
        return ("run", "irq", "softirq", "idle")[(number - CPUS) % 4], (number - CPUS) // 4
    for kind, start in ("function", FUNCTIONS), ("call", CALLS):
        if number >= start:
            return kind, number - start
    return "task", number


def slices_of(where, events):
    """Slices by track: begin, end (None: open) and name."""
    found, open_ones = collections.defaultdict(list), collections.defaultdict(list)
    for event in events:
        if event["ph"] not in "BE":
            continue
        track = (event["tid"] // UNIT, *kind_of(event))
        ts = nanoseconds(event["ts"])
        if event["ph"] == "B":
            item = [ts, None, event["name"]]
            found[track].append(item)
            open_ones[track].append(item)
        elif not open_ones[track]:
            fail(where, f"{track}: a slice ends that has not begun, at {ts}")
        else:
            open_ones[track].pop()[1] = ts
    return found


# ---- what the events say ----

class Slices:
    """Slices by track, made of the events of JSON one after the other."""

    def __init__(self):
        self.found = collections.defaultdict(list)
        self.stack = collections.defaultdict(list)  # (number, slice)

    def begin(self, track, ts, name, number=None):
        item = [ts, None, name]
        self.found[track].append(item)
        self.stack[track].append((number, item))

    def end(self, track, ts):
        self.stack[track].pop()[1][1] = ts

    def end_all(self, track, ts):
        while self.stack[track]:
            self.end(track, ts)

    def end_number(self, track, ts, number):
        if number in (n for n, _ in self.stack[track]):
            while self.stack[track][-1][0] != number:
                self.end(track, ts)
            self.end(track, ts)


def task_track(unit, row, kind):
    return (unit, kind, row["pid"]) if row["pid"] > 0 else (unit, "idle", row["cpu"])


def on_function(slices, unit, row, enter, names):
    track, ts = task_track(unit, row, "function"), row["ts"]
    depth = row["fields"]["depth"]
    while slices.stack[track] and slices.stack[track][-1][0] > depth - enter:
        slices.end(track, ts)
    if enter:
        slices.begin(track, ts, names(row), depth)
    elif slices.stack[track] and slices.stack[track][-1][0] == depth:
        slices.end(track, ts)


def on_call(slices, unit, row, enter, origin, name):
    track, ts = (unit, "call", row["pid"]), row["ts"]
    open_one = slices.stack[track][-1][0] if slices.stack[track] else None
    if row["pid"] <= 0 or open_one not in (None, origin):
        return
    slices.end_all(track, ts)
    if enter:
        slices.begin(track, ts, name, origin)


def on_print(slices, unit, row):
    text = row["fields"].get("buf")
    if row["pid"] <= 0 or not isinstance(text, str):
        return
    parts, track = text.rstrip("\n").split("|", 2), (unit, "task", row["pid"])
    if parts[0] == "B" and len(parts) == 3 and parts[1].isdigit():
        slices.begin(track, row["ts"], parts[2])
    elif parts[0] == "E" and (len(parts) == 1 or parts[1].isdigit()) and slices.stack[track]:
        slices.end(track, row["ts"])


def expected_of(rows, given):
    """Slices; names that JSON does not have (functions, softirqs, calls) are None."""
    slices, units = Slices(), {}
    for row in rows:
        unit = units.setdefault(row.get("buffer", ""), len(units))
        ts, cpu, fields = row["ts"], row["cpu"], row["fields"]
        run, irq, softirq = ((unit, kind, cpu) for kind in ("run", "irq", "softirq"))
        if "lost" in row:
            for track in run, irq, softirq, (unit, "idle", cpu):
                slices.end_all(track, ts)
        event = (row["system"], row["event"])
        if event == ("sched", "sched_switch"):
            slices.end_all(run, ts)
            if fields["next_pid"]:
                slices.begin(run, ts, fields["next_comm"])
        elif event == ("irq", "irq_handler_entry"):
            slices.begin(irq, ts, f"irq {fields['irq']} {fields['name']}", fields["irq"])
        elif event == ("irq", "irq_handler_exit"):
            slices.end_number(irq, ts, fields["irq"])
        elif event == ("irq", "softirq_entry"):
            slices.begin(softirq, ts, None, fields["vec"])
        elif event == ("irq", "softirq_exit"):
            slices.end_number(softirq, ts, fields["vec"])
        elif event in (("ftrace", "funcgraph_entry"), ("ftrace", "funcgraph_exit")):
            on_function(slices, unit, row, event[1] == "funcgraph_entry", lambda row: None)
        elif event[0] == "raw_syscalls" and event[1] in ("sys_enter", "sys_exit"):
            on_call(slices, unit, row, event[1] == "sys_enter", 0, None)
        elif event[0] == "syscalls" and event[1].startswith("sys_enter_"):
            on_call(slices, unit, row, True, 1, event[1][10:])
        elif event[0] == "syscalls" and event[1].startswith("sys_exit_"):
            on_call(slices, unit, row, False, 1, None)
        elif event == ("ftrace", "print"):
            on_print(slices, unit, row)
    return slices.found


# ---- comparing ----

def same(value, field):
    if isinstance(value, str) and value.startswith("0x") and not isinstance(field, str):
        return isinstance(field, int) and int(value, 0) == field % (1 << 64)
    if isinstance(value, list) and isinstance(field, list):
        return len(value) == len(field) and all(
            same(v, f) or isinstance(f, int) and isinstance(v, int) and not (v - f) % 256
            for v, f in zip(value, field))
    if isinstance(value, bool) or isinstance(field, bool):
        return bool(value) == bool(field)
    return value == field


def compare_fields(where, args, row):
    if row["event"] is None:
        if args["record"] != row["record"]:
            fail(where, "other bytes")
        return
    for name, value in args.items():
        if name not in row["fields"]:
            if "cut" in row:
                continue
            fail(where, f"{row['event']}: JSON has no {name}")
        if (row["event"], name) == ("bprint", "fmt"):
            continue  # the address of the string, which JSON has in its place
        field = row["fields"][name]
        COUNTS["values"] += 1
        if not same(value, field):
            if isinstance(value, list) and (isinstance(field, str) or row["event"] == "kernel_stack") \
                    or row["event"] == "raw_data":
                COUNTS["told_elsewise"] += 1
                continue
            fail(where, f"{row['event']} at {row['ts']}: {name} {value!r}, JSON {field!r}")


def compare(tdat, folder, path):
    rows = read_json(tdat, path)
    text = export(tdat, folder, path, "x.json")
    if export(tdat, folder, path, "x.json.gz") != text:
        fail(path, "the compressed file differs")
    events = json.loads(text, parse_float=decimal.Decimal)["traceEvents"]
    told = [e for e in events if e["ph"] in "Cbe" or
            e["ph"] in "iBE" and "args" in e and e.get("name") != "lost events"]
    if len(told) != len(rows):
        fail(path, f"{len(told)} events, JSON {len(rows)}")
    for event, row in zip(told, rows):
        if nanoseconds(event["ts"]) != row["ts"]:
            fail(path, f"time {event['ts']}, JSON {row['ts']}")
        if event["ph"] in "iBE":
            compare_fields(path, event["args"], row)
    lost = sum(1 for e in events if e.get("name") == "lost events")
    if lost != sum(1 for row in rows if "lost" in row):
        fail(path, "other losses")
    got, want = slices_of(path, events), expected_of(rows, None)
    if {k for k in got if got[k]} != {k for k in want if want[k]}:
        fail(path, f"tracks {sorted(got)}, expected {sorted(want)}")
    for track, items in want.items():
        for item, mine in zip(items, got[track]):
            if item[:2] != mine[:2] or item[2] is not None and item[2] != mine[2]:
                fail(path, f"{track}: slice {mine}, expected {item}")
        if len(items) != len(got[track]):
            fail(path, f"{track}: {len(got[track])} slices, expected {len(items)}")
        COUNTS["slices_" + track[1]] += len(items)
    COUNTS["events"] += len(rows)
    COUNTS["files"] += 1


def main():
    tdat, folder, *paths = sys.argv[1:]
    for path in paths:
        compare(tdat, folder, path)
    if len(paths) > 1 and not COUNTS["slices_run"]:
        fail(folder, "no slice was compared")
    print(", ".join(f"{n} {what}" for what, n in sorted(COUNTS.items())))


main()
