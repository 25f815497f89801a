# SPDX-License-Identifier: GPL-2.0-or-later
"""What Perfetto should make of a trace, computed from tdat dump --json alone.

Each function takes the events as dump has them, each with its machine, and gives a collections.Counter
of tuples that begin with the machine: rows of trace processor's tables of the same name, without
the numbers that it gives to threads and tracks.
"""
import collections

from compare import is_markup, text_of

SOFTIRQS = ("HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU")
OPEN = -1


class Tasks:
    """Tells tasks apart that have one number, one after the other."""

    def __init__(self):
        self.born = collections.Counter()
        self.groups = {}

    def key(self, machine, tid):
        return machine, tid, self.born[machine, tid]

    def see(self, event):
        parts = marker(event)
        if event["event"] == "task_newtask":
            self.born[event["machine"], event["fields"]["pid"]] += 1
        elif len(parts) > 1 and parts[1].isdigit():
            self.join(event["machine"], event["pid"], int(parts[1]))

    def join(self, machine, tid, group):
        """What is written to trace_marker tells the process of its thread: with another it is another task."""
        key = self.key(machine, tid)
        if self.groups.get(key, tid) != group:
            self.born[machine, tid] += 1
        self.groups[self.key(machine, tid)] = group

    def end(self, event):
        if event["event"] == "sched_process_free":
            self.born[event["machine"], event["fields"]["pid"]] += 1


def state_of(value):
    """The letters of prev_state since Linux 4.14 (TASK_REPORT and the bit behind it)."""
    letters = "".join(c for bit, c in enumerate("SDTtXZPI") if value & 1 << bit)
    return (letters or "R") + ("+" if value & 0x100 else "")


def mismatches(events):
    """How often a task is switched out of a CPU where another one was switched in before."""
    count, running = 0, {}
    for e in events:
        if is_switch(e):
            cpu, f = (e["machine"], e["cpu"]), e["fields"]
            count += cpu in running and running[cpu] != f["prev_pid"]
            running[cpu] = f["next_pid"]
    return count


def is_switch(event):
    return event["event"] == "sched_switch" and "next_pid" in event["fields"]


def sched(events):
    """machine, ts, dur, cpu, tid, end_state, priority"""
    rows, running = collections.Counter(), {}
    for e in events:
        if not is_switch(e):
            continue
        cpu, f = (e["machine"], e["cpu"]), e["fields"]
        before = running.get(cpu)
        if before:
            ts, tid, prio = before
            if f["prev_pid"] == tid:
                dur, state = e["ts"] - ts, state_of(f["prev_state"])
            else:
                dur, state = OPEN, None
            rows[e["machine"], ts, dur, e["cpu"], tid, state, prio] += 1
        running[cpu] = e["ts"], f["next_pid"], f["next_prio"]
    for (machine, cpu), (ts, tid, prio) in running.items():
        rows[machine, ts, OPEN, cpu, tid, None, prio] += 1
    return rows


class States:
    """The last state of each task, which ends when the next one begins."""

    def __init__(self):
        self.rows, self.last, self.tasks = collections.Counter(), {}, Tasks()

    def close(self, key, ts, known=True):
        if key in self.last:
            since, cpu, state, waker = self.last.pop(key)
            dur = ts - since if known else OPEN
            self.rows[key[0], since, dur, cpu, key[1], state, waker] += 1

    def open(self, key, ts, state, cpu=None, waker=None):
        if key[1]:  # the idle tasks have no states
            self.close(key, ts, False)
            self.last[key] = ts, cpu, state, waker

    def state(self, key):
        return self.last[key][2] if key in self.last else None

    def switch(self, e):
        f, machine = e["fields"], e["machine"]
        before, after = (self.tasks.key(machine, f[p]) for p in ("prev_pid", "next_pid"))
        # Of a task that was not running before, something was lost.
        self.close(before, e["ts"], self.state(before) == "Running")
        self.open(before, e["ts"], state_of(f["prev_state"]))
        self.close(after, e["ts"])
        self.open(after, e["ts"], "Running", e["cpu"])

    def waking(self, e):
        key = self.tasks.key(e["machine"], e["fields"]["pid"])
        if self.state(key) in ("Running", "R"):
            return
        self.close(key, e["ts"])
        self.open(key, e["ts"], "R", None, e["pid"])


def thread_state(events):
    """machine, ts, dur, cpu, tid, state, tid of the waker"""
    states = States()
    for e in events:
        states.tasks.see(e)
        if is_switch(e):
            states.switch(e)
        elif e["event"] in ("sched_waking",):
            states.waking(e)
        elif e["event"] == "task_newtask":
            key = states.tasks.key(e["machine"], e["fields"]["pid"])
            states.open(key, e["ts"], "R", None, e["pid"])
        states.tasks.end(e)
    for key in list(states.last):
        states.close(key, 0, False)
    return states.rows


class Slices:
    """Slices of tracks. An end closes the innermost slice of that name, or of any."""

    def __init__(self):
        self.rows, self.stacks = collections.Counter(), collections.defaultdict(list)

    def begin(self, track, ts, name):
        self.stacks[track].append((ts, name))

    def end(self, track, ts, name=None):
        stack = self.stacks[track]
        for i in reversed(range(len(stack))):
            if name in (None, stack[i][1]):
                since, begun = stack.pop(i)
                self.rows[(*track, since, ts - since, begun)] += 1
                return

    def all(self):
        for track, stack in self.stacks.items():
            for ts, name in stack:
                self.rows[(*track, ts, OPEN, name)] += 1
        return self.rows


def symbol(event, field):
    """The name of the function whose address a field has, or the address."""
    name = event["fields"].get(field + "_sym")
    return name.rsplit("+", 1)[0] if name else event["fields"][field]


def cpu_slices(events):
    """machine, kind of track, cpu, ts, dur, name"""
    slices = Slices()
    for e in events:
        f, name = e["fields"], e["event"]
        irq, softirq, timer = ((e["machine"], "cpu_" + kind, e["cpu"])
                               for kind in ("irq", "softirq", "hrtimer"))
        if name == "irq_handler_entry":
            slices.begin(irq, e["ts"], f"IRQ ({f['name']})")
        elif name == "irq_handler_exit":
            slices.end(irq, e["ts"])
        elif name == "local_timer_entry":
            slices.begin(irq, e["ts"], "IRQ (LocalTimer)")
        elif name == "local_timer_exit":
            slices.end(irq, e["ts"], "IRQ (LocalTimer)")
        elif name == "softirq_entry":
            slices.begin(softirq, e["ts"], SOFTIRQS[f["vec"]])
        elif name == "softirq_exit":
            slices.end(softirq, e["ts"], SOFTIRQS[f["vec"]])
        elif name == "hrtimer_expire_entry":
            slices.begin(timer, e["ts"], symbol(e, "function"))
        elif name == "hrtimer_expire_exit":
            slices.end(timer, e["ts"])
    return slices.all()


def functions(events):
    """machine, kind of track, tid or cpu, ts, dur, name; names in texts are of no address, so not drawn"""
    slices = Slices()
    for e in events:
        if e["system"] in ("ftrace_text", "perf_text"):
            continue
        track = (e["machine"], "thread_funcgraph", e["pid"]) if e["pid"] else \
            (e["machine"], "cpu_funcgraph", e["cpu"])
        if e["event"] == "funcgraph_entry":
            slices.begin(track, e["ts"], symbol(e, "func"))
        elif e["event"] == "funcgraph_exit":
            slices.end(track, e["ts"], symbol(e, "func"))
    return slices.all()


def marker(event):
    """The parts of what was written in the form of atrace, or nothing."""
    text = text_of(event)
    return text.rstrip("\n").split("|") if is_markup(text) else ()


def thread_slices(events, call_name):
    """machine, tid, ts, dur, name; call_name gives the name of a system call."""
    slices, ids = Slices(), {}
    for e in events:
        f, track, parts = e["fields"], (e["machine"], e["pid"]), marker(e)
        if e["event"] == "sys_enter":
            slices.begin(track, e["ts"], call_name(f["id"]))
            if call_name(f["id"]) == "sys_rt_sigreturn":  # does not return
                slices.end(track, e["ts"])
        elif e["event"] == "sys_exit":
            slices.end(track, e["ts"], call_name(f["id"]))
        elif e["event"] in ("signal_generate", "signal_deliver"):
            tid = f["pid"] if e["event"] == "signal_generate" else e["pid"]
            slices.rows[e["machine"], tid, e["ts"], 0, e["event"]] += 1
        elif e["event"] == "workqueue_execute_start":
            slices.begin(track, e["ts"], symbol(e, "function"))
        elif e["event"] == "workqueue_execute_end":
            slices.end(track, e["ts"])
        elif parts and parts[0] == "B":
            slices.begin(track, e["ts"], "|".join(parts[2:]) or "[empty slice name]")
        elif parts and parts[0] == "E":
            slices.end(track, e["ts"])
    return slices.all()


def stacks(events):
    """machine, cpu, ts, tid, whose, names of the functions from the innermost on"""
    rows = collections.Counter()
    for e in events:
        if e["event"] not in ("kernel_stack", "user_stack") or e["system"] in ("ftrace_text", "perf_text"):
            continue
        user, frames = e["event"] == "user_stack", []
        callers = e["fields"]["caller"]  # without symbols in the file they have no names
        for address, name in zip(callers, e["fields"].get("caller_sym", [""] * len(callers)), strict=True):
            if not address and user:
                break
            frames.append(hex(address) if user or not name else name.rsplit("+", 1)[0])
        if frames:
            rows[e["machine"], e["cpu"], e["ts"], e["pid"], "user" if user else "kernel", tuple(frames)] += 1
    return rows


def names(events):
    """machine, tid, name: Perfetto has one a task, the last"""
    last = {(e["machine"], e["pid"]): e["comm"] for e in events
            if e["pid"] > 0 and e["comm"] not in ("<...>", "")}
    return collections.Counter({(*task, name) for task, name in last.items()})


MEMORY = ("mem.rss.file", "mem.rss.anon", "mem.swap", "mem.rss.shmem")


def memory(events):
    """machine, kind, name, pid, ts, bytes of rss_stat, whose process is that last seen to have the address space."""
    rows, owners, tasks, ended = collections.Counter(), {}, Tasks(), set()
    for e in events:
        tasks.see(e)
        key = tasks.key(e["machine"], e["pid"])
        if e["event"] == "rss_stat" and "mm_id" in e["fields"]:
            f = e["fields"]
            space = e["machine"], f["mm_id"]
            if f["curr"]:
                owners[space] = key
            elif owners.get(space) == key or owners.get(space) in ended:
                del owners[space]
            if space in owners and f["size"] >= 0:
                rows[e["machine"], "process_memory", MEMORY[f["member"]], owners[space][1], e["ts"], f["size"]] += 1
        elif e["event"] == "sched_process_free":
            ended.add(tasks.key(e["machine"], e["fields"]["pid"]))
        tasks.end(e)
    return rows


def counters(events):
    """machine, kind, name, cpu or pid, ts, value"""
    rows, stack_count = memory(events), collections.Counter()
    for key in sorted(stacks(events).elements(), key=lambda row: row[2]):
        machine, cpu, ts = key[:3]
        stack_count[machine, cpu] += 1
        rows[machine, "perf_cpu_counter", "stacks", cpu, ts, stack_count[machine, cpu]] += 1
    for e in events:
        f, parts = e["fields"], marker(e)
        if e["event"] == "cpu_idle":
            rows[e["machine"], "cpu_idle", "cpuidle", f["cpu_id"], e["ts"], f["state"]] += 1
        elif e["event"] == "cpu_frequency":
            rows[e["machine"], "cpu_frequency", "cpufreq", f["cpu_id"], e["ts"], f["state"]] += 1
        elif parts and parts[0] == "C":
            rows[e["machine"], "atrace_counter", parts[2], int(parts[1]), e["ts"], int(parts[3])] += 1
    return rows
