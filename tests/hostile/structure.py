#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Changes one fact of a file's structure at a time and compares what is told with what is lost.

usage: structure.py TDAT FIXTURES

Rules, for each change of structure_changes.py:
  a  dump, check and stat agree on whether the file is whole: exit 0 or 1, and 1 is explained
  b  events that are missing or other than before are told of, unless no reader could notice
     (UNSEEN says why, for each such kind of change)
  c  what repair writes is whole for check, and trace-cmd reads as many events of it as dump
     does; where only an option was there twice, dump gives the same of it
  d  convert and split lose nothing without a word: where they exit with 0, dump gives the same
     of their result, and check the same verdict; a split of some events has those that dump gives
     with the same filter; what merge writes of it and the unchanged file has the events of both
  e  nothing crashes or takes a damaged file for wrong usage
  f  commands that make something else of all events (READERS) exit as check does, and say why
  g  dump, check, stat, SQL, Parquet, the timeline and what repair writes have one number of events

One change of each kind is tried on one of the files that can have it, with a fourth of READERS and
one of SQL, Parquet and timeline; all on all with TDAT_STRUCTURE=all in the environment,
a third of the kinds with TDAT_STRUCTURE=third. OVERWRITTEN are pages that gave
several numbers before there was one rule for what is read of a damaged page.
A file is compared with trace-cmd where that reads the unchanged one: Debian's knows no zlib.
"""
import collections
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

from structure_changes import Changes
from structure_file import File

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from part import part_of

# How many there were option CPUSTAT tells, which check -v notes; split keeps it for its pieces.
TIMES = "a sound file, of another recording or split: nothing else tells how many events there were"
UNSEEN = {
    ("area", "drop mended"): "an entry and its pages are gone together: a CPU without events",
    ("buffer", "rename"): "a name may be any",
    ("chunk", "drop mended"): TIMES,
    ("chunk", "drop raw"): "with no chunk the size in the table is 0, and a count is not read",
    ("chunk", "duplicate mended"): TIMES,
    ("chunk", "triple mended"): TIMES,
    ("cmdlines", "drop"): "tasks without a name are usual",
    ("entry", "renumber free"): "a CPU may have any number",
    ("head", "renumber long"): "32-bit programs record on 64-bit kernels",
    ("layout", "wider head"): TIMES,
    ("kallsyms", "drop"): "the table of symbols has no count",
    ("page", "drop mended"): TIMES,
    ("page", "duplicate mended"): TIMES,
    ("page", "triple mended"): TIMES,
    ("page", "renumber flags"): "a lost mark may be anywhere",
    ("page", "renumber stamp"): TIMES + "; clocks step back",
    ("record", "drop mended"): TIMES,
    ("record", "duplicate mended"): TIMES,
    ("record", "swap mended"): TIMES,
    ("record", "renumber ftrace"): "an event of another type, which fits into the record",
    ("system", "rename"): "a name may be any; its events lose their plugins",
    ("v6 entry", "swap mended"): "the place in the table is the number of the CPU",
}

# Fixtures, and what tdat convert does with them first.
FILES = (
    ("x64-61-v6-tiny", None),
    ("i386-61-v7-buffers", ("--file-version", "6")),
    ("x64-61-v7-none-tiny", None),
    ("i386-61-v7-buffers", None),
    ("s390x-61-kstack", None),
    ("s390x-61-v7-zstd-sched", None),
    ("x64-61-conv-v7-zlib", None),
    ("ppc64el-61-lost", None),
)

# Commands that read all events for something else than text; "=" is the file, "+" an output.
READERS = (
    ("dump", "-e", "*", "="),
    ("dump", "-F", ".*: common_pid != 999999999", "="),
    ("export", "--to", "csv", "--table", "events", "-o", "-", "="),
    ("export", "--to", "perfetto", "-o", "-", "="),
    ("export", "--to", "chrome", "-o", "-", "="),
    ("sql", "=", "SELECT count(*) FROM wakeup"),
    ("profile", "="),
    ("latency", "="),
    ("flame", "="),
    ("view", "--svg", "-f", "-o", "+", "="),
)

# A record that is too short, and a commit that is too large with nonsense behind it: a file of
# FILES or of the shared corpus, and a change's offset and bytes.
OVERWRITTEN = (
    ("x64-61-v6-tiny", 24592, b"\1\0\0\0"),
    ("x64-61-v6-tiny", 24584, b"\xff" * 292),
    ("x64-61-v6-sched", 184336, b"\1\0\0\0"),
    ("x64-61-v6-sched", 131080, b"\xff" * 292),
)

# How many events a reader finds: the words of a command, and the number in its output.
COUNTS = (
    (("sql", "--csv", "=", "SELECT count(*) FROM events"), rb"^(\d+)\r?$"),
    (("export", "--to", "parquet", "--table", "events", "-q", "-o", "-", "="), None),
    (("view", "-f", "-o", "-", "="), rb'"events":\{"total":(\d+)'),
)

EVENT = re.compile(rb"\[\d{3,}\]")
TASK = re.compile(rb"^.*?\[\d{3,}\]")
MARK = b"EVENTS DROPPED"


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def skipped(data, at, kind):
    """Where a value of Thrift's compact protocol ends."""
    if kind in (1, 2):
        return at
    if kind == 3:
        return at + 1
    if kind in (4, 5, 6):
        return varint(data, at)[1]
    if kind == 7:
        return at + 8
    if kind == 8:
        size, at = varint(data, at)
        return at + size
    if kind == 12:
        while data[at]:
            field = data[at]
            at = at + 1 if field >> 4 else varint(data, at + 1)[1]
            at = skipped(data, at, field & 15)
        return at + 1
    assert kind == 9, kind
    size, item, at = data[at] >> 4, data[at] & 15, at + 1
    if size == 15:
        size, at = varint(data, at)
    for _ in range(size):
        at = at + 1 if item in (1, 2) else skipped(data, at, item)
    return at


def parquet_rows(data):
    """num_rows, the third field of the footer's FileMetaData."""
    if data[-4:] != b"PAR1":
        return 0
    at = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    assert data[at] == 0x15, "version"
    at = skipped(data, at + 1, 5)
    assert data[at] == 0x19, "schema"
    at = skipped(data, at + 1, 9)
    assert data[at] == 0x16, "num_rows"
    return varint(data, at + 1)[0] >> 1


def number_in(pattern, output):
    found = re.search(pattern, output, re.M)
    return int(found[1]) if found else 0


class Run:
    def __init__(self, *args):
        done = subprocess.run(args, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        self.rc, self.out, self.err = done.returncode, done.stdout, done.stderr

    def lines(self):
        return collections.Counter(x for x in self.out.split(b"\n")
                                   if x and not x.startswith((b"cpus=", b"version =")))

    def event_lines(self):
        return [x for x in self.out.split(b"\n") if EVENT.search(x) and MARK not in x]

    def events(self):
        return len(self.event_lines())

    def times(self):
        """Time and name of each event: what a merge keeps, whatever symbols the two files have."""
        return collections.Counter(tuple(TASK.sub(b"", x).split(b": ")[:2])
                                   for x in self.event_lines())


class Trial:
    """What the commands make of one changed file."""

    def __init__(self, tdat, folder):
        self.tdat = tdat
        self.trace_cmd = shutil.which("trace-cmd")
        self.path = os.path.join(folder, "changed.dat")
        self.copy = os.path.join(folder, "copy.dat")
        self.repaired = os.path.join(folder, "repaired.dat")
        self.unchanged = os.path.join(folder, "unchanged.dat")
        self.known = {}  # what is true of a repaired file, by its bytes
        self.with_trace_cmd = False
        # A build without libmicrohttpd has no tdat-view beside tdat.
        self.with_view = os.path.exists(os.path.join(os.path.dirname(tdat), "tdat-view"))

    def run(self, command, *args):
        return Run(self.tdat, command, *args)

    def dump(self, path):
        return self.run("dump", "--threads", "1", path)

    def begin(self, data):
        """The unchanged file: what it gives, and whether trace-cmd can read such files."""
        with open(self.unchanged, "wb") as out:
            out.write(data)
        self.original = self.dump(self.unchanged)
        assert self.original.rc == 0 and self.original.events(), "the fixture is not whole"
        n = Run(self.trace_cmd, "report", "-N", self.unchanged).events() if self.trace_cmd else 0
        self.with_trace_cmd = n == self.original.events()

    def faults(self, kind, op, data, unseen, readers, same, counts):
        with open(self.path, "wb") as out:
            out.write(data)
        dump = self.dump(self.path)
        check = self.run("check", "--exact", self.path)
        stat = self.run("stat", "--json", self.path)
        yield from self.status("dump", dump)
        yield from self.status("check", check)
        yield from self.status("stat", stat)
        if not dump.rc == check.rc == stat.rc:
            yield "dump exits %d, check %d, stat %d" % (dump.rc, check.rc, stat.rc)
        if dump.rc and not dump.err.strip():
            yield "dump says nothing"
        was, now = self.original.lines(), dump.lines()
        self.silent = not dump.rc and was != now
        if kind == "option" and op.startswith(("lengthen", "NUL")) and not check.rc:
            yield "bytes that nothing reads are not told of"
        if self.silent and not unseen:
            yield "%d lines are missing and %d new without a word" % (
                (was - now).total(), (now - was).total())
        found = {"dump": dump.events(),
                 "check": number_in(rb", (\d+) events? in", check.out),
                 "stat": number_in(rb'^    "events": (\d+)', stat.out)}
        yield from self.repair(dump, same, found)
        yield from self.count(counts, check, found)
        yield from self.copy_with(dump, check, "convert", "-q", "-f", "--threads", "1", "-o",
                                  self.copy, self.path)
        yield from self.copy_with(dump, check, "split", "-q", "-f", "--exact", "--threads", "1",
                                  "-o", self.copy, "-i", self.path)
        yield from self.split_some()
        yield from self.merge(dump, check, self.path, self.unchanged)
        yield from self.merge(dump, check, self.unchanged, self.path)
        yield from self.read_all(readers, check)

    def count(self, counts, check, found):
        for words, pattern in counts:
            if words[0] == "view" and not self.with_view:
                continue
            run = self.run(*(self.path if w == "=" else w for w in words))
            yield from self.status(words[0], run)
            if run.rc != check.rc:
                yield "%s exits %d, check %d: %s" % (words[0], run.rc, check.rc, text(run.err))
            found[words[0]] = number_in(pattern, run.out) if pattern else parquet_rows(run.out)
        if len(set(found.values())) > 1:
            yield "numbers of events differ: %s" % found

    def read_all(self, readers, check):
        for words in readers:
            if words[0] == "view" and not self.with_view:
                continue
            run = self.run(*({"=": self.path, "+": self.copy}.get(w, w) for w in words))
            name = " ".join(words[:3])
            yield from self.status(name, run)
            if run.rc != check.rc and b" needs " not in run.err:
                yield "%s exits %d, check %d: %s" % (name, run.rc, check.rc, text(run.err)[:200])
            if run.rc and not run.err.strip():
                yield "%s says nothing" % name
            if os.path.exists(self.copy):
                os.unlink(self.copy)

    def status(self, what, run):
        if run.rc not in (0, 1):
            yield "%s ends with %d: %s" % (what, run.rc, text(run.err))

    def repair(self, dump, same, found):
        run = self.run("repair", "-f", "--threads", "1", "-o", self.repaired, self.path)
        yield from self.status("repair", run)
        if not os.path.exists(self.repaired):
            found["repair"] = 0
            if dump.events():
                yield "repair saves nothing of %d events: %s" % (dump.events(), text(run.err))
            return
        with open(self.repaired, "rb") as f:
            key = hashlib.sha256(f.read()).digest()
        if key not in self.known:
            self.known[key] = self.look_at_repaired()
        os.unlink(self.repaired)
        found["repair"], lines, faults = self.known[key]
        yield from faults
        if same and lines != dump.lines():
            yield "repair changes %d lines" % (dump.lines() - lines).total()

    def look_at_repaired(self):
        faults = []
        check, dump = self.run("check", self.repaired), self.dump(self.repaired)
        if check.rc or dump.rc:
            faults.append("repaired: check exits %d, dump %d: %s" % (
                check.rc, dump.rc, text(check.out + check.err)))
        if self.with_trace_cmd:
            report = Run(self.trace_cmd, "report", "-N", self.repaired)
            if report.events() != dump.events() or report.rc:
                faults.append("repaired: trace-cmd (%d) reads %d events, dump %d: %s" % (
                    report.rc, report.events(), dump.events(), text(report.err)))
        return dump.events(), dump.lines(), faults

    def copy_with(self, dump, check, *words):
        run = self.run(*words)
        yield from self.status(words[0], run)
        if not run.rc:
            after = self.dump(self.copy)
            if after.lines() != dump.lines():
                yield "%s: %d lines are missing and %d new without a word" % (
                    words[0], (dump.lines() - after.lines()).total(),
                    (after.lines() - dump.lines()).total())
            again = self.run("check", self.copy)
            if again.rc != check.rc:
                yield "%s: check exits %d, and %d of the copy" % (words[0], check.rc, again.rc)
        if os.path.exists(self.copy):
            os.unlink(self.copy)

    def split_some(self):
        some = ("--threads", "1", "-F", ".*: common_pid & 1")
        run = self.run("split", "-q", "-f", "--exact", *some, "-o", self.copy, "-i", self.path)
        yield from self.status("split -F", run)
        if not os.path.exists(self.copy):
            return
        want, got = self.run("dump", *some, self.path).times(), self.dump(self.copy).times()
        if want != got:
            yield "split -F: %d events are missing and %d new" % (
                (want - got).total(), (got - want).total())
        os.unlink(self.copy)

    def merge(self, dump, check, *inputs):
        run = self.run("merge", "-q", "-f", "--threads", "1", "-o", self.copy, *inputs)
        yield from self.status("merge", run)
        if (run.rc or check.rc) and not run.err.strip():
            yield "merge says nothing"
        if not os.path.exists(self.copy):
            if not run.rc:
                yield "merge exits with 0 and writes nothing"
            return
        after = self.dump(self.copy)
        again = self.run("check", self.copy)
        both = self.original.times() + dump.times()
        if after.times() != both:
            yield "merge: %d events are missing and %d new: %s" % (
                (both - after.times()).total(), (after.times() - both).total(), text(run.err))
        if not run.rc and again.rc != check.rc:
            yield "merge: check exits %d, and %d of what it made" % (check.rc, again.rc)
        if run.rc and not check.rc:
            yield "merge exits %d for a file that is whole: %s" % (run.rc, text(run.err))
        os.unlink(self.copy)


def text(raw):
    return raw.decode(errors="replace").strip()


def overwritten(fixtures):
    """The changes of OVERWRITTEN whose file is there: its name, its bytes and the changed ones."""
    shared = os.environ.get("TDAT_SHARED", "")
    for name, at, new in OVERWRITTEN:
        for path in (os.path.join(fixtures, "valid"), os.path.join(shared, "corpus", "files")):
            path = os.path.join(path, name + ".dat")
            if os.path.exists(path):
                with open(path, "rb") as f:
                    old = f.read()
                yield name, old, old[:at] + new + old[at + len(new):]
                break


def load(tdat, fixtures, folder, name, convert):
    path = os.path.join(fixtures, "valid", name + ".dat")
    if convert:
        made = os.path.join(folder, name + ".dat")
        assert Run(tdat, "convert", "-q", "-f", "-o", made, *convert, path).rc == 0
        path = made
    with open(path, "rb") as f:
        return File(f.read())


def chosen(trees):
    """For each kind of change, one of the files that can have it: which, differs by kind."""
    share = 3 if os.environ.get("TDAT_STRUCTURE") == "third" else 1
    able = collections.defaultdict(list)
    for index, tree in enumerate(trees):
        for kind, op in dict.fromkeys((kind, op) for kind, op, _, _ in Changes(tree).all()):
            able[kind, op].append(index)
    first = {change: zlib.crc32(" ".join(change).encode()) for change in able}
    return {change: on[first[change] % len(on)] for i, (change, on) in enumerate(able.items())
            if i % share == 0}


def main():
    tdat, fixtures = sys.argv[1:3]
    everything = os.environ.get("TDAT_STRUCTURE") == "all"
    keep = os.environ.get("TDAT_STRUCTURE_KEEP")
    bad = done = number = 0
    unseen = set()
    files = part_of(FILES)
    shm = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=shm) as folder:
        trial = Trial(tdat, folder)
        trees = [load(tdat, fixtures, folder, *file) for file in files]
        on = {} if everything else chosen(trees)
        for index, ((name, convert), tree) in enumerate(zip(files, trees)):
            label = name + (" as version 6" if convert else "")
            trial.begin(tree.bytes())
            tried = set()
            for kind, op, where, data in Changes(tree).all():
                if not everything and ((kind, op) in tried or index != on.get((kind, op))):
                    continue
                tried.add((kind, op))
                done += 1
                readers = READERS if everything else READERS[done % 4::4]
                counts = COUNTS if everything else COUNTS[done % 3::3]
                for fault in trial.faults(kind, op, data, UNSEEN.get((kind, op)), readers,
                                          op.startswith("twice"), counts):
                    print("%s: %s %s, %s: %s" % (label, kind, op, where, fault))
                    bad += 1
                    if keep:
                        number += 1
                        kept = ("%d-%s-%s.dat" % (number, kind, op)).replace(" ", "_")
                        print("  kept as " + kept)
                        with open(os.path.join(keep, kept), "wb") as out:
                            out.write(data)
                if trial.silent:
                    unseen.add((kind, op))
        for name, old, new in overwritten(fixtures):
            trial.begin(old)
            done += 1
            for fault in trial.faults("page", "overwrite", new, None, (), False, COUNTS):
                print("%s: overwritten: %s" % (name, fault))
                bad += 1
    if everything:
        for kind, op in sorted(set(UNSEEN) - unseen):
            print("%s %s: always seen now, take it from UNSEEN" % (kind, op))
            bad += 1
    print("%d changes of %d files, %d faults; trace-cmd %s" % (
        done, len(files), bad, "compared" if trial.trace_cmd else "is not installed"))
    return 1 if bad or done < 20 * len(files) else 0


sys.exit(main())
