#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The schema of a data set, _schema.json: one type for a column in all parts of a folder.

usage: lake_schema.py TDAT FOLDER FIXTURES
"""
import json
import os
import subprocess
import sys

import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

I386, X64, S390X = ("i386-61-v6-sched.dat", "x64-61-conv-v7-zstd.dat", "s390x-61-kstack.dat")
SWITCH = "sched/sched_switch"


def need(good, what):
    if not good:
        sys.exit(f"lake_schema: {what}")


class Lake:
    def __init__(self, tdat, out, valid):
        self.tdat, self.out, self.valid = tdat, out, valid

    def export(self, *words):
        files = [os.path.join(self.valid, w) if w.endswith(".dat") else w for w in words]
        return subprocess.run([self.tdat, "export", "-q", "--to", "parquet", "--nodate", "--table",
                               SWITCH, "--partition", "event,file", "-o", self.out, *files],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    def good(self, *words):
        done = self.export(*words)
        need(done.returncode == 0, f"{words}: {done.stderr}")
        return done.stderr

    def part(self, name, folder="sched_switch"):
        return os.path.join(self.out, f"event={folder}", f"file={name}", "part-0.parquet")

    def schema(self, change=None):
        path = os.path.join(self.out, "_schema.json")
        with open(path, encoding="utf-8") as f:
            text = json.load(f)
        if change:
            change(text["folders"][0]["columns"])
            text["of no interest"] = {"a": [1, {"b": None}], "c": "é\u2028"}
            with open(path, "w", encoding="utf-8") as f:
                json.dump(text, f, separators=(",", ":"))
        return text


def set_type(name, kind):
    def change(columns):
        for c in columns:
            if c["name"] == name:
                c["type"] = kind
    return change


def one_type(tdat, folder, valid):
    """Files of 32-bit, 64-bit and big-endian machines: one folder, one type, true values."""
    lake = Lake(tdat, os.path.join(folder, "one"), valid)
    need(lake.good(I386) == "" and lake.good(X64, S390X) == "", "files of three machines")
    schemas = [pq.read_schema(lake.part(f)) for f in (I386, X64, S390X)]
    need(all(s.equals(schemas[0], check_metadata=False) for s in schemas), f"types: {schemas}")
    need(str(schemas[0].field("prev_state").type) == "int64", "prev_state of i386")
    for column in schemas[0]:
        need(set(column.metadata or {}) <= {b"tdat.field"}, f"metadata of {column.name}")
    text = subprocess.run([tdat, "dump", "--json", "-e", SWITCH, os.path.join(valid, I386)],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    want = [json.loads(line)["fields"]["prev_state"] for line in text.splitlines()]
    need(pq.read_table(lake.part(I386)).column("prev_state").to_pylist() == want, "values")


def narrower(tdat, folder, valid):
    """A column that is narrower than in _schema.json gets its type, one that is missing nulls."""
    lake = Lake(tdat, os.path.join(folder, "narrower"), valid)
    lake.good(X64)
    before = pq.read_table(os.path.join(lake.part(X64)))
    lake.schema(set_type("next_prio", "int64"))
    lake.schema(lambda columns: columns.insert(3, {"name": "new", "type": "list<uint32>",
                                                   "nullable": True}))
    lake.schema(lambda columns: columns.append({"name": "word", "type": "dictionary",
                                                "nullable": True}))
    need(lake.good("-f", X64) == "", "a narrower column")
    after = pq.read_table(lake.part(X64))
    need(str(after.schema.field("next_prio").type) == "int64", "the column is not widened")
    need(after.schema.names[3] == "new" and after.column("new").null_count == len(after) and
         after.column("word").null_count == len(after), "columns that the file does not have")
    for name in before.schema.names:
        need(after.column(name).to_pylist() == before.column(name).to_pylist(), f"{name} differs")


def wider(tdat, folder, valid):
    """A wider column opens a folder of its own, at the same depth; existing parts stay."""
    lake = Lake(tdat, os.path.join(folder, "wider"), valid)
    lake.good(X64)
    with open(lake.part(X64), "rb") as f:
        old = f.read()
    lake.schema(set_type("next_prio", "int16"))
    said = lake.good(S390X)
    need("sched_switch@2: next_prio is int32, not int16 as in sched_switch" in said, said)
    need(os.path.exists(lake.part(S390X, "sched_switch@2")), "no folder of its own")
    need(lake.good(I386) == "", "the folder is said again")
    need(os.path.exists(lake.part(I386, "sched_switch@2")), "the second folder is not used")
    need([f["folder"] for f in lake.schema()["folders"]] == ["sched_switch", "sched_switch@2"],
         "_schema.json")
    with open(lake.part(X64), "rb") as f:
        need(f.read() == old, "an existing part was written again")
    rows = ds.dataset(lake.out, partitioning="hive", exclude_invalid_files=True).to_table()
    want = sum(pq.read_metadata(p).num_rows for p in (
        lake.part(X64), lake.part(S390X, "sched_switch@2"), lake.part(I386, "sched_switch@2")))
    need(rows.num_rows == want and
         set(rows.column("event").to_pylist()) == {"sched_switch", "sched_switch@2"}, "all rows")


def dates(tdat, folder, valid):
    """Without --nodate times of some files are timestamps: a folder of their own."""
    out = os.path.join(folder, "dates")
    done = subprocess.run([tdat, "export", "--to", "parquet", "--table", SWITCH, "-o", out,
                           *[os.path.join(valid, f) for f in ("x64-61-date.dat", X64)]],
                          stderr=subprocess.PIPE, text=True, check=True)
    need("ts is int64, not timestamp as in sched_switch" in done.stderr, done.stderr)
    need(sorted(n for n in os.listdir(out) if n[0] != "_") ==
         ["event=sched_switch", "event=sched_switch@2"], os.listdir(out))


def refused(tdat, folder, valid):
    lake = Lake(tdat, os.path.join(folder, "refused"), valid)
    lake.good(X64)
    path = os.path.join(lake.out, "_schema.json")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for cut in (0, 1, len(text) // 2, len(text) - 3):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text[:cut])
        done = lake.export(I386)
        need(done.returncode == 1 and "not the schema of a data set" in done.stderr,
             f"cut at {cut}: {done}")
    for wrong in ('{"folders": {}}', '{"folders": [{"table": 1}]}', "[" * 100000,
                  '{"x": ' + "[" * 100000, text.replace('"int64"', '"int65"'),
                  text.replace('"ts"', '"\\ud8"')):
        with open(path, "w", encoding="utf-8") as f:
            f.write(wrong)
        done = lake.export(I386)
        need(done.returncode == 1 and "not the schema of a data set" in done.stderr,
             f"{wrong[:50]}: {done}")
    os.remove(path)
    done = lake.export(I386)
    need(done.returncode == 1 and "lacks _schema.json" in done.stderr, f"no file: {done}")


def keys(tdat, folder, valid):
    """A field with the name of a key: readers would take the value of the folder for it."""
    out = os.path.join(folder, "keys")
    path = os.path.join(valid, X64)
    subprocess.run([tdat, "export", "-q", "--to", "parquet", "--table", "events", "--nodate",
                    "--partition", "event,file", "-o", out, path], check=True)
    part = os.path.join(out, "event=events", f"file={X64}", "part-0.parquet")
    names = pq.read_schema(part).names
    need("field_event" in names and "event" not in names, names)
    counts = pc.value_counts(pq.read_table(part).column("field_event")).to_pylist()
    need({c["values"]: c["counts"] for c in counts}["sched_switch"] > 10, counts)


def unsigned(tdat, folder, valid):
    """-O unsigned=decimal: the same numbers without a type that Delta Lake and Iceberg lack."""
    path = os.path.join(valid, S390X)
    tables = []
    for choice in "keep", "decimal":
        out = os.path.join(folder, choice)
        subprocess.run([tdat, "export", "-q", "--to", "parquet", "-O", f"unsigned={choice}", "-o",
                        out, path], check=True)
        tables.append({n: pq.read_table(os.path.join(out, n)) for n in sorted(os.listdir(out))})
    need(list(tables[0]) == list(tables[1]), "other tables")
    decimals = 0
    for name, kept in tables[0].items():
        made = tables[1][name]
        for column in made.schema:
            need("uint" not in str(column.type), f"{name}: {column}")
            decimals += "decimal128(20, 0)" in str(column.type)
            need([v if not isinstance(v, list) else [int(i) if str(i).isdigit() else i for i in v]
                  for v in made.column(column.name).to_pylist()] ==
                 kept.column(column.name).to_pylist(), f"{name}: {column.name} differs")
    need(decimals > 5, "no decimals")


def one_file(tdat, folder, valid):
    """A single file joins a data set by its keys, which no export changes."""
    out = os.path.join(folder, "one_file")

    def export(*words):
        done = subprocess.run([tdat, "export", "-q", "--to", "parquet", "--table", SWITCH, "-o", out, *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stderr

    paths = [os.path.join(valid, f) for f in (I386, X64, S390X)]
    for keys in "event,file", "event":
        subprocess.run(["rm", "-rf", out], check=True)
        need(export("--partition", keys, *paths[:2]) == (0, ""), keys)
        need(export(paths[2]) == (0, ""), "one file more")
        parts = [os.path.relpath(os.path.join(top, n), out) for top, _, names in os.walk(out) for n in names
                 if n.endswith(".parquet")]
        need(len(parts) == 3 and len({p.count("/") for p in parts}) == 1, f"parts: {parts}")
        for wrong in "none", "event,host":
            code, said = export("--partition", wrong, paths[2])
            need(code == 2 and f"is a data set with folders by {keys}" in said, said)
    os.remove(os.path.join(out, "_schema.json"))
    code, said = export(paths[2])
    need(code == 1 and "lacks _schema.json" in said, said)


def not_utf8(tdat, folder, valid):
    """Bytes of a name that are not UTF-8 become U+FFFD, which readers of partitions take."""
    out, names = os.path.join(folder, "not_utf8"), []
    for name in b"bad\xff.dat", b"bad\xfe.dat":
        names.append(os.path.join(os.fsencode(folder), name))
        os.symlink(os.path.join(os.fsencode(valid), os.fsencode(X64)), names[-1])
    words = [tdat, "export", "-q", "--to", "parquet", "--table", SWITCH, "--partition", "event,file", "-o", out]
    subprocess.run([*words, names[0]], check=True)
    table = ds.dataset(out, partitioning="hive", format="parquet", exclude_invalid_files=True).to_table()
    need(set(table.column("file").to_pylist()) == {"bad\ufffd.dat"}, "the value of a name")
    done = subprocess.run([*words, *names], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    need(done.returncode == 2 and b"has the same name" in done.stderr, f"two names of one value: {done}")


def sorting(tdat, folder, valid):
    """sorting_columns: ts of tables of events, as long as no time falls; none of derived tables."""
    out = os.path.join(folder, "sorting")
    subprocess.run([tdat, "export", "-q", "--to", "parquet", "--table", "sched*", "--table",
                    "events", "--table", "wakeup", "-o", out, os.path.join(valid, X64)], check=True)
    for name in os.listdir(out):
        meta = pq.read_metadata(os.path.join(out, name))
        group = meta.row_group(0)
        got = [(c.column_index, c.descending) for c in group.sorting_columns]
        kind = name[:-len(".parquet")]
        need(got == ([] if kind in ("sched", "wakeup") else [(0, False)]), f"{name}: {got}")


def main():
    tdat, folder, fixtures = sys.argv[1:]
    valid = os.path.join(fixtures, "valid")
    for test in one_type, narrower, wider, dates, refused, keys, unsigned, one_file, not_utf8, sorting:
        test(tdat, folder, valid)


main()
