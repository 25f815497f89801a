#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Parts of a data set that a command gets (tdat export --part-pipe): the same files as in a folder; failures and kills.

usage: part_pipe.py TDAT FOLDER FIXTURES
"""
import filecmp
import glob
import os
import shutil
import subprocess
import sys
import time

FILES = ("i386-61-v6-sched", "x64-61-date", "s390x-61-kstack", "x64-61-conv-v7-zstd")
STORE = 'mkdir -p "$STORE/$(dirname "$TDAT_PART")" && cat >"$STORE/$TDAT_PART"'


def need(good, what):
    if not good:
        sys.exit(f"part_pipe: {what}")


def tree(folder):
    return sorted(os.path.relpath(os.path.join(top, name), folder)
                  for top, _, names in os.walk(folder) for name in names)


def main():
    tdat, folder, fixtures = sys.argv[1:]
    os.chdir(folder)
    os.mkdir("sources")
    inputs = [shutil.copy(os.path.join(fixtures, "valid", f + ".dat"), "sources") for f in FILES]
    strange = "a'b;$(touch hit) `touch hit`\n%\".dat"
    inputs.append(shutil.copy(inputs[0], os.path.join("sources", strange)))
    export = [tdat, "export", "-q", "--to", "parquet", "--nodate", "--partition", "event,file", "--threads", "2", "-o"]
    store = os.path.abspath("store")
    env = {**os.environ, "STORE": store}

    def run(command, *words, out="piped"):
        return subprocess.run([*export, out, "--part-pipe", command, *words, *inputs], env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def start():
        for name in ("piped", "store"):
            shutil.rmtree(name, ignore_errors=True)

    def records():
        return glob.glob("piped/_tdat/file=*")

    def whole(what):
        have = [n for n in tree("lake") if not n.startswith("_tdat/")]
        need(tree("store") == have, f"{what}: {set(tree('store')) ^ set(have)}")
        _, wrong, errors = filecmp.cmpfiles("lake", "store", have, shallow=False)
        need(not wrong and not errors, f"{what}: other bytes: {wrong}{errors}")
        need(all(n.startswith("_") for n in tree("piped")), f"{what}: kept: {tree('piped')}")

    subprocess.run([*export, "lake", *inputs], check=True)
    done = run(STORE)
    need(done.returncode == 0, done.stderr)
    whole("stored")
    need(not os.path.exists("hit"), "a name was run")
    shutil.rmtree("store")
    need(run(STORE).returncode == 0 and not os.path.exists("store"), "stored again")
    done = run(STORE + "; true")
    need(done.returncode == 1 and "--force" in done.stderr, f"another command: {done}")
    done = run(STORE + "; true", "-f", "--table", "tasks")
    need(done.returncode == 0 and "sched_switch" in done.stderr and "is obsolete" in done.stderr, f"{done}")
    # What --force began is no more exported than what never was.
    need(run("exit 1", "-f").returncode == 1, "a command that fails")
    done = run("exit 1")
    need(done.returncode == 1 and "ended with status 1" in done.stderr and "--force" not in done.stderr, f"again: {done}")
    # The command fails at its third part: two files were not stored, whatever the order.
    start()
    third = ('echo >>"$STORE.count"; if [ "$(wc -l <"$STORE.count")" = 3 ]; then exit 3; fi; ' + STORE)
    done = run(third, "--threads", "1")
    need(done.returncode == 1 and "ended with status 3 for event=" in done.stderr, f"the third part: {done}")
    need(len(records()) == len(inputs) - 1, f"records: {records()}")
    done = run(third, "--threads", "1")
    need(done.returncode == 0 and len(records()) == len(inputs), f"continued: {done}")
    whole("continued")
    # It is killed; it fails for the schema, without which no file counts.
    for command, sentence in (('kill -KILL $$', "killed by signal 9 for event="),
                              (f'case $TDAT_PART in _*) exit 1;; esac; {STORE}', "ended with status 1 for _schema.json")):
        start()
        done = run(command)
        need(done.returncode == 1 and sentence in done.stderr and not records(), f"{command}: {done}")
    # tdat is killed while it runs.
    start()
    for wait in (0.1, 0.2, 0.4):
        with subprocess.Popen([*export, "piped", "--part-pipe", "sleep 0.01; " + STORE, *inputs], env=env) as p:
            time.sleep(wait)
            p.kill()
    need(run("sleep 0.01; " + STORE).returncode == 0, "the last run failed")
    whole("after kills")
    done = subprocess.run([tdat, "export", "--to", "parquet", "--compact", "piped"], check=False, stderr=subprocess.PIPE)
    need(done.returncode == 1 and b"contains no parts: an export with --part-pipe" in done.stderr, f"compact: {done}")
    done = subprocess.run([tdat, "export", "--to", "parquet", "--part-pipe", "cat", "-o", "x", inputs[0]], check=False,
                          stderr=subprocess.PIPE)
    need(done.returncode == 2 and b"needs a data set" in done.stderr, f"one file: {done}")
    print(f"{len(tree('store'))} files")


main()
