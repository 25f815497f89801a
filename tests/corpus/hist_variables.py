#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Variables that go from one event to another, computed a second time from tdat dump --json.

A first event keeps two variables for its key; a second event with the same key reads them, makes a
synthetic event of the difference, and keeps the greatest or the last (onmax, onchange, save); a
third trigger may read one of them too, and counts only what the second left: a variable is read
once (docs/hist.md). The fields, operators, types and aliases are chosen at random.
usage: hist_variables.py TDAT FOLDER_OF_FOLDERS TRIALS_A_FOLDER [SEED]
"""
import json
import os
import random
import re
import sys

from hist_rules import cast, run, u64

# Two events that share a key: name, field of the key, fields of values; twice.
PAIRS = (
    ("sched_waking", "pid", ("prio", "target_cpu"),
     "sched_switch", "next_pid", ("next_prio", "prev_prio", "prev_pid")),
    ("sched_switch", "prev_pid", ("prev_prio", "prev_state", "next_pid"),
     "sched_switch", "next_pid", ("next_prio", "prev_prio")),
    ("sched_waking", "pid", ("prio",), "sched_wakeup", "pid", ("prio", "target_cpu")),
    ("sys_enter_read", "common_pid", ("fd", "count"), "sys_exit_read", "common_pid", ("ret",)),
    ("sys_enter", "common_pid", ("id",), "sys_exit", "common_pid", ("ret", "id")),
    ("softirq_raise", "vec", ("vec",), "softirq_entry", "vec", ("vec",)),
    ("block_rq_issue", "sector", ("nr_sector", "bytes"),
     "block_rq_complete", "sector", ("nr_sector", "error")),
)
TYPES = {"u64": (8, False), "s64": (8, True), "s32": (4, True), "u32": (4, False)}
ENTRY = re.compile(r"\{ \w+: +(\d+) \} hitcount: +(\d+)([^\n]*)\n"
                   r"(?:\t(?:max|changed): +(\d+)([^\n]*)\n)?")


def worth(e, field):
    return e["pid"] if field == "common_pid" else int(e["fields"][field])


def usecs(e):
    return (e["ts"] + 500) // 1000


class Trial:
    """Triggers of a pair of events, chosen at random, and what they have to count."""

    def __init__(self, rng, systems):
        self.first, self.key, values, self.second, self.other, others = rng.choice(
            [p for p in PAIRS if p[0] in systems and p[3] in systems])
        self.value, self.counted = rng.choice(values), rng.choice(others)
        self.timed = rng.random() < 0.5
        self.operator = "-" if self.timed else rng.choice("+-*")
        self.alias = rng.random() < 0.4
        self.third = rng.random() < 0.4 and not self.timed  # times are not added to numbers
        self.track = rng.choice(("onmax", "onchange"))
        first, second = (f"{systems[n]}/{n}" for n in (self.first, self.second))
        kept = "common_timestamp.usecs" if self.timed else self.value
        base = "common_timestamp.usecs" if self.timed else self.counted
        self.triggers = {
            ":x=": f"{first} hist:keys={self.key}:x={kept},y={self.value} if {self.key} != 0",
            "trace(made": f"{second} hist:keys={self.other}:{'c=$y,' if self.alias else ''}"
            f"d={base}{self.operator}$x:vals={self.counted}"
            f":onmatch({first.replace('/', '.')}).trace(made,$d,$y)"
            f":{self.track}($d).save({self.counted},common_pid):sort={self.other}",
        }
        if self.third:
            self.triggers[":e="] = (f"{second} hist:keys={self.other}:e=$x+1:onmax($e)"
                                    f".save({self.counted}):sort={self.other}")
        self.triggers["keys=y"] = "synthetic/made hist:keys=y:vals=d:sort=y,hitcount"

    def count(self, events, difference_type, value_type):
        """Rows of each trigger: key, hits, values, greatest or last, what was saved with it."""
        kept, matched, third, made = {}, {}, {}, {}
        for e in events:
            if e["event"] == self.first and worth(e, self.key):
                t = kept.setdefault(u64(worth(e, self.key)), {"hits": 0})
                t["hits"] += 1
                t["x"] = u64(usecs(e) if self.timed else worth(e, self.value))
                t["y"] = u64(worth(e, self.value))
            if e["event"] != self.second:
                continue
            key = u64(worth(e, self.other))
            variables = kept.get(key, {})
            if "x" in variables:
                x, y = variables.pop("x"), variables["y"]
                base = usecs(e) if self.timed else worth(e, self.counted)
                d = u64({"-": base - x, "+": base + x, "*": base * x}[self.operator])
                t = matched.setdefault(key, [0, 0, 0, (0, 0)])
                t[0] += 1
                t[1] = u64(t[1] + worth(e, self.counted))
                if d > t[2] if self.track == "onmax" else d != t[2]:
                    t[2:] = d, (u64(worth(e, self.counted)), u64(e["pid"]))
                row = made.setdefault(u64(cast(y, *TYPES[value_type])), [0, 0])
                row[0] += 1
                row[1] = u64(row[1] + cast(d, *TYPES[difference_type]))
            if self.third and "x" in variables:  # not behind the second trigger, which read it
                third[key] = None
        rows = {
            ":x=": [(k, t["hits"], (), 0, ()) for k, t in kept.items()],
            "trace(made": [(k, hits, (total,), most, saved)
                           for k, (hits, total, most, saved) in matched.items()],
            "keys=y": [(k, hits, (total,), 0, ()) for k, (hits, total) in made.items()],
        }
        if self.third:
            rows[":e="] = [(k, 0, (), 0, ()) for k in third]
        return {name: sorted(r) for name, r in rows.items()}


def histograms(text):
    """Rows as Trial.count has them, by the trigger's text."""
    def numbers(part):
        return tuple(int(n) for n in re.findall(r": +(\d+)", part or ""))
    return {block.partition("\n")[0]: sorted(
        (int(key), int(hits), numbers(values), int(most or 0), numbers(saved))
        for key, hits, values, most, saved in ENTRY.findall(block))
            for block in text.split("# trigger info: ")[1:]}


def replay(tdat, path, trial):
    """tdat's answer with the first types of the synthetic event that the triggers take."""
    r = None
    for difference in TYPES:
        for value in TYPES:
            r = run(tdat, "hist", "--synth", f"made {difference} d; {value} y", path,
                    *trial.triggers.values())
            if not r.returncode:
                return r, difference, value
            if b"type" not in r.stderr:
                return r, None, None
    return r, None, None


def main():
    tdat, root, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    bad = done = 0
    for name in sorted(os.listdir(root)):
        path = f"{root}/{name}/trace.dat"
        if not os.path.exists(path):
            continue
        events = [json.loads(line) for line in run(tdat, "dump", "--json", path).stdout.splitlines()]
        systems = {e["event"]: e["system"] for e in events}
        if not any(p[0] in systems and p[3] in systems for p in PAIRS):
            continue
        for _ in range(count):
            trial = Trial(rng, systems)
            r, difference, value = replay(tdat, path, trial)
            if r.returncode:
                bad += 1
                print(f"{name}: {list(trial.triggers.values())}\n  {r.stderr.decode()[:300]}")
                continue
            done += 1
            got = histograms(r.stdout.decode())
            for part, want in trial.count(events, difference, value).items():
                rows = next((rows for text, rows in got.items() if part in text), None)
                if rows != want:
                    bad += 1
                    print(f"{name}: {trial.triggers[part]}\n  got  {rows}\n  want {want}")
                    break
    print(f"{done} trials, {bad} differences")
    return 1 if bad or not done else 0


if __name__ == "__main__":
    sys.exit(main())
