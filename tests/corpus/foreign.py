#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the comparisons that come with the shared recordings of others.

usage: foreign.py TDAT CORPUS perf|ftrace|truth

perf: each perf.data with perf's own text. Two differences are right, and nothing else: perf names
functions by the symbols of the machine on which it runs, of which the file has the addresses only
(one name for each address, and one address for each name), and it reads an empty string at the end
of a record beyond its end. ftrace: the kernel's text to a trace.dat and back to text. truth: the
same with texts of all kinds of events.

Expectation: the texts are those of perf and of the kernel.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from part import part_of

def compare(script, tdat, *args):
    run = subprocess.run([sys.executable, script, "--tdat", tdat, *args], capture_output=True,
                         text=True, errors="replace")
    if run.stderr:
        sys.exit(run.stderr)
    return run.returncode, run.stdout


class Symbols:
    """The names that perf has for the addresses of one recording."""

    def __init__(self):
        self.names, self.bases = {}, {}

    def same(self, word, ours):
        want = re.fullmatch(r"(\w+=)?([A-Za-z_][\w.]*)(?:\+0x([0-9a-f]+))?", word)
        have = re.fullmatch(r"(\w+=)?0x([0-9a-f]+)", ours)
        if not want or not have or want[1] != have[1]:
            return False
        base = int(have[2], 16) - int(want[3] or "0", 16)
        return (self.names.setdefault(have[2], want[2]) == want[2] and
                self.bases.setdefault(want[2], base) == base)

    def explain(self, want, have):
        if re.sub(r'"[^"\w]*"', '""', want) == have:
            return True
        want, have = want.split(" "), have.split(" ")
        return len(want) == len(have) and all(w == h or self.same(w, h)
                                              for w, h in zip(want, have))


def perf(tdat, corpus, tmp):
    names = part_of(sorted(n for n in os.listdir(f"{corpus}/perf") if ".perf.data" in n))
    status, out = compare(f"{corpus}/compare.py", tdat, "--only", "perf", "-vv", *names)
    wrong, symbols, kind, want = [], Symbols(), "", ""
    for line in out.split("\n"):
        result = re.match(r"(\S+\.perf\.data(?:\.xz)?) +\d+ +\d+  (?:EQUAL|differ: text);", line)
        if result:
            names.remove(result[1])
            symbols = Symbols()
        elif line.startswith("      want: "):
            want = re.split(r":\S+: ", line, maxsplit=1)[-1]
        elif line.startswith("      have: "):
            have = re.split(r"\d: \S+: +", line, maxsplit=1)[-1]
            if not kind.startswith("text of ") or not symbols.explain(want.rstrip(), have.rstrip()):
                wrong.append(f"{kind}:\n  {want}\n  {have}")
        elif line.startswith("    "):
            kind = line.strip()
    return wrong + [f"{name}: more than texts differ" for name in names] + \
        ([f"compare.py ends with {status}"] if status not in (0, 1) else [])


def ftrace(tdat, corpus, tmp):
    names = part_of(sorted(os.listdir(f"{corpus}/ftrace")))
    names = [name for name in names if ".txt" in name]
    status, out = compare(f"{corpus}/compare.py", tdat, "--only", "ftrace", *names)
    return [out] if status else []


def truth(tdat, corpus, tmp):
    wrong, texts = [], part_of(sorted(n for n in os.listdir(corpus) if n.endswith(".trace.txt.xz")))
    for text in texts:
        os.symlink(f"{corpus}/{text}", f"{tmp}/{text}")
        run = subprocess.run([tdat, "convert", "-q", "--from", "ftrace-text", "-o",
                              f"{tmp}/{text[:-13]}.dat", f"{corpus}/{text}"],
                             capture_output=True, text=True, errors="replace")
        if run.returncode or run.stderr:
            wrong.append(f"{text}: exit {run.returncode}: {run.stderr}")
    status, out = compare(f"{corpus}/compare.py", tdat, "--dir", tmp, "-o=-N")
    totals = re.findall(r"^  \w+ +\d+ types: \d+ equal, (\d+) differ", out, re.M)
    return wrong + ([out] if status or len(totals) != 3 or set(totals) != {"0"} else [])


def main():
    tdat, corpus, what = sys.argv[1:]
    with tempfile.TemporaryDirectory() as tmp:
        wrong = {"perf": perf, "ftrace": ftrace, "truth": truth}[what](tdat, corpus, tmp)
    for sentence in wrong:
        print(sentence)
    sys.exit(bool(wrong))


main()
