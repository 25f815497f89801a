#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Least CPU time (user and system) of some runs of a command, in milliseconds; its output is dropped.

usage: cpu.py RUNS COMMAND...
"""
import resource
import subprocess
import sys


def used():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


times = []
for _ in range(int(sys.argv[1])):
    before = used()
    subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    times.append(used() - before)
print(f"{min(times) * 1000:.1f}")
