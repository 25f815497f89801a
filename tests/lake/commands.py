#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands of docs/scale.md, as they stand there, over files in a folder. S3 is a local server.

usage: commands.py TDAT SCRATCH SOURCE INPUT...
"""
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from urllib.parse import unquote

PORT = 5000 + os.getpid() % 20000
STORE = f"http://127.0.0.1:{PORT}"


def start_store():
    os.environ.update(AWS_ACCESS_KEY_ID="user", AWS_SECRET_ACCESS_KEY="word",
                      AWS_DEFAULT_REGION="us-east-1", AWS_ENDPOINT_URL=STORE)
    server = os.path.join(os.path.dirname(sys.executable), "moto_server")
    store = subprocess.Popen([server, "-p", str(PORT)], stdout=subprocess.DEVNULL,  # pylint: disable=consider-using-with
                             stderr=subprocess.DEVNULL)
    for _ in range(300):
        time.sleep(0.2)
        with contextlib.suppress(OSError), urllib.request.urlopen(STORE):
            break
    import boto3  # pylint: disable=import-outside-toplevel
    boto3.client("s3").create_bucket(Bucket="traces")
    return store


def run_all_events(tdat, text, inputs):
    """The queries of all events, where tables have columns of one name and several types: all agree."""
    import chdb  # pylint: disable=import-outside-toplevel
    import duckdb  # pylint: disable=import-outside-toplevel
    subprocess.run([tdat, "export", "-q", "--to", "parquet", "--nodate", "-o", "whole", *inputs], check=True)
    queries = re.findall(r"-- (\w+)[^\n]*\n([^;]*event=\*[^;]*);", text.replace("'lake/", "'whole/"))
    rows = [sorted(line.split(",")[:3] for line in unquote(str(chdb.query(query, "CSV")).replace('"', "")).splitlines())
            if name != "DuckDB" else sorted([r[0], r[1], str(r[2])] for r in duckdb.sql(query).fetchall())
            for name, query in queries]
    if len(rows) != 2 or rows[0] != rows[1] or len(rows[0]) < 100:
        sys.exit(f"all events: {len(rows[0])} rows, which differ: {[p for p in zip(*rows) if p[0] != p[1]][:3]}")


def run_sql(block):
    """Each statement by the program that the comment before it names; it has rows."""
    import chdb  # pylint: disable=import-outside-toplevel
    import duckdb  # pylint: disable=import-outside-toplevel
    ran = 0
    for name, query in re.findall(r"-- (\w+)[^\n]*\n([^;]*);", block):
        if name == "DuckDB":
            rows = len(duckdb.connect().execute(query).fetchall())
        else:
            rows = len(str(chdb.query(query, "CSV")).splitlines())
        if not rows:
            sys.exit(f"no rows: {query}")
        ran += 1
    return ran


def run_python(block, names):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(block, "docs/scale.md", "exec"), names)  # pylint: disable=exec-used
    text = out.getvalue().strip()
    if ("print(" in block or "show(" in block) and (not text or text == "0"):
        sys.exit(f"printed nothing: {block}")


def main():
    tdat, scratch, source, *inputs = sys.argv[1:]
    if not os.path.isdir(os.environ["TDAT_SITE"]):  # the package could not be built
        sys.exit(77)
    with open(os.path.join(source, "docs", "scale.md"), encoding="utf-8") as f:
        blocks = re.findall(r"^```(\w+)\n(.*?)^```", f.read(), re.M | re.S)
    os.chdir(scratch)
    run_all_events(tdat, "".join(block for kind, block in blocks if kind == "sql"), inputs)
    for i, path in enumerate(p for p in inputs if re.search(r"-(v6-sched|v7-zstd-sched|kstack)\.dat$", p)):
        shutil.copy(path, os.path.basename(path) if i else "a.dat")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PATH"] = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]
    from pyspark.sql import SparkSession  # pylint: disable=import-outside-toplevel
    names = {"spark": SparkSession.builder.master("local[2]")
             .config("spark.ui.enabled", "false").getOrCreate()}
    names["spark"].sparkContext.setLogLevel("ERROR")
    store = start_store()
    ran = 0
    try:
        for kind, block in blocks:
            if kind == "sh":
                subprocess.run(["bash", "-ec", block], check=True)
            elif kind == "sql":
                ran += run_sql(block) - 1
            else:
                run_python(block, names)
            ran += 1
    finally:
        store.terminate()
        store.wait()
    print(f"{ran} commands")
    if ran < 17:
        sys.exit("few commands")


main()
