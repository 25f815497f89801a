#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports files for Perfetto and compares all events and values with tdat dump --json.

usage: compare.py TDAT FOLDER FILE...
"""
import collections
import json
import os
import subprocess
import sys

import packets


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def list_of(text):
    return [int(n) for n in text.split(",")] if text else []


def flat(value):
    """A value of tdat dump --json without what only JSON tells apart."""
    return int(value) if isinstance(value, bool) else value


def same(want, got, kind):
    want = flat(want)
    if isinstance(want, list):
        if any(not isinstance(w, int) for w in want):
            return False
        got = got if isinstance(got, list) else list_of(got) if isinstance(got, str) else None
        return got is not None and [w % 2**64 for w in want] == [g % 2**64 for g in got]
    if isinstance(want, int):
        bits = 32 if kind in (5, 13) else 64
        return isinstance(got, int) and (want - got) % 2**bits == 0
    if isinstance(got, bytes):
        return want == got.hex()
    return want == got


def check_fields(want, event):
    """What is wrong with an event's values; None: nothing."""
    got = {name: (value, kind) for name, value, kind in event.fields}
    for name, value in want["fields"].items():
        if name in got:
            if not same(value, *got[name]):
                return f"{name} is {got[name][0]!r}, not {value!r}"
        elif value is not None and not name.endswith(("_sym", "_name")) and \
                "more_fields" not in got and value != []:
            return f"{name} is missing: {value!r}"
    return None


def key_of_json(line, files):
    machine = files.index(line["file"]) if "file" in line else 0
    name = line["event"] or f"unknown_event_{line['id']}"
    return machine, line["cpu"], line["ts"], line["pid"] % 2**32, name


def wanted(tdat, files, options):
    lines = collections.defaultdict(list)
    count = lost = 0
    out = run(tdat, "dump", "--json", *options, *sum((["-i", f] for f in files), [])).stdout
    for text in out.splitlines():
        line = json.loads(text)
        if not line["event"]:
            line["fields"] = {"record": line["record"]}
        lines[key_of_json(line, files)].append(line)
        count += 1
        lost += line["lost"] if line.get("lost") not in (None, True) else 0
    return lines, count, lost


def check_lost(trace, lost):
    sums = {1: 0, 2: 0}
    for packet in trace.packets:
        for cpu in packet.ftrace_stats.cpu_stats:
            sums[packet.ftrace_stats.phase] += cpu.overrun
    packets.need(sums[2] - sums[1] == lost, f"lost {sums[2] - sums[1]}, not {lost}")


def compare(tdat, folder, files, options=(), tolerant=False):
    out = os.path.join(folder, "out.pftrace")
    dump = [o for o in options if o not in ("--perfetto-compat",)]
    done = run(tdat, "export", "--to", "perfetto", "-f", "-q", "-o", out, *options, *files)
    packets.need(done.returncode in ((0, 1) if tolerant else (0,)),
                 f"exit status {done.returncode}: {done.stderr.decode()}")
    trace = packets.Trace(out)
    lines, count, lost = wanted(tdat, files, dump)
    packets.need(len(trace.events) == count, f"{len(trace.events)} events, not {count}")
    for event in trace.events:
        key = (event.machine, event.cpu, event.ts, event.pid, event.name)
        there = lines.get(key)
        packets.need(there, f"no such event: {key}")
        wrongs = [check_fields(line, event) for line in there]
        packets.need(None in wrongs, f"{key}: {wrongs[0]}")
        there.pop(wrongs.index(None))
    check_lost(trace, lost)
    typed = sum(e.typed for e in trace.events)
    return f"{count} events, {typed} typed, {len(trace.packets)} packets, lost {lost}"


def main():
    tdat, folder = sys.argv[1:3]
    bad = 0
    for path in sys.argv[3:]:
        try:
            print(f"{os.path.basename(path)}: {compare(tdat, folder, [path], tolerant=True)}")
        except packets.Broken as e:
            print(f"{os.path.basename(path)}: BROKEN: {e}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
