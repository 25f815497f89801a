#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Data sets of many files (tdat export --partition): resumed after kills, skipped, read by others.

usage: data_set.py TDAT FOLDER FIXTURES
"""
import filecmp
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import urllib.parse

import duckdb
import pyarrow.dataset as ds

FILES = ("i386-61-v6-sched", "x64-61-date", "s390x-61-kstack", "x64-lab612-lost-v6",
         "arm64-16k-612-kstack", "x64-61-conv-v7-zstd")


def need(good, what):
    if not good:
        sys.exit(f"data_set: {what}")


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def tree(folder):
    return sorted(os.path.relpath(os.path.join(top, name), folder)
                  for top, _, names in os.walk(folder) for name in names)


def same_trees(a, b, what):
    need(tree(a) == tree(b), f"{what}: other files: {set(tree(a)) ^ set(tree(b))}")
    _, wrong, errors = filecmp.cmpfiles(a, b, tree(a), shallow=False)
    need(not wrong and not errors, f"{what}: other bytes: {wrong}{errors}")


def kills(export, whole, out):
    """Kills runs at random moments of about one run's time; the last one is left alone."""
    rng = random.Random(16)
    killed = 0
    for _ in range(60):
        shutil.rmtree(out, ignore_errors=True)
        for _ in range(rng.randrange(1, 4)):
            with subprocess.Popen(export + [out, *whole.inputs], stderr=subprocess.DEVNULL) as p:
                time.sleep(rng.random() * whole.seconds)
                p.send_signal(signal.SIGKILL)
                killed += p.wait() == -signal.SIGKILL
        if killed > 12:
            break
    need(killed > 3, f"only {killed} runs were killed")
    parts = [p for p in tree(out) if p.endswith(".parquet")]
    for part in parts:
        need(ds.dataset(os.path.join(out, part)).count_rows() > 0, f"{part} is not whole")
    need(run(*export, out, *whole.inputs).returncode == 0, "the last run failed")
    same_trees(whole.out, out, "after kills")
    return killed


class Whole:
    """A data set that nobody killed."""

    def __init__(self, export, out, inputs):
        self.out, self.inputs = out, inputs
        start = time.monotonic()
        done = run(*export, out, *inputs)
        self.seconds = time.monotonic() - start
        need(done.returncode == 0, done.stderr.decode())


def count(tdat, path):
    out = run(tdat, "dump", "--json", "-e", "sched/sched_switch", path).stdout
    return out.count(b'"event":"sched_switch"')  # not the stacks that follow


def readers(tdat, whole):
    want = {os.path.basename(p): count(tdat, p) for p in whole.inputs}
    want = {name: n for name, n in want.items() if n}
    need(len(want) > 3, f"few files with events: {want}")
    glob_name = os.path.join(whole.out, "event=sched_switch", "**", "*.parquet")
    rows = duckdb.sql(f"select file, any_value(host), count(*), min(ts) from read_parquet("
                      f"'{glob_name}', hive_partitioning=true, union_by_name=true) "
                      "group by file").fetchall()
    need({r[0]: r[2] for r in rows} == want, f"DuckDB: {rows}, not {want}")
    table = ds.dataset(os.path.join(whole.out, "event=sched_switch"), partitioning="hive")
    for name, n in want.items():
        got = table.count_rows(filter=ds.field("file") == name)
        need(got == n, f"pyarrow: {name}: {got} rows, not {n}")
    for row in rows:
        path = [p for p in whole.inputs if os.path.basename(p) == row[0]][0]
        data = open(path, "rb").read(1 << 20)
        at = data.find(b"Linux ")  # the option UNAME of these files, which nothing compresses
        host = data[at:at + 100].split()[1].decode() if at >= 0 else ""
        need(row[1] == host, f"{row[0]}: host {row[1]!r}, not {host!r}")


def skipping(export, whole):
    before = {p: os.stat(os.path.join(whole.out, p)).st_mtime_ns for p in tree(whole.out)}
    need(run(*export, whole.out, *whole.inputs).returncode == 0, "a second run failed")
    after = {p: os.stat(os.path.join(whole.out, p)).st_mtime_ns for p in tree(whole.out)}
    need(before == after, "a second run wrote again")
    os.utime(whole.inputs[0])
    done = run(*export, whole.out, *whole.inputs)
    need(done.returncode == 1 and b"--force" in done.stderr, f"a changed file: {done}")
    need(run(*export, whole.out, "-f", *whole.inputs).returncode == 0, "--force failed")


def broken(tdat, export, folder, inputs):
    cut, bad, out = (os.path.join(folder, n) for n in ("cut.dat", "bad.dat", "broken"))
    data = open(inputs[-1], "rb").read()
    with open(cut, "wb") as f:
        f.write(open(inputs[0], "rb").read()[:-9000])
    with open(bad, "wb") as f:
        f.write(data[:40])
    done = run(*export, out, cut, bad, inputs[1])
    need(done.returncode == 1 and b"bad.dat" in done.stderr, f"broken files: {done}")
    names = {p.split("file=")[1].split("/")[0] for p in tree(out) if "event=" in p}
    need(names == {"cut.dat", os.path.basename(inputs[1])}, f"broken files: {names}")
    want = count(tdat, cut)
    got = ds.dataset(os.path.join(out, "event=sched_switch", "file=cut.dat")).count_rows()
    need(got == want > 0, f"a cut file: {got} rows, not {want}")


def names(export, folder, path):
    """What Hive escapes, and what is no UTF-8, in the names of files."""
    strange = os.path.join(folder, "strange")
    os.makedirs(strange, exist_ok=True)
    made = ["a=b%c:d'e\"f#.dat", "{x}[1]^*?.dat", "tab\tnewline\n.dat", "\U0001f600 é.dat", "..dat"]
    for name in made:
        shutil.copy(path, os.path.join(strange, name))
    out = os.path.join(folder, "names")
    done = run(*export, out, *[os.path.join(strange, n) for n in made])
    need(done.returncode == 0, done.stderr.decode())
    event = os.path.join(out, "event=sched_switch")
    got = sorted(urllib.parse.unquote(n[len("file="):]) for n in os.listdir(event))
    need(got == sorted(made), f"{got}, not {made}")
    table = ds.dataset(event, partitioning="hive").to_table(columns=["file"])
    need(set(table.column("file").to_pylist()) == set(made), "pyarrow reads other names")
    rows = duckdb.sql(f"select distinct file from read_parquet('{event}/**/*.parquet', "
                      "hive_partitioning=true)").fetchall()
    need({r[0] for r in rows} == set(made), f"DuckDB reads other names: {rows}")


def schemes(tdat, folder, inputs):
    for form, suffix in (("arrow", "arrow"), ("jsonl", "jsonl"), ("csv", "csv")):
        out = os.path.join(folder, form)
        done = run(tdat, "export", "-q", "--to", form, "--nodate", "--partition", "host,table",
                   "-o", out, *inputs[:2])
        need(done.returncode == 0, done.stderr.decode())
        parts = glob.glob(os.path.join(out, "host=*", "table=tasks", f"part-*.{suffix}"))
        need(len(parts) == 2, f"{form}: {parts}")
        if form == "jsonl":
            files = {json.loads(line)["file"] for p in parts for line in open(p, encoding="utf-8")}
            need(files == {os.path.basename(p) for p in inputs[:2]}, f"files: {files}")
    for wrong in ("file", "event,event", "day", ""):
        done = run(tdat, "export", "--to", "csv", "--partition", wrong, "-o", folder, inputs[0])
        need(done.returncode == 2, f"--partition '{wrong}': {done}")
    done = run(tdat, "export", "--to", "csv", "--partition", "event,file", "-o", folder, inputs[0],
               inputs[0])
    need(done.returncode == 2, f"one name twice: {done}")


def main():
    tdat, folder, fixtures = sys.argv[1:]
    sources = os.path.join(folder, "sources")
    os.makedirs(sources)
    inputs = [shutil.copy(os.path.join(fixtures, "valid", f + ".dat"), sources) for f in FILES]
    export = [tdat, "export", "-q", "--to", "parquet", "--nodate", "--partition", "event,file",
              "--threads",
              "2", "-o"]
    whole = Whole(export, os.path.join(folder, "whole"), inputs)
    readers(tdat, whole)
    killed = kills(export, whole, os.path.join(folder, "killed"))
    other = os.path.join(folder, "one-thread")
    need(run(*export[:-2], "1", "-o", other, *inputs).returncode == 0, "one thread failed")
    same_trees(whole.out, other, "one thread")
    skipping(export, whole)
    broken(tdat, export, folder, inputs)
    names(export, folder, inputs[0])
    schemes(tdat, folder, inputs)
    print(f"{len(tree(whole.out))} files, {killed} runs killed")


main()
