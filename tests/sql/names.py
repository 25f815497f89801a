#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Names and texts of a trace that try to be SQL, or commands of a terminal.

In a copy of a trace the names of events and of a task are replaced by others of
the same length, which hold quotes, statements and escape sequences. The rows must be those of the
trace as it was, and nothing that is printed may hold a control character but line ends.

usage: names.py TDAT FOLDER FILE
"""
import json
import os
import subprocess
import sys

# Of the same length: events and a task of the file. (A field whose name is no word is refused.)
REPLACED = [
    (b"name: sched_wakeup\n", b'name: x"; DROP\x1b[2J\n'),
    (b"name: softirq_entry\n", b"name: sqlite_master\n"),
    (b"name: softirq_exit\n", b"name: SCHED_SWITCH\n"),
    (b"trace-cmd", b"';--\x1b[3m\""),
]


def sql(tdat, path, text, *options):
    done = subprocess.run([tdat, "sql", *options, path, text], check=False, capture_output=True)
    if set(done.stdout + done.stderr) & set(range(32)) - {10, 13}:
        sys.exit(f"{text}: control characters are printed: {done.stdout + done.stderr}")
    if done.returncode > 2 or done.returncode < 0:
        sys.exit(f"{text}: exit status {done.returncode}: {done.stderr.decode()}")
    return done


def main():
    tdat, folder, path = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    with open(path, "rb") as f:
        data = f.read()
    for old, new in REPLACED:
        if len(old) != len(new) or old not in data:
            sys.exit(f"{path} does not have {old}, or {new} is not as long")
        data = data.replace(old, new)
    hostile = os.path.join(folder, "names.dat")
    with open(hostile, "wb") as f:
        f.write(data)

    def rows(path, text):
        done = sql(tdat, path, text, "--json")
        return json.loads(done.stdout) if done.stdout else sys.exit(done.stderr.decode())

    counts = {r["event"]: r["n"]
              for r in rows(path, "SELECT event, count(*) AS n FROM events GROUP BY 1")}
    event = 'x"; DROP\x1b[2J'
    for name in (f"sched/{event}", event):
        table = name.replace('"', '""')
        got = rows(hostile, f'SELECT count(*) AS n, count(DISTINCT comm) AS c FROM "{table}"')
        if got[0]["n"] != counts["sched_wakeup"]:
            sys.exit(f"{name}: {got}, {counts}")
        for form in ("--csv", "--json", "--jsonl", "--markdown", "--no-pushdown"):
            sql(tdat, hostile, f'SELECT * FROM "{table}"', form)
            sql(tdat, hostile, f"SELECT event AS \"a\x1b[1m\", * FROM events WHERE "
                f"event = '{event}' LIMIT 3", form)
        sql(tdat, hostile, f'EXPLAIN QUERY PLAN SELECT * FROM "{table}" WHERE ts > 5')
        sql(tdat, hostile, f'SELECT "{table}_" FROM "{table}"')
        sql(tdat, hostile, f'SELECT x FROM "{table}')
    got = rows(hostile, f"SELECT count(*) AS n FROM events WHERE event = '{event.lower()}'")
    if got[0]["n"]:
        sys.exit("names of events are compared without regard to case")
    # Texts are values, whatever is in them.
    got = rows(hostile, "SELECT DISTINCT comm FROM events WHERE comm LIKE '%;--%'")
    if got != [{"comm": "';--\x1b[3m\""}]:
        sys.exit(f"the name of the task is {got}")
    # A name of SQLite's own, and one that two tables would have.
    if rows(hostile, "SELECT * FROM sqlite_master"):
        sys.exit("a table of the trace stands for SQLite's own")
    if rows(hostile, 'SELECT count(*) AS n FROM "irq/sqlite_master"')[0]["n"] != counts["softirq_entry"]:
        sys.exit("irq/sqlite_master has other rows")
    if sql(tdat, hostile, "SELECT * FROM sched_switch").returncode != 2:
        sys.exit("sched_switch is one of two tables")
    print("names are names")


if __name__ == "__main__":
    main()
