#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Changes one character of a format's fields at a time: tables say the same whenever they are made.

usage: field_changes.py TDAT FIXTURES COUNT

A field gets another name, size, offset or sign, a format another id. All derived tables are made
twice, on one thread and on three, with other bytes in fresh memory (MALLOC_PERTURB_) and at other
addresses (as the kernel chooses them): the same bytes come out, and nothing but exit 0 and 1.

COUNT changes of each file are tried; all with TDAT_STRUCTURE=all in the environment.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from part import part_of

FILES = ("s390x-61-v6-sched", "i386-61-v6-sched", "ppc64el-61-syscalls", "x64-lab612-net",
         "x64-lab612-stack-v6-fgraph")
TABLES = ("block_io", "counter", "cpu_frequency", "cpu_idle", "function", "futex", "io", "irq", "kmem", "kvm",
          "latency_sample", "lock", "migration", "net", "off_cpu", "page_fault", "reclaim", "sched", "slice",
          "softirq", "syscall", "thread_state", "timer", "wakeup", "workqueue")
PLACES = re.compile(rb"field:[^;\n]*?(\w)(?:\[[^\]]*\])?;|offset:\d*(\d);|size:\d*(\d);"
                    rb"|signed:(\d);|\nID: \d*(\d)\n")


def export(tdat, path, out, threads, fresh):
    """Returns the exit status, what was said, and each table."""
    tables = [word for table in TABLES for word in ("--table", table)]
    run = subprocess.run([tdat, "export", "--to", "jsonl", "-q", "-f", "--threads", str(threads),
                          *tables, "-o", out, path], capture_output=True,
                         env=dict(os.environ, MALLOC_PERTURB_=str(fresh)))
    made = {}
    for name in sorted(os.listdir(out)) if os.path.isdir(out) else ():
        with open(f"{out}/{name}", "rb") as f:
            made[name] = f.read()
        os.unlink(f"{out}/{name}")
    return run.returncode, run.stderr, made


def other(char):
    """A digit for a digit, which changes the lowest bits; a letter for anything else."""
    return char ^ 2 if chr(char).isdigit() else ord("k" if char != ord("k") else "q")


def try_file(tdat, data, tmp, count):
    """Returns the number of changes tried, and sentences about what is wrong."""
    places = [m.start(m.lastindex) for m in PLACES.finditer(data)]
    wrong, rows = [], 0
    tried = places[::max(1, len(places) // count)]
    for at in tried:
        with open(f"{tmp}/in.dat", "wb") as f:
            f.write(data[:at] + bytes([other(data[at])]) + data[at + 1:])
        first = export(tdat, f"{tmp}/in.dat", f"{tmp}/out", 1, 0)
        second = export(tdat, f"{tmp}/in.dat", f"{tmp}/out", 3, 85)
        rows += sum(text.count(b"\n") for text in first[2].values())
        where = data[data.rfind(b"\n", 0, at) + 1:data.find(b"\n", at)].decode("latin-1").strip()
        if first[0] not in (0, 1):
            wrong.append(f"byte {at} ({where}): exit {first[0]}: {first[1][-300:]}")
        elif first != second:
            names = [name for name in first[2] if first[2][name] != second[2].get(name)]
            wrong.append(f"byte {at} ({where}): exit {first[0]} and {second[0]}, other {names}")
    if not rows:
        wrong.append("no rows at all")
    return len(tried), wrong


def main():
    tdat, fixtures, count = sys.argv[1:]
    count = sys.maxsize if os.environ.get("TDAT_STRUCTURE") == "all" else int(count)
    total, bad = 0, 0
    with tempfile.TemporaryDirectory() as tmp:
        for name in part_of(list(FILES)):
            subprocess.run([tdat, "convert", "-q", "-f", "--file-version", "6", "-o",
                            f"{tmp}/v6.dat", f"{fixtures}/valid/{name}.dat"], check=True)
            with open(f"{tmp}/v6.dat", "rb") as f:
                tried, wrong = try_file(tdat, f.read(), tmp, count)
            for sentence in wrong:
                print(f"{name}: {sentence}")
            total, bad = total + tried, bad + len(wrong)
    print(f"{total} changes, {bad} wrong")
    sys.exit(bool(bad) or not total)


main()
