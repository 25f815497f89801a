#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is asked most often costs little beside tdat stat, or tdat list: steps of both, compared.

usage: speed.py TDAT FIXTURES [--uncounted]

--uncounted: TDAT does not count, or is a build with a sanitizer; only how it ends is looked at.
"""
import os
import sys

from counts import run

FILES = ("i386-61-v7-buffers.dat", "x64-lab612-net.dat", "s390x-61-kstack.dat")
# Words, "=" being the file; what they are compared with; and how many times the steps are allowed.
# All derived tables have more branches than a count of events: 2.6 times its steps are 1.8 times
# its instructions.
BOUNDS = ((("=",), ("stat", "="), 1.5),
          (("list", "--tables", "-i", "="), ("stat", "="), 3),
          (("latency", "--list", "="), ("stat", "="), 2),
          *((("__complete", "dump", "=", option, ""), ("list", "-i", "="), 2)
            for option in ("-e", "--comm", "--pid", "--cpu", "--buffer")),
          (("__complete", "latency", "=", "--table", ""), ("list", "-i", "="), 2),
          (("__complete", "stat", "=", "--by", ""), ("list", "-i", "="), 2))


def steps_of(tdat, words, path, counted):
    rc, steps, _ = run(tdat, [path if word == "=" else word for word in words], counted)
    if rc or counted and not steps:
        sys.exit("%s of %s: ends with %d, %d steps" % (" ".join(words), path, rc, steps))
    return steps


def main():
    tdat, fixtures = map(os.path.abspath, sys.argv[1:3])
    counted = "--uncounted" not in sys.argv
    bad = False
    # The number of threads that meet a piece of work changes the steps.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for name in FILES:
        path = os.path.join(fixtures, "valid", name)
        for words, other, most in BOUNDS:
            steps, base = (steps_of(tdat, w, path, counted) for w in (words, other))
            dear = counted and steps > most * base
            if dear or os.environ.get("TDAT_TELL"):
                print("%s, %s: %d steps, %s: %d" % (name, " ".join(words), steps, " ".join(other), base))
            bad |= dear
    return bad


if __name__ == "__main__":
    sys.exit(main())
