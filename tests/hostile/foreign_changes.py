#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Changes one byte of a foreign capture at a time: no event is left out without a word.

usage: foreign_changes.py TDAT FOREIGN EVERY

Each byte of each data file is set to others, taken out, and preceded by one more. Where convert
exits with 0 it has as many events, and counts as many lost, as of the unchanged capture; no
other exit status than 0 and 1 is right. A line feed of a text that is changed makes one event of
two lines, which no reader can notice; sidecars, such as the number of overruns, may say anything.
A line of ftrace or perf script that has no columns any more is text of the event above it, with its
two stacks; a mark in a call chain of perf.data that is changed makes one stack of two.

One of EVERY changes is tried; all with TDAT_STRUCTURE=all in the environment.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from part import part_of

FORMATS = ("kmemtrace", "gtsc", "ktr", "perf", "ftrace-text", "perf-text")
TEXTS = ("ftrace-text", "perf-text")
SIDECARS = {"abi_version", "total_overruns", "meta", "dropped", "nr_sub", "sub_size", "state",
            "strings.txt", "kernel.elf", "expected.txt"}
LONGEST = 4096  # of a file that is changed: longer ones are repetitions of the same records
FEW = 256  # bytes that are changed of a recording of perf and of texts, whose lines are alike


def convert(tdat, form, folder, out):
    """Returns the exit status, events and losses, and what was said."""
    inputs, options = [folder], []
    if form in TEXTS:
        inputs = [f"{folder}/{name}" for name in os.listdir(folder)]
    if os.path.exists(f"{folder}/ktr.out"):
        inputs = [f"{folder}/ktr.out"]
        for option, name in (("--kernel", "kernel.elf"), ("--strings", "strings.txt")):
            if os.path.exists(f"{folder}/{name}"):
                options += [option, f"{folder}/{name}"]
    run = subprocess.run([tdat, "convert", "--from", form, "-f", "--file-version", "6",
                          "--threads", "1", "-o", out, *options, *inputs],
                         capture_output=True, text=True, errors="replace")
    events = re.search(r": (\d+) events? on ", run.stderr)
    lost = re.findall(r"(?:dropped|missing_seq|total_overruns) (\d+)", run.stderr)
    return (run.returncode, int(events.group(1)) if events else 0, sum(map(int, lost)),
            run.stderr.strip())


def changes(data, is_text, step):
    for at, old in enumerate(data):
        if at % step or (is_text and old == ord("\n")):
            continue
        for new in sorted({old ^ 1, old ^ 0x80, 0, 0xff} - {old}):
            yield f"byte {at} is {new}", data[:at] + bytes([new]) + data[at + 1:]
        yield f"byte {at} is gone", data[:at] + data[at + 1:]
        yield f"a byte before {at}", data[:at] + b"\0" + data[at:]


def try_capture(tdat, form, source, tmp, every):
    """Returns the number of changes tried and the sentences about what is wrong."""
    folder, out = f"{tmp}/in", f"{tmp}/out.dat"
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.isdir(source):
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("expected.txt"))
    else:
        os.mkdir(folder)
        shutil.copy(source, folder)
    wrong, tried, nth = [], 0, 0
    status, events, lost, said = convert(tdat, form, folder, out)
    if status not in (0, 1):
        return 0, [f"{source}: unchanged, exit {status}: {said}"]
    for name in sorted(set(os.listdir(folder)) - SIDECARS):
        path = f"{folder}/{name}"
        with open(path, "rb") as f:
            data = f.read()
        few = form == "perf" or form in TEXTS
        if len(data) > LONGEST and not few:
            continue
        os.chmod(path, 0o600)
        is_text = form == "gtsc" and name.startswith("trace") or name.endswith(".txt") or \
            form in TEXTS
        for what, changed in changes(data, is_text, len(data) // FEW + 1 if few else 1):
            nth += 1
            if nth % every:
                continue
            with open(path, "wb") as f:
                f.write(changed)
            tried += 1
            now = convert(tdat, form, folder, out)
            least = events + lost - (3 if form in TEXTS else form == "perf")
            if now[0] not in (0, 1) or (now[0] == 0 and now[1] + now[2] < least):
                wrong.append(f"{source}/{name}: {what}: exit {now[0]}, {now[1]} events and "
                             f"{now[2]} lost, before {events} and {lost}: {now[3]}")
        with open(path, "wb") as f:
            f.write(data)
    return tried, wrong


def main():
    tdat, foreign, every = sys.argv[1:]
    every = 1 if os.environ.get("TDAT_STRUCTURE") == "all" else int(every)
    captures = [(form, f"{foreign}/{form}/{name}") for form in FORMATS
                for name in sorted(os.listdir(f"{foreign}/{form}"))]
    tried, wrong = 0, []
    with tempfile.TemporaryDirectory() as tmp:
        for form, source in part_of(captures):
            if os.path.isdir(source) or form in TEXTS:
                more, sentences = try_capture(tdat, form, source, tmp, every)
                tried += more
                wrong += sentences
    print(f"{tried} changes, {len(wrong)} wrong")
    for sentence in wrong:
        print(sentence)
    sys.exit(bool(wrong) or not tried)


main()
