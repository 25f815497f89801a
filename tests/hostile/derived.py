#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of 1 MB whose events ask as much as they can of derived tables and what is made of them.

usage: derived.py TDAT FORMATS [--uncounted]

FORMATS is a trace.dat with the formats of a whole kernel. Each event names a task, object or key
that no other does, begins what never ends, or lies deeper than the one before. The limits
are those of counts.py.
--uncounted: TDAT does not count, or is a build with a sanitizer; only how it ends is looked at.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from counts import is_dear

PAGE = 4096
HEADER_PAGE = (b"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
               b"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
               b"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
               b"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n")
HEADER_EVENT = (b"# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
                b"\tarray       :   32 bits\n\n\tpadding     : type == 29\n"
                b"\ttime_extend : type == 30\n\ttime_stamp : type == 31\n"
                b"\tdata max type_len  == 28\n")


class Format:
    """The stored format of an event: makes records of it."""

    def __init__(self, text):
        self.text = text
        self.id = int(re.search(rb"\nID: (\d+)", text).group(1))
        self.fields = {m[1].decode(): (int(m[2]), int(m[3])) for m in re.finditer(
            rb"field:[^;]*?(\w+)(?:\[[^;]*\])?;\s*offset:(\d+);\s*size:(\d+)", text)}
        self.len = max(at + n for at, n in self.fields.values()) + 3 & ~3

    def record(self, pid, values, tail=b""):
        raw = bytearray(self.len)
        for name, value in {"common_type": self.id, "common_pid": pid, **values}.items():
            at, n = self.fields[name]
            raw[at:at + n] = (value if isinstance(value, bytes)
                              else (value & (1 << 8 * n) - 1).to_bytes(n, "little")).ljust(n, b"\0")
        raw += tail
        return bytes(raw) + bytes(-len(raw) % 4)


class Trace:
    """A file of version 6, little-endian, with the events of one CPU."""

    def __init__(self, tdat, source):
        self.tdat, self.source = tdat, source
        self.formats, self.pages, self.page = {}, [], b""
        self.ts = 0

    def format(self, name):
        if name not in self.formats:
            text = subprocess.run([self.tdat, "list", "-i", self.source, name], check=True,
                                  stdout=subprocess.PIPE).stdout
            self.formats[name] = Format(text)
        return self.formats[name]

    def add(self, name, common_pid, tail=b"", **values):
        raw = self.format(name).record(common_pid, values, tail)
        n = len(raw)
        head = struct.pack("<I", n // 4 | 1000 << 5) if n <= 112 else struct.pack(
            "<II", 1000 << 5, n + 4)
        if len(self.page) + len(head) + n > PAGE - 16:
            self.end_page()
        self.page += head + raw
        self.ts += 1000

    def end_page(self):
        if self.page:
            head = struct.pack("<QQ", self.ts, len(self.page))
            self.pages.append((head + self.page).ljust(PAGE, b"\0"))
            self.page = b""

    def bytes(self):
        self.end_page()
        out = b"\x17\x08\x44tracing6\0" + struct.pack("<BBI", 0, 8, PAGE)
        out += b"header_page\0" + struct.pack("<Q", len(HEADER_PAGE)) + HEADER_PAGE
        out += b"header_event\0" + struct.pack("<Q", len(HEADER_EVENT)) + HEADER_EVENT
        systems = {}
        for name, f in self.formats.items():
            systems.setdefault(name.split(":")[0], []).append(f.text)
        own = systems.pop("ftrace", [])
        out += struct.pack("<I", len(own))
        out += b"".join(struct.pack("<Q", len(t)) + t for t in own)
        out += struct.pack("<I", len(systems))
        for system, texts in systems.items():
            out += system.encode() + b"\0" + struct.pack("<I", len(texts))
            out += b"".join(struct.pack("<Q", len(t)) + t for t in texts)
        out += struct.pack("<IIQI", 0, 0, 0, 1) + b"options  \0" + bytes(2) + b"flyrecord\0"
        at = len(out) + 16 + PAGE - 1 & -PAGE
        out += struct.pack("<QQ", at, PAGE * len(self.pages))
        return out.ljust(at, b"\0") + b"".join(self.pages)


# ---- what the files are about ----

def switches(t, i):
    t.add("sched:sched_switch", i, prev_pid=i, next_pid=i + 1, prev_comm=b"c%d" % i,
          next_comm=b"c%d" % (i + 1), prev_state=1)


def wakings(t, i):
    t.add("sched:sched_waking", 1, pid=i, comm=b"c%d" % i)


def forks_and_switches(t, i):
    t.add("sched:sched_wakeup_new", 1, pid=i + 1, comm=b"new")
    t.add("sched:sched_switch", i, prev_pid=i, next_pid=i + 1, prev_state=i % 3)
    t.add("sched:sched_migrate_task", 1, pid=i, orig_cpu=i, dest_cpu=i + 1)


def irqs(t, i):
    t.add("irq:irq_handler_entry", i, irq=i)
    t.add("irq:softirq_entry", i, vec=i)


def calls(t, i):
    t.add("raw_syscalls:sys_enter", i, id=i)


def timers(t, i):
    t.add("timer:timer_start", 1, timer=i, function=i)
    t.add("timer:hrtimer_start", 1, hrtimer=i, function=i)


def works(t, i):
    t.add("workqueue:workqueue_queue_work", 1, work=i, function=i)
    t.add("workqueue:workqueue_execute_start", 1, work=i, function=i)


def blocks(t, i):
    t.add("block:block_rq_insert", 1, dev=i, sector=i)
    t.add("block:block_rq_issue", 1, dev=i, sector=i)


def nested_calls(t, i):
    t.add("ftrace:funcgraph_entry", 1, func=i, depth=i)


def broken_calls(t, i):
    t.add("ftrace:funcgraph_entry", i, func=i, depth=i)
    t.add("ftrace:funcgraph_exit", i // 2, func=i, depth=i // 2, calltime=i, rettime=i + 5)


def stacks(t, i):
    t.add("sched:sched_switch", 7, prev_pid=7, next_pid=i + 8, prev_state=1)
    frames = b"".join(struct.pack("<Q", i << 20 | k) for k in range(40))
    t.add("ftrace:kernel_stack", 7, frames, size=40)


def marks(t, i):
    t.add("ftrace:print", i, b"B|%d|begun%d\n\0" % (i, i))
    t.add("ftrace:print", i, b"S|%d|async|%d\n\0" % (i, i))
    t.add("ftrace:print", i, b"C|%d|counter%d|%d\n\0" % (i, i, i))


def nested_marks(t, i):
    t.add("ftrace:print", 1, b"B|1|begun%d\n\0" % i)


FILES = (("switches", switches, "sched:sched_switch"), ("wakings", wakings, "sched:sched_waking"),
         ("forks", forks_and_switches, "sched:sched_switch"),
         ("irqs", irqs, "irq:irq_handler_entry"), ("calls", calls, "raw_syscalls:sys_enter"),
         ("timers", timers, "timer:timer_start"),
         ("works", works, "workqueue:workqueue_execute_start"),
         ("blocks", blocks, "block:block_rq_issue"),
         ("nested calls", nested_calls, "ftrace:funcgraph_entry"),
         ("broken calls", broken_calls, "ftrace:funcgraph_entry"),
         ("stacks", stacks, "sched:sched_switch"), ("marks", marks, None),
         ("nested marks", nested_marks, None))
COMMANDS = (("profile", "="), ("flame", "--of", "off-cpu", "="), ("flame", "--to", "svg", "="),
            ("latency", "--table", "sched", "--by", "pid", "="),
            ("latency", "--table", "wakeup", "="),
            ("export", "--to", "jsonl", "--table", "*", "-f", "-q", "-o", "tables", "="),
            ("export", "--to", "perfetto", "-O", "tracks=yes", "-f", "-q", "-o", "out", "="),
            ("export", "--to", "chrome", "-f", "-q", "-o", "out", "="),
            ("stat", "--by", "pid,event", "="), ("view", "-f", "-o", "out", "="),
            ("sql", "--csv", "=", "SELECT count(*), max(dur) FROM thread_state"))


def commands_of(event):
    yield from COMMANDS
    if event:
        system_event = event.replace(":", "/")
        yield ("hist", "=", system_event + " hist:keys=common_pid,common_timestamp:sort=common_pid")
        yield ("hist", "=", system_event + " hist:keys=stacktrace")
        yield ("export", "--pair", "p: %s(common_pid) -> %s(common_pid)" % (
            system_event, "sched/sched_switch" if "switch" not in event else system_event),
            "--table", "p", "--to", "jsonl", "-f", "-q", "-o", "tables", "=")


def main():
    tdat, source = map(os.path.abspath, sys.argv[1:3])
    counted = "--uncounted" not in sys.argv
    bad = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, make, event in FILES:
            trace, i = Trace(tdat, source), 0
            trace.format("sched:sched_switch")
            while len(trace.pages) < 230:
                i += 1
                make(trace, i)
            with open("file.dat", "wb") as out:
                out.write(trace.bytes())
            for words in commands_of(event):
                words = ["file.dat" if w == "=" else w for w in words]
                runs += 1
                bad += is_dear(tdat, name, words, counted)
                shutil.rmtree("tables", ignore_errors=True)
    print("%d files, %d runs, %d too dear" % (len(FILES), runs, bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
