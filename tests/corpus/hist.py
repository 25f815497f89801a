#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Replays recordings and compares with what the kernel said of the same events.

Each folder has trace.dat; setup.txt, what was written to tracefs; hist.txt and trigger.txt, the
kernel's files of each event; where there are any, refused.txt, triggers that it refused with its
error_log; synthetic events that it made are in the recording.
usage: hist.py TDAT FOLDER_OF_FOLDERS
"""
import json
import os
import subprocess
import sys

# They were refused before the trigger of setup.txt was written that they are about now.
BEFORE_SETUP = {("x64-612-edge", "syscalls/sys_exit_read hist:keys=ret:clear")}
# An interrupt's event came between an event and the one made of it: only the set is the same.
AS_A_SET = {"s390x-61-irq", "x64-61-irq"}

bad = 0


def complain(text):
    global bad
    bad += 1
    print(text)


def run(*args):
    return subprocess.run(args, capture_output=True, check=False)


def compare(name, what, want, r):
    if r.stdout != want or r.returncode != 0:
        complain(f"{name}: {what} differs, exit status {r.returncode}: {r.stderr.decode()[:200]}")
        lines = zip(r.stdout.split(b"\n"), want.split(b"\n"))
        print(next((f"  got  {a!r}\n  want {b!r}" for a, b in lines if a != b), "  one is longer"))


def refusals(path):
    """Triggers with what error_log said of them."""
    cases = []
    for line in open(path, encoding="utf-8"):
        if line.startswith("### "):
            cases.append([line[4:].rstrip("\n"), ""])
        else:
            cases[-1][1] += line
    return cases


def check_refused(tdat, name, folder):
    for trigger, want in refusals(f"{folder}/refused.txt"):
        setup = [] if (name, trigger) in BEFORE_SETUP else ["--setup", f"{folder}/setup.txt"]
        r = run(tdat, "hist", *setup, f"{folder}/trace.dat", trigger)
        lines = r.stderr.decode().splitlines(True)
        if "".join(x for x in lines if not x.startswith("tdat: ")) != want or r.returncode != 2 or r.stdout:
            complain(f"{name}: {trigger}: exit status {r.returncode}, want\n{want}got\n{r.stderr.decode()}")


def made_by_kernel(tdat, folder):
    """Per CPU: events as --made prints them; arrays, which JSON has as numbers, left out."""
    cpus = {}
    out = run(tdat, "dump", "--json", f"{folder}/trace.dat").stdout
    for line in out.splitlines():
        e = json.loads(line)
        if e["system"] != "synthetic":
            continue
        fields = [f"{k}={v}" for k, v in e["fields"].items() if not isinstance(v, list)]
        cpus.setdefault(e["cpu"], []).append(" ".join([e["event"] + ":"] + fields))
    return cpus


def made_by_tdat(tdat, folder, arrays):
    cpus = {}
    out = run(tdat, "hist", "--made", "--setup", f"{folder}/setup.txt", f"{folder}/trace.dat").stdout
    for line in out.decode().splitlines():
        cpu, _, text = line.split(" ", 2)
        words = [w for w in text.split(" ") if w.split("=")[0] not in arrays]
        cpus.setdefault(int(cpu.strip("[]")), []).append(" ".join(words))
    return cpus


def check_made(tdat, name, folder):
    setup = open(f"{folder}/setup.txt", encoding="utf-8").read()
    arrays = {w.split()[-1] for line in setup.splitlines() if line.startswith("synth ")
              for w in line.split(";") if "[]" in w}
    want, got = made_by_kernel(tdat, folder), made_by_tdat(tdat, folder, arrays)
    if name in AS_A_SET:
        want, got = ({c: sorted(v) for c, v in x.items()} for x in (want, got))
    if want != got:
        complain(f"{name}: synthetic events differ from those of the recording")
    return sum(map(len, want.values()))


def main():
    tdat, root = sys.argv[1:]
    made, folders = 0, 0
    for name in sorted(os.listdir(root)):
        folder = f"{root}/{name}"
        if not os.path.exists(f"{folder}/setup.txt"):
            continue
        folders += 1
        args = ["--setup", f"{folder}/setup.txt", f"{folder}/trace.dat"]
        for what, option in (("hist", []), ("trigger", ["--triggers"])):
            with open(f"{folder}/{what}.txt", "rb") as f:
                compare(name, f"{what}.txt", f.read(), run(tdat, "hist", *option, *args))
        if os.path.exists(f"{folder}/refused.txt"):
            check_refused(tdat, name, folder)
        made += check_made(tdat, name, folder)
    print(f"{folders} recordings, {made} synthetic events, {bad} differences")
    return 1 if bad or not folders or not made else 0


if __name__ == "__main__":
    sys.exit(main())
