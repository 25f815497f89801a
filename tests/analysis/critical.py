#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the table critical_path with what is computed here, from docs/analysis.md and dump --json.

usage: critical.py TDAT FILE...
Beside the rows it checks what must hold whatever they say: depth 0 covers thread_state, rows beneath a
row cover it, and the bytes are the same for each number of threads.
"""
import collections
import json
import pathlib
import re
import sys

import oracle

LISTS = {"CRITICAL_PIPE": "pipe", "CRITICAL_FUTEX": "futex", "CRITICAL_LOCK": "lock",
         "CRITICAL_TIMER": "timer", "CRITICAL_BLOCK_IO": "block_io", "CRITICAL_NETWORK": "network",
         "CRITICAL_PAGE_FAULT": "page_fault"}
NOT_KEPT = "before the first event that is kept of it"
LOST = "events were lost"
MOVED = "it went to another CPU unseen; record sched_migrate_task"
NO_WAKEUP = "its wakeup was not recorded; record sched_waking"
BY_IDLE = "woken by an idle CPU; record sched_waking"
RECORD = "woken from an interrupt; record irq, timer, block and sched_waking"
ENDED = "the task has ended"
NEAR = 1000000  # nanoseconds in which an interrupt ends whose end was not recorded
FUTEX_WAITS = 0, 6, 9, 11, 13
COUNTS = collections.Counter()


def folded(state):
    return {"running": "running", "runnable": "runnable", "preempted": "runnable",
            "dead": "dead"}.get(state, "blocked")


def waiting_functions():
    """The list that docs/analysis.md names."""
    source = pathlib.Path(__file__).parents[2] / "lib/analysis/critical_proof.c"
    return {f: LISTS[k] for f, k in re.findall(r'\{"(\w+)", (CRITICAL_\w+)\}', source.read_text())
            if k in LISTS}


READ = {"sched/sched_switch", "sched/sched_migrate_task", "ftrace/kernel_stack", "power/cpu_idle",
        "net/netif_receive_skb", "signal/signal_generate", "lock/contention_begin", "lock/contention_end", "lock/lock_release",
        "lock/lock_contended", "lock/lock_acquired", "block/block_rq_complete", "block/block_bio_complete",
        "exceptions/page_fault_user", "exceptions/page_fault_kernel",
        *(f"irq/{i}_{e}" for i in ("irq_handler", "softirq") for e in ("entry", "exit")),
        *(f"timer/{i}_expire_{e}" for i in ("hrtimer", "timer") for e in ("entry", "exit"))}
WAITING = waiting_functions()


class Cpu:
    """A CPU now; changes: (when, what it did from then on)."""

    def __init__(self):
        self.pid = self.prio = self.got = self.since = None  # got: the number of the switch
        self.unknown = NOT_KEPT
        self.irqs, self.idle, self.left = [], None, None
        self.changes, self.last = [], None
        self.proof, self.signaled, self.woken = None, (0, None), (0, None)
        self.out = 0  # who was switched out by the event before

    def note(self, ts):
        top = self.irqs[-1] if self.irqs else None
        self.changes.append((ts, {"pid": self.pid, "prio": self.prio, "got": self.got, "since": self.since, "irq": top,
                                  "unknown": self.unknown, "idle": self.idle, "left": self.left}))


class Change:
    """What a task did from a moment on. state: running, runnable or blocked."""

    def __init__(self, number, ts, state, cpu, known, text=None, wake=None):
        self.number, self.ts, self.state, self.cpu = number, ts, state, cpu
        self.known, self.text, self.wake = known, text, wake
        self.proof = self.stack = self.cpu_known = None


class Task:
    def __init__(self):
        self.changes, self.moves = [], []
        self.locks, self.call, self.fault, self.known = {}, None, False, 0


class Critical(oracle.ThreadState):
    def __init__(self, context):
        super().__init__(context)
        self.number, self.cpus, self.history = 0, collections.defaultdict(Cpu), collections.defaultdict(Task)
        self.held = {}
        self.call_names = {n: re.sub("^sys_", "", c) for n, c in context.calls.items()}

    # ---- what is remembered ----

    def event(self, e):
        self.number += 1
        self.now = e
        cpu, name, f = self.cpus[e["cpu"]], f"{e['system']}/{e['event']}", e["fields"]
        for pid in self.tasks_of(e, name):
            self.refresh(pid)
            if pid and not oracle.is_switch(e):
                self.find(pid)
        if oracle.is_wake(e):
            self.wakeup(e, cpu)
        self.interrupt(e, cpu, name)
        self.proofs(e, cpu, name)
        self.task_event(e, name)
        if oracle.is_switch(e):
            self.switched(e, cpu)
        elif name == "ftrace/kernel_stack":
            if e["pid"] and cpu.out == e["pid"]:
                self.history_stack(cpu.out, e)
        elif name == "sched/sched_migrate_task":
            self.history[e["fields"]["pid"]].moves.append((self.number, e["ts"], e["fields"]["dest_cpu"], "migrate", e["pid"]))
        super().event(e)
        if self.is_read(e, name):
            cpu.last, cpu.out = e["ts"], oracle.is_switch(e) and f["prev_pid"]
            moves = oracle.is_wake(e) or name == "sched/sched_migrate_task"
            if not moves or f["pid"] != cpu.woken[0]:
                cpu.woken = 0, None
            if name != "signal/signal_generate":
                cpu.signaled = 0, None

    @staticmethod
    def is_read(e, name):
        """Whether the table is made of it."""
        return name in READ or e["system"] in ("syscalls", "raw_syscalls", "irq_vectors") \
            or oracle.is_wake(e)

    @staticmethod
    def tasks_of(e, name):
        f, system = e["fields"], e["system"]
        if oracle.is_switch(e):
            return f["prev_pid"], f["next_pid"]
        if oracle.is_wake(e) or name == "sched/sched_migrate_task":
            return f["pid"],
        return (e["pid"],) if Critical.is_read(e, name) and system in ("lock", "syscalls", "raw_syscalls", "exceptions") else ()

    def refresh(self, pid):
        """What is known of a task is known of its calls, locks and faults, too."""
        t = self.history[pid]
        now = self.tasks.get(pid)
        if not (now and self.known(now)) and not self.losses.still(t.known):
            t.locks, t.call, t.fault = {}, None, False
        t.known = self.losses.now

    def history_stack(self, pid, e):
        changes = self.history[pid].changes
        for c in reversed(changes):
            if c.state == "running":
                break
            if c.wake is None:
                c.stack = e["fields"].get("caller_sym", ())
                break

    def lost(self, cpu):
        super().lost(cpu)
        c = self.cpus[cpu]
        c.unknown, c.irqs, c.idle, c.left, c.pid = LOST, [], None, None, None
        c.proof, c.signaled, c.woken, c.out = None, (0, None), (0, None), 0
        if c.last is not None:
            c.note(c.last)

    def switched(self, e, cpu):
        f = e["fields"]
        cpu.pid, cpu.prio, cpu.got, cpu.unknown = f["next_pid"], f["next_prio"], self.number, None
        cpu.since = e["ts"]
        cpu.irqs, cpu.idle, cpu.left, cpu.proof = [], None, None, None
        cpu.note(e["ts"])
        text = self.context.prev_state.text(f["prev_state"])
        state = folded(oracle.state_name(text))
        for pid, change in ((f["prev_pid"], (state, e["cpu"], self.losses.now, text)),
                            (f["next_pid"], ("running", e["cpu"], self.losses.now))):
            if pid:
                self.history[pid].changes.append(Change(self.number, e["ts"], *change))
                self.history[pid].changes[-1].cpu_known = self.losses.cpus.get(e["cpu"])
        if f["next_pid"]:
            self.history[f["next_pid"]].fault = False

    @staticmethod
    def ends(cpu, kind):
        """An exit ends the innermost interrupt of its kind and those within it."""
        for i in reversed(range(len(cpu.irqs))):
            if cpu.irqs[i][0] == kind:
                del cpu.irqs[i:]
                if cpu.proof and cpu.proof[3] > i:
                    cpu.proof = None
                return

    def interrupt(self, e, cpu, name):
        f, (system, event) = e["fields"], name.split("/")
        edge = re.fullmatch("(.*)_(entry|exit)", event)
        if system == "power" and event == "cpu_idle":
            of = self.cpus[f["cpu_id"]]
            if of.pid == 0 and not of.unknown:
                if f["state"] == 2 ** 32 - 1:
                    of.left = e["ts"]
                else:
                    of.idle, of.left = f["state"], None
                of.note(e["ts"])
            return
        if not edge:
            return
        if name.startswith("irq/irq_handler_"):
            kind = "irq"
            what = f"irq {f['irq']} {f.get('name', '')}".rstrip()
        elif name.startswith("irq/softirq_"):
            kind = "softirq"
            what = self.context.names.symbolic("irq:softirq_entry", "vec", f["vec"])
        elif system == "irq_vectors":
            kind, what = "irq", f"irq {edge[1]}"
        else:
            return
        if edge[2] == "entry":
            cpu.irqs.append((kind, what))
        else:
            self.ends(cpu, kind)
        cpu.note(e["ts"])

    @staticmethod
    def context_of(e, cpu):
        """hard, soft, or None for a task."""
        flag = e["flags"][2]
        if flag in "hHzZ":
            return "irq"
        if flag == "s":
            return "softirq"
        return cpu.irqs[-1][0] if cpu.irqs else None

    def signal(self, cpu, pid, number, comes_after):
        """It comes right behind the wakeup that it is for, in old kernels right before it."""
        if not pid:
            return
        if not comes_after:
            cpu.signaled = pid, number
        now = self.tasks.get(pid)
        if pid == cpu.woken[0] and cpu.woken[1] and now and now["state"] == "runnable":
            cpu.woken[1].proof = "signal", f"signal {number}", cpu.woken[1].proof[2]

    def proofs(self, e, cpu, name):
        f = e["fields"]
        if name in ("block/block_rq_complete", "block/block_bio_complete"):
            proof = "block_io", f"device {f['dev'] >> 20},{f['dev'] & 0xfffff} {f['rwbs']}"
        elif name in ("timer/hrtimer_expire_entry", "timer/timer_expire_entry"):
            proof = "timer", self.context.symbols.get(f["function"]) or f"function {f['function']:#x}"
        elif name == "net/netif_receive_skb":
            proof = "network", f"device {f['name']}"
        elif name == "irq/softirq_entry":
            if cpu.irqs[-1][1] not in ("NET_RX", "NET_TX"):
                cpu.proof = None
                return
            proof = "network", cpu.irqs[-1][1]
        elif name in ("timer/hrtimer_expire_exit", "timer/timer_expire_exit"):
            cpu.proof = None
            return
        elif name == "signal/signal_generate":
            if not f.get("result"):
                self.signal(cpu, f["pid"], f["sig"], "result" in f)
            return
        else:
            return
        kind = "softirq" if name == "irq/softirq_entry" else self.context_of(e, cpu)
        cpu.proof = (*proof, kind, len(cpu.irqs))
        cpu.proof_ts = e["ts"]

    def task_event(self, e, name):
        f, t = e["fields"], self.history[e["pid"]]
        lock = f.get("lock_addr", f.get("lockdep_addr"))
        system, event = name.split("/")
        if name in ("lock/contention_begin", "lock/lock_contended"):
            if "flags" in f:
                word = self.context.names.flags("lock:contention_begin", "flags", f["flags"])
            else:
                word = f.get("name")
            t.locks.pop(lock, None)
            t.locks[lock] = f"{word or 'lock'} {lock:#x}"
        elif name in ("lock/contention_end", "lock/lock_acquired", "lock/lock_release"):
            t.locks.pop(lock, None)
        elif system in ("syscalls", "raw_syscalls") and event.startswith("sys_enter"):
            t.fault = False
            called = event[10:] if system == "syscalls" else self.call_names.get(f["id"])
            args = f.get("args") or [f.get("uaddr"), f.get("op")]
            if not (t.call and not called):
                t.call = called, args[0], args[1] is None or args[1] & 0x7f in FUTEX_WAITS
        elif system in ("syscalls", "raw_syscalls") and event.startswith("sys_exit"):
            t.call = None
            t.fault = False
            t.locks = {}
        elif name in ("exceptions/page_fault_user", "exceptions/page_fault_kernel"):
            t.fault = True

    # ---- wakeups and their causes ----

    def wakeup(self, e, cpu):
        """What a wakeup proves of the task that is woken; and the change of it."""
        f = e["fields"]
        t = self.history[f["pid"]]
        how = "waking" if e["event"] == "sched_waking" else "wakeup"
        t.moves.append((self.number, e["ts"], oracle.target_cpu(f), how, e["pid"]))
        now = self.find(f["pid"])
        if not now or now["state"] not in ("running", "runnable", "preempted"):
            last = t.changes[-1] if t.changes else None
            if last and last.state == "blocked":
                last.proof = self.prove(t, last.text, last.stack, e, cpu)
            cpu.woken = f["pid"], last if last and last.state == "blocked" else None
            t.changes.append(Change(self.number, e["ts"], "runnable", oracle.target_cpu(f), self.losses.now,
                                    wake=e))
            t.changes[-1].creator = e["pid"] if self.context_of(e, cpu) is None and e["pid"] else None

    def prove(self, t, text, stack, e, cpu):
        """(kind, what, by_pid) of a blocked segment that the wakeup e ends; cpu: that of the event."""
        kind = self.context_of(e, cpu)
        by = e["pid"] if kind is None and e["pid"] else None
        same = cpu.proof and cpu.proof[2:] == (kind, len(cpu.irqs))
        if e["fields"]["pid"] == cpu.signaled[0]:
            return "signal", f"signal {cpu.signaled[1]}", by
        if t.locks:
            return "lock", list(t.locks.values())[-1], by
        disk = oracle.state_name(text) == "uninterruptible"
        if same and (cpu.irqs or e["ts"] - cpu.proof_ts <= NEAR and (cpu.proof[0] != "block_io" or disk)):
            return *cpu.proof[:2], by
        if t.call and t.call[0] and t.call[0].startswith("futex") and t.call[2]:
            return "futex", f"futex {t.call[1]:#x}" if t.call[0] in ("futex", "futex_wait", "futex_wake") \
                else t.call[0], by
        for function in stack or ():
            name = re.sub(r"\+0x.*|\..*", "", function)
            if name in WAITING:
                return WAITING[name], name, by
        if t.fault and not t.call and disk:
            return "page_fault", None, by
        if t.call and t.call[0] and "nanosleep" in t.call[0] and not by:
            return "timer", t.call[0], by
        if by:
            return "blocked", t.call and t.call[0], by
        if cpu.irqs and cpu.irqs[-1][0] == kind:
            return "blocked", cpu.irqs[-1][1], by
        return "unknown", RECORD if kind else BY_IDLE, by

    # ---- rows ----

    def wake(self, e):
        self.woken_proof = None
        super().wake(e)

    def row(self, t, end, opened, late=False):
        """A state that a wakeup ends comes with the next one: its signal may come still."""
        self.put_held(t["pid"])
        if end is not None and t["state"] not in ("running", "runnable", "preempted") and oracle.is_wake(self.now):
            self.held[t["pid"]] = dict(t), end
        else:
            self.explain(t, end, opened, late)

    def put_held(self, pid):
        if pid in self.held:
            self.explain(*self.held.pop(pid), None)

    def leave(self, t, ts, follows):
        if t:
            self.put_held(t["pid"])
        super().leave(t, ts, follows)

    def finish(self):
        for pid in self.history:
            self.put_held(pid)
        super().finish()

    def explain(self, t, end, opened, late=False):
        pid = t["pid"]
        self.of = {"of_pid": pid, "of_ts": t["ts"]}
        state = folded(t["state"])
        if end is None:
            cpu = t["cpu"]
            if state == "runnable":
                cpu = self.queues(pid, t["number"], t["ts"], t["cpu_left"], self.number + 1)[0][-1][1]
            what = {"running": None, "dead": ENDED}.get(state, "its end is not in the trace")
            if opened == "lost" and state != "running":
                what = LOST
            self.segment(pid, t["ts"], None, 0, "running" if state == "running" else "unknown", cpu, state, what,
                         opened=opened, late=late)
            return
        if state == "running":
            out = [(t["ts"], end, "running", t["cpu"], state, None, None, None)]
        elif state == "runnable":
            out = self.runnable(pid, t["number"], t["ts"], end, t["cpu_left"], t["state"] == "preempted",
                                self.now["cpu"], self.number)
        elif state == "dead":
            out = [(t["ts"], end, "unknown", t["cpu"], state, None, ENDED, None)]
        else:
            began = next(c for c in self.history[pid].changes if c.number == t["number"])
            why = began.proof or ("unknown", NO_WAKEUP, None)
            out = [(t["ts"], end, why[0], t["cpu"], state, why[2], why[1], why[2])]
        self.emit(pid, out, 0)

    def enter(self, pid, state, e, **more):
        super().enter(pid, state, e, number=self.number,
                      cpu_left=e["cpu"] if is_out(e, pid) else None, **more)

    def segment(self, pid, ts, end, depth, kind, cpu, state, what, by=None, opened=None, late=False):
        comm = self.context.comms
        self.put(at_end=late, ts=ts, dur=None if end is None else end - ts, cpu=cpu, pid=pid,
                 comm=comm.get(pid, "<...>"), open=opened, depth=depth, kind=kind, by_pid=by,
                 by_comm=None if by is None else comm.get(by, "<...>"), what=what, state=state,
                 of_comm=comm.get(self.of["of_pid"], "<...>"), **self.of)

    def emit(self, pid, out, depth):
        """out: (begin, end, kind, cpu, state, by, what, waker), of one depth in order of time."""
        merged = []
        for s in out:
            if s[0] >= s[1]:
                continue
            if merged and merged[-1][1] == s[0] and merged[-1][2:] == s[2:] and \
                    (s[4] in (None, "runnable") or s[7] == "cut"):
                merged[-1] = (merged[-1][0], *s[1:])
            else:
                merged.append(s)
        for ts, end, kind, cpu, state, by, what, waker in merged:
            self.segment(pid, ts, end, depth, kind, cpu, state, what, by)
            if state == "running" and waker is None and depth < 16:
                self.emit(pid, self.interrupts(cpu, ts, end), depth + 1)
            elif state in ("blocked", None) and waker not in (None, pid) and depth < 16:
                self.emit(waker, self.beneath(waker, ts, end), depth + 1)

    def interrupts(self, cpu, ts, end):
        pieces = [(a, b, *(s["irq"] or ("running", None))) for a, b, s in self.did(cpu, ts, end)]
        if not any(kind != "running" for a, b, kind, what in pieces if a < b):
            return []
        return [(a, b, kind, cpu, "running", None, what, "cut")
                for a, b, kind, what in pieces]

    def did(self, cpu, ts, end):
        """(begin, end, snapshot) of a CPU, of a time."""
        changes = self.cpus[cpu].changes
        snaps = [(max(ts, t), s) for t, s in changes if t < end]
        first = [s for t, s in changes if t <= ts][-1:] or [Cpu().__dict__ | {"irq": None}]
        snaps = [(ts, first[0])] + [x for x in snaps if x[0] > ts]
        return [(t, snaps[i + 1][0] if i + 1 < len(snaps) else end, s) for i, (t, s) in enumerate(snaps)]

    def queues(self, pid, number, ts, left, until, seen=None):
        """[(from when, run queue, how it came there)], and who sent it to each by sched_migrate_task."""
        moves = [m for m in self.history[pid].moves if number <= m[0] < until and (seen is None or m[1] <= seen)]
        if left is not None:
            queue = [(ts, left, "left")]
        else:
            first = moves.pop(0)
            queue = [(ts, first[2], "wakeup")]
            moves = [m for m in moves if m[3] != "waking"]
            if first[3] == "waking" and moves and (moves[0][3] == "wakeup" or moves[0][4] == first[4]):
                queue = [(ts, moves.pop(0)[2], "wakeup")]
        mover = [None]  # who sent it there by sched_migrate_task
        for m in moves:
            if m[3] != "waking":
                came = "migrate" if "migrate" in (m[3], queue[-1][2]) else m[3]
                mover.append(m[4] if m[3] == "migrate" else None)
                queue.append((m[1], m[2], came))
        return queue, mover

    def runnable(self, pid, number, ts, end, left, preempted, got, until, seen=None):
        """left: the CPU that it left; None of a wakeup. got: the CPU that it got, or None."""
        queue, mover = self.queues(pid, number, ts, left, until, seen)
        taker = None if left is None else self.got_at(number)
        out = []
        for i, (start, cpu, how) in enumerate(queue):
            last = i + 1 == len(queue)
            stop = end if last else queue[i + 1][0]
            if last and got not in (None, cpu):
                out.append((start, stop, "unknown", None, "runnable", None, MOVED, None))
                continue
            for a, b, s in self.did(cpu, start, stop):
                kind, who, what = self.waits(s, taker, ts, start, how, preempted)
                if who == pid:
                    kind, who, what = "unknown", None, "events contradict it"
                    out.append((a, b, kind, None, "runnable", who, what, None))
                    continue
                # The task that took the CPU sends this one away.
                if kind == "runnable" and left is not None and who == taker and not last and \
                        mover[i + 1] == who and not s["prio"]:
                    kind = "migration"
                out.append((a, b, kind, cpu, "runnable", who, what, None))
        return out

    def got_at(self, number):
        """The task that got the CPU by a switch."""
        return next(s["pid"] for cpu in self.cpus.values() for _, s in cpu.changes if s["got"] == number)

    @staticmethod
    def waits(s, taker, ts, start, how, preempted):
        if s["irq"]:
            return s["irq"][0], None, s["irq"][1]
        if s["unknown"]:
            return "unknown", None, s["unknown"]
        if s["pid"]:
            why = "already there" if s["since"] < ts else \
                "preempted it" if preempted and (s["since"], s["pid"]) == (ts, taker) else "came before it"
            return "runnable", s["pid"], f"priority {s['prio']}, {why}"
        if s["idle"] is not None and (s["left"] is None or s["left"] > start):
            return "idle_exit", None, f"idle state {s['idle']}"
        if how == "migrate":
            return "migration", None, "to an idle CPU"
        if s["left"] is not None and start - s["left"] <= NEAR:
            return "idle_exit", None, "out of " + ("an idle state" if s["idle"] is None else f"idle state {s['idle']}")
        return "unknown", None, "the CPU was idle; record cpu_idle"

    def created(self, ts, end, change):
        """Before the sched_wakeup_new of a task: what the task did that created it."""
        if not change.wake or change.wake["event"] != "sched_wakeup_new":
            return None
        by = change.creator
        return ts, end, "blocked", None, None, by, "created", by

    def beneath(self, pid, ts, end):
        """What a task did from ts to end."""
        changes, out = self.history[pid].changes, []
        at = ts
        for i, c in enumerate(changes):
            after = changes[i + 1] if i + 1 < len(changes) and changes[i + 1].ts <= end else None
            a, b = max(c.ts, ts), min(after.ts, end) if after else end
            if a >= b:
                continue
            if not out and a > ts:
                out.append(self.created(ts, a, c) or (ts, a, "unknown", None, None, None, NOT_KEPT, None))
            at = b
            known = after.known if after else c.known
            lossy = c.known != known
            if lossy and c.state == "running" and not after.wake and after.cpu == c.cpu:
                lossy = c.cpu_known != after.cpu_known
            if lossy:
                out.append((a, b, "unknown", None, None, None, LOST, None))
            elif c.state == "running":
                out.append((a, b, "running", c.cpu, "running", None, None, None))
            elif c.state == "runnable":
                pieces = self.runnable(pid, c.number, c.ts, after.ts if after else end,
                                       c.cpu if c.wake is None else None, (c.text or "").endswith("+"),
                                       after.cpu if after and after.state == "running" else None, after.number if after else self.number, end)
                out += [(max(x[0], a), min(x[1], b), *x[2:]) for x in pieces]
            elif c.state == "dead":
                out.append(after and self.created(a, b, after) or
                           (a, b, "unknown", c.cpu, "dead", None, ENDED, None))
            else:
                why = after and after.wake and c.proof or ("unknown", NO_WAKEUP, None)
                out.append((a, b, why[0], c.cpu, "blocked", why[2], why[1], why[2]))
        if not out and changes and changes[0].ts >= end:
            out.append(self.created(ts, end, changes[0]) or (ts, end, "unknown", None, None, None, NOT_KEPT, None))
            at = end
        if at < end:
            out.append((at, end, "unknown", None, None, None, NOT_KEPT, None))
        return out


def is_out(e, pid):
    return oracle.is_switch(e) and e["fields"]["prev_pid"] == pid


def properties(tdat, path):
    words = [tdat, "export", "-q", "--to", "jsonl", "--table", "critical_path"]
    texts = [oracle.output(*words, "--threads", n, path) for n in ("1", "3")]
    if texts[0] != texts[1]:
        sys.exit(f"{path}: critical_path: rows differ for 1 and 3 threads")
    states = oracle.output(*words[:-1], "thread_state", path)
    want, got, sums = {}, collections.defaultdict(list), [collections.Counter(), collections.Counter()]
    for row in map(json.loads, states.splitlines()):
        if row["dur"]:
            state = folded(row["state"])
            want[row["buffer"], row["pid"], row["ts"]] = row["ts"] + row["dur"], state
            sums[0][row["buffer"], row["pid"], state] += row["dur"]
    parents = []
    for row in map(json.loads, texts[0].splitlines()):
        COUNTS[row["kind"]] += 1
        if row["open"]:
            continue
        span = [row["ts"], row["ts"] + row["dur"], row["ts"]]
        if row["depth"] == 0:
            sums[1][row["buffer"], row["pid"], row["state"]] += row["dur"]
            got[row["buffer"], row["of_pid"], row["of_ts"]].append((*span[:2], row["state"]))
        close(path, parents, row["depth"])
        if row["depth"] != len(parents) or row["dur"] <= 0:
            sys.exit(f"{path}: critical_path: a row that lies beneath none, or has no length: {row}")
        if parents:
            if parents[-1][2] != row["ts"]:
                sys.exit(f"{path}: critical_path: rows leave a gap or overlap before {row}")
            parents[-1][2] = span[1]
        parents.append(span)
    close(path, parents, 0)
    for key, (end, state) in want.items():
        at = key[2]
        for begin, stop, is_state in got.pop(key, ()):
            if begin != at or is_state != state:
                sys.exit(f"{path}: critical_path: {key} {state}: not covered from {at}, or by {is_state}")
            at = stop
        if at != end:
            sys.exit(f"{path}: critical_path: {key} {state} is covered up to {at}, not {end}")
    if got or sums[0] != sums[1]:
        sys.exit(f"{path}: critical_path: times that thread_state does not have: {list(got)[:3]}")


def close(path, parents, depth):
    """Segments of a depth have ended: what lies beneath each covers it, or is not there."""
    while len(parents) > depth:
        begin, end, at = parents.pop()
        if at not in (begin, end):
            sys.exit(f"{path}: critical_path: what lies beneath {begin} ends at {at}, not {end}")


def main():
    tdat, files = sys.argv[1], sys.argv[2:]
    oracle.TABLES.clear()
    oracle.TABLES["critical_path"] = Critical
    for path in files:
        text = oracle.output(tdat, "dump", "--json", "-e", "kernel_stack", path)
        machines = oracle.compute(tdat, path)
        for tables in machines.values():
            tables["critical_path"].context.no_stacks = "caller_sym" not in text
        oracle.compare(tdat, path, "critical_path", machines)
        properties(tdat, path)
    if not sum(COUNTS.values()):
        sys.exit("no rows were compared")
    print(oracle.COUNTS["critical_path"], "rows:", ", ".join(f"{k} {n}" for k, n in sorted(COUNTS.items())))


if __name__ == "__main__":
    main()
