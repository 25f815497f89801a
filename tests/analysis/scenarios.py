#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Traces made here of tasks that wait, each for a cause that is known.

usage: scenarios.py TDAT FOLDER
       scenarios.py --write FOLDER
Each scenario is written for a little-endian and a big-endian machine, and checked in the table
critical_path: every row of the task's waits, its main cause, and all rows by critical.py. The first cause that
tdat why prints is checked, too. With --write only the files are written, and scenarios.json: a list of {name, file, task, pid, wait, cause}. wait is what the
task waited for itself. cause is the main cause, the leaf of the longest chain: kind, by_comm (of "running" the
task that ran) and what.
"""
import collections
import json
import pathlib
import random
import subprocess
import sys

import made

SWITCH = ('"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d '
          'next_prio=%d", REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & 0xff) ? '
          '__print_flags(REC->prev_state & 0xff, "|", { 0x1, "S" }, { 0x2, "D" }, { 0x4, "T" }) : "R", '
          'REC->prev_state & 0x100 ? "+" : "", REC->next_comm, REC->next_pid, REC->next_prio')
STATES = {"R": 0, "S": 1, "D": 2, "R+": 0x100}
WAKE = (("char comm[16]", "int pid", "int prio", "int target_cpu"), '"pid=%d", REC->pid')
IO = (("unsigned int dev", "u64 sector", "unsigned int nr_sector", "char rwbs[8]"), '"%u", REC->dev')
VECTORS = {1: "TIMER", 2: "NET_TX", 3: "NET_RX", 4: "BLOCK", 7: "SCHED", 9: "RCU"}
VEC = (("unsigned int vec",), '"vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, '
       + ", ".join('{ %d, "%s" }' % v for v in VECTORS.items()) + ")")
IRQ = (("int irq", "char name[16]"), '"irq=%d name=%s", REC->irq, REC->name')
FAULT = (("unsigned long address", "unsigned long ip", "unsigned long error_code"), '"%lx", REC->address')
EXIT = (("int __syscall_nr", "long ret"), '"0x%lx", REC->ret')
CALL = (("int __syscall_nr", "unsigned long fd"), '"fd: %lx", REC->fd')
CALLS = {"futex": 202, "read": 0, "nanosleep": 35, "pause": 34, "kill": 62, "recvfrom": 45}
FORMATS = {
    "sched/sched_switch": (made.FORMATS["sched/sched_switch"][0], SWITCH),
    "sched/sched_waking": WAKE, "sched/sched_wakeup": WAKE, "sched/sched_wakeup_new": WAKE,
    "sched/sched_migrate_task": (("char comm[16]", "int pid", "int prio", "int orig_cpu", "int dest_cpu"),
                                 '"pid=%d", REC->pid'),
    "irq/irq_handler_entry": IRQ, "irq/irq_handler_exit": (("int irq", "int ret"), '"irq=%d", REC->irq'),
    "irq/softirq_entry": VEC, "irq/softirq_exit": VEC, "irq/softirq_raise": VEC,
    "irq_vectors/local_timer_entry": (("int vector",), '"vector=%d", REC->vector'),
    "irq_vectors/local_timer_exit": (("int vector",), '"vector=%d", REC->vector'),
    "timer/hrtimer_expire_entry": (("unsigned long hrtimer", "long long now", "unsigned long function"),
                                   '"function=%ps", REC->function'),
    "timer/hrtimer_expire_exit": (("unsigned long hrtimer",), '"%lx", REC->hrtimer'),
    "block/block_rq_issue": IO, "block/block_rq_complete": IO,
    "signal/signal_generate": (("int sig", "int errno", "int code", "char comm[16]", "int pid", "int group",
                                "int result"), '"sig=%d", REC->sig'),
    "exceptions/page_fault_user": FAULT, "exceptions/page_fault_kernel": FAULT,
    "lock/contention_begin": (("unsigned long lock_addr", "unsigned int flags"),
                              '"%lx (flags=%s)", REC->lock_addr, __print_flags(REC->flags, "|", '
                              '{ 1, "SPIN" }, { 2, "READ" }, { 32, "MUTEX" })'),
    **{"syscalls/sys_enter_" + c: CALL for c in CALLS}, **{"syscalls/sys_exit_" + c: EXIT for c in CALLS},
    "syscalls/sys_enter_futex": (("int __syscall_nr", "unsigned long uaddr", "unsigned long op"),
                                 '"uaddr: 0x%lx", REC->uaddr'),
}
SYMBOLS = {0xffffffff81000000: "schedule", 0xffffffff81001000: "pipe_read",
           0xffffffff81002000: "vfs_read", 0xffffffff81003000: "hrtimer_wakeup",
           0xffffffff81004000: "tick_nohz_handler", 0xffffffff81005000: "entry_end"}
ADDRESSES = {name: addr for addr, name in SYMBOLS.items()}
# Names of tasks, with pid and priority.
TASKS = {"swapper": (0, 120), "migration/0": (17, 0), "app": (100, 120), "owner": (101, 130), "hog": (102, 110),
         "peer": (103, 120), "low": (104, 120), "rt": (105, 10)}
HARDIRQ, SOFTIRQ, START, MICROSECOND, ENDLESS = 8, 16, 10 ** 9, 1000, 1 << 62
IDLE = "app", "unknown", None, "the CPU was idle; record cpu_idle"
NO_WAKEUP = "its wakeup was not recorded; record sched_waking"


class Scene(made.Trace):
    """Events with times in microseconds; who runs on each CPU is known by its last switch."""

    def __init__(self, big):
        super().__init__(2, big, FORMATS, {pid: name for name, (pid, _) in TASKS.items()}, SYMBOLS)
        self.current, self.flags = ["swapper", "swapper"], [0, 0]
        for cpu in range(2):  # so that each CPU is known
            self.switch(cpu, 0, "low", "S", start="low")
            self.switch(cpu, 1, "swapper", "S")

    def at(self, event, cpu, us, tail=b"", **values):
        for key, value in values.items():
            if isinstance(value, str):
                values[key] = value.encode()
        self.add(event, cpu, START + us * MICROSECOND, TASKS[self.current[cpu]][0], tail,
                 common_flags=self.flags[cpu], **values)

    def switch(self, cpu, us, to, state="R", start=None):
        """The task of a CPU leaves it in a state: R for the idle task."""
        prev = start or self.current[cpu]
        self.current[cpu] = prev
        self.at("sched/sched_switch", cpu, us, prev_comm=prev, prev_pid=TASKS[prev][0],
                prev_prio=TASKS[prev][1], prev_state=STATES["R" if prev == "swapper" else state],
                next_comm=to, next_pid=TASKS[to][0], next_prio=TASKS[to][1])
        self.current[cpu] = to

    def woken(self, event, cpu, us, task, target):
        self.at("sched/" + event, cpu, us, comm=task, pid=TASKS[task][0], prio=TASKS[task][1],
                target_cpu=target)

    def wake(self, cpu, us, task, target):
        """sched_waking, and sched_wakeup at once."""
        self.woken("sched_waking", cpu, us, task, target)
        self.woken("sched_wakeup", cpu, us, task, target)

    def migrate(self, cpu, us, task, orig, dest):
        self.at("sched/sched_migrate_task", cpu, us, comm=task, pid=TASKS[task][0], prio=TASKS[task][1],
                orig_cpu=orig, dest_cpu=dest)

    def irq(self, cpu, us, number=None, name=""):
        """A hardirq begins; without a number: it ends."""
        if number is not None:
            self.flags[cpu] = HARDIRQ
            self.in_irq = number
            self.at("irq/irq_handler_entry", cpu, us, irq=number, name=name)
        else:
            self.at("irq/irq_handler_exit", cpu, us, irq=self.in_irq, ret=1)
            self.flags[cpu] = 0

    def softirq(self, cpu, us, vec, begins):
        self.flags[cpu] = SOFTIRQ
        self.at("irq/softirq_" + ("entry" if begins else "exit"), cpu, us, vec=vec)
        self.flags[cpu] = SOFTIRQ if begins else 0

    def call(self, cpu, us, name, **values):
        self.at("syscalls/sys_enter_" + name, cpu, us, __syscall_nr=CALLS[name], **values)

    def end(self, cpu, us, name):
        self.at("syscalls/sys_exit_" + name, cpu, us, __syscall_nr=CALLS[name], ret=0)

    def io(self, event, cpu, us):
        self.at("block/block_rq_" + event, cpu, us, dev=8 << 20, sector=2048, nr_sector=8, rwbs="R")

    def idle(self, cpu, us, state):
        self.at("power/cpu_idle", cpu, us, state=state & 2 ** 32 - 1, cpu_id=cpu)

    def stack(self, cpu, us, task, *functions):
        """The stack of a task that was switched out right before."""
        now, self.current[cpu] = self.current[cpu], task
        self.at("ftrace/kernel_stack", cpu, us, size=len(functions),
                tail=b"".join(self.pack("Q", ADDRESSES[f] + 16) for f in functions))
        self.current[cpu] = now

    def disk(self, cpu, us, task, target):
        """The interrupt of a request that completes, which wakes a task."""
        self.irq(cpu, us, 40, "nvme0q1")
        self.io("complete", cpu, us + 2)
        self.wake(cpu, us + 3, task, target)
        self.irq(cpu, us + 4)


# Each scenario makes events, and returns the rows of the waits of "app" in the order of the table:
# (depth, begin, end, task, kind, by_comm, what), and of a wait without an end (open, kind, what).
SCENARIOS = []


def scenario(wait, **cause):
    def register(make):
        SCENARIOS.append((make.__name__, make, wait, {"by_comm": None, "what": None, **cause}))
        return make
    return register


@scenario("lock", kind="runnable", by_comm="hog", what="priority 110, preempted it")
def priority_inversion(s):
    """app waits for a mutex, whose owner is preempted by a hog of middle priority."""
    s.switch(0, 10, "app")
    s.at("lock/contention_begin", 0, 20, lock_addr=0x1000, flags=33)
    s.at("lock/contention_begin", 0, 25, lock_addr=0x1000, flags=32)
    s.switch(0, 30, "owner", "S")
    s.wake(1, 100, "hog", 0)
    s.switch(0, 110, "hog", "R+")
    s.switch(0, 910, "owner", "S")
    s.wake(0, 930, "app", 0)
    s.switch(0, 940, "app", "R+")
    s.at("lock/contention_end", 0, 950, lock_addr=0x1000, ret=0)
    return [(0, 30, 930, "app", "lock", "owner", "MUTEX 0x1000"),
            (1, 30, 110, "owner", "running", None, None),
            (1, 110, 910, "owner", "runnable", "hog", "priority 110, preempted it"),
            (1, 910, 930, "owner", "running", None, None),
            (0, 930, 940, "app", "runnable", "owner", "priority 130, already there")]


@scenario("runnable", kind="runnable", by_comm="peer", what="priority 120, already there")
def hog_of_same_priority(s):
    """app becomes runnable on a CPU that a task of its priority computes on."""
    s.switch(0, 10, "app")
    s.switch(0, 20, "peer", "S")
    s.switch(1, 90, "low")
    s.wake(1, 100, "app", 0)
    s.switch(0, 600, "app", "R+")
    return [(0, 20, 100, "app", "blocked", "low", None), (1, 20, 90, "low", "unknown", None, NO_WAKEUP),
            (1, 90, 100, "low", "running", None, None),
            (0, 100, 600, "app", "runnable", "peer", "priority 120, already there")]


@scenario("runnable", kind="runnable", by_comm="rt", what="priority 10, preempted it")
def preempted_by_realtime(s):
    s.switch(0, 10, "app")
    s.irq(1, 95, 7, "eth1")
    s.wake(1, 100, "rt", 0)
    s.irq(1, 105)
    s.switch(0, 110, "rt", "R+")
    s.switch(0, 410, "app", "S")
    return [(0, 110, 410, "app", "runnable", "rt", "priority 10, preempted it")]


@scenario("runnable", kind="runnable", by_comm="rt", what="priority 10, came before it")
def overtaken(s):
    """app is runnable; a task of higher priority wakes up later, and gets the CPU first."""
    s.switch(0, 10, "app")
    s.switch(0, 20, "peer", "S")
    s.switch(1, 21, "low")
    s.wake(1, 30, "app", 0)
    s.wake(1, 32, "rt", 0)
    s.switch(0, 35, "rt", "R+")
    s.switch(0, 935, "app", "S")
    return [(0, 20, 30, "app", "blocked", "low", None), (1, 20, 21, "low", "unknown", None, NO_WAKEUP),
            (1, 21, 30, "low", "running", None, None),
            (0, 30, 35, "app", "runnable", "peer", "priority 120, already there"),
            (0, 35, 935, "app", "runnable", "rt", "priority 10, came before it")]


@scenario("irq", kind="irq", what="irq 24 eth0")
def irq_storm(s):
    """Interrupts take the CPU from the task that has it while app waits for it."""
    s.switch(0, 10, "app")
    s.switch(0, 100, "peer", "R+")
    rows = []
    for i in range(9):
        s.irq(0, 110 + 100 * i, 24, "eth0")
        s.irq(0, 200 + 100 * i)
        rows += [(0, 100 + 100 * i, 110 + 100 * i, "app", "runnable", "peer", "priority 120, preempted it"),
                 (0, 110 + 100 * i, 200 + 100 * i, "app", "irq", None, "irq 24 eth0")]
    s.switch(0, 1000, "app", "R+")
    return rows


@scenario("softirq", kind="softirq", what="NET_RX")
def softirq_of_another_task(s):
    s.switch(0, 10, "app")
    s.switch(0, 100, "peer", "R+")
    s.softirq(0, 110, 3, True)
    s.softirq(0, 900, 3, False)
    s.switch(0, 910, "app", "S")
    why = "priority 120, preempted it"
    return [(0, 100, 110, "app", "runnable", "peer", why), (0, 110, 900, "app", "softirq", None, "NET_RX"),
            (0, 900, 910, "app", "runnable", "peer", why)]


@scenario("block_io", kind="block_io", what="device 8,0 R")
def slow_disk(s):
    """app reads, the request takes long, its interrupt wakes app on a CPU in an idle state."""
    s.switch(0, 10, "app")
    s.call(0, 11, "read")
    s.io("issue", 0, 15)
    s.switch(0, 20, "swapper", "D")
    s.idle(0, 25, 1)
    s.idle(0, 7995, -1)
    s.disk(0, 8000, "app", 0)
    s.switch(0, 8010, "app")
    return [(0, 20, 8003, "app", "block_io", None, "device 8,0 R"),
            (0, 8003, 8004, "app", "irq", None, "irq 40 nvme0q1"),
            (0, 8004, 8010, "app", "idle_exit", None, "out of idle state 1")]


@scenario("block_io", kind="block_io", what="device 8,0 R")
def page_fault_from_disk(s):
    s.switch(0, 10, "app")
    s.at("exceptions/page_fault_user", 0, 12, address=0x7000, ip=0x4000, error_code=4)
    s.io("issue", 0, 15)
    s.switch(0, 20, "peer", "D")
    s.disk(1, 4000, "app", 0)
    s.switch(0, 4010, "app", "R+")
    return [(0, 20, 4003, "app", "block_io", None, "device 8,0 R"),
            (0, 4003, 4010, "app", "runnable", "peer", "priority 120, already there")]


@scenario("page_fault", kind="running", by_comm="peer")
def page_fault_with_another_task(s):
    """app faults on a page that another task brings in, with nothing of the disk recorded."""
    s.switch(0, 10, "app")
    s.switch(1, 15, "peer")
    s.at("exceptions/page_fault_user", 0, 16, address=0x7000, ip=0x4000, error_code=4)
    s.switch(0, 20, "swapper", "D")
    s.wake(1, 700, "app", 0)
    s.switch(0, 701, "app")
    return [(0, 20, 700, "app", "page_fault", "peer", None), (1, 20, 700, "peer", "running", None, None), (0, 700, 701, *IDLE)]


@scenario("network", kind="network", what="device eth0")
def network_packet(s):
    s.switch(0, 10, "app")
    s.call(0, 12, "recvfrom")
    s.switch(0, 20, "peer", "S")
    s.softirq(0, 3000, 3, True)
    s.at("net/netif_receive_skb", 0, 3002, skbaddr=0x9000, len=100, name="eth0")
    s.wake(0, 3004, "app", 0)
    s.softirq(0, 3008, 3, False)
    s.switch(0, 3010, "app", "R+")
    return [(0, 20, 3004, "app", "network", None, "device eth0"),
            (0, 3004, 3008, "app", "softirq", None, "NET_RX"),
            (0, 3008, 3010, "app", "runnable", "peer", "priority 120, already there")]


@scenario("idle_exit", kind="idle_exit", what="idle state 3")
def deep_idle_state(s):
    s.switch(0, 10, "app")
    s.switch(0, 20, "swapper", "S")
    s.idle(0, 22, 3)
    s.switch(1, 24, "peer")
    s.wake(1, 30, "app", 0)
    s.idle(0, 430, -1)
    s.switch(0, 440, "app")
    return [(0, 20, 30, "app", "blocked", "peer", None), (1, 20, 24, "peer", "unknown", None,
                                                         "before the first event that is kept of it"),
            (1, 24, 30, "peer", "running", None, None), (0, 30, 440, "app", "idle_exit", None, "idle state 3")]


@scenario("migration", kind="migration", what="to an idle CPU")
def migrated_by_stopper(s):
    s.switch(0, 10, "app")
    s.switch(0, 100, "migration/0", "R+")
    s.migrate(0, 103, "app", 0, 1)
    s.switch(0, 105, "swapper", "S")
    s.switch(1, 200, "app")
    return [(0, 100, 103, "app", "migration", "migration/0", "priority 0, preempted it"),
            (0, 103, 200, "app", "migration", None, "to an idle CPU")]


@scenario("futex", kind="block_io", what="device 8,0 R")
def futex_whose_owner_reads(s):
    s.switch(0, 10, "app")
    s.switch(1, 10, "owner")
    s.call(1, 11, "read")
    s.call(0, 12, "futex", uaddr=0x7000, op=128)
    s.switch(0, 20, "swapper", "S")
    s.io("issue", 1, 25)
    s.switch(1, 30, "peer", "D")
    s.disk(1, 5000, "owner", 1)
    s.switch(1, 5010, "owner", "R+")
    s.end(1, 5015, "read")
    s.call(1, 5016, "futex", uaddr=0x7000, op=129)
    s.wake(1, 5020, "app", 0)
    s.switch(0, 5021, "app")
    s.end(0, 5030, "futex")
    return [(0, 20, 5020, "app", "futex", "owner", "futex 0x7000"),
            (1, 20, 30, "owner", "running", None, None),
            (1, 30, 5003, "owner", "block_io", None, "device 8,0 R"),
            (1, 5003, 5004, "owner", "irq", None, "irq 40 nvme0q1"),
            (1, 5004, 5010, "owner", "runnable", "peer", "priority 120, already there"),
            (1, 5010, 5020, "owner", "running", None, None), (0, 5020, 5021, *IDLE)]


@scenario("pipe", kind="running", by_comm="peer")
def pipe_whose_writer_computes(s):
    s.switch(0, 10, "app")
    s.switch(1, 10, "peer")
    s.call(0, 12, "read")
    s.switch(0, 20, "swapper", "S")
    s.stack(0, 21, "app", "schedule", "pipe_read", "vfs_read")
    s.wake(1, 2000, "app", 0)
    s.switch(0, 2001, "app")
    return [(0, 20, 2000, "app", "pipe", "peer", "pipe_read"), (1, 20, 2000, "peer", "running", None, None), (0, 2000, 2001, *IDLE)]


@scenario("timer", kind="timer", what="hrtimer_wakeup")
def sleep_until_a_timer(s):
    s.switch(0, 10, "app")
    s.call(0, 12, "nanosleep")
    s.switch(0, 20, "peer", "S")
    s.flags[0] = HARDIRQ
    s.at("irq_vectors/local_timer_entry", 0, 6000, vector=236)
    s.at("timer/hrtimer_expire_entry", 0, 6002, hrtimer=0x5000, function=ADDRESSES["hrtimer_wakeup"])
    s.wake(0, 6003, "app", 0)
    s.at("timer/hrtimer_expire_exit", 0, 6004, hrtimer=0x5000)
    s.at("irq_vectors/local_timer_exit", 0, 6005, vector=236)
    s.flags[0] = 0
    s.switch(0, 6010, "app", "R+")
    return [(0, 20, 6003, "app", "timer", None, "hrtimer_wakeup"),
            (0, 6003, 6005, "app", "irq", None, "irq local_timer"),
            (0, 6005, 6010, "app", "runnable", "peer", "priority 120, already there")]


@scenario("timer", kind="timer", what="nanosleep")
def sleep_without_timer_events(s):
    """The flags of the wakeup say that it came from an interrupt, the system call why."""
    s.switch(0, 10, "app")
    s.call(0, 12, "nanosleep")
    s.switch(0, 20, "peer", "S")
    s.flags[0] = HARDIRQ
    s.wake(0, 6000, "app", 0)
    s.flags[0] = 0
    s.switch(0, 6010, "app", "R+")
    return [(0, 20, 6000, "app", "timer", None, "nanosleep"),
            (0, 6000, 6010, "app", "runnable", "peer", "priority 120, already there")]


@scenario("signal", kind="running", by_comm="peer")
def signal_of_another_task(s):
    """The kernel generates the signal after it woke the task."""
    s.switch(0, 10, "app")
    s.switch(1, 10, "peer")
    s.call(0, 12, "pause")
    s.switch(0, 20, "swapper", "S")
    s.call(1, 995, "kill")
    s.woken("sched_waking", 1, 1000, "app", 0)
    s.at("signal/signal_generate", 1, 1001, sig=10, comm="app", pid=TASKS["app"][0])
    s.end(1, 1002, "kill")
    s.switch(0, 1003, "app")
    return [(0, 20, 1000, "app", "signal", "peer", "signal 10"), (1, 20, 1000, "peer", "running", None, None),
            (0, 1000, 1003, *IDLE)]


@scenario("blocked", kind="running", by_comm="peer")
def signal_before_it_slept(s):
    """A signal that woke nobody does not explain a later wakeup by the same task."""
    s.switch(0, 10, "app")
    s.switch(1, 10, "peer")
    s.call(1, 12, "kill")
    s.at("signal/signal_generate", 1, 13, sig=10, comm="app", pid=TASKS["app"][0])
    s.end(1, 14, "kill")
    s.call(0, 15, "read")
    s.switch(0, 20, "swapper", "S")
    s.wake(1, 1000, "app", 0)
    s.switch(0, 1003, "app")
    return [(0, 20, 1000, "app", "blocked", "peer", "read"), (1, 20, 1000, "peer", "running", None, None),
            (0, 1000, 1003, *IDLE)]


@scenario("unknown", kind="unknown", what="the CPU was idle; record cpu_idle")
def idle_cpu_without_cpu_idle(s):
    s.switch(0, 10, "app")
    s.switch(0, 20, "swapper", "S")
    s.switch(1, 20, "peer")
    s.wake(1, 30, "app", 0)
    s.switch(0, 330, "app")
    return [(0, 20, 30, "app", "blocked", "peer", None), (1, 20, 30, "peer", "running", None, None),
            (0, 30, 330, *IDLE)]


@scenario("unknown", kind="unknown", what="events were lost")
def lost_events(s):
    s.switch(0, 10, "app")
    s.switch(1, 10, "peer")
    s.switch(0, 20, "swapper", "S")
    s.lose(1)
    s.wake(1, 5000, "app", 0)
    s.switch(0, 5001, "app")
    return [("lost", "unknown", "events were lost"), (0, 5000, 5001, *IDLE)]


@scenario("unknown", kind="unknown", what="woken from an interrupt; record irq, timer, block and sched_waking")
def interrupt_not_recorded(s):
    s.switch(0, 10, "app")
    s.switch(0, 20, "peer", "S")
    s.flags[0] = HARDIRQ
    s.wake(0, 9000, "app", 0)
    s.flags[0] = 0
    s.switch(0, 9010, "app", "R+")
    return [(0, 20, 9000, "app", "unknown", None,
             "woken from an interrupt; record irq, timer, block and sched_waking"),
            (0, 9000, 9010, "app", "runnable", "peer", "priority 120, already there")]


@scenario("blocked", kind="blocked", what="irq 24 eth0")
def interrupt_of_a_device(s):
    """Nothing but the handler's name says what it was for."""
    s.switch(0, 10, "app")
    s.switch(0, 20, "peer", "S")
    s.irq(0, 9000, 24, "eth0")
    s.wake(0, 9002, "app", 0)
    s.irq(0, 9003)
    s.switch(0, 9003, "app", "R+")
    return [(0, 20, 9002, "app", "blocked", None, "irq 24 eth0"),
            (0, 9002, 9003, "app", "irq", None, "irq 24 eth0")]


@scenario("blocked", kind="running", by_comm="low")
def chain_of_three(s):
    s.switch(1, 5, "low")
    s.switch(0, 10, "peer")
    s.switch(0, 15, "app", "S")
    s.call(0, 16, "read")
    s.switch(0, 20, "swapper", "S")
    s.wake(1, 8000, "peer", 0)
    s.switch(0, 8001, "peer")
    s.wake(0, 8050, "app", 0)
    s.switch(0, 8050, "app", "S")
    return [(0, 20, 8050, "app", "blocked", "peer", "read"), (1, 20, 8000, "peer", "blocked", "low", None),
            (2, 20, 8000, "low", "running", None, None),
            (1, 8000, 8001, "peer", *IDLE[1:]), (1, 8001, 8050, "peer", "running", None, None)]


@scenario("timer", kind="timer", what="nanosleep")
def mutex_that_spun_before(s):
    """A mutex begins to wait twice and ends once: the sleep behind it is not for the lock."""
    s.switch(0, 10, "app")
    s.at("lock/contention_begin", 0, 12, lock_addr=0x1000, flags=33)
    s.at("lock/contention_begin", 0, 14, lock_addr=0x1000, flags=32)
    s.at("lock/contention_end", 0, 16, lock_addr=0x1000, ret=0)
    s.call(0, 18, "nanosleep")
    s.switch(0, 20, "peer", "S")
    s.flags[0] = HARDIRQ
    s.wake(0, 900, "app", 0)
    s.flags[0] = 0
    s.switch(0, 900, "app", "R+")
    return [(0, 20, 900, "app", "timer", None, "nanosleep")]


@scenario("runnable", kind="runnable", by_comm="hog", what="priority 110, already there")
def wakeup_then_balanced(s):
    """Without sched_waking: sched_wakeup puts app behind the hog, and later it goes to another CPU."""
    s.switch(0, 10, "app")
    s.switch(0, 20, "hog", "S")
    s.switch(1, 20, "peer")
    s.woken("sched_wakeup", 1, 30, "app", 0)
    s.migrate(1, 930, "app", 0, 1)
    s.switch(1, 940, "app", "S")
    return [(0, 20, 30, "app", "blocked", "peer", None), (1, 20, 30, "peer", "running", None, None),
            (0, 30, 930, "app", "runnable", "hog", "priority 110, already there"),
            (0, 930, 940, "app", "runnable", "peer", "priority 120, already there")]


def noise(seed, losses):
    """Events of all kinds in any order, some of which contradict others."""
    rng, s, us = random.Random(seed), Scene(seed % 2 == 1), 10
    tasks = [t for t in TASKS if t != "swapper"]
    for _ in range(3000):
        us += rng.randrange(4)
        cpu, task, depth = rng.randrange(2), rng.choice(tasks), rng.random()
        s.flags[cpu] = rng.choice([0, 0, 0, HARDIRQ, SOFTIRQ])
        if rng.random() < losses:
            s.lose(cpu)
        if depth < 0.25:
            free = [t for t in tasks if t not in s.current]
            s.switch(cpu, us, rng.choice([*free, "swapper", "swapper"]), rng.choice(list(STATES)))
        elif depth < 0.3:
            s.switch(cpu, us, task, "S", start=rng.choice(tasks))
        elif depth < 0.45:
            s.wake(cpu, us, task, rng.randrange(2))
        elif depth < 0.55:
            s.woken(rng.choice(["sched_waking", "sched_wakeup"]), cpu, us, task, rng.randrange(2))
        elif depth < 0.6:
            s.migrate(cpu, us, task, 0, rng.randrange(2))
        elif depth < 0.65:
            s.idle(cpu, us, rng.choice([-1, 1, 3]))
        elif depth < 0.68:
            s.stack(cpu, us, task if rng.random() < 0.2 else s.current[cpu], "schedule", "pipe_read")
        elif depth < 0.75:
            edge, lock = rng.choice(["begin", "end"]), rng.choice([0x1000, 0x2000])
            s.at("lock/contention_" + edge, cpu, us, lock_addr=lock, **({"flags": 32} if edge == "begin" else {"ret": 0}))
        elif depth < 0.8:
            name = rng.choice(["nanosleep", "read", "futex"])
            if rng.random() < 0.5:
                s.call(cpu, us, name, **({"uaddr": 0x7000, "op": 0} if name == "futex" else {}))
            else:
                s.end(cpu, us, name)
        elif depth < 0.83:
            s.at("exceptions/page_fault_user", cpu, us, address=0x7000)
        elif depth < 0.86:
            s.at("signal/signal_generate", cpu, us, sig=10, comm=task, pid=TASKS[task][0])
        elif depth < 0.9:
            edge, vec = rng.choice(["entry", "exit"]), rng.choice(list(VECTORS))
            s.at("irq/softirq_" + edge, cpu, us, vec=vec)
        elif depth < 0.95:
            s.at(*rng.choice([("irq/irq_handler_entry", cpu, us), ("irq/irq_handler_exit", cpu, us),
                              ("irq_vectors/local_timer_entry", cpu, us), ("irq_vectors/local_timer_exit", cpu, us)]))
        elif depth < 0.97:
            s.io("complete", cpu, us)
        elif depth < 0.98:
            s.at("net/netif_receive_skb", cpu, us, skbaddr=1, len=2, name="eth0")
        else:
            s.at("timer/hrtimer_expire_" + rng.choice(["entry", "exit"]), cpu, us, hrtimer=5)
    return s


# ---- writing and checking ----

def scenes(folder):
    """Writes all; yields (name, path, wait, cause, rows)."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make, wait, cause in SCENARIOS:
        for big in (False, True):
            scene = Scene(big)
            rows = make(scene)
            yield name, scene.write(folder / f"{name}-{'big' if big else 'little'}.dat"), wait, cause, rows


def write(folder):
    done = [{"name": name, "file": path.name, "task": "app", "pid": TASKS["app"][0], "wait": wait, "cause": cause}
            for name, path, wait, cause, _ in scenes(folder)]
    (folder / "scenarios.json").write_text(json.dumps(done, indent=1) + "\n")


def key(row):
    return row["kind"], row["comm"] if row["kind"] == "running" else row["by_comm"], row["what"]


def main_cause(rows):
    """The longest of the task's waits; the longest of what lies beneath it, and so on."""
    depth, left, wait, cause = 0, rows, None, None
    while True:
        times = collections.Counter()
        for r in left:
            if r["depth"] == depth and (depth or r["kind"] != "running"):
                times[key(r)] += r["dur"] or ENDLESS
        if not times:
            return wait, cause
        cause = times.most_common(1)[0][0]
        wait = wait or cause[0]
        beneath, inside = [], False
        for r in left:
            if r["depth"] == depth:
                inside = key(r) == cause
            elif inside and r["depth"] > depth:
                beneath.append(r)
        left, depth = beneath, depth + 1


def check(tdat, name, path, wait, cause, want):
    every, _ = made.rows(tdat, path, "critical_path")
    of_app = [r for r in every if r["of_pid"] == TASKS["app"][0]]
    waits, inside = [], False
    for r in of_app:
        inside = r["kind"] != "running" if r["depth"] == 0 else inside
        waits += [r] if inside else []
    got = []
    for r in waits:
        begin = (r["ts"] - START) // MICROSECOND
        got.append((r["open"], r["kind"], r["what"]) if r["open"] else
                   (r["depth"], begin, begin + r["dur"] // MICROSECOND, r["comm"], r["kind"], r["by_comm"], r["what"]))
    if got != want:
        sys.exit(f"{path}: rows are\n" + "\n".join(map(str, got)) + "\nnot\n" + "\n".join(map(str, want)))
    found = main_cause(waits)
    if found != (wait, (cause["kind"], cause["by_comm"], cause["what"])):
        sys.exit(f"{path}: the main cause is {found}, not {wait}, {cause}")
    print(f"{name}: {len(got)} rows")


def say(tdat, path, wait, cause):
    """The first cause of tdat why, and the line of this cause in its text, name the main cause."""
    words = [tdat, "why", "--task", "app", "--worst", "1"]
    done = json.loads(subprocess.run([*words, "--json", path], check=True, capture_output=True).stdout)
    if not done:
        return  # the wait is open
    first, = done[0]["causes"][:1]
    # The task that ran is who the wait above was for.
    want = [wait if cause["kind"] == "running" else cause["kind"], cause["by_comm"],
            first["what"] if cause["kind"] == "running" else cause["what"]]
    line = subprocess.run([*words, path], check=True, capture_output=True).stdout.decode().split("\n")[1]
    named = cause["by_comm"] or cause["what"]
    if [first["kind"], first["by_comm"], first["what"]] != want or named not in line:
        sys.exit(f"{path}: tdat why says {first}, not {want}\n{line}")


def main():
    tdat, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if tdat == "--write":
        write(folder)
        return
    paths = []
    for name, path, wait, cause, want in scenes(folder):
        check(tdat, name, path, wait, cause, want)
        say(tdat, path, wait, cause)
        paths.append(path)
    paths += [noise(i, i / 2000).write(folder / f"noise-{i}.dat") for i in range(4)]
    oracle = pathlib.Path(__file__).parent / "critical.py"
    subprocess.run([sys.executable, oracle, tdat, *paths], check=True)


if __name__ == "__main__":
    main()
