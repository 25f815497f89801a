# SPDX-License-Identifier: GPL-2.0-or-later
"""What make_tables says is in a table, and comparisons with what a reader found."""
import filecmp
import json
import os
import subprocess
import sys

COUNTS = {"values": 0, "tables": 0}


def fail(where, what):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {where}: {what}")


def expect(condition, where, what):
    if not condition:
        fail(where, what)


def load(path):
    """The columns, and the values of each, of a file with what is expected."""
    with open(path, encoding="utf-8") as f:
        columns = json.loads(f.readline())["columns"]
        values = [[] for _ in columns]
        for line in f:
            part = json.loads(line)
            values[part["column"]] += part["values"]
    return columns, values


def same(got, want, where):
    expect(len(got) == len(want), where, f"{len(got)} rows, not {len(want)}")
    if got != want:
        at = next(i for i, (g, w) in enumerate(zip(got, want)) if g != w)
        fail(where, f"row {at}: {got[at]!r}, not {want[at]!r}")
    COUNTS["values"] += len(want)


def run(kinds, arguments):
    """Makes and checks tables: MAKE_TABLES FOLDER FIRST_SEED LAST_SEED [KIND...].

    A kind is the exporter's name, the suffix of its file, its sets of options, and what checks
    the file. The first set is used for each seed, of the others one."""
    make, folder, first, last = arguments[0], arguments[1], int(arguments[2]), int(arguments[3])
    os.makedirs(folder, exist_ok=True)
    for seed in range(first, last + 1):
        for kind in arguments[4:] or kinds:
            exporter, suffix, options, check = kinds[kind]
            for n, chosen in enumerate(options):
                if n and seed % len(options) != n:
                    continue
                out = os.path.join(folder, f"{kind}-{seed}-{n}.{suffix}")
                wanted = os.path.join(folder, "expected.jsonl")
                for path in out, out + ".again":
                    if os.path.exists(path):
                        os.unlink(path)
                    subprocess.run([make, str(seed), exporter, path, wanted] + chosen, check=True)
                expect(filecmp.cmp(out, out + ".again", False), out, "other bytes the next time")
                os.unlink(out + ".again")
                columns, values = load(wanted)
                where = f"seed {seed}: {kind} {' '.join(chosen)}"
                try:
                    check(out, columns, values, where)
                except Exception as e:
                    fail(where, f"{type(e).__name__}: {e}")
                os.unlink(out)
                COUNTS["tables"] += 1
    print(f"read back: {COUNTS['tables']} tables, {COUNTS['values']} values")
    return 0
