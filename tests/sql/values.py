#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the tables that tdat sql gives with those that tdat export writes of the same file.

Each table of each file, all columns and rows: as the database that libsqlite3 wrote and Python's
sqlite3 reads, and as lines of JSON, whose values are turned into SQLite's by docs/exports.md.

usage: values.py TDAT FOLDER FILE...
"""
import json
import os
import sqlite3
import subprocess
import sys


def run(*args):
    return subprocess.run(args, check=True, capture_output=True).stdout


def quoted(name):
    return name.replace('"', '""')


def rows_of_sql(tdat, path, tables):
    """The rows of each table; a row that says so stands before those of a table."""
    mark = "the rows of this table follow"
    text = "".join(f'SELECT {i} AS "{mark}"; SELECT * FROM "{quoted(t)}";'
                   for i, t in enumerate(tables))
    rows, into = {t: [] for t in tables}, None
    for line in run(tdat, "sql", "--jsonl", path, text).splitlines():
        row = json.loads(line)
        if mark in row:
            into = rows[tables[row[mark]]]
        else:
            into.append(row)
    return rows


def plain(value):
    """A value of Python's sqlite3 as --jsonl has it."""
    return value.hex() if isinstance(value, bytes) else value


def of_json(value):
    """A value of export --to jsonl as it is in SQLite."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int) and value >= 1 << 63:
        return value - (1 << 64)
    if isinstance(value, list):
        return json.dumps(value, separators=(",", ":"))
    return value


def compare(tdat, folder, path):
    database = os.path.join(folder, "t.sqlite")
    lines = os.path.join(folder, "jsonl")
    run(tdat, "export", "--to", "sqlite", "-f", "-q", "--table", "*", "-o", database, path)
    run(tdat, "export", "--to", "jsonl", "-f", "-q", "--table", "*", "-o", lines, path)
    db = sqlite3.connect(database)
    db.row_factory = sqlite3.Row
    tables = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    tables.remove("tdat_metadata")
    rows = rows_of_sql(tdat, path, tables)
    for table in tables:
        want = [{k: plain(r[k]) for k in r.keys()}
                for r in db.execute(f'SELECT * FROM "{quoted(table)}" ORDER BY rowid')]
        got = rows[table]
        if got != want:
            print(f"{path}: {table}: {len(got)} rows of sql, {len(want)} of the database")
            for a, b in zip(got, want):
                if a != b:
                    sys.exit(f"sql      {a}\ndatabase {b}")
            sys.exit(1)
        with open(os.path.join(lines, table.replace("/", ".") + ".jsonl"), encoding="utf-8") as f:
            third = [{k: of_json(v) for k, v in json.loads(line).items()} for line in f]
        if [list(r.items()) for r in third] != [list(r.items()) for r in got]:
            sys.exit(f"{path}: {table}: the lines of JSON differ from sql")
    db.close()
    return len(tables), sum(len(r) for r in rows.values())


def main():
    tdat, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    for path in sys.argv[3:]:
        tables, rows = compare(tdat, folder, path)
        if not rows:
            sys.exit(f"{path} has no rows at all")
        print(f"{os.path.basename(path)}: {tables} tables, {rows} rows are the same three times")


if __name__ == "__main__":
    main()
