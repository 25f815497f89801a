#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Damage invents nothing: what derived tables say of a damaged recording is true of the whole one.

usage: cut.py TDAT FOLDER FILE...
Each FILE is cut at several places, and pages are spoiled or zero, as after a crash or a bad transfer.
Every row with a duration must be a row of the undamaged file, too; what the damage made unknown
must have no duration.
"""
import json
import os
import subprocess
import sys

TABLES = ("thread_state", "off_cpu", "sched", "wakeup", "syscall", "irq", "softirq", "migration")
# Names and stacks come from all of the file, or from the event behind.
UNSURE = ("row", "file", "comm", "waker_comm", "next_comm", "stack", "name", "ret_name")


def rows(tdat, path, table):
    out = subprocess.run([tdat, "export", "-q", "--to", "jsonl", "--table", table, path],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    return [json.loads(line) for line in out.decode("utf-8", "replace").splitlines()]


def closed(table_rows):
    """Rows with a duration, by what tells them apart; of equal ones the last."""
    return {tuple(r.get(k) for k in ("buffer", "cpu", "pid", "ts", "dur")): r
            for r in table_rows if r.get("dur", 0) is not None}


def invented(kept, whole):
    """The first row with a value that the whole file's row has not; a value may be unknown."""
    for key, row in kept.items():
        true = whole.get(key, {})
        if any(v is not None and k not in UNSURE and true.get(k) != v for k, v in row.items()):
            return row, true
    return None


def info(tdat, path):
    out = subprocess.run([tdat, "info", "--json", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False).stdout
    return json.loads(out)[0]


def damaged(tdat, path):
    """Names and bytes of the damaged copies of a file."""
    with open(path, "rb") as f:
        data = f.read()
    facts = info(tdat, path)
    for buffer in facts["buffers"]:
        for cpu in buffer["cpus"]:
            off, length = cpu["offset"], cpu["bytes"]
            if not length:
                continue
            for part in 1, 2, 3:
                at = off + length * part // 4
                yield f"cut {part}/4 in CPU {cpu['cpu']}", data[:at]
            if buffer["compressed"]:
                at = off + 12  # behind the number of chunks and both lengths
                yield f"the first chunk of CPU {cpu['cpu']} spoiled", data[:at] + b"\xff" * 16 + data[at + 16:]
                continue
            size = buffer["page_size"]
            for page in sorted({0, length // size // 3, length // size // 2, length // size - 1}):
                at = off + page * size
                for what, bad in ("spoiled", data[at:at + 8] + b"\xff" * 8), ("zero", bytes(size)):
                    yield (f"page {page} of CPU {cpu['cpu']} {what}",
                           data[:at] + bad + data[at + len(bad):])


def compare(tdat, path, folder):
    whole = {table: closed(rows(tdat, path, table)) for table in TABLES}
    copy = os.path.join(folder, "damaged.dat")
    compared = 0
    for what, data in damaged(tdat, path):
        with open(copy, "wb") as f:
            f.write(data)
        for table in TABLES:
            kept = closed(rows(tdat, copy, table))
            compared += len(kept)
            if wrong := invented(kept, whole[table]):
                sys.exit(f"{path}, {what}: a row of {table} is not in the undamaged file: "
                         "{}\nbut {}".format(*wrong))
    return compared


def main(tdat, folder, *paths):
    os.makedirs(folder, exist_ok=True)
    compared = sum(compare(tdat, path, folder) for path in paths)
    if not compared:
        sys.exit("no rows were compared")
    print(f"{compared} rows of damaged files are rows of the undamaged ones")


if __name__ == "__main__":
    main(*sys.argv[1:])
