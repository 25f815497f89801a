#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports for Perfetto in all the ways that there are, and with inputs that are not as they should be.

usage: ways.py TDAT FOLDER FIXTURES
"""
import json
import os
import shutil
import sys

import packets
from compare import compare, run

need = packets.need


def files(root, *names):
    return [os.path.join(root, "valid", name + ".dat") for name in names]


def options(tdat, folder, root):
    """Older readers' form, choices of events, times without the date."""
    kstack, markers, date, buffers = files(root, "arm64-16k-612-kstack", "i386-61-markers",
                                           "x64-61-date", "i386-61-v7-buffers")
    for path in (kstack, markers, buffers):
        print(compare(tdat, folder, [path], ["--perfetto-compat"]))
        trace = packets.Trace(os.path.join(folder, "out.pftrace"))
        need(all(not p.ftrace_events.generic_event_descriptors for p in trace.packets),
             "descriptors for older readers")
    print(compare(tdat, folder, [date], ["--nodate"]))
    print(compare(tdat, folder, [date], ["--raw-ts"]))
    print(compare(tdat, folder, [buffers], ["-e", "sched_switch"]))
    print(compare(tdat, folder, [buffers], ["-e", "sched_switch", "-v", "-F", "sched_switch:1"]))


def compressed(tdat, folder, root):
    path, = files(root, "x64-61-conv-v7-zlib")
    sizes = []
    for kind in ("none", "zlib"):
        print(compare(tdat, folder, [path], [f"-Ocompression={kind}"]))
        sizes.append(os.path.getsize(os.path.join(folder, "out.pftrace")))
    need(sizes[1] < sizes[0] / 2, f"{sizes} bytes")
    out = os.path.join(folder, "zstd.pftrace")
    done = run(tdat, "export", "--to", "perfetto", "-Ocompression=zstd", "-o", out, path)
    need(done.returncode == 0, done.stderr.decode())
    with open(out, "rb") as f:
        for raw in packets.raw_packets(f.read()):
            data = packets.pb.TracePacket.FromString(raw).zstd_compressed_packets
            need(data[:4] == b"\x28\xb5\x2f\xfd", "no zstd")


def slices_of(trace):
    """Slices of track events: thread or idle CPU, name, start, end."""
    names, threads, parents, stacks, slices = {}, {}, {}, {}, []
    for p in trace.packets:
        if p.HasField("track_descriptor"):
            t = p.track_descriptor
            threads[t.uuid] = t.thread.tid if t.HasField("thread") else None
            parents[t.uuid] = t.parent_uuid
            need(t.HasField("thread") or t.parent_uuid in threads or "idle CPU" in t.name,
                 "a track without a thread")
        for n in p.interned_data.event_names:
            names[n.iid] = n.name
        if not p.HasField("track_event"):
            continue
        e = p.track_event
        need(p.sequence_flags & 2 and e.track_uuid in threads, "a slice without its track")
        stack = stacks.setdefault(e.track_uuid, [])
        tid = threads.get(parents[e.track_uuid], 0)
        if e.type == 1:
            stack.append((names[e.name_iid], p.timestamp))
        else:
            need(e.type == 2 and stack, "an end without a start")
            name, start = stack.pop()
            slices.append((tid, name, start, p.timestamp))
    return sorted(slices), sum(len(s) for s in stacks.values())


def calls_of(tdat, path):
    """The same from what dump says of function_graph."""
    stacks, calls = {}, []
    for text in run(tdat, "dump", "--json", "-e", "funcgraph_*", path).stdout.splitlines():
        line = json.loads(text)
        key = line["pid"], None if line["pid"] else line["cpu"]
        stack = stacks.setdefault(key, [])
        if line["event"] == "funcgraph_exit":
            if stack:
                name, start = stack.pop()
                calls.append((line["pid"], name, start, line["ts"]))
        else:
            stack.append((line["fields"]["func"], line["ts"]))
    return sorted(calls), sum(len(s) for s in stacks.values())


def tracks(tdat, folder, root):
    for path in files(root, "i386-61-fgraph"):
        print(compare(tdat, folder, [path], ["--tracks"]))
        slices, unfinished = slices_of(packets.Trace(os.path.join(folder, "out.pftrace")))
        calls, open_calls = calls_of(tdat, path)
        need(len(calls) > 50 and unfinished == open_calls, "calls that have not ended")
        need(sorted((s[0], *s[2:]) for s in slices) == sorted((c[0], *c[2:]) for c in calls),
             "slices are not the calls")
        # An address has one name, and a name one address.
        by_time = {(c[0], *c[2:]): c[1] for c in calls}
        pairs = {(by_time[s[0], s[2], s[3]], s[1]) for s in slices}
        need(len({a for a, _ in pairs}) == len(pairs), "names of functions")
        print(f"{len(slices)} slices of {len(pairs)} functions")


def several(tdat, folder, root):
    """Each input but the first is a machine of its own, and boot time is its clock."""
    paths = files(root, "i386-61-markers", "s390x-61-kstack", "ppc64el-61-lost")
    print(compare(tdat, folder, paths))
    trace = packets.Trace(os.path.join(folder, "out.pftrace"))
    need({e.machine for e in trace.events} == {0, 1, 2}, "machines")
    for p in trace.packets:
        need(not p.machine_id or not p.HasField("clock_snapshot"), "a clock of a guest")
        need(not p.machine_id or not p.ftrace_events.ftrace_clock, "a guest's clock")


def damaged(tdat, folder, root):
    """A file cut at many places: what dump reads is exported."""
    path = os.path.join(folder, "cut.dat")
    source, = files(root, "x64-61-conv-v7-zlib")
    with open(source, "rb") as f:
        data = f.read()
    for part in (3, 6, 9):
        with open(path, "wb") as f:
            f.write(data[:len(data) * part // 10])
        if run(tdat, "dump", "--json", path).stdout:
            print(compare(tdat, folder, [path], tolerant=True))
    flipped = bytearray(data)
    for at in range(len(data) // 2, len(data), 997):
        flipped[at] ^= 0x40
    with open(path, "wb") as f:
        f.write(flipped)
    print(compare(tdat, folder, [path], tolerant=True))


def no_events(tdat, folder, root):
    path, = files(root, "i386-61-markers")
    out = os.path.join(folder, "none.pftrace")
    done = run(tdat, "export", "--to", "perfetto", "-o", out, "--from", "99999999", path)
    need(done.returncode == 0, done.stderr.decode())
    trace = packets.Trace(out)
    need(not trace.events and trace.packets[0].HasField("clock_snapshot"), "no events")


def hostile_names(tdat, folder, root):
    """Names of tasks, events and fields, and texts, that are no UTF-8."""
    source, = files(root, "i386-61-v6-sched")
    path = os.path.join(folder, "hostile.dat")
    with open(source, "rb") as f:
        data = f.read()
    for old, new in ((b"sched_switch\n", b"sched_swit\xff\xfe\n"), (b" prev_state;", b" prev_sta\xc0\xaf;"),
                     (b" swapper", b" s\xe2\x80\xaeppp")):
        need(len(old) == len(new), "lengths")
        data = data.replace(old, new)
    with open(path, "wb") as f:
        f.write(data)
    print(compare(tdat, folder, [path], tolerant=True))


def threads(tdat, folder, root):
    path, = files(root, "x64-61-conv-v7-zlib")
    seen = set()
    for count in ("1", "2", "7"):
        out = os.path.join(folder, count)
        done = run(tdat, "export", "--to", "perfetto", "--threads", count, "-o", out, path)
        need(done.returncode == 0, done.stderr.decode())
        with open(out, "rb") as f:
            seen.add(f.read())
    need(len(seen) == 1, "the number of threads shows")


def marks_of(trace):
    """Marks of which Perfetto makes slices and counters."""
    marks = [dict((n, v) for n, v, _ in e.fields)["buf"] for e in trace.events if e.name == "print"]
    return sum(m[:2] in ("C|", "B|", "E|", "I|") for m in marks)


def foreign(tdat, folder, root):
    """Converted captures of other programs, with the marks that their importers can add."""
    made = 0
    marks = {}
    for name in sorted(os.listdir(os.path.join(root, "foreign"))):
        for top, _, names in os.walk(os.path.join(root, "foreign", name)):
            for file in sorted(names):
                out = os.path.join(folder, "converted.dat")
                atrace = ["--atrace"] if name in ("kmemtrace", "ktr", "gtsc") else []
                done = run(tdat, "convert", "-q", "-f", "--from", name, *atrace, "-o", out,
                           os.path.join(top, file))
                if done.returncode or not os.path.exists(out):
                    continue
                print(name, file, compare(tdat, folder, [out], tolerant=True))
                trace = packets.Trace(os.path.join(folder, "out.pftrace"))
                marks[name] = marks.get(name, 0) + marks_of(trace)
                os.unlink(out)
                made += 1
    print(f"{made} captures, marks {marks}")
    need(made >= 3 and marks.get("kmemtrace"), f"{made} captures, marks {marks}")


def main():
    tdat, folder, root = sys.argv[1:]
    for test in (options, compressed, tracks, several, damaged, no_events, hostile_names, threads, foreign):
        inside = os.path.join(folder, test.__name__)
        os.mkdir(inside)
        try:
            test(tdat, inside, root)
        except packets.Broken as e:
            sys.exit(f"{test.__name__}: {e}")
        shutil.rmtree(inside)


if __name__ == "__main__":
    main()
