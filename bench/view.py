#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures tdat view: the time from the command to the first picture and to the complete index, the
time of random windows of all CPUs, and the memory that the server took at most.

usage: view.py TDAT FILE...
"""
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "view"))
from client import View  # noqa: E402

tdat, files = sys.argv[1], sys.argv[2:]
begin = time.monotonic()
with View(tdat, *files) as v:
    c = v.connect()

    def ask(**params):
        start = time.monotonic()
        status, answer = v.ask("picture", connection=c, rows=rows, width=1000, **params)
        if status != 200:
            raise SystemExit(f"{status}: {answer}")
        return (time.monotonic() - start) * 1e3

    trace = v.ask("trace", connection=c)[1]
    rows = [f"cpu:{r}:{cpu['cpu']}" for r, rec in enumerate(trace["recordings"]) for cpu in rec["cpus"]]
    rows = rows[:256]
    ask()
    print(f"first picture    {(time.monotonic() - begin) * 1e3:8.1f} ms")
    v.ready()
    print(f"index complete   {(time.monotonic() - begin) * 1e3:8.1f} ms, "
          f"{v.get('progress')['events']} events, {len(rows)} rows")
    first, last = int(trace["from"]), int(trace["to"])
    random.seed(3)
    times = []
    for _ in range(200):
        length = int((last - first) * 10 ** -random.uniform(0, 8))
        start = random.randint(first, last - length)
        times.append(ask(to=start + length, **{"from": start}))
    times.sort()
    print(f"windows          {times[100]:8.1f} ms median, {times[190]:.1f} ms for 95 %, "
          f"{times[-1]:.1f} ms at most")
    with open(f"/proc/{v.process.pid}/status", encoding="utf-8") as f:
        peak = [int(line.split()[1]) for line in f if line.startswith("VmHWM")][0]
    print(f"memory           {peak / 1024:8.1f} MiB")
