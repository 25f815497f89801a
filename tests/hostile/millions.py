#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of 300 KB with as many events as a file of that size can hold: four million, deflated.

usage: millions.py TDAT [--uncounted]

Each asks for as much as it can of what is kept for rows: groups of all times or with long names,
stacks of all tasks, pairs that never end, calls very deep within each other. The limits are
those of bounds.c for a file of that size, and what has no room has to be told. With TDAT_MILLIONS=all
in the environment files have 1 MB and twelve million events.
--uncounted: TDAT does not count, or is a build with a sanitizer; only how it ends is looked at.
"""
import os
import shutil
import struct
import sys
import tempfile
import zlib

from counts import run
from derived import HEADER_EVENT, HEADER_PAGE, PAGE

CHUNK = 1 << 20
# Of a file that may inflate to a hundred times as much.
CHUNKS = 91 if os.environ.get("TDAT_MILLIONS") == "all" else 30
LEAST = 97  # a part of a chunk, so that it does not inflate to more than that
STEPS_MOST = 30_000_000_000 * CHUNKS // 91
MEMORY_MOST_KB = 256 * 1024
TYPE = [("unsigned short common_type", 0, 2)]


def event_format(name, number, fields):
    text = ["\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:0;\n" % f for f in fields]
    common = sum(" common_" in f[0] for f in fields)
    return ("name: %s\nID: %d\nformat:\n%s\n%s\nprint fmt: \"x\"\n" % (
        name, number, "".join(text[:common]), "".join(text[common:]))).encode()


def record(data, delta=1):
    """An event with its header, of at most 112 bytes."""
    data += bytes(-len(data) % 4)
    return struct.pack("<I", len(data) // 4 | delta << 5) + data


def page(ts, records):
    return (struct.pack("<QQ", ts, len(records)) + records).ljust(PAGE, b"\0")


def page_of(make):
    """The events make(0), make(1), ... as many as a page has room for."""
    out, i = b"", 0
    while len(out) + len(make(i)) <= PAGE - 16:
        out += make(i)
        i += 1
    return out


def squeezed(raw):
    """A chunk, with empty stored blocks where it would be too small."""
    z = zlib.compressobj(9)
    out = z.compress(raw) + z.flush(zlib.Z_SYNC_FLUSH)
    out += b"\0\0\0\xff\xff" * max(0, (len(raw) // LEAST - len(out)) // 5)
    out += z.flush()
    return struct.pack("<II", len(out), len(raw)) + out


def file_of(raw, systems, own=(), cmdlines=b"", cpus=1):
    """A trace.dat of version 7, in which each CPU has the pages raw."""
    out = bytearray(b"\x17\x08\x44tracing7\0" + struct.pack("<BBI", 0, 8, PAGE) + b"zlib\0" + b"1\0")
    first, options = len(out), bytearray()
    out += bytes(8)

    def section(number, body):
        options.extend(struct.pack("<HIQ", number, 8, len(out)))
        out.extend(struct.pack("<HHiQ", number, 0, -1, len(body)) + body)

    def block(code, body):
        return struct.pack(code, len(body)) + body

    section(16, b"header_page\0" + block("<Q", HEADER_PAGE) + b"header_event\0" +
            block("<Q", HEADER_EVENT))
    section(17, struct.pack("<I", len(own)) + b"".join(block("<Q", t) for t in own))
    section(18, struct.pack("<I", len(systems)) + b"".join(
        name.encode() + b"\0" + struct.pack("<I", len(texts)) +
        b"".join(block("<Q", t) for t in texts) for name, texts in systems.items()))
    section(19, block("<I", b""))
    section(20, block("<I", b""))
    section(21, block("<Q", cmdlines))
    buffer = len(out)
    out += struct.pack("<HHiQ", 3, 1, -1, 0)
    out += bytes(-len(out) % PAGE)
    chunks = [squeezed(raw[i:i + CHUNK]) for i in range(0, len(raw), CHUNK)]
    data = struct.pack("<I", len(chunks)) + b"".join(chunks)
    places = b"".join(struct.pack("<IQQ", cpu, len(out) + cpu * len(data), len(data))
                      for cpu in range(cpus))
    out += data * cpus
    struct.pack_into("<Q", out, buffer + 8, len(out) - buffer - 16)
    text = struct.pack("<Q", buffer) + b"\0local\0" + struct.pack("<II", PAGE, cpus) + places
    options += struct.pack("<HI", 3, len(text)) + text + struct.pack("<HIQ", 0, 8, 0)
    struct.pack_into("<Q", out, first, len(out))
    return bytes(out + struct.pack("<HHiQ", 0, 0, -1, len(options)) + options)


def repeated(records, count, start=1000):
    return b"".join(page(start + 100000 * i, records) for i in range(count))


# ---- the files ----

def switches():
    """Two tasks that give the CPU to each other."""
    text = event_format("sched_switch", 10, TYPE + [("u8 prev_pid", 2, 1), ("u8 next_pid", 3, 1)])
    records = page_of(lambda i: record(struct.pack("<HBB", 10, 1 + i % 2, 2 - i % 2)))
    return file_of(repeated(records, CHUNKS * CHUNK // PAGE), {"sched": [text]})


def long_names():
    """A task, an event and a system with names as long as they can be."""
    text = event_format("e" * 250, 11, TYPE + [("u8 common_pid", 2, 1), ("u8 b", 3, 1)])
    records = page_of(lambda i: record(struct.pack("<HBB", 11, 7, i * 7 & 255)))
    return file_of(repeated(records, CHUNKS * CHUNK // PAGE), {"s" * 250: [text]},
                   cmdlines=b"7 " + b"c" * 250 + b"\n")


def deep_calls():
    """A thousand calls that never return, and a quarter of the millions of calls within them."""
    fields = TYPE + [("unsigned short func", 2, 2), ("unsigned short depth", 2, 2)]
    own = [event_format("funcgraph_entry", 30, fields), event_format("funcgraph_exit", 31, fields)]
    raw = b"".join(page(1000 + 100 * k, b"".join(
        record(struct.pack("<HH", 30, i)) for i in range(100 * k, 100 * k + 100)))
        for k in range(10))
    leaf = page_of(lambda i: record(struct.pack("<HH", 30 + i % 2, 1000)))
    return file_of(raw + repeated(leaf, CHUNKS * CHUNK // PAGE // 4, 1000000), {}, own)


def stacks():
    """Each task is switched out with a stack of its own."""
    switch = event_format("sched_switch", 10, TYPE + [("unsigned short prev_pid", 2, 2)])
    stack = event_format("kernel_stack", 40, TYPE + [("unsigned short common_pid", 2, 2),
                                                     ("unsigned long caller[]", 4, 0)])
    raw, records, ts = b"", b"", 1000
    for pid in range(1, 65536):
        both = record(struct.pack("<HH", 10, pid)) + record(
            struct.pack("<HH", 40, pid) + struct.pack("<7Q", *range(pid % 97, pid % 97 + 7)))
        if len(records) + len(both) > PAGE - 16:
            raw, records, ts = raw + page(ts, records), b"", ts + 100000
        records += both
    return file_of(raw + page(ts, records), {"sched": [switch]}, [stack])


def open_calls():
    """Interrupts of two thousand CPUs that never end."""
    call = TYPE + [("u8 irq", 2, 1)]
    texts = [event_format("irq_handler_entry", 20, call), event_format("irq_handler_exit", 21, call)]
    raw = page(1000, page_of(lambda i: record(struct.pack("<HB", 20, i & 255))))
    return file_of(raw, {"irq": texts}, cpus=2000)


# Commands; what they have to say; and the share of the steps that they may take. Hashes have a seed of their own in
# each run, so that steps differ by a few percent: 2.37 to 2.50e9 of flame, of 3.3e9.
FILES = (
    (switches, (
        (("stat", "--by", "pid,ts", "="), "(others)", 1),
        (("latency", "--table", "sched", "--by", "ts", "="), "(others)", 1),
        (("sql", "--csv", "=", "SELECT ts, count(*) FROM events GROUP BY 1"), "", 1),
        (("why", "--summary", "--of", "waits", "="), "", 1),
        (("view", "-f", "-o", "out", "="), "", 1))),
    (open_calls, (
        (("export", "--pair", "p: irq/irq_handler_entry(CPU, irq) -> irq/irq_handler_exit(CPU, irq)",
          "--table", "p", "--to", "clickhouse", "-f", "-o", "tables", "="), "too many", 1),
        (("view", "-f", "-o", "out", "="), "", 1))),
    (long_names, (
        (("stat", "--by", "comm,event,system,ts", "="), "(others)", 1),
        (("view", "-f", "-o", "out", "="), "", 1))),
    (deep_calls, (
        (("flame", "="), "outer functions of a stack deeper than 128", 3),
        (("view", "-f", "-o", "out", "="), "", 1))),
    (stacks, (
        (("profile", "="), "", 1),
        (("view", "-f", "-o", "out", "="), "", 1),
        (("flame", "--of", "off-cpu", "="), "", 1),
        (("export", "--to", "jsonl", "--table", "thread_state", "-f", "-q", "-o", "tables", "="),
         "", 1))),
)


def write(make):
    """Writes a file, in another process, as a program that this one starts has its memory once."""
    pid = os.fork()
    if not pid:
        with open("file.dat", "wb") as out:
            out.write(make())
        os._exit(0)
    if os.waitpid(pid, 0)[1] or os.path.getsize("file.dat") > 1 << 20:
        sys.exit("%s cannot be made, or has too many bytes" % make.__name__)


def is_wrong(tdat, name, words, text, share, counted):
    """Runs a command; prints what it took too much of, or did not tell, and with TDAT_TELL all."""
    with open("stderr", "w+b") as stderr:
        rc, steps, kib = run(tdat, words, counted, stderr)
        stderr.seek(0)
        told = text.encode() in stderr.read() and rc == (text == "(others)")
    bad = (rc not in (0, 1) or not told or
           counted and (not 0 < steps <= STEPS_MOST // share or kib > MEMORY_MOST_KB))
    if bad or os.environ.get("TDAT_TELL"):
        print("%s, %s: ends with %d, %d steps, %d KiB%s" % (
            name, " ".join(words), rc, steps, kib, "" if told else ", does not tell of " + text))
    return bad


def main():
    tdat = os.path.abspath(sys.argv[1])
    counted = "--uncounted" not in sys.argv
    bad = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for make, commands in FILES:
            name = make.__name__
            write(make)
            for words, text, share in commands:
                words = ["file.dat" if w == "=" else w for w in words]
                runs += 1
                bad += is_wrong(tdat, name, words, text, share, counted)
                shutil.rmtree("tables", ignore_errors=True)
    print("%d files, %d runs, %d wrong" % (len(FILES), runs, bad))
    return bad != 0 or not runs


if __name__ == "__main__":
    sys.exit(main())
