#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes host.dat and guest.dat: a guest of two CPUs, and a host with exits of kvm, with the options that trace-cmd
agent writes (TRACEID, GUEST) and one clock. No recording of both is at hand.

usage: kvm_pair.py FOLDER
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "analysis"))
import made  # noqa: E402

MS, HOG, GUEST_ID = 1000000, 600, 0x1234
VCPUS = (500, 501)
TRACEID, GUEST = 11, 13


def switch(trace, cpu, ts, prev, next_, state=0):
    trace.add("sched/sched_switch", cpu, ts, prev, prev_pid=prev, prev_state=state, next_pid=next_,
              prev_prio=120, next_prio=120, prev_comm=b"p", next_comm=b"n")


def main():
    folder = pathlib.Path(sys.argv[1])
    guest = made.Trace(2, comms={100: "app", 101: "other"})
    host = made.Trace(2, comms={VCPUS[0]: "CPU 0/KVM", VCPUS[1]: "CPU 1/KVM", HOG: "hog"})
    guest.option(TRACEID, guest.pack("Q", GUEST_ID))
    host.option(TRACEID, host.pack("Q", 1))
    host.option(GUEST, b"vm\0" + host.pack("QIIIII", GUEST_ID, 2, 0, VCPUS[0], 1, VCPUS[1]))
    for cpu in (0, 1):
        switch(guest, cpu, 1 * MS, 0, 100 + cpu)
        switch(guest, cpu, 14 * MS, 100 + cpu, 0, 1)
        # The host's CPU 1 has the guest's CPU 0.
        on, task = 1 - cpu, VCPUS[cpu]
        switch(host, on, MS // 2, HOG, task)
        for exit_ts, entry, reason in ((2 * MS, 3 * MS, 30), (5 * MS, 9 * MS + cpu, 12)):
            host.add("kvm/kvm_exit", on, exit_ts, task, exit_reason=reason, guest_rip=1, isa=1, info1=0, info2=0,
                     intr_info=0, error_code=0, vcpu_id=cpu)
            if reason == 12:
                switch(host, on, exit_ts + 1000, task, HOG, 1)
                switch(host, on, entry - 1000, HOG, task)
            host.add("kvm/kvm_entry", on, entry, task, vcpu_id=cpu, rip=1, immediate_exit=0)
        switch(host, on, 15 * MS, task, HOG)
    guest.write(folder / "guest.dat")
    host.write(folder / "host.dat")


if __name__ == "__main__":
    main()
