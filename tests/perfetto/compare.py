#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports files for Perfetto and compares all events and values with tdat dump --json.

usage: compare.py TDAT FOLDER FILE...
"""
import collections
import json
import os
import re
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


def check_fields(want, event, left_out):
    """What is wrong with an event's values; None: nothing."""
    got = {name: (value, kind) for name, value, kind in event.fields}
    marked = text_of(want) if event.name == "print" and want["event"] in ("bprint", "bputs") else None
    if marked is not None and got["buf"][0] != marked:
        return f"the text is {got['buf'][0]!r}, not {marked!r}"
    for name, value in want["fields"].items():
        if marked is not None and name != "ip":
            continue
        if want["event"] in ("bprint", "bputs", "print") and name in ("fmt", "args", "text"):
            continue  # parts of trace_printk(), which Perfetto has no place for
        if name in got:
            if not same(value, *got[name]):
                return f"{name} is {got[name][0]!r}, not {value!r}"
        elif event.typed and (event.name, name) in left_out:
            continue
        elif value is not None and not name.endswith(("_sym", "_name")) and \
                "more_fields" not in got and value != []:
            return f"{name} is missing: {value!r}"
    return None


def text_of(line):
    """What was written to trace_marker, or by trace_printk; the empty text for other events."""
    if line["event"] in ("print", "tracing_mark_write"):
        buf = line["fields"].get("buf")
        return buf if isinstance(buf, str) else ""
    if line["event"] in ("bprint", "bputs"):
        return line["text"].partition(": ")[2]
    return ""


def is_markup(text):
    """Whether it is what atrace writes for a slice or a counter."""
    return re.fullmatch(r"E(\|.*)?|B\|\d+(\|.*)?|[CSF]\|\d+\|[^|]+\|-?\d+(\|.*)?|I\|\d+\|[^|]+(\|.*)?|"
                        r"N\|\d+\|[^|]+\|[^|]+(\|.*)?|G\|\d+\|[^|]+\|[^|]+\|-?\d+(\|.*)?|"
                        r"H\|\d+\|[^|]+\|([^|]*\|)?-?\d+", text.rstrip("\n\0"),
                        re.DOTALL | re.ASCII) is not None


def key_of_json(line, files):
    machine = files.index(line["file"]) if "file" in line else 0
    name = line["event"] or f"unknown_event_{line['id']}"
    if is_markup(text_of(line)):
        name = "print"  # what slices and counters are made of
    return machine, line["cpu"], line["ts"], line["pid"] % 2**32, name


def wanted(tdat, files, options):
    lines = collections.defaultdict(list)
    count = lost = 0
    out = run(tdat, "dump", "--json", "--text", *options, *sum((["-i", f] for f in files), [])).stdout
    for text in out.splitlines():
        line = json.loads(text)
        if not line["event"]:
            line["fields"] = {"record": line["record"]}
        lines[key_of_json(line, files)].append(line)
        count += 1
        lost += line["lost"] if line.get("lost") not in (None, True) else 0
    return lines, count, lost


def left_out_of(stderr):
    """What export said that Perfetto has no place for."""
    found = re.findall(r"/(\S+): Perfetto's message does not have the fields? (.*)", stderr)
    return {(event, name) for event, names in found for name in names.split(", ")}


def check_stacks(trace):
    """A sample for each stack, with its frames in the other order."""
    interned, want, got = {}, collections.Counter(), collections.Counter()
    for e in trace.events:
        if e.name in ("kernel_stack", "user_stack"):
            caller = dict((n, v) for n, v, _ in e.fields).get("caller", "")
            frames = list_of(caller)
            if e.name == "user_stack":
                frames = frames[:frames.index(0)] if 0 in frames else frames
            if frames:
                want[e.machine, e.cpu, e.ts, e.pid, tuple(f % 2**64 for f in frames)] += 1
    for p in trace.packets:
        here = interned.setdefault(p.trusted_packet_sequence_id, {})
        if p.sequence_flags & 1:
            here.clear()
        for f in p.interned_data.frames:
            here["frame", f.iid] = f.rel_pc
        for f in p.interned_data.callstacks:
            here["stack", f.iid] = tuple(here["frame", i] for i in reversed(f.frame_ids))
        if p.HasField("perf_sample"):
            sample = p.perf_sample
            packets.need(p.sequence_flags & 2, "a sample without the flag of interned data")
            got[p.machine_id, sample.cpu, p.timestamp, sample.tid,
                here["stack", sample.callstack_iid]] += 1
    packets.need(want == got, f"stacks: {sum(got.values())} samples, not {sum(want.values())}, "
                 f"first {list((want - got).items())[:1]} {list((got - want).items())[:1]}")
    return sum(got.values())


def check_lost(trace, lost):
    sums = {1: 0, 2: 0}
    for packet in trace.packets:
        for cpu in packet.ftrace_stats.cpu_stats:
            sums[packet.ftrace_stats.phase] += cpu.overrun
    packets.need(sums[2] - sums[1] == lost, f"lost {sums[2] - sums[1]}, not {lost}")


def compare(tdat, folder, files, options=(), tolerant=False):
    out = os.path.join(folder, "out.pftrace")
    dump = [o for o in options
            if o not in ("--perfetto-compat", "--tracks") and not o.startswith("-O")]
    done = run(tdat, "export", "--to", "perfetto", "-f", "-o", out, *options, *files)
    packets.need(done.returncode in ((0, 1) if tolerant else (0,)),
                 f"exit status {done.returncode}: {done.stderr.decode()}")
    left_out = left_out_of(done.stderr.decode())
    trace = packets.Trace(out)
    lines, count, lost = wanted(tdat, files, dump)
    packets.need(len(trace.events) == count, f"{len(trace.events)} events, not {count}")
    for event in trace.events:
        key = (event.machine, event.cpu, event.ts, event.pid, event.name)
        there = lines.get(key)
        packets.need(there, f"no such event: {key}")
        wrongs = [check_fields(line, event, left_out) for line in there]
        packets.need(None in wrongs, f"{key}: {wrongs[0]}")
        there.pop(wrongs.index(None))
    check_lost(trace, lost)
    stacks = check_stacks(trace)
    typed = sum(e.typed for e in trace.events)
    return f"{count} events, {typed} typed, {len(trace.packets)} packets, lost {lost}, " \
        f"{stacks} stacks" + (f", without {sorted(left_out)}" if left_out else "")


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
