#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Derived tables of traces made here, of events that no recording at hand has.

usage: made.py TDAT FOLDER
Exits of kvm, stacks that are deeper than what a row keeps, marks as atrace writes them, and losses on some
CPUs of several. What is expected is computed from the events that were written, by the definitions of
docs/analysis.md; of marks and losses by oracle.py.
"""
import collections
import json
import pathlib
import random
import struct
import subprocess
import sys

PAGE = 4096
HEADER_PAGE = (b"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
               b"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
               b"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
               b"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n")
HEADER_EVENT = (b"# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
                b"\tarray       :   32 bits\n\n\tpadding     : type == 29\n"
                b"\ttime_extend : type == 30\n\ttime_stamp : type == 31\n"
                b"\tdata max type_len  == 28\n")
COMMON = ("unsigned short common_type", "unsigned char common_flags",
          "unsigned char common_preempt_count", "int common_pid")
SIZES = {"short": 2, "char": 1, "int": 4, "u32": 4, "u64": 8, "long": 8, "long long": 8, "bool": 1}
REASONS = {0: "EXCEPTION_NMI", 1: "EXTERNAL_INTERRUPT", 12: "HLT", 30: "IO_INSTRUCTION",
           48: "EPT_VIOLATION"}
WORDS = ", ".join('{ %d, "%s" }' % r for r in REASONS.items())

VEC = (("unsigned int vec",), '"vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, '
       '{ 1, "TIMER" }, { 3, "NET_RX" })')
TIMER = (("unsigned long timer", "unsigned long function"), '"timer=%lx", REC->timer')
WORK = (("unsigned long work", "unsigned long function"), '"work=%lx", REC->work')
LOCK = (("unsigned long lockdep_addr", "char name[8]"), '"%lx %s", REC->lockdep_addr, REC->name')
SKB = (("unsigned long skbaddr", "unsigned int len", "char name[8]"), '"%lx", REC->skbaddr')
FILE = (("unsigned int dev", "unsigned long ino", "long long pos", "int ret"), '"%lu", REC->ino')
POWER = (("u32 state", "u32 cpu_id"), '"state=%u", REC->state')

# As Linux 6.12 has them on x86-64, with fewer reasons and fields.
FORMATS = {
    "kvm/kvm_exit": (
        ("unsigned int exit_reason", "unsigned long guest_rip", "u32 isa", "u64 info1", "u64 info2",
         "u32 intr_info", "u32 error_code", "unsigned int vcpu_id"),
        '"vcpu %u reason %s%s%s rip 0x%lx", REC->vcpu_id, (REC->isa == 1) ? __print_symbolic('
        "REC->exit_reason & 0xffff, " + WORDS + ") : __print_symbolic(REC->exit_reason, { 0x000, "
        '"read_cr0" }), (REC->isa == 1 && REC->exit_reason & ~0xffff) ? " " : "", (REC->isa == 1) ? '
        '__print_flags(REC->exit_reason & ~0xffff, " ", { 0x80000000, "FAILED_VMENTRY" }) : "", '
        "REC->guest_rip"),
    "kvm/kvm_entry": (("unsigned int vcpu_id", "unsigned long rip", "bool immediate_exit"),
                      '"vcpu %u, rip 0x%lx%s", REC->vcpu_id, REC->rip, '
                      'REC->immediate_exit ? "[immediate exit]" : ""'),
    "sched/sched_switch": (
        ("char prev_comm[16]", "int prev_pid", "int prev_prio", "long prev_state",
         "char next_comm[16]", "int next_pid", "int next_prio"),
        '"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d '
        'next_prio=%d", REC->prev_comm, REC->prev_pid, REC->prev_prio, __print_flags('
        'REC->prev_state, "|", { 0x1, "S" }, { 0x2, "D" }), REC->next_comm, REC->next_pid, '
        "REC->next_prio"),
    "irq/softirq_raise": VEC,
    "irq/softirq_entry": VEC,
    "irq/softirq_exit": VEC,
    "timer/timer_start": TIMER,
    "timer/timer_expire_entry": TIMER,
    "timer/timer_expire_exit": TIMER,
    "workqueue/workqueue_queue_work": WORK,
    "workqueue/workqueue_execute_start": WORK,
    "workqueue/workqueue_execute_end": WORK,
    "lock/contention_begin": (("unsigned long lock_addr", "unsigned int flags"),
                              '"%lx (flags=%s)", REC->lock_addr, __print_flags(REC->flags, "|", '
                              '{ 1, "SPIN" }, { 2, "READ" })'),
    "lock/contention_end": (("unsigned long lock_addr", "int ret"), '"%lx", REC->lock_addr'),
    "lock/lock_contended": LOCK, "lock/lock_acquired": LOCK, "lock/lock_release": LOCK,
    "net/net_dev_queue": SKB, "net/netif_rx": SKB, "net/netif_receive_skb": SKB,
    "net/net_dev_xmit": (("unsigned long skbaddr", "int rc"), '"%lx", REC->skbaddr'),
    "napi/napi_poll": (("unsigned long napi", "char dev_name[8]", "int work", "int budget"),
                       '"%lx", REC->napi'),
    "vmscan/mm_vmscan_direct_reclaim_begin": (("int order",), '"order=%d", REC->order'),
    "vmscan/mm_vmscan_direct_reclaim_end": (("unsigned long nr_reclaimed",),
                                            '"%lu", REC->nr_reclaimed'),
    "oom/mark_victim": (("int pid",), '"pid=%d", REC->pid'),
    "ext4/ext4_sync_file_enter": FILE, "ext4/ext4_sync_file_exit": FILE,
    "ext4/ext4_writepages": FILE, "ext4/ext4_writepages_result": FILE, "ext4/ext4_unlink": FILE,
    "power/cpu_idle": POWER, "power/cpu_frequency": POWER,
    "sched/sched_waking": (("char comm[16]", "int pid", "int prio", "int target_cpu"),
                           '"pid=%d", REC->pid'),
    "ipi/ipi_send_cpu": (("unsigned int cpu",), '"cpu=%u", REC->cpu'),
    "ftrace/kernel_stack": (("int size", "unsigned long caller[]"), '"%ps", REC->caller'),
    "ftrace/print": (("unsigned long ip", "char buf[]"), '"%ps: %s", (void *)REC->ip, REC->buf'),
    "ftrace/funcgraph_entry": (("unsigned long func", "int depth"),
                               '"--> %ps (%d)", REC->func, REC->depth'),
    "ftrace/funcgraph_exit": (
        ("unsigned long func", "int depth", "unsigned int overrun", "unsigned long long calltime",
         "unsigned long long rettime"),
        '"<-- %ps (%d)", REC->func, REC->depth'),
}


class Format:
    """The format of an event: its text, and records of it."""

    def __init__(self, name, number, fields, text, order="little"):
        self.id, self.places, at, self.order = number, {}, 0, order
        lines = []
        for i, field in enumerate([*COMMON, *fields]):
            kind, word = field.rsplit(" ", 1)
            word, _, count = word.rstrip("]").partition("[")
            size = SIZES[kind.replace("unsigned ", "")]
            at = -(-at // size) * size
            length = size * int(count) if count else 0 if field.endswith("[]") else size
            self.places[word] = at, length
            signed = not kind.startswith(("u", "bool")) and kind != "char"
            lines.append(f"\tfield:{kind} {word}{'[' + count + ']' if '[' in field else ''};"
                         f"\toffset:{at};\tsize:{length};\tsigned:{int(signed)};\n")
            lines += ["\n"] if i == 3 else []
            at += length
        self.len = at
        self.text = (f"name: {name}\nID: {number}\nformat:\n{''.join(lines)}\n"
                     f"print fmt: {text}\n").encode()

    def record(self, pid, values, tail):
        raw = bytearray(self.len)
        for name, value in {"common_type": self.id, "common_pid": pid, **values}.items():
            at, n = self.places[name]
            raw[at:at + n] = (value if isinstance(value, bytes)
                              else (value & (1 << 8 * n) - 1).to_bytes(n, self.order)).ljust(n, b"\0")
        raw += tail
        return bytes(raw) + bytes(-len(raw) % 4)


class Trace:
    """A file of version 6. formats: of its events, beside those in FORMATS; comms: names of tasks
    by pid; symbols: names of functions by address."""

    def __init__(self, cpus, big=False, formats=(), comms=(), symbols=()):
        self.order, self.big = "big" if big else "little", big
        self.formats = {name: Format(name.split("/")[1], 100 + i, *what, self.order)
                        for i, (name, what) in enumerate({**FORMATS, **dict(formats)}.items())}
        self.comms = "".join(f"{pid} {comm}\n" for pid, comm in dict(comms).items()).encode()
        self.symbols = "".join(f"{addr:016x} T {name}\n" for addr, name in dict(symbols).items()).encode()
        self.cpus = [[] for _ in range(cpus)]
        self.losses = set()  # CPU and number of the event before which others were lost
        self.options = b""

    def lose(self, cpu):
        self.losses.add((cpu, len(self.cpus[cpu])))

    def pack(self, kinds, *values):
        return struct.pack("<>"[self.big] + kinds, *values)

    def head(self, words, delta):
        """The first word of an event."""
        return self.pack("I", words << 27 | delta if self.big else words | delta << 5)

    def option(self, number, data):
        self.options += self.pack("HI", number, len(data)) + data

    def add(self, event, on, ts, task, tail=b"", **values):
        self.cpus[on].append((ts, self.formats[event].record(task, values, tail)))

    def pages(self, cpu):
        """Each event has its whole time in a page of its own, where the gap is too long for 27 bits;
        a page behind a loss has the kernel's flag of missed events in its commit."""
        out, page, start, last, flag = b"", b"", 0, 0, 0
        for i, (ts, raw) in enumerate(self.cpus[cpu]):
            n = len(raw)
            delta = ts - last
            words = n // 4 if n <= 112 else 0
            length = b"" if words else self.pack("I", n + 4)
            head = self.head(words, delta & (1 << 27) - 1) + length
            lost = (cpu, i) in self.losses
            if page and (len(page) + len(head) + n > PAGE - 16 or delta >= 1 << 27 or lost):
                out += (self.pack("QQ", start, len(page) | flag) + page).ljust(PAGE, b"\0")
                page = b""
            if not page:
                start, flag = ts, lost << 31
                head = self.head(words, 0) + length
            page += head + raw
            last = ts
        return out + (self.pack("QQ", start, len(page) | flag) + page).ljust(PAGE, b"\0") \
            if page else out

    def write(self, path):
        out = b"\x17\x08\x44tracing6\0" + self.pack("BBI", self.big, 8, PAGE)
        out += b"header_page\0" + self.pack("Q", len(HEADER_PAGE)) + HEADER_PAGE
        out += b"header_event\0" + self.pack("Q", len(HEADER_EVENT)) + HEADER_EVENT
        systems = collections.defaultdict(list)
        for name, f in self.formats.items():
            systems[name.split("/")[0]].append(f.text)
        own = systems.pop("ftrace")
        out += self.pack("I", len(own)) + b"".join(self.pack("Q", len(t)) + t for t in own)
        out += self.pack("I", len(systems))
        for system, texts in systems.items():
            out += system.encode() + b"\0" + self.pack("I", len(texts))
            out += b"".join(self.pack("Q", len(t)) + t for t in texts)
        out += self.pack("I", len(self.symbols)) + self.symbols + bytes(4)
        out += self.pack("Q", len(self.comms)) + self.comms + self.pack("I", len(self.cpus))
        out += b"options  \0" + self.options + bytes(2)
        out += b"flyrecord\0"
        data = [self.pages(cpu) for cpu in range(len(self.cpus))]
        at = len(out) + 16 * len(data) + PAGE - 1 & -PAGE
        place = at
        for d in data:
            out += self.pack("QQ", place, len(d))
            place += len(d)
        path.write_bytes(out.ljust(at, b"\0") + b"".join(data))
        return path


def rows(tdat, path, table, *options):
    done = subprocess.run([tdat, "export", "--to", "jsonl", "--table", table, *options, path],
                          check=True, capture_output=True)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def same(what, got, want):
    if got != want:
        wrong = [(g, w) for g, w in zip(got, want) if g != w][:1] or [(len(got), len(want))]
        sys.exit(f"{what}: {wrong[0][0]}\nnot {wrong[0][1]}")
    print(f"{what}: {len(want)} rows")


# ---- kvm ----

def kvm(tdat, folder):
    """Threads of virtual CPUs that move between two CPUs, and leave and enter the guest."""
    rng = random.Random(4)
    trace, open_exits, want, opened, ts = Trace(2), {}, [], [], 1000000
    for _ in range(3000):
        ts += rng.randrange(1, 5000)
        pid, cpu = rng.choice([71, 72, 73]), rng.randrange(2)
        if rng.random() < 0.53:
            isa = 1
            reason = rng.choice([*REASONS, 77])
            rip = rng.choice([0xffffffff81000000, 0x7fff00000010, 0])
            trace.add("kvm/kvm_exit", cpu, ts, pid, exit_reason=reason, guest_rip=rip, isa=isa,
                      vcpu_id=pid - 71)
            if pid in open_exits:
                opened.append({**open_exits[pid], "open": "unended"})
            open_exits[pid] = {"ts": ts, "cpu": cpu, "buffer": "", "pid": pid,
                               "exit_reason": reason, "reason": REASONS.get(reason, hex(reason)),
                               "guest_rip": rip}
        else:
            trace.add("kvm/kvm_entry", cpu, ts, pid, vcpu_id=pid - 71, rip=16)
            if pid in open_exits:
                begin = open_exits.pop(pid)
                want.append({**begin, "dur": ts - begin["ts"], "vcpu_id": pid - 71})
    opened += [{**b, "open": "end"} for b in open_exits.values()]
    path = trace.write(folder / "kvm.dat")
    got, _ = rows(tdat, path, "kvm")
    got = [{k: v for k, v in r.items() if v is not None and k != "comm"} for r in got]
    same("kvm, exits that end", [r for r in got if "open" not in r], want)
    same("kvm, exits that do not", sorted((r for r in got if "open" in r), key=lambda r: r["ts"]),
         sorted(opened, key=lambda r: r["ts"]))
    for option, of in (("--pid", "pid"), ("--cpu", "cpu")):
        value = 72 if of == "pid" else 1
        some, _ = rows(tdat, path, "kvm", option, str(value))
        same(f"kvm {option}", [r["ts"] for r in some], [r["ts"] for r in got if r[of] == value])


# ---- stacks that are cut ----

def kernel_stacks(tdat, folder):
    """Stacks of 256 functions are whole, deeper ones are cut and counted."""
    trace, ts = Trace(1), 1000
    depths = (3, 255, 256, 257, 300, 256)
    for i, depth in enumerate(depths):
        ts += 1000
        trace.add("sched/sched_switch", 0, ts, 10 + i, prev_pid=10 + i, prev_state=2,
                  next_pid=11 + i, prev_comm=b"a", next_comm=b"b")
        trace.add("ftrace/kernel_stack", 0, ts + 10, 10 + i, size=depth,
                  tail=b"".join(struct.pack("<Q", 0x1000 + k) for k in range(depth)))
    path = trace.write(folder / "stacks.dat")
    got, said = rows(tdat, path, "thread_state")
    stacks = [r["stack"] for r in got if r.get("stack")]
    same("stacks of thread_state", sorted(map(len, stacks)), sorted(min(d, 256) for d in depths))
    expected = "thread_state: omitted 2 times: outer functions of a stack deeper than 256"
    if expected not in said:
        sys.exit(f"no note of cut stacks: {said}")


def call_stacks(tdat, folder):
    """Calls 1100 deep: the column stack has 128 functions of each, and those cut are counted."""
    trace, ts, depth = Trace(1), 1000, 1100
    for i in range(depth):
        trace.add("ftrace/funcgraph_entry", 0, ts + i, 5, func=0x1000 + i, depth=i)
    for i in reversed(range(depth)):
        trace.add("ftrace/funcgraph_exit", 0, ts + 2 * depth - i, 5, func=0x1000 + i, depth=i)
    path = trace.write(folder / "calls.dat")
    got, said = rows(tdat, path, "function", "--column", "func_addr", "--column", "stack")
    same("stacks of function", [len(r["stack"]) for r in got],
         [min(i + 1, 128) for i in reversed(range(depth))])
    expected = f"function: omitted {depth - 128} times: outer functions of a stack deeper than 128"
    if expected not in said:
        sys.exit(f"no note of cut stacks: {said}")
    if "stack cut" in rows(tdat, path, "function")[1]:
        sys.exit("stacks are counted that nobody asked for")


# ---- marks ----

def marks(tdat, folder):
    """Sections that nest, cross, lack an end or a beginning, and texts that are no marks."""
    rng = random.Random(9)
    trace, ts = Trace(2), 1000
    for _ in range(4000):
        ts += rng.randrange(1, 900)
        name = rng.choice(["draw", "a|b", "x y", "", "draw"])
        text = rng.choice([f"B|7|{name}", f"B|7|{name}\n", "E", "E|7", "E|7\n", f"S|7|{name}|3",
                           f"F|7|{name}|3", f"S|8|{name}|{rng.randrange(3)}",
                           f"F|8|{name}|{rng.randrange(3)}", f"I|7|{name}", f"C|7|{name}|-5",
                           f"C|7|{name}|x", "B|x|y", "B|", "plain", "EE", "G|7|t"])
        trace.add("ftrace/print", rng.randrange(2), ts, rng.choice([31, 32]),
                  tail=text.encode() + b"\0")
    path = trace.write(folder / "marks.dat")
    oracle = pathlib.Path(__file__).parent / "oracle.py"
    subprocess.run([sys.executable, oracle, tdat, path], check=True)


# ---- losses ----

def losses(tdat, folder):
    """Softirqs, timers, works and calls on three CPUs, of which now one and now another loses events."""
    rng = random.Random(11)
    trace, ts = Trace(3), 1000
    kinds = [*(("irq/softirq_" + e, "vec") for e in ("raise", "entry", "exit")),
             *(("timer/timer_" + e, "timer") for e in ("start", "expire_entry", "expire_exit")),
             *(("workqueue/workqueue_" + e, "work") for e in ("queue_work", "execute_start",
                                                              "execute_end"))]
    for _ in range(12000):
        ts += rng.randrange(1, 900)
        cpu = rng.randrange(3)
        if rng.random() < 0.02:
            trace.lose(cpu)
        event, key = rng.choice(kinds)
        value = rng.choice([1, 3]) if key == "vec" else rng.choice([4096, 8192])
        if key == "timer" and "expire" in event:
            value += cpu  # its function runs on one CPU
        more = {"function": 0} if key != "vec" else {}
        trace.add(event, cpu, ts, rng.choice([0, 31, 32]), **{key: value}, **more)
    path = trace.write(folder / "losses.dat")
    oracle = pathlib.Path(__file__).parent / "oracle.py"
    subprocess.run([sys.executable, oracle, tdat, path], check=True)
    pair = "mine: irq/softirq_entry(CPU,vec) -> irq/softirq_exit(CPU,vec)"
    for table, options in (("softirq", ()), ("mine", ("--pair", pair)), ("timer", ())):
        every, _ = rows(tdat, path, table, *options)
        some, _ = rows(tdat, path, table, *options, "--cpu", "1")
        same(f"{table} --cpu with losses", sorted(map(str, some)),
             sorted(str(r) for r in every if r["cpu"] == 1))
        if not any(r["open"] == "lost" for r in every):
            sys.exit(f"{table}: no interval was lost")


# ---- what makes tasks wait ----

def waits(tdat, folder):
    """Locks that are taken in any order, packets, reclaim, file systems and states of CPUs on three CPUs,
    two of which lose events now and then."""
    rng = random.Random(44)
    trace, ts = Trace(3), 1000
    kinds = [k for k in FORMATS if k.split("/")[0] in
             ("lock", "net", "napi", "vmscan", "oom", "ext4", "power", "ipi")] + ["sched/sched_waking"]
    for _ in range(20000):
        ts += rng.randrange(1, 900)
        cpu = rng.randrange(3)
        if rng.random() < 0.01:
            trace.lose(rng.randrange(1, 3))
        event, few = rng.choice(kinds), rng.choice([0x1000, 0x2000])
        values = {"lock_addr": few, "lockdep_addr": few + 8, "skbaddr": few, "napi": few, "flags": rng.randrange(4),
                  "name": b"abc", "dev_name": b"eth0", "len": 1500, "rc": rng.choice([0, 16]), "work": 3,
                  "budget": 64, "order": 2, "nr_reclaimed": 77, "pid": 41, "dev": 8 << 20 | 1, "ino": 12,
                  "pos": 4096, "ret": rng.choice([0, -11]), "cpu": rng.randrange(3), "comm": b"t", "prio": 120,
                  "target_cpu": rng.randrange(3), "cpu_id": cpu if "idle" in event else rng.randrange(3),
                  "state": rng.choice([1, 2, 0xffffffff])}
        trace.add(event, cpu, ts, rng.choice([0, 31, 32]),
                  **{k: v for k, v in values.items()
                     if k in trace.formats[event].places})
    path = trace.write(folder / "waits.dat")
    oracle = pathlib.Path(__file__).parent / "oracle.py"
    subprocess.run([sys.executable, oracle, tdat, path], check=True)
    for table in ("lock", "net", "reclaim", "io", "cpu_idle", "cpu_frequency"):
        if not {"lost", None} <= {r["open"] for r in rows(tdat, path, table)[0]} and table != "reclaim":
            sys.exit(f"{table}: no interval was lost, or none ended")


def main():
    tdat, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for make in (kvm, kernel_stacks, call_stacks, marks, losses, waits):
        make(tdat, folder)


if __name__ == "__main__":
    main()
