#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""CTF of events and fields with names that TSDL cannot have, read by babeltrace2.

Formats of a file that is not compressed get names of the same length, so that its events stay.
usage: ctf_names.py TDAT FOLDER FILE
Exit status 77: the Python module bt2 (Debian: python3-bt2) is not here.
"""
import os
import shutil
import subprocess
import sys

try:
    import bt2
except ImportError:
    print("ctf_names: there is no Python module bt2", file=sys.stderr)
    sys.exit(77)

# What stands in the file, what it becomes, and the name in CTF, by docs/exports.md.
EVENTS = [
    ("sched_switch", 'sched"swi\\ch', 'sched"swi\\ch'),
    ("sched_switch", "typealias__x", "typealias__x"),
    ("sched_switch", "sched_😀x\x01", "sched_😀x?"),
]
FIELDS = [
    # single names
    ({"prev_prio": "typealias"}, {"typealias"}),
    ({"next_prio": "_struct__"}, {"_struct__"}),
    # a name that formats cannot have: events of that type are unknown
    ({"prev_state": "prev$state"}, {"record"}),
    # two fields of one name
    ({"next_comm": "prev_comm"}, {"f0_prev_comm", "f4_prev_comm", "f1_prev_pid"}),
    ({"next_pid": "prev_pid"}, {"f1_prev_pid", "f5_prev_pid"}),
    ({"prev_comm": "9rev_comm"}, {"9rev_comm"}),
]


def fail(what):
    sys.exit(f"ctf_names: {what}")


def patch(data, where, old, new):
    old, new = old.encode(), new.encode()
    if len(old) != len(new):
        fail(f"{old} and {new} differ in length")
    if where + old not in data:
        fail(f"{where + old} is not in the file")
    return data.replace(where + old, where + new)


def read(tdat, folder, data, names):
    path, out = os.path.join(folder, "t.dat"), os.path.join(folder, "out")
    shutil.rmtree(out, ignore_errors=True)
    with open(path, "wb") as f:
        f.write(data)
    # Exit status 1: a format that cannot be read.
    subprocess.run([tdat, "export", "-q", "--to", "ctf", "--ctf-names", names, "-o", out, path],
                   stderr=subprocess.DEVNULL, check=False)
    events = [m.event for m in bt2.TraceCollectionMessageIterator(out)
              if type(m) is bt2._EventMessageConst]
    dump = subprocess.run([tdat, "dump", "--json", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    if len(events) != len(dump.stdout.splitlines()):
        fail(f"{len(events)} events, not {len(dump.stdout.splitlines())}")
    return {e.name for e in events}, {name for e in events for name in e.payload_field}


def main():
    tdat, folder, path = sys.argv[1:]
    with open(path, "rb") as f:
        sound = f.read()
    for names in "ftrace", "lttng":
        for old, new, want in EVENTS:
            got = read(tdat, folder, patch(sound, b"name: ", old, new), names)[0]
            if want not in got:
                fail(f"event {new!r}: {sorted(got)}, not {want!r}")
    for names, want in FIELDS:
        data = sound
        for old, new in names.items():
            data = patch(data, b" ", old + (";" if b" " + old.encode() + b";" in data else "["),
                         new + (";" if b" " + old.encode() + b";" in data else "["))
        got = read(tdat, folder, data, "ftrace")[1]
        if not want <= got:
            fail(f"fields {names}: {sorted(got)}, not {sorted(want)}")
    print(f"{2 * len(EVENTS) + len(FIELDS)} files read")


main()
