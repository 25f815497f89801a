#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A guest and its host, made here: what keeps the guest's CPU from running is found in the host.

usage: guest.py TDAT FOLDER
The files have the options that trace-cmd agent writes (TRACEID, GUEST) and one clock. No recording of both is at
hand.
"""
import json
import pathlib
import struct
import subprocess
import sys

import made

MS, VCPU, HOG, APP, OTHER, GUEST_ID = 1000000, 500, 600, 100, 101, 0x1234
TRACEID, GUEST = 11, 13


def switch(trace, ts, prev, next_, state=0):
    trace.add("sched/sched_switch", 0, ts, prev, prev_pid=prev, prev_state=state, next_pid=next_,
              prev_prio=120, next_prio=120, prev_comm=b"p", next_comm=b"n")


def files(folder, big):
    guest = made.Trace(1, big, comms={APP: "app", OTHER: "other"})
    host = made.Trace(1, big, comms={VCPU: "CPU 0/KVM", HOG: "hog"})
    guest.option(TRACEID, guest.pack("Q", GUEST_ID))
    host.option(TRACEID, host.pack("Q", 1))
    host.option(GUEST, b"vm\0" + host.pack("QIII", GUEST_ID, 1, 0, VCPU))
    switch(guest, 1 * MS, OTHER, APP, 1)  # app runs up to 11 ms
    switch(guest, 11 * MS, APP, OTHER)  # then other, up to 13 ms, while app waits for the CPU
    switch(guest, 13 * MS, OTHER, APP, 1)
    switch(guest, 14 * MS, APP, OTHER, 1)
    switch(host, MS // 2, HOG, VCPU)
    switch(host, 3 * MS, VCPU, HOG)
    switch(host, 8 * MS, HOG, VCPU)
    switch(host, 12 * MS, VCPU, HOG)
    switch(host, 13 * MS - 1000, HOG, VCPU)
    switch(host, 15 * MS, VCPU, HOG)
    return guest.write(folder / "guest.dat"), host.write(folder / "host.dat")


def why(tdat, *words):
    done = subprocess.run([tdat, "why", "--json", *map(str, words)], check=True, capture_output=True)
    return json.loads(done.stdout)


def causes(interval):
    return [(c["kind"], c["by_comm"], [v["by_comm"] for v in c["via"]], c["dur"]) for c in interval["causes"]]


def main():
    tdat, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(exist_ok=True)
    for big in (False, True):
        pair = files(folder, big)
        for inputs in (pair, pair[::-1]):
            window, = why(tdat, "--task", APP, "--from", "0.001", "--until", "0.011", *inputs)
            made.same("a run of the guest", causes(window), [
                ("running", "app", [], 5 * MS), ("runnable", "hog", ["CPU 0/KVM"], 5 * MS)])
            wait, = why(tdat, "--task", APP, "--worst", 1, *inputs)
            made.same("a wait in the guest", causes(wait), [
                ("runnable", "other", [], 1 * MS + 1000), ("runnable", "hog", ["other"], 1 * MS - 1000)])
        alone, = why(tdat, "--task", APP, "--from", "0.001", "--until", "0.011", pair[0])
        made.same("the guest alone", causes(alone), [("running", "app", [], 10 * MS)])


if __name__ == "__main__":
    main()
