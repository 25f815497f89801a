# SPDX-License-Identifier: GPL-2.0-or-later
"""What a wheel of scripts/wheels can do, and what it says of that which it cannot.

usage: use.py FIXTURES    in an empty folder; TDAT_VIEW: a command that runs tdat-view, for an emulator
"""
import gzip
import os
import pathlib
import shlex
import sqlite3
import subprocess
import sys
import urllib.request

import tdat
from tdat import _program

path = pathlib.Path(sys.argv[1]) / "x64-61-conv-v7-zstd.dat"


def run(*args):
    done = subprocess.run([_program.program(), *args], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


trace = tdat.open(path)
rows = trace["sched_switch"].count()
assert rows > 0
answer = trace.sql("SELECT count(*) FROM sched_switch").fetchall()
assert answer == [(rows,)], answer

tdat.export(path, "sqlite", "out.sqlite")
with sqlite3.connect("out.sqlite") as db:
    tables = {name for name, in db.execute("SELECT name FROM sqlite_master WHERE name LIKE '%sched_switch'")}
    assert len(tables) == 1, tables
    assert db.execute(f"SELECT count(*) FROM '{tables.pop()}'").fetchall() == answer

code, out, err = run("sql", "--csv", str(path), "SELECT count(*) AS n FROM sched_switch")
assert code == 0 and out.split() == ["n", str(rows)], (code, out, err)

view = shlex.split(os.environ.get("TDAT_VIEW", "")) or [_program.program(), "view"]
with subprocess.Popen([*view, "--no-browser", str(path)], stdout=subprocess.PIPE, text=True) as server:
    try:
        url = server.stdout.readline().strip()
        with urllib.request.urlopen(url) as page:
            text = page.read().decode()
            assert page.status == 200 and "<html" in text, text[:200]
    finally:
        server.terminate()

code, out, _ = run("--version")
assert code == 0 and out.splitlines() == [
    f"tdat {tdat.__version__}",
    "built without plugins of libtraceevent (TDAT_PLUGINS)",
    "built without packed inputs (TDAT_PACKED)",
    "built without user-events record (TDAT_RECORD)"], out
code, _, err = run("dump", "--plugin-dir", ".", str(path))
assert code == 1 and "built without plugins of libtraceevent" in err, err
pathlib.Path("packed.gz").write_bytes(gzip.compress(path.read_bytes()))
code, _, err = run("dump", "packed.gz")
assert code == 1 and "is packed, and reading it needs a tdat built with TDAT_PACKED=ON" in err, err

try:
    import pyarrow
except ImportError:
    print(f"{rows} rows, {len(text)} bytes of page, no pyarrow")
else:
    table = trace["sched_switch"].to_arrow()
    assert isinstance(table, pyarrow.Table) and table.num_rows == rows
    print(f"{rows} rows, also of pyarrow {pyarrow.__version__}, {len(text)} bytes of page")
