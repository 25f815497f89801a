#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Parts of a data set that are joined (tdat export --compact): the same rows for all readers, kills, what is refused.

usage: compact.py TDAT FOLDER FIXTURES RENAMES.so
"""
import glob
import os
import random
import shutil
import subprocess
import sys

import chdb
import duckdb
import polars
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from parquet_footer import chunks, footer

FILES = ("i386-61-v6-sched", "x64-61-date", "s390x-61-kstack", "x64-lab612-lost-v6", "i386-61-function",
         "ppc64el-61-lost", "arm64-16k-612-kstack", "x64-61-conv-v7-zstd", "i386-61-v7-buffers")


def need(good, what):
    if not good:
        sys.exit(f"compact: {what}")


def run(*words, **env):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env={**os.environ, **{k: str(v) for k, v in env.items()}})


class Lakes:
    def __init__(self, tdat, folder, inputs):
        self.tdat, self.folder, self.inputs = tdat, folder, inputs

    def export(self, name, *words, inputs=None):
        return run(self.tdat, "export", "-q", "--to", "parquet", "--nodate", "-o", self.path(name), *words,
                   *(inputs or self.inputs))

    def compact(self, name, **env):
        return run(self.tdat, "export", "--to", "parquet", "--compact", self.path(name), **env)

    def path(self, name):
        return os.path.join(self.folder, name)

    def copy(self, name, new):
        shutil.rmtree(self.path(new), ignore_errors=True)
        shutil.copytree(self.path(name), self.path(new))
        return self.path(new)

    def parts(self, name, below="**"):
        return sorted(glob.glob(os.path.join(self.path(name), below, "*.parquet"), recursive=True))


def rows_of(lake):
    """All rows of each folder, sorted, by pyarrow."""
    found = {}
    for top, below, names in os.walk(lake):
        below[:] = [n for n in below if n[0] not in "_."]
        parts = [os.path.join(top, n) for n in names if n.endswith(".parquet")]
        if parts:
            rows = ds.dataset(parts, partitioning=None).to_table()
            found[os.path.relpath(top, lake)] = sorted(map(repr, rows.to_pylist()))
    return found


def same_for_readers(a, b, folders):
    for folder in folders:
        one, two = (ds.dataset(os.path.join(lake, folder)).schema for lake in (a, b))
        need(one.equals(two), f"{folder}: pyarrow: {two}, not {one}")
        asked = []
        for lake in (a, b):
            files = os.path.join(lake, folder, "*.parquet")
            table = polars.scan_parquet(files).collect()
            names = ", ".join(f"`{n}`" for n in table.columns)
            asked.append((
                duckdb.sql(f"select * from read_parquet('{files}') order by all").fetchall(),
                sorted(map(repr, table.rows())),
                str(chdb.query(f"select {names} from file('{files}', Parquet) order by all", "CSV"))))
        for reader, x, y in zip(("DuckDB", "polars", "ClickHouse"), *asked):
            need(repr(x) == repr(y) and len(x) > 1, f"{folder}: {reader} reads other rows")


def same_bytes(before, after):
    """Chunks, indexes and statistics of parts are those of the joined file, in order."""
    old = [c for path in before for c in chunks(open(path, "rb").read())]
    new = list(chunks(open(after, "rb").read()))
    need(len(old) == len(new) > 20, f"{len(old)} chunks, {len(new)} joined")
    for x, y in zip(old, new):
        need(x == y, f"a chunk differs: {x[2:]}, {y[2:]}")
    facts = footer(open(after, "rb").read())
    pairs = {p[1].decode(): p[2].decode() for p in facts[5]}
    files = [{p[1].decode(): p[2].decode() for p in footer(open(f, "rb").read())[5]} for f in before]
    common = {k for k in files[0] if all(f.get(k) == files[0][k] for f in files)} | {"ARROW:schema"}
    need(set(pairs) == common and "tdat.source" not in pairs and "tdat.table" in pairs, f"metadata: {pairs}")
    arrow = {k.decode(): v.decode() for k, v in pq.read_schema(after).metadata.items()}
    need(arrow == {k: v for k, v in pairs.items() if k != "ARROW:schema"}, f"metadata of Arrow: {arrow}")
    return len(new)


def pruned(a, b, folder):
    """Ranges of ts that hold some pages of some row groups, by a reader that uses page indexes."""
    times = sorted(ds.dataset(os.path.join(a, folder)).to_table(columns=["ts"])["ts"].cast(pa.int64()).to_pylist())
    rng = random.Random(1)
    for _ in range(12):
        low, high = sorted(rng.choice(times) for _ in range(2))
        answers = []
        for lake in (a, b):
            files = os.path.join(lake, folder, "*.parquet")
            where = f"toInt64(ts) between {low} and {high}"
            asked = {str(chdb.query(f"select count(), sum(cityHash64(*)) from file('{files}', Parquet) where {where} "
                                    f"settings input_format_parquet_use_native_reader_v3={v3}, "
                                    f"input_format_parquet_page_filter_push_down={v3}", "CSV")) for v3 in (0, 1)}
            need(len(asked) == 1, f"ClickHouse with page indexes and without: {asked}")
            rows = duckdb.sql(f"select count(*), sum(cpu) from read_parquet('{files}') "
                              f"where ts between {low} and {high}").fetchall()
            table = ds.dataset(os.path.join(lake, folder)).to_table(filter=(ds.field("ts") >= low) & (ds.field("ts") <= high))
            answers.append((asked, rows, table.num_rows))
        need(answers[0] == answers[1], f"a range of ts: {answers}")


def joined(lakes):
    for keys in ("event", "event,host", "host,table"):
        need(lakes.export("one", "--partition", keys, "-O", "memory=262144").returncode == 0, "the export failed")
        one, two = lakes.path("one"), lakes.copy("one", "two")
        done = lakes.compact("two")
        need(done.returncode == 0 and " parts joined into " in done.stderr, f"{keys}: {done}")
        need(rows_of(one) == rows_of(two), f"{keys}: other rows")
        need(sorted(os.listdir(one)) == sorted(os.listdir(two)), f"{keys}: other folders")
        folders = sorted({os.path.relpath(os.path.dirname(p), two) for p in lakes.parts("two")
                          if "joined-" in p and ("sched_switch" in p or "tasks" in p or "kernel_stack" in p)})
        same_for_readers(one, two, folders)
        count = 0
        for path in lakes.parts("two"):
            if "joined-" in path:
                below = os.path.relpath(os.path.dirname(path), two)
                count += same_bytes(sorted(glob.glob(os.path.join(one, below, "*.parquet"))), path) if "sched" in path else 0
        before = {p: os.stat(p).st_mtime_ns for p in lakes.parts("two")}
        done = lakes.compact("two")
        need(done.returncode == 0 and "nothing to join" in done.stderr, f"again: {done}")
        need({p: os.stat(p).st_mtime_ns for p in lakes.parts("two")} == before, "joined again")
        if keys == "event":
            pages = max(len(c[2]) for p in lakes.parts("two", "event=ftrace*") for c in chunks(open(p, "rb").read()))
            need(pages > 1, f"chunks of {pages} pages")
            pruned(one, two, "event=ftrace%2Ffunction")
        print(f"{keys}: {count} chunks compared; {done.stderr.strip()}")
        if keys != "host,table":
            shutil.rmtree(one)


def records(lakes):
    """The same export again does nothing; --force cannot take rows out of a joined part."""
    need(lakes.export("lake", "--partition", "event").returncode == 0, "the export failed")
    new, last = lakes.inputs[-1], lakes.inputs[:-1]
    shutil.rmtree(lakes.path("lake"))
    need(lakes.export("lake", "--partition", "event", inputs=last).returncode == 0, "the export failed")
    need(lakes.compact("lake").returncode == 0, "it is not joined")
    want = lakes.parts("lake")
    done = lakes.export("lake", "--partition", "event", inputs=last)
    need(done.returncode == 0 and lakes.parts("lake") == want, f"exported again: {done}")
    done = lakes.export("lake", "--partition", "event", "-f", inputs=last[:1])
    need(done.returncode == 1 and "joined-0.parquet and cannot be replaced" in done.stderr, f"--force: {done}")
    os.utime(last[0])
    done = lakes.export("lake", "--partition", "event", inputs=last[:1])
    need(done.returncode == 1 and "joined-0.parquet and cannot be replaced" in done.stderr, f"a changed file: {done}")
    need(lakes.export("lake", "--partition", "event", inputs=[new]).returncode == 0, "a further file failed")
    need(lakes.export("lake", "--partition", "event", "-f", inputs=[new]).returncode == 0, "its own parts, --force")
    need(lakes.compact("lake").returncode == 0, "it is not joined again")
    switch = [os.path.basename(p) for p in lakes.parts("lake", "event=sched_switch")]
    need(switch == ["joined-1.parquet"], f"joined again: {switch}")
    for record in glob.glob(os.path.join(lakes.path("lake"), "_tdat", "file=*")):
        for line in open(record, encoding="utf-8"):
            if line.startswith(("part ", "joined ")):
                need(os.path.exists(os.path.join(lakes.path("lake"), line.split(" ", 1)[1].strip())), f"{record}: {line}")


def kills(lakes, library):
    """Kills at each rename: rows are always all there, and the next runs end as if nothing had happened."""
    few = ("--partition", "event", "--table", "sched/sched_switch", "--table", "tasks")
    need(lakes.export("kill", *few).returncode == 0, "export")
    want = rows_of(lakes.path("kill"))
    killed = 0
    for no_exchange in ((), ("NO_EXCHANGE",)):
        gone = 0
        for at in range(1, 400):
            lakes.copy("kill", "killed")
            env = dict.fromkeys(no_exchange, 1)
            done = lakes.compact("killed", LD_PRELOAD=library, KILL_AT=at, **env)
            if done.returncode == 0:
                break
            need(done.returncode == 99, f"not killed: {done}")
            killed += 1
            if rows_of(lakes.path("killed")) != want:
                need(no_exchange and len(rows_of(lakes.path("killed"))) == len(want) - 1, f"rows are gone at {at}")
                gone += 1
            # Either command brings a folder back, and knows all files.
            if at % 2:
                done = lakes.export("killed", *few)
                need(done.returncode == 0 and rows_of(lakes.path("killed")) == want, f"exported after a kill: {at} {done}")
            done = lakes.compact("killed")
            need(done.returncode == 0 and rows_of(lakes.path("killed")) == want, f"after a kill: {at} {done}")
            left = [n for n in os.listdir(os.path.join(lakes.path("killed"), "_tdat")) if not n.startswith("file=")]
            need(left == ["lock"], f"left: {left}")
        need(done.returncode == 0 and at > 8, f"{at} kills: {done}")
        need(bool(gone) == bool(no_exchange), f"{gone} folders were gone")
    return killed


def refused(lakes):
    need(lakes.export("by-file").returncode == 0, "export")
    done = lakes.compact("by-file")
    need(done.returncode == 1 and "--partition event" in done.stderr, f"by file: {done}")
    need(run(lakes.tdat, "export", "--compact", lakes.folder).returncode == 1, "no data set")
    for words in (("-o", "x"), (lakes.inputs[0],), ("-f",), ("--table", "x"), ("--to", "arrow")):
        need(run(lakes.tdat, "export", "--compact", lakes.path("lake"), *words).returncode == 2, f"{words}")
    need(lakes.export("good", "--partition", "event", "--table", "sched/*", "--table", "tasks").returncode == 0, "export")
    event = "event=sched_switch"

    def case(what, change, sentence, joins=True):
        lake = lakes.copy("good", "bad")
        parts = lakes.parts("bad", event)
        change(lake, parts)
        before = {p: open(p, "rb").read() for p in lakes.parts("bad", event)}
        done = lakes.compact("bad")
        need(done.returncode == 1 and sentence in done.stderr, f"{what}: {done}")
        need({p: open(p, "rb").read() for p in lakes.parts("bad", event)} == before, f"{what}: the folder changed")
        need((len(lakes.parts("bad", "event=tasks")) == 1) == joins, f"{what}: other folders")
        need(all("joined " + event not in open(r, encoding="utf-8").read()
                 for r in glob.glob(os.path.join(lake, "_tdat", "file=*"))), f"{what}: records")

    def write(path, data):
        with open(path, "wb") as f:
            f.write(data)

    def table(path):
        pq.write_table(pq.read_table(path), path)

    case("cut", lambda lake, p: write(p[1], open(p[1], "rb").read()[:-100]), "does not end with PAR1")
    case("empty", lambda lake, p: write(p[1], b""), "does not end with PAR1")
    case("another writer", lambda lake, p: table(p[1]), "tdat did not write this file; its folder stays")
    case("another table", lambda lake, p: shutil.copy(lakes.parts("bad", "event=tasks")[0], p[1]), "differ from those of earlier parts")
    case("a file of others", lambda lake, p: write(os.path.join(os.path.dirname(p[0]), "_SUCCESS"), b""), "contains _SUCCESS")
    case("a hidden file", lambda lake, p: write(os.path.join(os.path.dirname(p[0]), ".crc"), b""), "contains hidden files")
    case("a folder", lambda lake, p: os.mkdir(os.path.join(os.path.dirname(p[0]), "file=x")), "contains both parts and folders")
    case("not listed", lambda lake, p: write(os.path.join(lake, "_schema.json"), open(os.path.join(
        lake, "_schema.json"), "rb").read().replace(b'"sched_switch"', b'"sched_witch"')), "is missing from _schema.json")
    case("the top", lambda lake, p: write(os.path.join(lake, "README"), b""), "contains README", False)
    # The export of one file did not end, for the first time or with --force: its part stays.
    for lost in (True, False):
        lake = lakes.copy("good", "bad")
        first = os.path.basename(lakes.inputs[0])
        record = os.path.join(lake, "_tdat", "file=" + first)
        text = open(record, encoding="utf-8").read()
        os.unlink(record)
        if not lost:
            with open(record, "w", encoding="utf-8") as f:
                f.write(text.replace("part ", "unfinished\npart ", 1))
        done = lakes.compact("bad")
        names = [os.path.basename(p) for p in lakes.parts("bad", event)]
        need(done.returncode == 0 and "of unfinished exports" in done.stderr and
             names == ["joined-0.parquet", f"part-{first}.parquet"], f"{done} {names}")
        done = lakes.export("bad", "--partition", "event", "--table", "sched/*", "--table", "tasks")
        need(done.returncode == 0 and rows_of(lake) == rows_of(lakes.path("good")), f"exported after that: {done}")
        need("unfinished" not in open(record, encoding="utf-8").read(), "the record says that it did not end")


def mutations(lakes):
    """Bytes of footers and offset indexes change: it ends, and says so or joins what is there."""
    rng = random.Random(7)
    ends = {0: 0, 1: 0}
    for _ in range(150):
        lakes.copy("good", "bad")
        for folder in glob.glob(os.path.join(lakes.path("bad"), "event=*")):
            if "=sched_switch" not in folder:
                shutil.rmtree(folder)
        path = rng.choice(lakes.parts("bad", "event=sched_switch"))
        data = bytearray(open(path, "rb").read())
        length = int.from_bytes(data[-8:-4], "little")
        for _ in range(rng.choice((1, 1, 1, 4))):
            data[rng.randrange(max(4, len(data) - 8 - length - 600), len(data))] = rng.choice((0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)))
        with open(path, "wb") as f:
            f.write(data)
        done = lakes.compact("bad")
        need(done.returncode in (0, 1) and len(done.stderr.splitlines()) == 1, f"{done}")
        ends[done.returncode] += 1
    need(ends[0] > 20 and ends[1] > 40, f"{ends}")
    return ends


def main():
    tdat, folder, fixtures, library = sys.argv[1:]
    sources = os.path.join(folder, "sources")
    os.makedirs(sources)
    inputs = [shutil.copy(path, sources) for path in
              (os.path.join(fixtures, "valid", f + ".dat") for f in FILES) if os.path.exists(path)]
    lakes = Lakes(tdat, folder, inputs)
    joined(lakes)
    records(lakes)
    killed = kills(lakes, library)
    refused(lakes)
    print(f"{killed} runs killed; mutations: {mutations(lakes)}")


main()
