#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares derived tables with what is computed here, from docs/analysis.md and dump --json.

usage: oracle.py TDAT FILE...
Each table is one class that gets the events of one recording in order; it is simple and slow.
"""
import collections
import errno
import heapq
import json
import pathlib
import re
import subprocess
import sys

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


def call_names(tdat, path):
    """Numbers of system calls of the file's machine, by the library's list of names: what it says
    is compared with the kernel's in kernel.py."""
    uname = re.search(r'"uname": "\S+ \S+ \S+ (\S+)"', output(tdat, "info", "--json", path))
    arrays = {"x86_64": "x86_64", "i386": "i386", "i686": "i386", "s390x": "s390x", "aarch64": "generic",
              "riscv64": "generic", "loongarch64": "generic"}
    if not uname or uname[1] not in arrays:
        return {}
    source = pathlib.Path(__file__).parents[2] / "lib/core/syscall_table.c"
    words = re.search(r"syscalls_%s\[\] = \{(.*?)\};" % arrays[uname[1]], source.read_text(), re.S)[1]
    found = {int(i): function for i, function in
             re.findall(r"\[(\d+)\] = (?:CALL\(|BOTH\(\w+, )(\w+)\)", words)}
    return {**found, **({92: "arm64_personality"} if uname[1] == "aarch64" else {})}


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
        # A pid has one name, whatever the event at hand calls it.
        for pid, comm in (("pid", "comm"), ("waker_pid", "waker_comm")):
            if row.get(pid) is not None and comm in row:
                row[comm] = self.context.comms.get(row[pid], "<...>")
        (self.opened if at_end else self.rows).append(row)

    def lost(self, cpu):
        pass

    def gap(self, cpu, begins):
        """A gap counts as a loss at both ends."""
        self.lost(cpu)
        if hasattr(self, "losses"):
            self.losses.gaps += 1 if begins else -1

    def missing(self):
        """Before each event while those of a CPU are missing: nothing is known on."""
        if hasattr(self, "losses"):
            self.losses.now += 1

    def finish(self):
        pass


class Losses:
    """Numbers losses: what was known at one number may not be at a later one, nor in a gap."""

    def __init__(self):
        self.now, self.cpus, self.gaps = 0, {}, 0

    def add(self, cpu):
        self.now += 1
        self.cpus[cpu] = self.now

    def still(self, since, running_on=None):
        if running_on is None:
            return since == self.now and not self.gaps
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
        self.last_out[e["cpu"]] = pid and (pid, e["flags"])
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
        # The kernel writes one context into an event and its stack.
        owner = self.last_out.get(e["cpu"])
        t = self.tasks.get(owner[0]) if owner and owner == (e["pid"], e["flags"]) else None
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


# ---- off_cpu ----

@table("off_cpu")
class OffCpu(ThreadState):
    """A task from a switch that takes it from a CPU to the next one that gives it one."""

    def known(self, t):
        return self.losses.still(t["known"])

    def row(self, t, end, opened, late=False, cpu=None):
        row = {k: v for k, v in t.items() if k not in ("known", "woken")}
        waits = t["state"] not in ("runnable", "preempted")
        waking = t["waking_ts"]
        start = waking if waits else t["ts"]
        row["block_dur"] = None if waking is None else waking - t["ts"]
        row["wait_dur"] = None if end is None or start is None or end < start else end - start
        self.put(at_end=late, **row, dur=None if end is None else end - t["ts"], open=opened,
                 end_cpu=cpu)

    def switch(self, e):
        f = e["fields"]
        pid = f["prev_pid"]
        if pid:
            self.find(pid)
            text = self.context.prev_state.text(f["prev_state"])
            self.enter(pid, state_name(text), e, prev_state=text, prio=f["prev_prio"],
                       comm=f["prev_comm"], waking_ts=None, next_pid=f["next_pid"],
                       next_comm=self.context.comms.get(f["next_pid"], "<...>"))
        self.last_out[e["cpu"]] = pid and (pid, e["flags"])
        pid = f["next_pid"]
        if pid:
            t = self.find(pid)
            self.tasks.pop(pid, None)
            if t and e["ts"] >= t["ts"]:
                self.row(t, e["ts"], None, cpu=e["cpu"])

    def wake(self, e):
        t = self.find(e["fields"]["pid"])
        if not t:
            return
        if t["state"] not in ("runnable", "preempted") and not t["woken"]:
            t.update(woken=True, waker_pid=e["pid"], waker_comm=self.context.comms.get(e["pid"], "<...>"),
                     waking_ts=e["ts"])
        if e["event"] != "sched_waking" and t["woken"] and t["wakeup_ts"] is None:
            t["wakeup_ts"] = e["ts"]


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

    def missing(self):
        self.cpus.clear()


# ---- pairs ----

class Names:
    """What print fmt prints for a number: __print_symbolic, or a choice between two strings."""

    def __init__(self, tdat, path):
        self.tdat, self.path, self.fmts = tdat, path, {}

    def fmt(self, event):
        if event not in self.fmts:
            self.fmts[event] = print_fmt(self.tdat, self.path, event) or ""
        return self.fmts[event]

    def symbolic(self, event, field, value):
        part = re.search(r"__print_symbolic\(REC->%s,(.*?)\)" % field, self.fmt(event))
        names = re.findall(r"\{\s*(\w+)\s*,\s*\"(\w*)\"\s*\}", part[1]) if part else ()
        for number, name in names:
            if int(number, 0) == value:
                return name
        return None if not part else hex(value)

    def flags(self, event, field, value):
        """Of __print_flags with "|" between the names."""
        part = re.search(r"__print_flags\((?:\(unsigned long\)\s*)?REC->%s,\s*\"\|\",(.*?)\)(?!,)" % field,
                         self.fmt(event))
        if not part:
            return None
        names = []
        for number, name in re.findall(r"\{([^\"]*?),\s*\"(\w*)\"\s*\}", part[1]):
            bit = PrevState.number(re.sub(r"(?<=\d)[uUlL]+", "", number))
            if bit and value & bit == bit:
                names.append(name)
                value &= ~bit
        return "|".join(names + ([hex(value)] if value else [])) or None

    def choice(self, event, field, value):
        part = re.search(r"REC->%s \? \"(\w+)\" : \"(\w+)\"" % field, self.fmt(event))
        return (part[1] if value else part[2]) if part else None


class Pairs(Table):
    """of_cpu: intervals end where they began, so that only losses of that CPU matter to them;
    before_of_cpu: so do events before."""
    before = begin = end = ()
    match = None
    nests = last_before = of_cpu = before_of_cpu = False

    def __init__(self, context):
        super().__init__(context)
        self.open, self.befores, self.losses = collections.defaultdict(list), {}, Losses()

    def key(self, e):
        return e["cpu"]

    def matched(self, e):
        return e["fields"][self.match] if self.match else None

    def row(self, b, end, opened, late=False):
        row = {"ts": b["ts"], "cpu": b["cpu"], "pid": b["pid"], "comm": b["comm"],
               "open": opened, "dur": None if end is None else end["ts"] - b["ts"]}
        row.update(self.columns(b, end))
        before = b["before"]
        if self.before:
            row[self.before_name] = before
            row["wait_dur"] = b["ts"] - before if before is not None and before <= b["ts"] else None
        self.put(at_end=late, **row)

    def known(self, b):
        return self.losses.still(b["known"], b["cpu"] if self.of_cpu else None)

    def remembered(self, had):
        """had: when, at which loss, on which CPU."""
        return had and self.losses.still(had[1], had[2] if self.before_of_cpu else None)

    def refresh(self, stack):
        while stack and not self.known(stack[-1]):
            self.row(stack.pop(), None, "lost", late=True)

    def event(self, e):
        name = f"{e['system']}/{e['event']}"
        if name in self.before:
            where = self.key(e), self.matched(e)
            had = self.befores.get(where)
            if self.last_before or not self.remembered(had):
                self.befores[where] = e["ts"], self.losses.now, e["cpu"]
        elif name in self.begin:
            stack = self.open[self.key(e)]
            self.refresh(stack)
            if stack and not self.nests:
                self.row(stack.pop(), None, "unended", late=True)
            if len(stack) == 256:
                return
            had = self.befores.pop((self.key(e), self.matched(e)), None)
            stack.append(dict(e, known=self.losses.now,
                              before=had[0] if self.remembered(had) else None))
        elif name in self.end:
            stack = self.open[self.key(e)]
            self.refresh(stack)
            if any(self.matched(b) == self.matched(e) for b in stack):
                while self.matched(stack[-1]) != self.matched(e):
                    self.row(stack.pop(), None, "unended", late=True)
                b = stack.pop()
                if e["ts"] >= b["ts"]:
                    self.row(b, e, None)

    def lost(self, cpu):
        self.losses.add(cpu)

    def finish(self):
        for stack in self.open.values():
            for b in stack:
                self.row(b, None, "end" if self.known(b) else "lost", late=True)


@table("irq")
class Irq(Pairs):
    begin, end = ("irq/irq_handler_entry",), ("irq/irq_handler_exit",)
    match, nests, of_cpu = "irq", True, True

    def columns(self, b, end):
        ret = end["fields"]["ret"] if end else None
        return {"irq": b["fields"]["irq"], "name": b["fields"]["name"], "ret": ret,
                "ret_name": self.context.names.choice("irq:irq_handler_exit", "ret", ret)
                if end else None}


@table("softirq")
class Softirq(Pairs):
    before, begin, end = ("irq/softirq_raise",), ("irq/softirq_entry",), ("irq/softirq_exit",)
    match, nests, of_cpu, before_of_cpu, before_name = "vec", True, True, True, "raise_ts"

    def columns(self, b, end):
        vec = b["fields"]["vec"]
        return {"vec": vec, "name": self.context.names.symbolic("irq:softirq_entry", "vec", vec)}


@table("timer")
class Timer(Pairs):
    before = ("timer/timer_start", "timer/hrtimer_start")
    begin = ("timer/timer_expire_entry", "timer/hrtimer_expire_entry")
    end = ("timer/timer_expire_exit", "timer/hrtimer_expire_exit")
    last_before, of_cpu, before_name = True, True, "start_ts"

    def key(self, e):
        kind = e["event"].split("_")[0]
        return e["fields"][kind], kind

    def columns(self, b, end):
        return {"kind": b["event"].split("_")[0], "timer": self.key(b)[0],
                "function": self.context.symbols.get(b["fields"].get("function"))}


@table("workqueue")
class Workqueue(Pairs):
    before = ("workqueue/workqueue_queue_work",)
    begin = ("workqueue/workqueue_execute_start",)
    end = ("workqueue/workqueue_execute_end",)
    before_name = "queue_ts"

    def key(self, e):
        return e["fields"]["work"]

    def columns(self, b, end):
        return {"work": self.key(b),
                "function": self.context.symbols.get(b["fields"].get("function"))}


@table("kvm")
class Kvm(Pairs):
    """made.py has events of these."""
    begin, end = ("kvm/kvm_exit",), ("kvm/kvm_entry",)

    def key(self, e):
        return e["pid"], e["pid"] == 0 and e["cpu"]

    def columns(self, b, end):
        sys.exit("a file with events of kvm: they can be compared here")


class Groups(Pairs):
    """Pairs of several kinds. kinds: the kind of each event, ends that need no beginning, and of
    moments; turns: what an event that ends an interval begins."""
    kinds, turns, moments = {}, {}, ()

    def __init__(self, context):
        super().__init__(context)
        self.begin = tuple(self.kinds)

    def event(self, e):
        name = f"{e['system']}/{e['event']}"
        self.kind = self.kinds.get(name, self.ends.get(name))
        if name in self.moments:
            self.put(ts=e["ts"], dur=None, cpu=e["cpu"], pid=e["pid"], comm=e["comm"], open=None,
                     **self.columns(dict(e, kind=self.kind), None))
            return
        if name in self.ends:
            self.end, self.begin = (name,), ()
            super().event(e)
        if name in self.turns:
            self.kind = self.turns[name]
        if name in self.kinds or name in self.turns:
            self.end, self.begin = (), (name,)
            super().event(dict(e, kind=self.kind))

    def key(self, e):
        return self.kind, self.own_key(e)

    def own_key(self, e):
        return e["pid"], e["pid"] == 0 and e["cpu"]


@table("lock")
class Lock(Groups):
    kinds = {"lock/contention_begin": "contention", "lock/lock_contended": "wait"}
    ends = {"lock/contention_end": "contention", "lock/lock_acquired": "wait",
            "lock/lock_release": "hold"}
    turns = {"lock/lock_acquired": "hold"}
    nests = True

    @staticmethod
    def lock(e):
        return e["fields"].get("lock_addr", e["fields"].get("lockdep_addr"))

    def own_key(self, e):
        return self.lock(e), super().own_key(e)

    def columns(self, b, end):
        contended = b["kind"] == "contention"
        return {"kind": b["kind"], "lock": self.lock(b), "name": b["fields"].get("name"),
                "flags": self.context.names.flags("lock:contention_begin", "flags",
                                                  b["fields"]["flags"]) if contended else None,
                "ret": end["fields"].get("ret") if end else None}


@table("net")
class Net(Groups):
    kinds = {"net/net_dev_queue": "xmit", "net/netif_rx": "rx", "napi/napi_poll": "napi"}
    ends = {"net/net_dev_xmit": "xmit", "net/netif_receive_skb": "rx"}
    moments = ("napi/napi_poll",)

    def own_key(self, e):
        return e["fields"]["skbaddr"]

    def columns(self, b, end):
        f = b["fields"]
        return {"kind": b["kind"], "dev": f.get("name", f.get("dev_name")),
                "addr": f.get("skbaddr", f.get("napi")), "len": f.get("len"),
                "rc": end["fields"].get("rc") if end else None,
                "work": f.get("work"), "budget": f.get("budget")}


@table("reclaim")
class Reclaim(Groups):
    WORDS = {"vmscan/mm_vmscan_%s_reclaim": ("direct", "memcg", "memcg_softlimit", "node")}
    kinds = {k % w + "_begin": w for k, words in WORDS.items() for w in words}
    ends = {k % w + "_end": w for k, words in WORDS.items() for w in words}
    kinds.update({"vmscan/mm_vmscan_kswapd_wake": "kswapd",
                  "compaction/mm_compaction_begin": "compaction",
                  "compaction/mm_compaction_kcompactd_wake": "kcompactd",
                  "oom/start_task_reaping": "oom_reap", "oom/mark_victim": "oom_victim"})
    ends.update({"vmscan/mm_vmscan_kswapd_sleep": "kswapd",
                 "compaction/mm_compaction_end": "compaction",
                 "compaction/mm_compaction_kcompactd_sleep": "kcompactd",
                 "oom/finish_task_reaping": "oom_reap"})
    moments = ("oom/mark_victim",)

    def columns(self, b, end):
        f, names = b["fields"], self.context.names
        g = end["fields"] if end else {}
        return {"kind": b["kind"], "order": f.get("order"), "nid": f.get("nid"),
                "victim_pid": f.get("pid"), "nr_reclaimed": g.get("nr_reclaimed"),
                "status": names.symbolic("compaction:mm_compaction_end", "status", g["status"])
                if "status" in g else None}


@table("io")
class Io(Groups):
    """Operations of file systems, by the endings of the names of events."""
    SYSTEMS = ("9p", "btrfs", "ceph", "cifs", "erofs", "ext4", "f2fs", "fuse", "gfs2", "jbd2",
               "nfs", "nfs4", "ocfs2", "xfs")
    ENDINGS = {"_enter": "_exit", "_begin": "_end", "ext4_writepages": "ext4_writepages_result"}

    def event(self, e):
        if e["system"] not in self.SYSTEMS:
            return
        name, event = f"{e['system']}/{e['event']}", e["event"]
        self.kinds, self.ends = {}, {}
        for begin, end in self.ENDINGS.items():
            whole = begin[0] != "_"
            for words, ending in ((self.kinds, begin), (self.ends, end)):
                if event.endswith(ending) and (whole or event != ending) and not self.ends:
                    words[name] = begin if whole else event[:-len(ending)]
        super().event(e)

    def columns(self, b, end):
        f = b["fields"]
        dev = f.get("dev")
        return {"fs": b["system"], "op": b["kind"], "ino": f.get("ino"),
                "dev": None if dev is None else f"{dev >> 20},{dev & 0xfffff}",
                "pos": f.get("pos", f.get("offset")), "len": f.get("len", f.get("count")),
                "ret": end["fields"].get("ret") if end else None}


class CpuPower(Table):
    """States of CPUs: each event of a CPU ends the one that it is in."""
    def __init__(self, context):
        super().__init__(context)
        self.states, self.losses = {}, Losses()

    def known(self, s):
        return self.losses.still(s["known"], s["cpu"] if s["own"] else None)

    def row(self, s, end, opened, late=False):
        self.put(at_end=late, ts=s["ts"], cpu=s["cpu"], pid=None, comm=None, open=opened,
                 dur=None if end is None else end - s["ts"], **self.columns(s, end))

    def find(self, cpu):
        s = self.states.get(cpu)
        if s and not self.known(s):
            self.row(self.states.pop(cpu), None, "lost", late=True)
        return self.states.get(cpu)

    def turn(self, e, begins):
        f = e["fields"]
        s = self.find(f["cpu_id"])
        if s:
            del self.states[f["cpu_id"]]
            if e["ts"] >= s["ts"]:
                self.row(s, e["ts"], None)
        if begins:
            self.states[f["cpu_id"]] = {
                "ts": e["ts"], "cpu": f["cpu_id"], "state": f["state"], "own": f["cpu_id"] == e["cpu"],
                "known": self.losses.now, "begun": self.losses.now, "wake": None, "by": None}

    def lost(self, cpu):
        self.losses.add(cpu)

    def finish(self):
        for s in self.states.values():
            self.row(s, None, "end" if self.known(s) else "lost", late=True)


@table("cpu_idle")
class CpuIdle(CpuPower):
    def event(self, e):
        name = f"{e['system']}/{e['event']}"
        if name == "power/cpu_idle":
            self.turn(e, e["fields"]["state"] != 2 ** 32 - 1)
        elif name in ("sched/sched_waking", "ipi/ipi_send_cpu"):
            s = self.find(target_cpu(e["fields"]))
            if s and not s["by"] and e["ts"] >= s["ts"]:
                s["wake"], s["by"] = e["ts"], e["event"]

    def columns(self, s, end):
        known = s["by"] and self.losses.still(s["begun"])
        return {"state": s["state"], "wake_ts": s["wake"] if known else None,
                "wake_by": s["by"] if known else None,
                "exit_dur": end - s["wake"] if known and end is not None else None}


@table("cpu_frequency")
class CpuFrequency(CpuPower):
    def event(self, e):
        if e["system"] == "power" and e["event"] == "cpu_frequency":
            self.turn(e, True)

    def columns(self, s, end):
        return {"khz": s["state"]}


class UserPair(Pairs):
    """Pairs that --pair asks for: of a type of task by a filter, and of handlers of interrupts."""
    nests = True

    def key(self, e):
        name = self.keys[f"{e['system']}/{e['event']}"]
        return e["cpu"] if name == "CPU" else e["fields"][name]

    def columns(self, b, end):
        return {self.column: self.key(b), "end_cpu": end and end["cpu"],
                "end_pid": end and end["pid"]}


@table("by_task")
class ByTask(UserPair):
    """A wakeup until the task runs; the filter leaves some of both ends out."""
    begin, end, column = ("sched/sched_waking",), ("sched/sched_switch",), "field_pid"
    keys = {"sched/sched_waking": "pid", "sched/sched_switch": "next_pid"}
    text = ("by_task: sched/sched_waking(pid) if prio < 121 -> "
            "sched/sched_switch(next_pid) if prev_pid != 0")

    def event(self, e):
        f, name = e["fields"], f"{e['system']}/{e['event']}"
        if (name in self.begin and f["prio"] < 121) or (name in self.end and f["prev_pid"]):
            super().event(e)


@table("by_cpu")
class ByCpu(UserPair):
    begin, end, column, of_cpu = ("irq/softirq_entry",), ("irq/softirq_exit",), "CPU", True
    keys = {"irq/softirq_entry": "CPU", "irq/softirq_exit": "CPU"}
    text = "by_cpu: irq/softirq_entry(CPU) -> irq/softirq_exit(CPU)"


# ---- syscall ----

@table("syscall")
class Syscall(Table):
    def __init__(self, context):
        super().__init__(context)
        self.calls, self.left, self.losses = {}, {}, Losses()

    def row(self, c, e, opened, late=False):
        ret = e["fields"]["ret"] if e else None
        self.put(at_end=late, ts=c["ts"], cpu=c["cpu"], pid=c["pid"], comm=c["comm"], open=opened,
                 dur=e["ts"] - c["ts"] if e else None, nr=c["nr"], ret=ret,
                 name=c["name"] or self.context.calls.get(c["nr"]),
                 error=ERRORS.get(ret))

    def refresh(self, pid):
        c = self.calls.get(pid)
        if c and not self.losses.still(c["known"]):
            self.row(self.calls.pop(pid), None, "lost", late=True)
        if pid in self.left and not self.losses.still(self.left[pid]["known"]):
            del self.left[pid]

    def event(self, e):
        raw = e["system"] == "raw_syscalls"
        if not raw and (e["system"] != "syscalls" or not e["event"].startswith("sys_e")):
            return
        kind = "raw" if raw else "named"
        f, pid = e["fields"], e["pid"]
        nr = f.get("id", f.get("__syscall_nr", f.get("nr")))
        name = None if raw else re.sub("^sys_(enter|exit)_", "", e["event"])
        self.refresh(pid)
        for d in self.calls, self.left:
            if pid in d:
                d[pid]["known"] = self.losses.now
        c = self.calls.get(pid)
        if e["event"].startswith("sys_enter"):
            if c and c["nr"] == nr and kind not in c["by"]:
                c["by"].add(kind)
                c["name"] = name or c["name"]
                return
            if c:
                self.row(c, None, "unended", late=True)
            self.left.pop(pid, None)
            self.calls[pid] = {"ts": e["ts"], "cpu": e["cpu"], "pid": pid, "comm": e["comm"],
                               "nr": nr, "name": name, "by": {kind}, "known": self.losses.now}
        elif c:
            del self.calls[pid]
            if nr in (c["nr"], -1, 2 ** 32 - 1) and e["ts"] >= c["ts"]:
                c["name"] = c["name"] or name
                self.row(c, e, None)

    def lost(self, cpu):
        self.losses.add(cpu)

    def finish(self):
        for c in self.calls.values():
            self.row(c, None, "end" if self.losses.still(c["known"]) else "lost", late=True)


@table("futex")
class Futex(Syscall):
    """Calls whose name begins with futex, with what they were called with."""
    OPS = ("wait wake fd requeue cmp_requeue wake_op lock_pi unlock_pi trylock_pi wait_bitset "
           "wake_bitset wait_requeue_pi cmp_requeue_pi lock_pi2").split()

    def event(self, e):
        f = e["fields"]
        if e["system"] not in ("raw_syscalls", "syscalls"):
            return
        name = re.sub("^sys_(enter|exit)_", "", e["event"])
        if e["system"] == "raw_syscalls":
            name = (self.context.calls.get(f["id"]) or "").removeprefix("sys_")
        if not name.startswith("futex"):
            return
        super().event(e)
        c = self.calls.get(e["pid"])
        if c and "futex" not in c:
            args = f.get("args") or [f.get("uaddr"), f.get("op", f.get("val")), f.get("val")]
            c["futex"] = {"futex": args[:3], "futex_wait": [args[0], None, args[1]],
                          "futex_wake": [args[0], None, None]}.get(name, [None] * 3)

    def put(self, at_end=False, **row):
        super().put(at_end, **row, **self.more)

    def row(self, c, e, opened, late=False):
        uaddr, op, val = c["futex"]
        op = None if op is None or op & 127 >= len(self.OPS) else self.OPS[op & 127]
        self.more = {"uaddr": uaddr, "op": op, "val": val if val is None else val & 2 ** 32 - 1}
        super().row(c, e, opened, late)


ERRORS = {-n: name for n, name in errno.errorcode.items() if name != "EDEADLOCK"}
ERRORS.update({-11: "EAGAIN", -35: "EDEADLK", -95: "EOPNOTSUPP", -133: "EHWPOISON",
               -512: "ERESTARTSYS", -513: "ERESTARTNOINTR", -514: "ERESTARTNOHAND",
               -515: "ENOIOCTLCMD", -516: "ERESTART_RESTARTBLOCK", -517: "EPROBE_DEFER"})


# ---- function ----

@table("function")
class Function(Table):
    def __init__(self, context):
        super().__init__(context)
        self.stacks, self.losses = {}, Losses()

    def row(self, stack, c, dur, opened, fields=None, source="entry", self_dur=None):
        f = fields or {}
        parent = stack[-1] if stack and stack[-1]["depth"] == c["depth"] - 1 else None
        kernel = f["rettime"] - f["calltime"] if f.get("calltime") else None
        name = self.context.symbols.get
        self.put(at_end=opened is not None, ts=c["ts"], cpu=c["cpu"], pid=c["pid"],
                 comm=c["comm"], dur=dur, open=opened, func=name(c["func"]),
                 func_addr=c["func"], depth=c["depth"], self_dur=self_dur,
                 parent=name(parent["func"]) if parent else None,
                 parent_addr=parent["func"] if parent else None, kernel_dur=kernel,
                 retval=f.get("retval"), source=source)

    def drop(self, stack, opened):
        c = stack.pop()
        self.row(stack, c, None, opened)

    def event(self, e):
        if e["system"] != "ftrace" or e["event"] not in ("funcgraph_entry", "funcgraph_exit"):
            return
        f, who = e["fields"], (e["pid"], e["cpu"] if not e["pid"] else None)
        t = self.stacks.setdefault(who, {"stack": [], "cpu": e["cpu"], "known": 0})
        stack = t["stack"]
        if stack and not self.losses.still(t["known"]) and \
                (t["cpu"] != e["cpu"] or not self.losses.still(t["known"], t["cpu"])):
            while stack:
                self.drop(stack, "lost")
        t.update(cpu=e["cpu"], known=self.losses.now)
        entry = e["event"] == "funcgraph_entry"
        while stack and stack[-1]["depth"] >= f["depth"] + (not entry):
            self.drop(stack, "unended")
        c = {"ts": e["ts"], "cpu": e["cpu"], "pid": e["pid"], "comm": e["comm"],
             "func": f["func"], "depth": f["depth"], "children": 0}
        if entry:
            stack.append(c)
            return
        if stack and stack[-1]["depth"] == f["depth"] and stack[-1]["func"] == f["func"]:
            c = stack.pop()
            dur = e["ts"] - c["ts"]
            self.row(stack, c, dur, None, f, self_dur=dur - c["children"])
        else:
            while stack and stack[-1]["depth"] >= f["depth"]:
                self.drop(stack, "unended")
            dur = f["rettime"] - f["calltime"] if f.get("calltime") else None
            if dur is None or not self.context.nanoseconds:
                return
            c["ts"] -= dur
            self.row(stack, c, dur, None, f, source="exit")
        if stack and stack[-1]["depth"] == f["depth"] - 1:
            stack[-1]["children"] += dur

    def lost(self, cpu):
        self.losses.add(cpu)

    def finish(self):
        for t in self.stacks.values():
            while t["stack"]:
                self.drop(t["stack"],
                          "end" if self.losses.still(t["known"], t["cpu"]) else "lost")


# ---- block_io ----

@table("block_io")
class BlockIo(Table):
    STEPS = {"block_bio_queue": "queue_ts", "block_rq_insert": "insert_ts",
             "block_rq_issue": "issue_ts"}

    def __init__(self, context):
        super().__init__(context)
        self.requests, self.losses = {}, Losses()

    def row(self, r, e, opened):
        f = e["fields"] if e else {}
        row = {k: v for k, v in r.items() if k not in ("known", "number")}
        issue = r["issue_ts"]
        self.put(at_end=e is None, **row, open=opened, dur=e["ts"] - r["ts"] if e else None,
                 error=f.get("error", f.get("errors")),
                 wait_dur=issue - r["ts"] if issue is not None else None,
                 issue_dur=e["ts"] - issue if e and issue is not None else None)

    def find(self, key):
        r = self.requests.get(key)
        if r and not self.losses.still(r["known"]):
            self.row(self.requests.pop(key), None, "lost")
            return None
        return r

    def event(self, e):
        if e["system"] != "block":
            return
        f, step = e["fields"], self.STEPS.get(e["event"])
        key = f.get("dev"), f.get("sector")
        if step:
            r = self.find(key)
            if r and r[step] is not None:
                self.row(self.requests.pop(key), None, "unended")
                r = None
            if not r:
                r = self.requests[key] = {
                    "ts": e["ts"], "cpu": e["cpu"], "pid": e["pid"], "comm": e["comm"],
                    "dev": f"{key[0] >> 20},{key[0] & 0xfffff}", "sector": key[1],
                    "rwbs": f["rwbs"], "merges": 0, "queue_ts": None, "insert_ts": None,
                    "issue_ts": None, "known": self.losses.now}
            r[step], r["nr_sector"] = e["ts"], f["nr_sector"]
        elif e["event"] == "block_rq_complete":
            r = self.find(key)
            if r:
                self.row(self.requests.pop(key), e, None)
        elif e["event"] == "block_rq_requeue":
            r = self.find(key)
            if r:
                r["insert_ts"] = r["issue_ts"] = None
        elif e["event"] in ("block_bio_backmerge", "block_bio_frontmerge"):
            self.merge(e, key)

    def merge(self, e, key):
        n, bio = e["fields"]["nr_sector"], self.find(key)
        if bio and bio["insert_ts"] is None and bio["issue_ts"] is None:
            del self.requests[key]
        if e["event"] == "block_bio_frontmerge":
            r = self.find((key[0], key[1] + n))
            if r:
                self.requests[key] = self.requests.pop((key[0], key[1] + n))
                r.update(sector=key[1], nr_sector=r["nr_sector"] + n, merges=r["merges"] + 1)
            return
        for (dev, sector), r in list(self.requests.items()):
            if dev == key[0] and sector + r["nr_sector"] == key[1] and self.find((dev, sector)):
                r["nr_sector"] += n
                r["merges"] += 1
                return

    def lost(self, cpu):
        self.losses.add(cpu)

    def finish(self):
        for r in self.requests.values():
            self.row(r, None, "end" if self.losses.still(r["known"]) else "lost")


# ---- marks ----

def mark(e):
    """The parts of a mark of atrace, or None."""
    if e["system"] != "ftrace" or e["event"] != "print":
        return None
    m = re.fullmatch(r"([BI])\|(\d+)\|(.+)()|([SFC])\|(\d+)\|(.+)\|([^|]*)|(E)(?:\|(\d*))?(?:\|.*)?",
                     e["fields"]["buf"].rstrip("\n"), re.S)
    if not m:
        return None
    return [m[1], m[2], m[3], None] if m[1] else [m[5], m[6], m[7], m[8]] if m[5] else \
        [m[9], m[10], None, None]


@table("slice")
class Slice(Table):
    def __init__(self, context):
        super().__init__(context)
        self.open, self.losses = collections.defaultdict(list), Losses()

    def event(self, e):
        m = mark(e)
        if not m or m[0] == "C":
            return
        key = ("async", *m[1:]) if m[0] in "SF" else ("sync", e["pid"])
        stack = self.open[key]
        while stack and not self.losses.still(stack[-1][1]):
            self.put(at_end=True, **stack.pop()[0], dur=None, open="lost")
        row = {"ts": e["ts"], "cpu": e["cpu"], "pid": e["pid"], "comm": e["comm"], "name": m[2],
               "kind": key[0], "tgid": m[1] and int(m[1]), "cookie": m[3],
               "depth": len(stack) if key[0] == "sync" else None}
        if m[0] == "I":
            row.update(kind="instant", depth=None)
            self.put(**row, dur=None, open=None)
        elif m[0] in "BS":
            stack.append((row, self.losses.now))
        elif stack:
            row = stack.pop()[0]
            self.put(**row, dur=e["ts"] - row["ts"], open=None)

    def lost(self, cpu):
        self.losses.add(cpu)

    def finish(self):
        for stack in self.open.values():
            for row, known in stack:
                self.put(at_end=True, **row, dur=None,
                         open="end" if self.losses.still(known) else "lost")


@table("counter")
class Counter(Table):
    def __init__(self, context):
        super().__init__(context)
        self.live = {}

    def sample(self, e, name, value, cpu=None, tgid=None):
        self.put(ts=e["ts"], cpu=e["cpu"] if cpu is None else cpu, pid=e["pid"], comm=e["comm"],
                 open=None, dur=None, name=name, value=value, tgid=tgid)

    def event(self, e):
        f, m = e["fields"], mark(e)
        if m and m[0] == "C" and re.fullmatch(r"-?\d+", m[3]):
            self.sample(e, m[2], int(m[3]), tgid=int(m[1]))
        elif e["system"] == "power" and e["event"] in ("cpu_frequency", "cpu_idle"):
            self.sample(e, e["event"], -1 if f["state"] == 2 ** 32 - 1 else f["state"],
                        cpu=f["cpu_id"])
        elif e["system"] == "kmem" and f.get("ptr"):
            if re.fullmatch("(kmalloc|kmem_cache_alloc)(_node)?", e["event"]):
                self.live[f["ptr"]] = f["bytes_alloc"]
            elif e["event"] in ("kfree", "kmem_cache_free") and f["ptr"] in self.live:
                del self.live[f["ptr"]]
            else:
                return
            self.sample(e, "kmem_live_bytes", sum(self.live.values()))


@table("kmem")
class Kmem(Table):
    KINDS = {"kmalloc": "kmalloc", "kmalloc_node": "kmalloc", "kmem_cache_alloc": "kmem_cache",
             "kmem_cache_alloc_node": "kmem_cache", "kfree": "kmalloc",
             "kmem_cache_free": "kmem_cache", "pages_alloc": "pages", "pages_free": "pages"}

    def __init__(self, context):
        super().__init__(context)
        self.live = {}

    def row(self, e, kind, **more):
        f = e["fields"]
        site = f["call_site"]
        return {"ts": e["ts"], "cpu": e["cpu"], "pid": e["pid"], "comm": e["comm"], "kind": kind,
                "ptr": f["ptr"], "call_site": site,
                "function": self.context.symbols.get(site), **more}

    @staticmethod
    def freed(e, kind):
        return {"free_kind": kind, "free_cpu": e["cpu"], "free_pid": e["pid"],
                "cache": e["fields"].get("name")}

    def event(self, e):
        kind = self.KINDS.get(e["event"])
        if e["system"] not in ("kmem", "kmemtrace") or not kind:
            return
        f, empty = e["fields"], e["fields"]["ptr"] in (0, 16)
        old = self.live.pop(f["ptr"], None)
        if e["event"].endswith("free"):
            how = self.freed(e, kind)
            if old:
                self.put(**old, **how, open=None, dur=e["ts"] - old["ts"])
            else:
                self.put(**self.row(e, kind), **how, open=None,
                         special="free of nothing" if empty else "free without allocation")
            return
        if old:
            self.put(**old, open="unended")
        row = self.row(e, kind, bytes_req=f["bytes_req"], bytes_alloc=f["bytes_alloc"])
        if empty:
            self.put(**row, open=None, special="no bytes" if f["ptr"] else "failed")
        else:
            self.live[f["ptr"]] = row

    def finish(self):
        for row in self.live.values():
            self.put(at_end=True, **row, open="end")


@table("latency_sample")
class LatencySample(Table):
    FIELDS = {"timerlat": ("timer_latency",), "osnoise": ("noise", "max_sample"),
              "hwlat": ("duration", "outer_duration")}

    def event(self, e):
        names, context = (), None
        if e["system"] == "ftrace":
            names = self.FIELDS.get(e["event"], ())
            if e["event"] == "timerlat":
                context = ("irq", "thread", "user")[e["fields"]["context"]]
        elif e["system"] == "synthetic":
            names = [n for n, v in e["fields"].items() if isinstance(v, int) and
                     not isinstance(v, bool) and re.search("lat|delta|dur", n) and
                     not n.endswith(("_sym", "_name"))]
        for name in names:
            self.put(ts=e["ts"], cpu=e["cpu"], pid=e["pid"], comm=e["comm"], dur=None, open=None,
                     source=e["event"], metric=name, context=context, value=e["fields"][name])


@table("page_fault")
class PageFault(Table):
    def event(self, e):
        if e["system"] == "exceptions" and e["event"].startswith("page_fault_"):
            f, mode = e["fields"], e["event"].split("_")[-1]
            self.put(ts=e["ts"], cpu=e["cpu"], pid=e["pid"], comm=e["comm"], dur=None, open=None,
                     mode=mode, address=f["address"], ip=f["ip"], error_code=f["error_code"],
                     function=self.context.symbols.get(f["ip"]) if mode == "kernel" else None)


# ---- comparing ----

class Symbols:
    """Functions at addresses: those that columns NAME_sym of the tables of events have."""

    def __init__(self, tdat, path):
        self.known = {}
        for event, field in (("ftrace/funcgraph_entry", "func"), ("ftrace/funcgraph_exit", "func"),
                             ("timer/timer_expire_entry", "function"),
                             ("exceptions/page_fault_kernel", "ip"),
                             *(("kmem/" + e, "call_site") for e in Kmem.KINDS),
                             ("timer/hrtimer_expire_entry", "function"),
                             ("workqueue/workqueue_execute_start", "function")):
            for line in output(tdat, "export", "-q", "--to", "jsonl", "--table", event,
                               path).splitlines():
                row = json.loads(line)
                self.known[row[field]] = row.get(field + "_sym")

    def get(self, addr):
        return self.known.get(addr)


class Context:
    def __init__(self, tdat, path):
        self.prev_state = PrevState(print_fmt(tdat, path, "sched:sched_switch"))
        self.names, self.symbols = Names(tdat, path), Symbols(tdat, path)
        self.calls = call_names(tdat, path)
        rows = output(tdat, "sql", "--json", path, "SELECT pid, comm FROM tasks WHERE used")
        self.comms = {0: "<idle>", **{r["pid"]: r["comm"] for r in json.loads(rows or "[]")}}
        self.nanoseconds = re.search(r"\d\.\d{6}: ", output(
            tdat, "dump", "--limit", "1", path)) is not None


def gaps_of(events):
    """Gaps by buffer, as a heap: from the last event of the CPU before a loss to the event behind it."""
    gaps, last = collections.defaultdict(list), {}
    for e in events:
        where = e["buffer"], e["cpu"]
        if e.get("lost"):
            heapq.heappush(gaps[e["buffer"]], (min(last.get(where, 0), e["ts"]), e["cpu"]))
        last[where] = e["ts"]
    return gaps


def compute(tdat, path):
    """Rows of each table by buffer, those of a known end and those of none."""
    context = Context(tdat, path)
    events = [json.loads(line) for line in output(tdat, "dump", "--json", path).splitlines()]
    for e in events:
        e.setdefault("buffer", "")
    gaps, open_gaps, machines = gaps_of(events), collections.Counter(), {}
    for e in events:
        buffer = e["buffer"]
        if buffer not in machines:
            machines[buffer] = {n: cls(context) for n, cls in TABLES.items()}
        ours = machines[buffer].values()
        waiting = gaps[buffer]
        while waiting and (waiting[0][0] < e["ts"] or e.get("lost") and waiting[0][0] == e["ts"]):
            cpu = heapq.heappop(waiting)[1]
            open_gaps[buffer] += 1
            for machine in ours:
                machine.gap(cpu, True)
        open_gaps[buffer] -= bool(e.get("lost"))
        for machine in ours:
            if e.get("lost"):
                machine.gap(e["cpu"], False)
            if open_gaps[buffer]:
                machine.missing()
            if e["event"] is not None and "cut" not in e:
                machine.event(e)
    for tables in machines.values():
        for machine in tables.values():
            machine.finish()
    return machines


def exported(tdat, path, name):
    """Rows of a table by buffer, as text of CSV would make them hard to compare: as JSON."""
    rows = collections.defaultdict(list)
    pair = ["--pair", TABLES[name].text] if issubclass(TABLES[name], UserPair) else []
    for line in output(tdat, "export", "-q", "--to", "jsonl", *pair, "--table", name,
                       path).splitlines():
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
        for row in have:
            for text in ("args", "gfp_flags"):  # of print fmt, which other tests compare
                row.pop(text, None)
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
        for name, cls in TABLES.items():
            # A pair of events that the file has no formats of is refused.
            if issubclass(cls, UserPair) and not all(
                    print_fmt(tdat, path, e.replace("/", ":")) for e in cls.begin + cls.end):
                continue
            compare(tdat, path, name, machines)
    if not sum(COUNTS.values()):
        sys.exit("no rows were compared")
    print(", ".join(f"{name} {n}" for name, n in sorted(COUNTS.items())), "rows")


if __name__ == "__main__":
    main()
