#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares derived tables with what is computed here, from docs/analysis.md and dump --json.

usage: oracle.py TDAT FILE...
Each table is one class that gets the events of one recording in order; it is simple and slow.
"""
import collections
import csv
import io
import json
import re
import subprocess
import sys

csv.field_size_limit(1 << 30)

TABLES = {}
COUNTS = collections.Counter()


def table(name):
    def register(cls):
        TABLES[name] = cls
        return cls
    return register


def output(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.decode("utf-8", "replace")


# ---- formats ----

def print_fmt(tdat, path, name):
    """The print fmt of an event, or None."""
    text = output(tdat, "list", "-i", path, name)
    for line in text.splitlines():
        if line.startswith("print fmt:"):
            return line
    return None


class PrevState:
    """What print fmt makes of prev_state."""

    def __init__(self, fmt):
        self.flags, self.plus, self.mask = [], 0, -1
        if not fmt:
            return
        part = re.search(r"__print_flags\((.*?),\s*\"\|\",(.*?)\)\s*:\s*\"R\"", fmt)
        if part:
            self.flags = [(int(n, 0), t)
                          for n, t in re.findall(r"\{\s*(\w+)\s*,\s*\"(\w*)\"\s*\}", part[2])]
            mask = re.match(r"REC->prev_state\s*&\s*(\(.*\))$", part[1].strip())
            if mask:
                self.mask = self.number(mask[1])
        plus = re.search(r"REC->prev_state\s*&\s*(\S[^?\"]*?)\s*\?\s*\"\+\"", fmt)
        if plus:
            self.plus = self.number(plus[1])

    @staticmethod
    def number(text):
        assert re.fullmatch(r"[0-9a-fA-FxX|+<\-&() ~]+", text), text
        return eval(text, {"__builtins__": {}})  # digits and operators only

    def text(self, raw):
        left, names = raw & self.mask, []
        known = left != 0
        for bit, name in self.flags:
            if bit and left & bit == bit:
                names.append(name)
                left &= ~bit
        if known and left:
            names.append(hex(left))
        return ("|".join(names) if known else "R") + ("+" if raw & self.plus else "")


STATES = {"R": "runnable", "S": "sleeping", "D": "uninterruptible", "T": "stopped",
          "t": "traced", "X": "dead", "x": "dead", "Z": "dead", "P": "parked", "I": "idle"}


def state_name(text):
    return "preempted" if text.endswith("+") else STATES.get(text[:1], "other")


# ---- what tables share ----

class Table:
    """Rows are dicts; those that are open at the end are put by finish()."""
    # Rows that are open at the end have no order.

    def __init__(self, context):
        self.context, self.rows, self.opened = context, [], []

    def put(self, at_end=False, **row):
        (self.opened if at_end else self.rows).append(row)

    def lost(self, cpu):
        pass

    def finish(self):
        pass


class Losses:
    """Numbers losses: what was known at one number may not be at a later one."""

    def __init__(self):
        self.now, self.cpus = 0, {}

    def add(self, cpu):
        self.now += 1
        self.cpus[cpu] = self.now

    def still(self, since, running_on=None):
        if running_on is None:
            return since == self.now
        return self.cpus.get(running_on, 0) <= since


def is_switch(e):
    return e["system"] == "sched" and e["event"] == "sched_switch"


def is_wake(e):
    return e["system"] == "sched" and \
        e["event"] in ("sched_waking", "sched_wakeup", "sched_wakeup_new") and \
        e["fields"].get("success", 1) and e["fields"]["pid"]


def target_cpu(f):
    return f.get("target_cpu", f.get("cpu"))


# ---- sched ----

@table("sched")
class Sched(Table):
    def __init__(self, context):
        super().__init__(context)
        self.runs = {}

    def event(self, e):
        if not is_switch(e):
            return
        f, had = e["fields"], self.runs.get(e["cpu"])
        if had and e["ts"] >= had["ts"] and had["pid"] == f["prev_pid"]:
            self.put(**had, dur=e["ts"] - had["ts"], open=None,
                     end_state=self.context.prev_state.text(f["prev_state"]))
        self.runs[e["cpu"]] = {"ts": e["ts"], "cpu": e["cpu"], "pid": f["next_pid"],
                               "comm": f["next_comm"], "prio": f["next_prio"]}

    def lost(self, cpu):
        had = self.runs.pop(cpu, None)
        if had:
            self.put(**had, dur=None, open="lost", end_state=None)

    def finish(self):
        for had in self.runs.values():
            self.put(at_end=True, **had, dur=None, open="end", end_state=None)


# ---- thread_state ----

@table("thread_state")
class ThreadState(Table):
    def __init__(self, context):
        super().__init__(context)
        self.tasks, self.losses, self.last_out = {}, Losses(), {}

    def known(self, t):
        return self.losses.still(t["known"], t["cpu"] if t["state"] == "running" else None)

    def find(self, pid):
        """The state of a task; None if it is not known."""
        t = self.tasks.get(pid)
        if t and not self.known(t):
            self.row(t, None, "lost", late=True)
            t = self.tasks[pid] = None
        if t:
            t["known"] = self.losses.now
        return t

    def row(self, t, end, opened, late=False):
        row = {k: v for k, v in t.items() if k not in ("known", "woken")}
        self.put(at_end=late, **row, dur=None if end is None else end - t["ts"], open=opened)

    def leave(self, t, ts, follows):
        if t and follows and ts >= t["ts"]:
            self.row(t, ts, None)

    def enter(self, pid, state, e, **more):
        t = {"ts": e["ts"], "cpu": e["cpu"], "pid": pid, "state": state, "prev_state": None,
             "waker_pid": None, "waker_comm": None, "wakeup_ts": None, "stack": None,
             "known": self.losses.now, "woken": False}
        t.update(more)
        self.tasks[pid] = t

    def switch(self, e):
        f = e["fields"]
        pid = f["prev_pid"]
        if pid:
            t = self.find(pid)
            self.leave(t, e["ts"], t and t["state"] == "running" and t["cpu"] == e["cpu"])
            text = self.context.prev_state.text(f["prev_state"])
            self.enter(pid, state_name(text), e, prev_state=text, prio=f["prev_prio"],
                       comm=f["prev_comm"])
        self.last_out[e["cpu"]] = pid
        pid = f["next_pid"]
        if pid:
            t = self.find(pid)
            self.leave(t, e["ts"], t and t["state"] != "running")
            self.enter(pid, "running", e, prio=f["next_prio"], comm=f["next_comm"])

    def wake(self, e):
        f = e["fields"]
        t = self.find(f["pid"])
        if not t or t["state"] not in ("running", "runnable", "preempted"):
            waker = {"waker_pid": e["pid"], "waker_comm": e["comm"]}
            if t:
                t.update(waker)
                self.leave(t, e["ts"], True)
            self.enter(f["pid"], "runnable", e, cpu=target_cpu(f), prio=f["prio"],
                       comm=f["comm"], woken=True, **waker)
            t = self.tasks[f["pid"]]
        if e["event"] != "sched_waking" and t["woken"] and t["wakeup_ts"] is None:
            t["wakeup_ts"] = e["ts"]
            t["cpu"] = target_cpu(f)

    def stack(self, e):
        pid = self.last_out.get(e["cpu"])
        t = self.tasks.get(pid) if pid and pid == e["pid"] else None
        if t and t["state"] != "running":
            t["stack"] = e["fields"].get("caller_sym", ())

    def event(self, e):
        stack = e["system"] == "ftrace" and e["event"] == "kernel_stack"
        if stack:
            self.stack(e)
        if stack or is_switch(e) or e["event"].startswith("sched_wak"):
            self.last_out[e["cpu"]] = None
        if is_switch(e):
            self.switch(e)
        elif is_wake(e):
            self.wake(e)

    def lost(self, cpu):
        self.last_out[cpu] = None
        self.losses.add(cpu)

    def finish(self):
        for t in self.tasks.values():
            if t:
                self.row(t, None, "end" if self.known(t) else "lost", late=True)


# ---- wakeup ----

@table("wakeup")
class Wakeup(Table):
    def __init__(self, context):
        super().__init__(context)
        self.runs, self.woken, self.losses = {}, {}, Losses()

    def refresh(self, pid):
        if pid in self.woken and not self.losses.still(self.woken[pid]["known"]):
            self.row(self.woken.pop(pid), None, None, "lost")
        if pid in self.runs and not self.losses.still(self.runs[pid][1], self.runs[pid][0]):
            del self.runs[pid]
        if pid in self.runs:
            self.runs[pid] = (self.runs[pid][0], self.losses.now)
        if pid in self.woken:
            self.woken[pid]["known"] = self.losses.now

    def row(self, w, cpu, end, opened):
        row = {k: v for k, v in w.items() if k != "known"}
        late = opened is not None
        wait = None if late or w["wakeup_ts"] is None else end - w["wakeup_ts"]
        self.put(at_end=late, **row, cpu=cpu, dur=None if late else end - w["ts"], open=opened,
                 wakeup_dur=wait)

    def event(self, e):
        f = e["fields"]
        if is_switch(e):
            if f["prev_pid"]:
                self.refresh(f["prev_pid"])
                self.woken.pop(f["prev_pid"], None)
                self.runs.pop(f["prev_pid"], None)
            pid = f["next_pid"]
            if pid:
                self.refresh(pid)
                w = self.woken.pop(pid, None)
                if w and e["ts"] >= w["ts"]:
                    self.row(w, e["cpu"], e["ts"], None)
                self.runs[pid] = (e["cpu"], self.losses.now)
        elif is_wake(e):
            self.wake(e)

    def wake(self, e):
        f, waking = e["fields"], e["event"] == "sched_waking"
        pid = f["pid"]
        self.refresh(pid)
        if pid in self.runs:
            return
        w = self.woken.get(pid)
        if w and (waking or w["wakeup_ts"] is not None):
            return
        if not w:
            w = self.woken[pid] = {
                "ts": e["ts"], "pid": pid, "waker_pid": e["pid"], "waker_comm": e["comm"],
                "waker_cpu": e["cpu"], "waking_ts": None, "wakeup_ts": None,
                "known": self.losses.now}
        w["waking_ts" if waking else "wakeup_ts"] = e["ts"]
        w.update(comm=f["comm"], prio=f["prio"], target_cpu=target_cpu(f))

    def lost(self, cpu):
        self.losses.add(cpu)

    def finish(self):
        for w in self.woken.values():
            self.row(w, None, None, "end" if self.losses.still(w["known"]) else "lost")


# ---- migration ----

@table("migration")
class Migration(Table):
    def __init__(self, context):
        super().__init__(context)
        self.cpus = {}

    def moment(self, e, pid, comm, prio, orig, dest):
        self.put(ts=e["ts"], dur=None, cpu=e["cpu"], pid=pid, comm=comm, open=None, prio=prio,
                 orig_cpu=orig, dest_cpu=dest, seen_by=e["event"])

    def event(self, e):
        f = e["fields"]
        if e["system"] == "sched" and e["event"] == "sched_migrate_task":
            self.moment(e, f["pid"], f["comm"], f["prio"], f["orig_cpu"], f["dest_cpu"])
            self.cpus[f["pid"]] = f["dest_cpu"]
        elif is_switch(e):
            if f["prev_pid"]:
                self.cpus[f["prev_pid"]] = e["cpu"]
            pid = f["next_pid"]
            if pid:
                if self.cpus.get(pid, e["cpu"]) != e["cpu"]:
                    self.moment(e, pid, f["next_comm"], f["next_prio"], self.cpus[pid], e["cpu"])
                self.cpus[pid] = e["cpu"]

    def lost(self, cpu):
        self.cpus.clear()


# ---- comparing ----

class Context:
    def __init__(self, tdat, path):
        self.prev_state = PrevState(print_fmt(tdat, path, "sched:sched_switch"))


def compute(tdat, path):
    """Rows of each table by buffer, those of a known end and those of none."""
    context = Context(tdat, path)
    machines, lines = {}, output(tdat, "dump", "--json", path)
    for line in lines.splitlines():
        e = json.loads(line)
        e.setdefault("buffer", "")
        if e["buffer"] not in machines:
            machines[e["buffer"]] = {n: cls(context) for n, cls in TABLES.items()}
        for machine in machines[e["buffer"]].values():
            if e.get("lost"):
                machine.lost(e["cpu"])
            if e["event"] is not None and "cut" not in e:
                machine.event(e)
    for tables in machines.values():
        for machine in tables.values():
            machine.finish()
    return machines


def exported(tdat, path, name):
    """Rows of a table by buffer, as text of CSV would make them hard to compare: as JSON."""
    rows = collections.defaultdict(list)
    for line in output(tdat, "export", "--to", "jsonl", "--table", name, path).splitlines():
        row = json.loads(line)
        rows[row.pop("buffer")].append(row)
    return rows


def canonical(row):
    """Lists as tuples; nulls are values that are not there."""
    return tuple(sorted((k, tuple(v) if isinstance(v, list) else v)
                        for k, v in row.items() if v is not None))


def compare(tdat, path, name, machines):
    got = exported(tdat, path, name)
    for buffer in sorted(set(got) | set(machines)):
        machine = machines.get(buffer, {}).get(name)
        want = machine.rows if machine else []
        opened = machine.opened if machine else []
        have = got.get(buffer, [])
        if machine and machine.context.no_stacks:
            for row in have + want + opened:
                row.pop("stack", None)
        # Rows that stay open, and those that are found lost late, have no order.
        closed = [canonical(r) for r in have if r.get("open") is None]
        first = [canonical(r) for r in want if r["open"] is None]
        for i, (a, b) in enumerate(zip(closed, first)):
            if a != b:
                sys.exit(f"{path}: {name}, buffer {buffer!r}, row {i}:\n"
                         f"tdat   {dict(a)}\noracle {dict(b)}")
        if len(closed) != len(first):
            sys.exit(f"{path}: {name}, buffer {buffer!r}: {len(closed)} rows, not {len(first)}")
        rest = sorted(canonical(r) for r in have if r.get("open") is not None)
        want_rest = sorted(canonical(r) for r in want + opened if r["open"] is not None)
        if rest != want_rest:
            only = [dict(r) for r in rest if r not in want_rest][:3]
            missing = [dict(r) for r in want_rest if r not in rest][:3]
            sys.exit(f"{path}: {name}, buffer {buffer!r}: open rows differ:\n"
                     f"only tdat {only}\nonly oracle {missing}")
        COUNTS[name] += len(closed) + len(rest)


def main():
    tdat, files = sys.argv[1], sys.argv[2:]
    for path in files:
        machines = compute(tdat, path)
        text = output(tdat, "dump", "--json", "-e", "kernel_stack", path)
        for tables in machines.values():
            for machine in tables.values():
                machine.context.no_stacks = "caller_sym" not in text
        for name in TABLES:
            compare(tdat, path, name, machines)
    if not sum(COUNTS.values()):
        sys.exit("no rows were compared")
    print(", ".join(f"{name} {n}" for name, n in sorted(COUNTS.items())), "rows")


main()
