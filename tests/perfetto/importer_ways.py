#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Loads with Perfetto's trace processor what is not simply one recorded file.

usage: importer_ways.py TDAT FOLDER TRACE_PROCESSOR FIXTURES
"""
import os
import shutil
import sys

import compare
import importer
import packets
from processor import Failed

need = packets.need


def valid(root, *names):
    return [os.path.join(root, "valid", name + ".dat") for name in names]


def several(tdat, processor, folder, root):
    """Host and guests: each has its own processes, CPUs and losses."""
    paths = valid(root, "i386-61-markers", "s390x-61-kstack", "ppc64el-61-lost")
    print(importer.check(tdat, processor, folder, paths))
    machines = processor.query("select raw_id, sysname, arch from machine order by id")
    need([m[0] for m in machines] == [0, 1, 2] and [m[2] for m in machines][1:] == ["s390x", "ppc64le"],
         f"machines: {machines}")


def options(tdat, processor, folder, root):
    kstack, markers, date, zlib = valid(root, "arm64-16k-612-kstack", "i386-61-markers", "x64-61-date",
                                        "x64-61-conv-v7-zlib")
    for path in (kstack, markers):
        print(importer.check(tdat, processor, folder, [path], ["--perfetto-compat"]))
    print(importer.check(tdat, processor, folder, [date], ["--nodate"]))
    print(importer.check(tdat, processor, folder, [zlib], ["-Ocompression=zlib"]))
    for path in valid(root, "i386-61-fgraph", "x64-lab612-stack-v6-fgraph"):
        print(importer.check(tdat, processor, folder, [path], ["--tracks"], tracks=True))


def clocks(tdat, processor, folder, root):
    """Which clock the times are of, and which time of day it was."""
    date, = valid(root, "x64-61-date")
    importer.check(tdat, processor, folder, [date])
    (day,), = processor.query("select to_realtime(min(ts)) from ftrace_event")
    first = importer.dumped(tdat, [date])[0]["ts"]
    need(day == first, f"the first event is of {day}, not {first}")


def patched(source, folder, *changes):
    path = os.path.join(folder, "patched.dat")
    with open(source, "rb") as f:
        data = f.read()
    for old, new in changes:
        need(len(old) == len(new), f"{old}")
        data = data.replace(old, new)
    with open(path, "wb") as f:
        f.write(data)
    return path


def marks(tdat, processor, folder, root):
    """Texts that are no markup draw nothing, whatever they begin with; those of trace_printk may be."""
    source, = valid(root, "i386-61-markers")
    path = patched(source, folder, (b"hello\n", b"E 12\n\n"), (b"no newline", b"B|x|yyyyyy"))
    print(importer.check(tdat, processor, folder, [path]))
    source, = valid(root, "x64-lab612-trace-printk")
    path = patched(source, folder, (b"This is a dynamic string", b"End of a dynamic string.."[:24]))
    print(importer.check(tdat, processor, folder, [path]))
    need(not processor.query("select * from slice"), "slices of what is no markup")
    # The text of bputs is in the file's printk formats.
    path = patched(source, folder, (b"This is a static string that will use trace_bputs",
                                    b"C|118|a static counter of trace_bputs|1234567|....."[:49]))
    print(importer.check(tdat, processor, folder, [path]))
    got = processor.query("select count(*), min(value), max(value) from counter")
    need(got[0][0] > 0 and got[0][1:] == (1234567, 1234567), f"counters of bputs: {got}")


def without_uname(tdat, processor, folder, root):
    """Without the kernel's release, states of tasks are read by the print fmt of sched_switch."""
    for name, uname in (("i386-61-v6-sched", b"6.1.0-50-686-pae i686"),
                        ("s390x-61-v6-sched", b"6.1.0-50-s390x s390x")):
        source, = valid(root, name)
        path = patched(source, folder, (uname, b" " * len(uname)))
        with open(source, "rb") as f:
            need(uname in f.read(), "no uname to take out")
        print(importer.check(tdat, processor, folder, [path]))


def hostile(tdat, processor, folder, root):
    source, = valid(root, "i386-61-v6-sched")
    path = patched(source, folder, (b"irq_handler_entry\n", b"irq_handler_en\xff\xfe\x07\n"),
                   (b" prev_state;", b" prev_sta\xc0\xaf;"), (b" swapper", b" s\xe2\x80\xaeppp"))
    out = os.path.join(folder, "hostile.pftrace")
    done = compare.run(tdat, "export", "--to", "perfetto", "-o", out, path)
    need(done.returncode in (0, 1), done.stderr.decode())
    processor.load(out)
    count = len(importer.dumped(tdat, [path]))
    need(processor.query("select count(*) from ftrace_event") == [(count,)], "events")


def damaged(tdat, processor, folder, root):
    path = os.path.join(folder, "cut.dat")
    source, = valid(root, "x64-61-conv-v7-zlib")
    with open(source, "rb") as f:
        data = f.read()
    flipped = bytearray(data)
    for at in range(len(data) // 2, len(data), 997):
        flipped[at] ^= 0x40
    for bad in (data[:len(data) * 6 // 10], data[:len(data) * 9 // 10], bytes(flipped)):
        with open(path, "wb") as f:
            f.write(bad)
        if compare.run(tdat, "dump", "--json", path).stdout:
            print(importer.check(tdat, processor, folder, [path]))


def no_events(tdat, processor, folder, root):
    path, = valid(root, "i386-61-markers")
    out = os.path.join(folder, "none.pftrace")
    compare.run(tdat, "export", "--to", "perfetto", "-o", out, "--from", "99999999", path)
    processor.load(out)
    need(processor.query("select count(*) from ftrace_event") == [(0,)], "events of none")
    need(processor.query("select name from stats where value != 0 and severity != 'info'") == [], "stats")


def foreign(tdat, processor, folder, root):
    """Converted captures of other programs: their counters and slices draw."""
    drawn, made = {}, 0
    for name in sorted(os.listdir(os.path.join(root, "foreign"))):
        for top, _, files in os.walk(os.path.join(root, "foreign", name)):
            for file in sorted(files):
                out = os.path.join(folder, "converted.dat")
                atrace = {"kmemtrace": ["--atrace"], "gtsc": ["--atrace"],
                          "ktr": ["--atrace", "--graph", "--sched"]}.get(name, [])
                done = compare.run(tdat, "convert", "-q", "-f", "--from", name, *atrace, "-o", out,
                                   os.path.join(top, file))
                if done.returncode or not os.path.exists(out):
                    continue
                print(name, file, importer.check(tdat, processor, folder, [out]))
                for table in ("slice", "counter"):
                    (count,), = processor.query(f"select count(*) from {table}")
                    drawn[name, table] = drawn.get((name, table), 0) + count
                os.unlink(out)
                made += 1
    print(f"{made} captures, drawn: {drawn}")
    need(made >= 3 and drawn.get(("kmemtrace", "counter")), f"{made} captures, {drawn}")


def gtsc_marks(tdat, processor, folder, _):
    """Text of a relay channel in atrace's form."""
    capture = os.path.join(folder, "marks")
    os.mkdir(capture)
    with open(os.path.join(capture, "trace0"), "w", encoding="ascii") as f:
        f.write("[1000] B|7|work\n[2500] C|7|queue|-3\n[3000] E|7\n")
    out = os.path.join(folder, "marks.dat")
    done = compare.run(tdat, "convert", "-q", "-f", "--from", "gtsc", "--atrace", "-o", out, capture)
    need(done.returncode == 0, done.stderr.decode())
    print(importer.check(tdat, processor, folder, [out]))
    need(processor.query("select dur, name from slice") == [(2000, "work")] and
         processor.query("select value from counter") == [(-3.0,)], "marks of gtsc")


def main():
    tdat, folder, program, root = sys.argv[1:]
    processor = importer.start(program)
    bad = 0
    for test in (several, options, clocks, marks, without_uname, hostile, damaged, no_events, foreign, gtsc_marks):
        inside = os.path.join(folder, test.__name__)
        os.mkdir(inside)
        try:
            test(tdat, processor, inside, root)
        except (packets.Broken, Failed) as e:
            print(f"{test.__name__}: {e}", file=sys.stderr)
            bad += 1
        shutil.rmtree(inside)
    processor.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
