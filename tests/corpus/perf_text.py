#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what is made of perf script's text with what is made of the perf.data itself.

usage: perf_text.py TDAT FOLDER [PERF]

FOLDER has NAME.perf.data[.xz] and NAME.script.txt.xz, its text by perf script. With PERF, the
program, texts of other columns (-F) are printed, too, of files that it can read.

The events of both must be the same ones: by CPU in order of time, time to the microsecond, thread,
event, and all fields that the text shows; addresses of call chains, too. perf's plugin for
sched_switch does not print that a task was preempted (the state 256), and functions are names in a
text, as the file has addresses only. Names of tasks are not compared: those of perf.data are the
last ones, those of texts change as time goes by.
At least 95 of 100 events of the systems that are built in (STABLE) must be typed.

Expectation: the texts are perf's.
"""
import collections
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from part import part_of

COLUMNS = ("comm,tid,time,event,trace", "tid,cpu,time,event,trace", "time,event,trace",
           "comm,pid,tid,cpu,time,period,event,trace", "comm,tid,cpu,time,event,ip,sym,trace",
           "comm,tid,cpu,time,event,ip,sym,symoff,dso,trace,period", "event,trace", "tid,event,trace")
STABLE = ("sched", "irq", "raw_syscalls", "syscalls", "task")
STACKS = ("kernel_stack", "user_stack")


def events(tdat, form, path):
    run = subprocess.run([tdat, "dump", "--json", "--threads", "1", "--format", form, path],
                         capture_output=True, text=True, errors="surrogateescape")
    if run.returncode or not run.stdout:
        sys.exit(f"{path}: dump --format {form} ends with {run.returncode}: {run.stderr}")
    return [json.loads(line) for line in run.stdout.split("\n") if line]


def frames(event):
    """The addresses of a call chain, in order."""
    if "text" in event["fields"]:
        found = [int(x, 16)
                 for x in re.findall(r"^ => ([0-9a-f]+)\b", event["fields"]["text"], re.M)]
    else:
        found = event["fields"]["caller"][:event["fields"]["size"]]
    return [x for x in found if x not in (0, (1 << 64) - 1, (1 << 32) - 1)]


def ordered(found, by_cpu, timed):
    """Samples by CPU; call chains go to the sample that they are of."""
    out = collections.defaultdict(list)
    last = {}
    for event in found:
        if event["event"] in STACKS:
            last[event["cpu"]].setdefault("chain", []).extend(frames(event))
        else:
            last[event["cpu"]] = event
            out[event["cpu"] if by_cpu else 0].append(event)
    for cpu in out:
        if timed:
            out[cpu].sort(key=lambda event: event["ts"] // 1000)
    return out


def named(event):
    """System and event, whether typed or not, and without what only one of both can have."""
    name = re.sub(r"\W", "_", event["event"])
    if event["system"].startswith("perf_text") or event["system"] == "perf":
        return "perf", name
    return re.sub(r"_text$", "", event["system"]), name


def same_field(name, want, have):
    if name == "prev_state" and want == 256 and have == 0:
        return True
    return want == have or name in ("event", "symbol", "dso", "text", "__syscall_nr") or \
        name.endswith(("_name", "_sym")) or (isinstance(want, int) and isinstance(have, str) and
                                             not have.lstrip("-").isdigit())


def compare(want, have, columns, typed):
    """Returns counts of what differs, and an example of each."""
    timed, by_cpu = "time" in columns, "cpu" in columns
    want, have = ordered(want, by_cpu, timed), ordered(have, by_cpu, timed)
    wrong, example = collections.Counter(), {}

    def differ(what, w, h):
        wrong[what] += 1
        example.setdefault(what, (w, h))

    for cpu in set(want) | set(have):
        if len(want[cpu]) != len(have[cpu]):
            differ("number", len(want[cpu]), len(have[cpu]))
        for w, h in zip(want[cpu], have[cpu]):
            if timed and w["ts"] // 1000 != h["ts"] // 1000:
                differ("time", w, h)
            if "tid" in columns and w["pid"] != h["pid"]:
                differ("thread", w, h)
            if named(w) != named(h):
                differ("event", w, h)
                continue
            if w["system"] in STABLE:
                typed[w["system"] == h["system"]] += 1
            for name in h["fields"] if w["system"] == h["system"] or w["system"] == "perf" else ():
                # Of a counter that is read with others, perf prints by how much it has grown.
                if name == "period" and "value" in w["fields"]:
                    continue
                if name in w["fields"] and not same_field(name, w["fields"][name],
                                                          h["fields"][name]):
                    differ(f"field {name} of {w['event']}", w, h)
            # Without a chain in the file, perf has unwound it from a copy of the stack.
            if "ip" in columns and "chain" in w and h.get("chain") != w["chain"]:
                differ("call chain", w, h)
    return [f"{what} ({n}):\n  {example[what][0]}\n  {example[what][1]}"
            for what, n in wrong.items()]


def texts(perf, data, text, tmp):
    """Yields the columns and the path of each text."""
    path = f"{tmp}/text"
    if os.path.exists(text): # perf could not read what it had written
        with open(path, "wb") as f:
            f.write(lzma.open(text).read())
        yield "comm,tid,cpu,time,ip", path
    for columns in COLUMNS if perf else ():
        with open(path, "wb") as f:
            run = subprocess.run([perf, "script", "-i", data, "-F", columns], stdout=f,
                                 stderr=subprocess.DEVNULL)
        if not run.returncode and os.path.getsize(path):
            yield columns, path


def main():
    tdat, folder, perf = sys.argv[1], sys.argv[2], (sys.argv[3:] or [None])[0]
    wrong, compared, typed = 0, collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as tmp:
        for name in part_of(sorted(n for n in os.listdir(folder) if ".perf.data" in n)):
            path, base = f"{folder}/{name}", name.split(".perf.data")[0]
            data = f"{tmp}/{base}.perf.data"
            with open(data, "wb") as f:
                f.write((lzma.open if name.endswith(".xz") else open)(path, "rb").read())
            want = events(tdat, "perf", data)
            for columns, text in texts(perf, data, f"{folder}/{base}.script.txt.xz", tmp):
                compared[columns] += 1
                for sentence in compare(want, events(tdat, "perf-text", text), columns,
                                        typed):
                    wrong += 1
                    print(f"{base}, {columns}: {sentence}")
    for columns, count in compared.items():
        print(f"{count} texts of {columns}")
    print(f"{typed[True]} events typed, {typed[False]} not")
    sys.exit(bool(wrong) or typed[False] * 19 >= typed[True])


main()
