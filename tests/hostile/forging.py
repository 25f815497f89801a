#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Payloads that look like records, fields, pages and headers never add an event.

usage: forging.py TDAT FIXTURES

They are written as programs can: into user_events, markers (ftrace/print, raw_data) and strings of
trace_printk() (bprint, bputs) of a trace.dat, and into the records of each importer's captures.
Every file is sound: each payload is one event for all readers and in all copies.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from structure_file import EVENT_FORMATS, FTRACE_EVENTS, File


def record(order, ident, body, length_word=False):
    """A record of the ring buffer, as the kernel would write it."""
    body = struct.pack(order + "HBBi", ident, 0, 0, 1) + body
    body += bytes(-len(body) % 4)
    words = 0 if length_word else len(body) // 4
    head = struct.pack(order + "I", 1 << 5 | words if order == "<" else words << 27 | 1)
    return head + (struct.pack(order + "I", len(body) + 4) if not words else b"") + body


def forged(order, ident=316):
    """Bytes at a multiple of four that would be something if they were read."""
    one = record(order, ident, bytes(56)) + record(order, ident, bytes(28), True)
    page = struct.pack(order + "QQ", 10 ** 9, len(one)) + one
    kmem = struct.pack(order + "BBHiQQ", 1, 0, 24, 7, 1 << 33, 1 << 34)
    blk = struct.pack(order + "IIQQIIIIIHH", 0x65617407, 9, 999, 0, 0, 1 << 16, 7, 0, 0, 0, 0)
    stap = struct.pack(order + "II", 6, 8) + b"probe x\n"
    return (one + page + kmem + blk + stap + b"\x17\x08\x44tracing6\0" + b"flyrecord\0" +
            b"options  \0" + b"header_event\0" + bytes(5) + one)


def formats(tree):
    """The ids of events by system and name."""
    ids = {}
    for s in tree.sections:
        for system, texts in ([("ftrace", s.meta.formats)] if s.id == FTRACE_EVENTS else
                              [(x.name.decode(), x.formats) for x in s.meta.systems]
                              if s.id == EVENT_FORMATS else ()):
            for text in texts:
                name, ident = re.match(rb"name: (\S+)\nID: (\d+)", text).groups()
                ids[system, name.decode()] = int(ident)
    return ids


class Trial:
    def __init__(self, tdat, folder):
        self.tdat, self.folder, self.bad, self.done = tdat, folder, 0, 0

    def run(self, *words):
        return subprocess.run((self.tdat,) + words, stdin=subprocess.DEVNULL, timeout=60,
                              capture_output=True, text=True, errors="replace", cwd=self.folder)

    def expect(self, what, path, count):
        """A sound file with so many events, for check and for dump, whose events are looked at."""
        check, dump = self.run("check", path), self.run("dump", "--json", path)
        found = re.search(r", (\d+) events? in", check.stdout)
        lines = dump.stdout.count("\n")
        self.done += 1
        if check.returncode or dump.returncode or not found or int(found[1]) != count or \
                lines != count:
            print("%s: %d events wanted, check (%d) has %s, dump (%d) %d: %s" % (
                what, count, check.returncode, found and found[1], dump.returncode, lines,
                check.stdout + check.stderr))
            self.bad += 1

    def everywhere(self, what, path, count):
        self.expect(what, path, count)
        for words in (("convert", "--file-version", "6"), ("convert", "--compression", "zlib"),
                      ("convert", "--compression", "zstd"), ("convert", "--endian", "big"),
                      ("convert", "--endian", "little"), ("repair",), ("split", "--exact"),
                      ("merge", path)):
            place = ("-i",) if words[0] == "split" else ()
            done = self.run(*words, "-q", "-f", "-o", "copy.dat", *place, path)
            if "the byte order of ftrace:bprint cannot be changed" in done.stderr:
                continue
            if done.returncode:
                print("%s: %s ends with %d: %s" % (what, words, done.returncode, done.stderr))
                self.bad += 1
                continue
            twice = 2 if words[0] == "merge" else 1
            self.expect("%s, %s" % (what, " ".join(words[:3])), "copy.dat", count * twice)

    def convert(self, what, count, *words):
        done = self.run("convert", "-q", "-f", "-o", "made.dat", *words)
        if done.returncode:
            print("%s: convert ends with %d: %s" % (what, done.returncode, done.stderr))
            self.bad += 1
            return
        self.everywhere(what, "made.dat", count)


def in_trace_dat(trial, path):
    """As the last record of the first page: of each event that programs write bytes into."""
    with open(path, "rb") as f:
        data = f.read()
    for name, fields in (("print", 8), ("raw_data", 4), ("bprint", 16), ("bputs", 16)):
        for length_word in (False, True):
            tree = File(data)
            ids = formats(tree)
            body = bytes(fields) + forged(tree.order, ids["sched", "sched_switch"])
            body = body if length_word else body[:100]
            page = next(s for s in tree.sections if s.areas)
            page = next(a for a in page.areas if a.parts).parts[0]
            before = len(page.records)
            new = record(tree.order, ids["ftrace", name], body, length_word)
            while sum(map(len, page.records)) + len(new) > page.size - tree.head_len:
                page.records.pop()
            gone = before - len(page.records)
            page.records.append(new)
            page.tail = b""
            with open(os.path.join(trial.folder, "forged.dat"), "wb") as out:
                out.write(tree.bytes())
            trial.everywhere("%s%s" % (name, ", with a length word" if length_word else ""),
                             "forged.dat", trial.count - gone + 1)


def in_user_events(trial):
    """Payloads that are longer than the fields, also by nothing but records of the same events."""
    with open(os.path.join(trial.folder, "defs"), "w") as out:
        out.write("u:forge u32 a\nu:none\nu:text char[20] a\n")
    for order, name in (("<", "little"), (">", "big")):
        behind = forged(order)
        for what in ("anything", "records"):
            with open(os.path.join(trial.folder, "log.txt"), "w") as out:
                for i, size in enumerate((4, 0, 20)):
                    payload = struct.pack(order + "i", i) + bytes(size) + behind
                    out.write("%d 0 %d %s\n" % (1000 + i, 500 + i, payload.hex()))
            trial.convert("user_events %s, %s" % (name, what), 3, "--from", "user_events",
                          "--definitions", "defs", "--endian", name, "log.txt")
            ids = trial.run("sql", "--csv", "made.dat",
                            "SELECT id FROM formats WHERE event = 'forge'").stdout.split()
            behind = 3 * record(order, int(ids[-1]), bytes(4))


def in_broken_file(trial, path):
    """A table of CPUs in a marker, where the real one cannot be found: it is not taken for it."""
    with open(path, "rb") as f:
        data = bytearray(f.read())
    table = data.index(b"flyrecord\0")
    first, _, second, size = struct.unpack_from("<4Q", data, table + 10)
    text = b"flyrecord\0" + struct.pack("<4Q", second, size, second, size)
    new = record("<", 5, bytes(8) + text)
    data[first + 8:first + 4096] = (struct.pack("<Q", len(new)) + new).ljust(4088, b"\0")
    data[table] ^= 1
    with open(os.path.join(trial.folder, "broken.dat"), "wb") as out:
        out.write(data)
    done = trial.run("repair", "-f", "-o", "copy.dat", "broken.dat")
    trial.expect("broken file (repair exits %d)" % done.returncode, "copy.dat", 103)


def in_captures(trial, foreign):
    def copy(name):
        shutil.rmtree(os.path.join(trial.folder, "capture"), ignore_errors=True)
        shutil.copytree(os.path.join(foreign, name), os.path.join(trial.folder, "capture"))
        subprocess.run(("chmod", "-R", "u+w", os.path.join(trial.folder, "capture")), check=True)

    def change(path, make):
        path = os.path.join(trial.folder, "capture", path)
        with open(path, "rb") as f:
            data = f.read()
        with open(path, "wb") as out:
            out.write(make(data))

    text = forged("<")
    copy("gtsc/blktrace_v7_le")  # a message of blktrace's
    change("sda.blktrace.0", lambda data: data + struct.pack(
        "<IIQQIIIIIHH", 0x65617407, 6, 9100, 0, 0, 1024 << 16 | 2, 7, 0, 0, 0, len(text)) + text)
    trial.convert("blktrace", 8, "capture")
    copy("gtsc/systemtap_bulk_le")  # what a probe prints
    change("stpd_cpu0", lambda data: data + struct.pack("<II", 6, len(text)) + text)
    trial.convert("gtsc", 6, "capture")
    copy("kmemtrace/features_le")  # a feature of a record
    change("cpu0.out", lambda data: data + struct.pack(
        "<BBHiQQ", 1, 0, 27 + len(text), 5, 1 << 33, 1 << 34) + struct.pack(
            "<HB", 3 + len(text), 9) + text)
    trial.convert("kmemtrace", 5, "capture")
    copy("ktr/fbsd_amd64_alq")  # the parameters of the first entry
    change("ktr.out", lambda data: data[:40] + text[:48] + data[88:])
    done = trial.run("convert", "-q", "-f", "-o", "made.dat", "capture")
    trial.expect("ktr (%s)" % done.stderr.strip(), "made.dat", 6)
    copy("tracefs/s390x-sched")  # a marker on a page more
    new = record(">", 5, bytes(8) + forged(">"), True)
    change("per_cpu/cpu0/trace_pipe_raw", lambda data: data + (
        struct.pack(">QQ", struct.unpack_from(">Q", data, len(data) - 4096)[0] + 10 ** 9,
                    len(new)) + new).ljust(4096, b"\0"))
    shutil.rmtree(os.path.join(trial.folder, "capture", "per_cpu", "cpu1"))
    os.unlink(os.path.join(trial.folder, "capture", "per_cpu", "cpu0", "stats"))
    trial.convert("tracefs", trial.tracefs + 1, "capture")


def main():
    tdat, fixtures = map(os.path.abspath, sys.argv[1:3])
    foreign = os.path.join(fixtures, "foreign")
    base = os.path.join(fixtures, "valid", "x64-61-v7-none-tiny.dat")
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(tdat, folder)
        trial.count = trial.run("dump", "--json", base).stdout.count("\n")
        in_trace_dat(trial, base)
        in_user_events(trial)
        trial.run("convert", "-qfo", "made.dat", os.path.join(foreign, "tracefs/s390x-sched"))
        trial.tracefs = trial.run("dump", "--json", "--cpu", "0", "made.dat").stdout.count("\n")
        in_captures(trial, foreign)
        in_broken_file(trial, os.path.join(fixtures, "valid", "x64-61-v6-tiny.dat"))
    print("%d files with forged payloads, %d faults" % (trial.done, trial.bad))
    return trial.bad != 0 or trial.done < 100


sys.exit(main())
