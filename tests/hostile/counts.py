#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of 1 MB with very many sections, options and buffers, each in a structure that is sound.

usage: counts.py TDAT FIXTURES [--uncounted]

No command may take more than STEPS_MOST steps (steps.h) or MEMORY_MOST_KB of memory, or end
with anything but 0 or 1. That is a tenth of what bounds.c allows: work grows with the file,
not with the product of two of its counts. --uncounted: TDAT does not count, or is a
build with a sanitizer; only how it ends is looked at.
"""
import os
import re
import sys
import tempfile

from structure_file import BUFFER, EVENT_FORMATS, FTRACE_EVENTS, File, Node

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from part import part_of

STEPS_MOST = 600_000_000
MEMORY_MOST_KB = 128 * 1024
STRINGS, KALLSYMS, BTF, UNKNOWN, PROCMAPS = 15, 19, 23, 200, 10


def section(which, body=b""):
    return Node(id=which, flags=0, string=-1, body=body, meta=None, options=None, areas=None)


def options_and_sections(which):
    """As many options that name a section, none of which is there, as sections."""
    def make(f):
        first = next(s for s in f.sections if s.options is not None)
        first.options[0:0] = [Node(id=which, data=f.pack("Q", 5 + i), target=None, buffer=None)
                              for i in range(33000)]
        f.sections.extend(section(which) for _ in range(30000))
    return make


def strings(f):
    f.sections.extend(section(STRINGS, b"a" * 33 + b"\0") for _ in range(20000))


def buffers_of_one_name(f, count=4000):
    for s in f.sections:
        for at, o in enumerate(s.options or ()):
            if o.id == BUFFER:
                s.options[at:at + 1] = [o] * count
                return


def maps_of_processes(f):
    first = next(s for s in f.sections if s.options is not None)
    first.options[0:0] = [Node(id=PROCMAPS, data=b"%x 1 /a\n" % i, target=None, buffer=None)
                          for i in range(50000)]


def sections_of_all_ids(f):
    first = next(s for s in f.sections if s.options is not None)
    for i in range(200, 20000):
        s = section(i)
        first.options.insert(0, Node(id=i, data=bytes(8), target=s, buffer=None))
        f.sections.append(s)


def instances(f, count):
    for s in f.sections:
        for at, o in enumerate(s.options or ()):
            if o.id == BUFFER:
                for i in range(count):
                    twin = Node(**o.__dict__)
                    twin.buffer = Node(**dict(o.buffer.__dict__, name=b"b%d" % i))
                    s.options.insert(at, twin)
                return


def broken_buffers(f):
    first = next(s for s in f.sections if s.options is not None)
    first.options[0:0] = [Node(id=BUFFER, data=b"\2", target=None, buffer=None)
                          for i in range(60000)]


def formats_in_cases(f):
    """Formats whose names differ in the case of letters only, which SQL takes for one."""
    formats = next(m for m in f.sections if m.id == EVENT_FORMATS).meta.systems[0].formats
    for i in range(8000):
        name = "".join(c.upper() if i >> at & 1 else c for at, c in enumerate("abcdefghijklm"))
        formats.append(b"name: %s\nID: %d\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;"
                       b"\tsigned:1;\n" % (name.encode(), 20000 + i))


def formats_of_one_name(*names):
    """The formats of some events, without what is not needed, 1000 times each with other ids and a field of their own."""
    def make(f):
        lists = [s.formats for m in f.sections if m.id == EVENT_FORMATS for s in m.meta.systems]
        lists += [m.meta.formats for m in f.sections if m.id == FTRACE_EVENTS]
        for formats in lists:
            for text in list(formats):
                name = text.split(b"\n")[0][6:].decode()
                if name not in names:
                    continue
                text = b"".join(line + b"\n" for line in text.split(b"\n")
                                if not line.startswith(b"print fmt"))
                for i in range(1000):
                    at = 20000 + 1000 * names.index(name) + i
                    own = b"\tfield:u8 own%d;\toffset:8;\tsize:1;\tsigned:0;\n" % at
                    formats.insert(0, re.sub(rb"\nID: \d+", b"\nID: %d" % at, text).rstrip() +
                                   b"\n" + own)
        instances(f, 300)
    return make


SMALL, GRAPH, SCHED = ("x64-61-v7-none-tiny.dat", "i386-61-fgraph.dat", "i386-61-v7-buffers.dat")
FILES = (("options of kallsyms", options_and_sections(KALLSYMS)),
         ("options of BTF", options_and_sections(BTF)),
         ("unknown options", options_and_sections(UNKNOWN)),
         ("maps of processes", maps_of_processes),
         ("sections of all ids", sections_of_all_ids),
         ("strings", strings),
         ("broken buffers", broken_buffers),
         ("formats in cases", formats_in_cases),
         ("buffers of one name", buffers_of_one_name),
         ("formats of funcgraph", formats_of_one_name("funcgraph_entry", "funcgraph_exit"), GRAPH),
         ("formats of sched", formats_of_one_name("sched_switch", "sched_wakeup"), SCHED))
COMMANDS = (("info", "-v", "="), ("list", "-i", "="), ("dump", "="), ("dump", "--json", "="),
            ("export", "--to", "jsonl", "-f", "-q", "-o", "tables", "="),
            ("check", "-v", "="), ("stat", "="), ("repair", "-f", "-q", "-o", "out", "="),
            ("convert", "-f", "-q", "-o", "out", "="),
            ("convert", "-f", "-q", "--endian", "big", "-o", "out", "="),
            ("split", "-f", "-q", "--exact", "-o", "out", "-i", "="),
            ("view", "-f", "-o", "out", "="),
            ("merge", "-f", "-q", "-o", "out", "=", "small"),
            ("merge", "-f", "-q", "-o", "out", "=", "="),
            ("sql", "--csv", "=",
             "SELECT count(*) FROM events WHERE event IN (SELECT event FROM formats)"))


def run(tdat, words, counted, stderr=None):
    """Exit status or minus the signal, steps, KiB. stderr: a file for what the program says."""
    fd = os.memfd_create("steps")
    os.ftruncate(fd, 8)
    pid = os.fork()
    if not pid:
        null = os.open(os.devnull, os.O_RDWR)
        for at in (0, 1, 2):
            os.dup2(stderr.fileno() if stderr and at == 2 else null, at)
        os.set_inheritable(fd, True)
        env = dict(os.environ, TDAT_STEPS_FD=str(fd))
        os.execve(tdat, [tdat, *words], env)
    _, status, usage = os.wait4(pid, 0)
    raw = os.pread(fd, 8, 0)
    os.close(fd)
    steps = int.from_bytes(raw, sys.byteorder) if counted else 0
    return os.waitstatus_to_exitcode(status), steps, usage.ru_maxrss


def is_dear(tdat, name, words, counted):
    """Runs tdat on the file called name; prints what is too much, and with TDAT_TELL all."""
    rc, steps, kib = run(tdat, words, counted)
    bad = rc not in (0, 1) or counted and (not 0 < steps <= STEPS_MOST or kib > MEMORY_MOST_KB)
    if bad or os.environ.get("TDAT_TELL"):
        print("%s, %s: ends with %d, %d steps, %d KiB" % (name, " ".join(words), rc, steps, kib))
    return bad


def main():
    tdat, fixtures = map(os.path.abspath, sys.argv[1:3])
    counted = "--uncounted" not in sys.argv
    small = os.path.join(fixtures, "valid", SMALL)
    files = part_of(FILES)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, make, *base in files:
            with open(os.path.join(fixtures, "valid", *(base or [SMALL])), "rb") as f:
                tree = File(f.read())
            make(tree)
            with open("file.dat", "wb") as out:
                out.write(tree.bytes())
            for words in COMMANDS:
                words = ["file.dat" if w == "=" else small if w == "small" else w for w in words]
                bad += is_dear(tdat, name, words, counted)
    print("%d files, %d commands, %d too dear" % (len(files), len(COMMANDS), bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
