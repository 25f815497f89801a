#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the tables of make_tables with what Python brings: json, csv and sqlite3.

usage: read_text.py MAKE_TABLES FOLDER FIRST_SEED LAST_SEED [KIND...]
"""
import csv
import json
import math
import sqlite3
import struct
import sys

from expected import expect, run, same

WIDE = {"l", "L", "tsn:", "tsn:UTC", "tDn"}


def double(bits):
    return struct.unpack(">d", bytes.fromhex(bits))[0]


def same_double(got, bits, where):
    """Every double is read back bit by bit; what is no number is none."""
    want = double(bits)
    if math.isnan(want):
        expect(math.isnan(got), where, f"{got!r}, not NaN")
        return
    expect(struct.pack(">d", got).hex() == bits, where, f"{got!r}, not {want!r}")


def same_doubles(got, want, where):
    expect(len(got) == len(want), where, f"{len(got)} rows, not {len(want)}")
    for i, (g, w) in enumerate(zip(got, want)):
        at = f"{where}: row {i}"
        expect((g is None) == (w is None), at, f"{g!r}, not {w!r}")
        if w is not None:
            same_double(g, w, at)


# ---- JSON lines ----

def only_json(value):
    raise ValueError(f"{value} is no JSON")


def json_expected(column, value, hexadecimal, strings):
    if isinstance(value, list):
        return [json_expected(column, v, hexadecimal, strings) for v in value]
    if value is None:
        return None
    if hexadecimal and column["format"] == "L":
        return f"0x{value:x}"
    return str(value) if strings and column["format"] in WIDE else value


def check_jsonl(path, columns, values, where):
    with open(path, "rb") as f:
        data = f.read()
    expect(not data or data.endswith(b"\n"), where, "the last line has no end")
    expect(all(c >= 0x20 or c == 0x0a for c in data), where, "control characters")
    rows = [json.loads(line, parse_constant=only_json) for line in data.decode().splitlines()]
    names = [c["name"] for c in columns]
    for row in rows:
        expect(list(row) == names, where, f"names {list(row)}")
    for i, column in enumerate(columns):
        at, got = f"{where}: column {i} {column}", [row[names[i]] for row in rows]
        if column["format"] == "g":
            expect(not any(isinstance(v, str) and v not in ("NaN", "Infinity", "-Infinity")
                           for v in got), at, "text")
            same_doubles([None if v is None else float(v) for v in got], values[i], at)
            continue
        want = [json_expected(column, v, "hex=" in where, "strings=" in where)
                for v in values[i]]
        same(got, want, at)


# ---- CSV ----

def records(text):
    """RFC 4180, strictly: each field with whether it is in quotes."""
    i, row = 0, []
    while i < len(text):
        quoted = text[i] == '"'
        if quoted:
            field, i = "", i + 1
            while True:
                end = text.index('"', i)
                field, i = field + text[i:end], end + 1
                if text[i] != '"':
                    break
                field, i = field + '"', i + 1
        else:
            end = min(e for e in (text.find(",", i), text.find("\r\n", i)) if e >= 0)
            field, i = text[i:end], end
            if any(c in field for c in '"\r\n'):
                raise ValueError(f"{field!r} needs quotes")
        row.append((field, quoted))
        if text[i] == ",":
            i += 1
            if text[i:i + 2] != "\r\n":
                continue
            row.append(("", False))
        if text[i:i + 2] != "\r\n":
            raise ValueError(f"behind a field: {text[i:i + 2]!r}")
        yield row
        i, row = i + 2, []


def csv_text(text):
    """Control characters but a new line and a tabulator are escapes, as in dump --csv."""
    return "".join(f"\\x{ord(c):02x}" if (c < " " or "\x7f" <= c < "\xa0") and c not in "\n\t"
                   else c for c in text)


def csv_expected(column, value):
    if value is None:
        return ("", False)
    if isinstance(value, list):
        if column["format"] == "u":
            return None
        text = " ".join("null" if v is None else str(v) for v in value)
        return (text, not value)
    if column["format"] == "b":
        return ("true" if value else "false", False)
    text = csv_text(value) if column["format"] == "u" else str(value)
    return (text, not text or any(c in text for c in '",\r\n') or text.strip(" ") != text)


def check_csv_column(got, column, want, where):
    if column["format"] == "g":
        same_doubles([None if not t else float(t) for t, _ in got], want, where)
        return
    if column["list"] and column["format"] == "u":
        same([json.loads(t) if t else None for t, _ in got], want, where)
        return
    same(got, [csv_expected(column, v) for v in want], where)


def check_csv(path, columns, values, where):
    with open(path, "rb") as f:
        text = f.read().decode()
    rows = list(records(text))
    with open(path, encoding="utf-8", newline="") as f:
        others = [row or [""] for row in csv.reader(f, strict=True)]
    expect([[t for t, _ in row] for row in rows] == others, where, "Python's csv differs")
    expect([t for t, _ in rows[0]] == [csv_text(c["name"]) for c in columns], where, rows[0])
    for row in rows:
        expect(len(row) == len(columns), where, f"{len(row)} fields: {row}")
    for i, column in enumerate(columns):
        check_csv_column([row[i] for row in rows[1:]], column, values[i],
                         f"{where}: column {i} {column}")


# ---- SQLite ----

SQL_TYPES = {"g": "REAL", "u": "TEXT", "z": "BLOB"}


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def sqlite_expected(column, value):
    if value is None:
        return None
    if column["format"] == "z":
        return bytes.fromhex(value)
    if column["format"] == "L" and value >= 1 << 63:
        return value - (1 << 64)
    if column["format"] == "g":
        return None if math.isnan(double(value)) else double(value)
    return int(value) if column["format"] == "b" else value


def check_sqlite(path, columns, values, where):
    db = sqlite3.connect(path)
    expect(db.execute("pragma integrity_check").fetchall() == [("ok",)], where, "integrity")
    info = db.execute("pragma table_info('random/table')").fetchall()
    want = [(c["name"], "TEXT" if c["list"] else SQL_TYPES.get(c["format"], "INTEGER"),
             int(not c["nullable"] and (c["list"] or c["format"] != "g"))) for c in columns]
    same([row[1:4] for row in info], want, f"{where}: columns")
    metadata = db.execute('select "column", key, value from tdat_metadata '
                          "where \"table\" = 'random/table'").fetchall()
    want = [(None, "tdat.clock", "local"), (None, "host", 'ä "host"'), (None, "empty", "")]
    want += [(c["name"], "ctype", "unsigned long") for c in columns if c["metadata"]]
    same(metadata, want, f"{where}: metadata")
    for i, column in enumerate(columns):
        got = [row[0] for row in db.execute(f'select {quoted(column["name"])} '
                                            'from "random/table" order by rowid')]
        at = f"{where}: column {i} {column}"
        if column["list"]:
            same([None if v is None else json.loads(v) for v in got], values[i], at)
        else:
            same(got, [sqlite_expected(column, v) for v in values[i]], at)
    db.close()


KINDS = {
    "sqlite": ("sqlite", "sqlite", [[]], check_sqlite),
    "jsonl": ("jsonl", "jsonl", [[], ["hex="], ["strings="], ["hex=", "strings="]], check_jsonl),
    "csv": ("csv", "csv", [[]], check_csv),
}

if __name__ == "__main__":
    csv.field_size_limit(1 << 30)
    sys.exit(run(KINDS, sys.argv[1:]))
