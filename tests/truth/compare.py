#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares "tdat dump -N" with the kernel's own text of the same records.

usage: compare.py TDAT ALLOWED [--all] FOLDER

FOLDER has NAME.dat and NAME.trace.txt.xz, the file "trace" of that kernel. Events are paired for
each CPU in the order of the buffer; the text behind "event: " must be equal but for white space at
its ends. Lines that are no event belong to the one before them (stacks, new lines in a text).

Types are of three classes: fmt (a print fmt makes the text), syscall and ccode (kernel code does).
ALLOWED has a line for each type that may differ: its name and the reason. With --all the folder
is the whole corpus: an allowed type whose events are all equal is a failure, too.

Expectation: the texts are the kernel's.
"""
import collections
import lzma
import os
import re
import subprocess
import sys

KERNEL = re.compile(
    r"^(?P<comm>.{16,}?)-(?P<pid>\d+|<\.\.\.>)\s+(?:\(.{7}\)\s+)?\[(?P<cpu>\d{3,})\]\s\S{4,6}\s+"
    r"(?P<ts>\d+(?:\.\d+)?): (?P<text>.*)$", re.S)
OURS = re.compile(
    r"^(?P<comm>.{16,}?)-(?P<pid>-?\d+)\s+\[(?P<cpu>\d{3,})\]\s+(?P<ts>\d+(?:\.\d+)?): +"
    r"(?P<name>\[UNKNOWN EVENT\]|\S+?):(?P<text>(?:[ \t].*)?)$", re.S)
# A print without a new line: the next event stands behind it on its line.
INNER = re.compile(r"(?<=.)(?=.{16}-(?:\d+|<\.\.\.>)\s+\[\d{3,}\]\s\S{5,6}\s+\d+\.\d{6}: )")
SYSCALL = re.compile(r"^(?:compat_)?sys_(enter|exit)_")
CCODE = {"function", "funcgraph_entry", "funcgraph_exit", "kernel_stack", "user_stack", "print",
         "bprint", "bputs", "raw_data", "func_repeats", "hwlat", "osnoise", "timerlat"}


def class_of(name):
    if name in CCODE:
        return "ccode"
    return "syscall" if SYSCALL.match(name) else "fmt"


def read_events(lines, pattern, parts):
    """[time, name, text] of each event by CPU; lines that are none belong to the one before."""
    cpus = collections.defaultdict(list)
    event = None
    for line in lines:
        if re.match(r"^CPU:\d+ \[|^##### CPU", line) or (event is None and re.match(r"^#|^cpus=", line)):
            continue
        if not pattern.match(line):
            if event:
                event[2] += "\n" + line
            continue
        for part in parts(line):
            m = pattern.match(part)
            event = [m["ts"], m.groupdict().get("name"), m["text"]]
            cpus[int(m["cpu"])].append(event)
    return cpus


def inner_parts(line):
    at = INNER.search(line, line.find(": ") + 2)
    return [line] if not at else [line[:at.start()]] + inner_parts(line[at.start():])


def pair(kernel, ours):
    """By index where both have as many, else by time: what has no partner is left out."""
    if len(kernel) == len(ours):
        return list(zip(kernel, ours))
    pairs, i, j = [], 0, 0
    while i < len(kernel) and j < len(ours):
        if kernel[i][0] == ours[j][0]:
            pairs.append((kernel[i], ours[j]))
            i, j = i + 1, j + 1
        elif float(kernel[i][0]) < float(ours[j][0]):
            i += 1
        else:
            j += 1
    return pairs


def equal(kernel, ours):
    text = kernel[2]
    if class_of(ours[1]) == "fmt":
        if not text.startswith(ours[1] + ":"):
            return False
        text = text[len(ours[1]) + 1:]
    return text.strip(" \t\n") == ours[2].strip(" \t\n")


def main():
    whole = "--all" in sys.argv
    tdat, allowed_path, folder = [a for a in sys.argv[1:] if a != "--all"]
    allowed = dict(line.split(None, 1) for line in open(allowed_path)
                   if line.strip() and not line.startswith("#"))
    types = collections.defaultdict(lambda: [0, 0, None])
    recordings = unpaired = 0
    for name in sorted(f[:-4] for f in os.listdir(folder) if f.endswith(".dat")):
        text = lzma.open(os.path.join(folder, name + ".trace.txt.xz")).read()
        kernel = read_events(text.decode("utf-8", "surrogateescape").split("\n"), KERNEL, inner_parts)
        if not kernel:
            continue  # the layout of a tracer
        recordings += 1
        out = subprocess.run([tdat, "dump", "-N", os.path.join(folder, name + ".dat")],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        ours = read_events(out.decode("utf-8", "surrogateescape").split("\n"), OURS, lambda l: [l])
        for cpu in set(kernel) | set(ours):
            pairs = pair(kernel[cpu], ours[cpu])
            unpaired += max(len(kernel[cpu]), len(ours[cpu])) - len(pairs)
            for k, o in pairs:
                t = types[o[1]]
                same = equal(k, o)
                t[not same] += 1
                if not same and not t[2]:
                    t[2] = (name, k[2], o[2])
    bad = unpaired
    for c in ("fmt", "syscall", "ccode"):
        of = [n for n in types if class_of(n) == c]
        differ = [n for n in of if types[n][1]]
        print(f"{c}: {len(of)} types, {len(of) - len(differ)} equal, {len(differ)} differ, "
              f"{sum(n in allowed for n in differ)} of them allowed; {sum(sum(types[n][:2]) for n in of)} events")
        for n in sorted(differ):
            if n not in allowed:
                where, want, got = types[n][2]
                print(f"{n} differs in {where}:\n  kernel: {want}\n  tdat:   {got}")
                bad += 1
    for n in sorted(allowed) if whole else ():
        if not types[n][1]:
            print(f"{n} is equal now: take it out of {allowed_path}")
            bad += 1
    print(f"{recordings} recordings, {unpaired} events without a partner")
    sys.exit(1 if bad or not recordings else 0)


main()
