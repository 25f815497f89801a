#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the commands of tdat with random options and values, on sound and on damaged files.

usage: arguments.py TDAT FIXTURES RUNS

Options are those that each command's --help lists. Whatever they are:
  - a run ends with 0, 1 or 2, within a minute; with 1 or 2 it says why on standard error
    (check and repair report on standard output)
  - wrong usage prints nothing on standard output, but of what was found before
  - messages have no control bytes
  - what --json prints is whole JSON values
  - no input is changed

Runs are chosen by a seed, TDAT_ARGUMENTS_SEED in the environment (1 without it).
"""
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

COMMANDS = ("check", "convert", "diff", "dump", "export", "flame", "hist", "info", "latency", "list", "merge",
            "profile", "repair", "split", "sql", "stat", "why")
WRITING = ("convert", "export", "merge", "repair", "split")
REPORTING = ("check", "repair")  # their standard output is the report of what is wrong
NOT_TRIED = ("--help", "--help-all", "--plugin-dir", "--tmpdir")

NUMBERS = ("0 1 2 3 -1 -0 00 +1 7 64 100 4096 65535 65536 70000 2147483647 2147483648 4294967295 "
           "4294967296 9223372036854775807 9223372036854775808 18446744073709551615 "
           "18446744073709551616 99999999999999999999999 1e9 0x10 1.5 1k 1M 1G 1T 0-3 0,1 3-1 0- - "
           "1,,2 0-4294967295 0-99999999999").split() + ["", " 1", "1 ", "\u0967"]
TIMES = ("0 1 +1s -1s +0 -0 +1ms 12.5 12500ms 99999999 0.000000001 1e5 -5 + s +1h 1.2.3 "
         "18446744073.709551615 18446744073.709551616 -18446744073 1ns nan inf . .5 5. "
         "+9223372036.854775807 100s 1000").split() + ["", "9" * 400]
NAMES = ("events sched wakeup irq softirq syscall tasks sched/* * thread_state function slice counter "
         "latency_sample critical_path page_fault lock net off_cpu block_io kmem kvm timer workqueue migration cpus buffers formats "
         "options e sched_switch sched/sched_switch [ [a \\ [] { %s%n ../x ts cpu pid comm event dur "
         "ts,cpu event,pid,cpu text prev_comm common_pid *?*?*?*?*?*?*?*?b").split() + [
             "", "a" * 300, "\xff", "\x1b[31m", "\u202eabc"]
FILTERS = (".*: common_pid > 0", "sched_switch: prev_pid == 0", "sched_switch", "sched_switch:",
           ".*:COMM =~ \"a.*\"", ".*:CPU == 1 || TIMESTAMP > 5", "e: (((((((1)))))))", "(((((", "a:b",
           ".*: common_pid & 1", ".*: !!!!(common_pid == 1)", "[: x", ".*: x ~ y", ".*: 1/0",
           ".*: common_pid / 0 == 1", ".*: common_pid % 0", ".*: 1 << 99",
           ".*: COMM == \"x\" && (" * 50, ".*: " + "!" * 5000 + "1",
           ".*: prev_comm =~ \"((((((a*)*)*)*)*)*)*\"", ".*:COMM !~ \"[a\"", "\xff: 1", "",
           "sched/*: prev_pid", "sched_switch,sched_wakeup: pid > 1", ":1")
PAIRS = ("p: irq/irq_handler_entry(CPU) -> irq/irq_handler_exit(CPU)",
         "p: sched/sched_waking(pid) -> sched/sched_switch(next_pid)", "x", "", "a=b/c,d/e",
         "p: sched/sched_waking(pid) if pid > 1 -> sched/sched_switch(next_pid) if", "a" * 500, "=" * 10)
TRIGGERS = ("sched/sched_switch hist:keys=next_pid",
            "sched/sched_switch hist:keys=next_comm,prev_pid:sort=hitcount.descending if prev_pid > 0",
            "sched/sched_waking hist:keys=pid:ts0=common_timestamp.usecs", "x/y hist:keys=a",
            "sched_switch", "hist:keys=", "raw_syscalls/sys_enter hist:keys=id.syscall:size=17",
            "sched/sched_switch hist:keys=stacktrace",
            "sched/sched_switch hist:keys=next_pid.log2:vals=prev_prio.buckets=0",
            "sched/sched_switch hist:keys=next_pid:size=99999999", "")
QUERIES = ("SELECT count(*) FROM events", "SELECT * FROM events LIMIT 3", "select", "",
           "SELECT event, count(*) FROM events GROUP BY 1", "SELECT * FROM nope",
           "SELECT * FROM sched WHERE ts > 5 AND cpu = 1 LIMIT 4", "SELECT * FROM tasks",
           "SELECT zeroblob(999999999999)", "SELECT load_extension('x')", "ATTACH 'x' AS y",
           "PRAGMA table_info(events)", "SELECT name FROM sqlite_master LIMIT 5", ".tables", ".quit",
           "SELECT * FROM wakeup ORDER BY ts DESC LIMIT 2", "CREATE TABLE x(a)",
           "SELECT * FROM events WHERE event = 'sched_switch' AND pid IN (1, 2, 3) LIMIT 2",
           "SELECT * FROM events WHERE ts BETWEEN 9e18 AND -1", "INSERT INTO events VALUES(1)")
LIMITS = ("cpus events formats fields print_len spool_len options sections systems nope buffers "
          "kallsyms_len chunk_len meta_len name_len").split() + [""]
FORMATS = ("parquet arrow jsonl csv clickhouse sqlite perfetto ctf chrome text json nope kmemtrace ktr "
           "gtsc tracefs blktrace user_events ftrace-text perf perf-text").split() + [""]
SELECTIONS = ("--from 1", "--until +1s", "--cpu 0", "--comm 'a b'", "--pid 1 -e sched", "--from", "x", "", "'", "\\",
              "--json", "-F 'sched_switch: prev_pid == 0'", "--buffer \"top\"")
BY_OPTION = {
    "--compression": ("none", "zlib", "zstd", "any", "lz4", ""),
    "--file-version": ("6", "7", "8", "5", ""),
    "--level": NUMBERS + ["-7", "22", "9"],
    "--compat": ("kernel", "3.1", "3.3", "debian12", "9", ""),
    "--kernel": ("6.1", "6.12", "0", "99999.1", "6", "x", ""),
    "--endian": ("little", "big", "x", ""),
    "--a": SELECTIONS,
    "--b": SELECTIONS,
    "--fail-on": ("any", "wakeup.p99:10%", "event", "event.rate:+5%", "x", "any:", "wakeup.:5", ":", "", "p:-1%"),
    "--min-change": ("5%", "0", "0.1%", "1e9%", "-1", "nan", "", "5%%"),
    "--by": ("name", "pid", "comm", "pid,cpu", "x", ""),
    "--partition": ("event,file", "none", "host", "x", "file", ""),
    "--part-pipe": ("cat >/dev/null", "false", "kill -9 $$", ""),
    "--compact": ("nope", ".", "x", ""),
    "--synth": ("a u64 x", "wakeup_lat u64 lat; pid_t pid", "a", "", "x" * 500, "a " + "int x; " * 200),
}
BY_PLACE = {"FILTER": FILTERS, "PAIR": PAIRS, "TIME": TIMES, "FORMAT": FORMATS,
            "OPTION": ("parent", "fgraph:tailprint", "indent=0", "indent=99999999999", "", "x", "=")}


def options_of(tdat, command):
    """(short, long, what its value is called or None) of each line of --help."""
    text = subprocess.run([tdat, command, "--help-all"], capture_output=True, text=True).stdout
    found = []
    for line in text.splitlines():
        m = re.match(r"  (?:(-\w)(?:, )?)? *(--[\w-]+)?(?: ([A-Z][^ ]*|[a-z0-9]+\|\S+))?(?:  |$)", line)
        if m and (m[1] or m[2]) and m[2] not in NOT_TRIED:
            found.append(m.groups())
    return found


def is_json(raw):
    text, at = raw.decode(), 0
    decoder = json.JSONDecoder()
    while at < len(text):
        if text[at].isspace():
            at += 1
        else:
            at = decoder.raw_decode(text, at)[1]
    return True


class Arguments:
    def __init__(self, tdat, fixtures, seed, folder):
        self.r = random.Random(seed)
        self.tdat, self.folder = tdat, folder
        valid = os.path.join(fixtures, "valid")
        self.sources = sorted(os.path.join(valid, f) for f in os.listdir(valid) if f.endswith(".dat"))
        self.options = {c: options_of(tdat, c) for c in COMMANDS}
        assert all(len(o) > 2 for o in self.options.values())
        with open(self.path("setup"), "w") as f:
            f.write("synth a u64 x; int y\ntrig sched/sched_switch hist:keys=next_pid\n")

    def path(self, name):
        return os.path.join(self.folder, name)

    def source(self, damaged):
        """A fixture; a damaged one has bytes changed, or its end cut off."""
        with open(self.r.choice(self.sources), "rb") as f:
            data = bytearray(f.read())
        for _ in range(self.r.choice((1, 1, 2, 5, 30)) if damaged else 0):
            at = self.r.randrange(len(data))
            if self.r.random() < 0.9:
                data[at] = self.r.choice((0, 255, self.r.randrange(256)))
            elif at > 100:
                del data[at:]
        return bytes(data)

    def value(self, command, option, place):
        r = self.r
        if r.random() < 0.03:
            return r.choice(NUMBERS + TIMES + NAMES + list(FILTERS) + list(PAIRS))
        if option in BY_OPTION:
            return r.choice(BY_OPTION[option])
        if option == "--output":
            return r.choice((self.path("out"), self.path("out"), "-", self.path("out/"), "/nonexistent/x",
                             self.folder, "", "/dev/full", self.path("in.dat"), self.path("link.dat")))
        if option == "--input":
            return r.choice(self.inputs)
        if option == "--setup":
            return r.choice((self.path("setup"), "/dev/null", self.folder, "nope"))
        if option in ("--from", "--until") and (command != "export" or r.random() < 0.2):
            return r.choice(TIMES)
        if place in BY_PLACE:
            return r.choice(BY_PLACE[place])
        if "NAME=VALUE" in place:
            return r.choice(LIMITS) + "=" + r.choice(NUMBERS)
        return r.choice(NAMES if r.random() < 0.5 else NUMBERS)

    def words(self, command):
        r, words = self.r, []
        if command == "export":
            words += ["--to", r.choice(FORMATS[:9])]
        for short, long, place in r.choices(self.options[command], k=r.choice((0, 1, 1, 2, 2, 3, 4, 6))):
            name = long if long and (not short or r.random() < 0.7) else short
            if not place:
                words.append(name)
            elif name.startswith("--") and r.random() < 0.5:
                words.append(name + "=" + self.value(command, long, place))
            else:
                words += [name, self.value(command, long, place)]
        if command in WRITING and r.random() < 0.8:
            words += ["-f", "-o", r.choice((self.path("out"), self.path("out"), "-"))]
        if r.random() < 0.93:
            words.append(self.path("in.dat") if r.random() < 0.9 else r.choice(self.inputs))
        if command in ("diff", "merge") or r.random() < 0.1:
            words.append(r.choice(self.inputs))
        if command == "hist":
            words.append(r.choice(TRIGGERS))
        if command == "sql":
            words.append(r.choice(QUERIES))
        if r.random() < 0.05:
            words.insert(r.randrange(len(words) + 1), "--")
        return words

    def prepare(self):
        for name in os.listdir(self.folder):
            path = self.path(name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif name != "setup":
                os.unlink(path)
        self.given = {"in.dat": self.source(self.r.random() < 0.35), "other.dat": self.source(False)}
        for name, data in self.given.items():
            with open(self.path(name), "wb") as f:
                f.write(data)
        os.link(self.path("in.dat"), self.path("link.dat"))
        self.inputs = [self.path(n) for n in ("in.dat", "in.dat", "other.dat", "setup")]
        self.inputs += ["nope", "", "-", self.folder, "/dev/null"]

    def unchanged(self):
        for name, data in self.given.items():
            if not os.path.exists(self.path(name)):
                return False
            with open(self.path(name), "rb") as f:
                if f.read() != data:
                    return False
        return True

    def one(self):
        """What is wrong with one run, or None; and the run."""
        self.prepare()
        command = self.r.choice(COMMANDS)
        words = self.words(command)
        shown = " ".join([command] + [repr(w)[:200] for w in words])
        try:
            done = subprocess.run([self.tdat, command] + words, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=60, cwd=self.folder,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                        (1 << 30, 1 << 30)))
        except subprocess.TimeoutExpired:
            return "does not end", shown
        rc, out, err = done.returncode, done.stdout, done.stderr
        shown += ": " + repr(err[:300])
        if rc not in (0, 1, 2) and not (rc == 3 and command == "diff"):
            return "ends with %d" % rc, shown
        if rc in (1, 2) and not err.strip() and command not in REPORTING:
            return "ends with %d and says nothing" % rc, shown
        if rc == 2 and out and command not in REPORTING:
            return "is used wrongly, and prints", shown
        if any(b < 32 and b not in b"\n" or b == 127 for b in err):
            return "has control bytes in its messages", shown
        if not self.unchanged():
            return "changes an input", shown
        asked = any(w == "--json" for w in words) and "--" not in words
        if asked and command not in WRITING + ("sql",):
            try:
                is_json(out)
            except ValueError as e:
                return "prints what is no JSON (%s)" % e, shown
        return None, rc


def main():
    tdat, fixtures, runs = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    seed = int(os.environ.get("TDAT_ARGUMENTS_SEED", "1"))
    bad, ended = 0, {0: 0, 1: 0, 2: 0, 3: 0}
    shm = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=shm) as folder:
        arguments = Arguments(tdat, fixtures, seed, folder)
        for _ in range(runs):
            what, shown = arguments.one()
            if what:
                print("%s: tdat %s" % (what, shown))
                bad += 1
            else:
                ended[shown] += 1
    print("%d runs by seed %d, %d faults; they ended with 0, 1, 2: %d, %d, %d" % (
        runs, seed, bad, ended[0], ended[1], ended[2]))
    # Most runs that never get further than their usage would test little.
    return 1 if bad or ended[0] < runs // 8 else 0


sys.exit(main())
