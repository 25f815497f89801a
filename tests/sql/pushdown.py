#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs random queries with conditions in the reader and without: the rows must be the same.

With --no-pushdown tdat reads all rows and SQLite alone decides which are wanted, sorts and
groups them.

usage: pushdown.py TDAT SEED COUNT FILE...
"""
import json
import random
import re
import subprocess
import sys


# Tables of docs/analysis.md.
DERIVED = ("block_io", "counter", "cpu_frequency", "cpu_idle", "function", "futex", "io", "irq", "kmem", "kvm",
           "latency_sample", "lock", "migration", "net", "off_cpu", "page_fault", "reclaim", "sched", "slice",
           "softirq", "syscall", "thread_state", "timer", "wakeup", "workqueue")


def run(tdat, path, script, *options):
    done = subprocess.run([tdat, "sql", "--jsonl", *options, "-f", "-", path], check=False,
                          input=script.encode(), capture_output=True)
    if done.returncode and b" needs " not in done.stderr:  # an empty table may lack its events
        sys.exit(f"{path}: exit status {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def facts(tdat, path):
    out = run(tdat, path, """
        SELECT min(ts) AS lo, max(ts) AS hi FROM events;
        SELECT DISTINCT cpu FROM events;
        SELECT DISTINCT pid FROM events;
        SELECT DISTINCT event, system FROM events WHERE event NOT NULL;
        """, "--no-pushdown")
    rows = [json.loads(line) for line in out.splitlines()]
    counts = run(tdat, path, "".join(f"SELECT '{t}' AS name, count(*) AS n FROM {t};\n"
                                     for t in DERIVED), "--no-pushdown")
    derived = [r["name"] for r in map(json.loads, counts.splitlines()) if r["n"]]
    ticks = subprocess.run([tdat, "sql", path, "SELECT time('1ns')"], check=False,
                           capture_output=True).returncode
    return {
        "derived": derived, "unit": "" if ticks else "ns", "lo": rows[0]["lo"], "hi": rows[0]["hi"],
        "cpu": [r["cpu"] for r in rows if "cpu" in r], "pid": [r["pid"] for r in rows if "pid" in r],
        "event": [r["event"] for r in rows if "event" in r],
        "system": [r["system"] for r in rows if "system" in r],
    }


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


class Queries:
    """Makes queries of one file."""

    def __init__(self, rng, f):
        self.rng, self.f = rng, f

    def time(self):
        lo, hi = self.f["lo"], self.f["hi"]
        v = self.rng.randint(lo - (hi - lo) // 8, hi + (hi - lo) // 8)
        return self.rng.choice([str(v), str(v), f"{v}.5", f"'{v}'", "NULL", "-1", "'x'", "1e30",
                                "-1e30", "9223372036854775807", "-9223372036854775808",
                                f"time('{max(v, 0)}{self.f['unit']}')"])

    def number(self, name):
        known = self.f[name]
        return self.rng.choice([str(self.rng.choice(known)), str(self.rng.choice(known)), "-5",
                                "4294967296", "NULL", f"'{self.rng.choice(known)}'", "0.5", "'a'"])

    def text(self, name):
        known = self.f[name]
        return self.rng.choice([quoted(self.rng.choice(known)), quoted(self.rng.choice(known)),
                                "'nothing'", "NULL", "7", "'*'", "x'00'"])

    def condition(self, events):
        rng = self.rng
        kind = rng.choice(["ts", "ts", "ts", "between", "cpu", "pid", "in"] +
                          (["event", "system", "ins", "event"] if events else []))
        if kind == "ts":
            return f"ts {rng.choice(['<', '<=', '>', '>=', '=', '<>'])} {self.time()}"
        if kind == "between":
            return f"ts BETWEEN {self.time()} AND {self.time()}"
        if kind in ("cpu", "pid"):
            return f"{kind} {rng.choice(['=', '=', '=', '<', 'IS'])} {self.number(kind)}"
        if kind == "in":
            name = rng.choice(["cpu", "pid"])
            return f"{name} IN ({', '.join(self.number(name) for _ in range(rng.randint(1, 4)))})"
        if kind in ("event", "system"):
            collate = rng.choice(["", "", " COLLATE NOCASE"])
            return f"{kind} {rng.choice(['=', '=', '=', '>', 'LIKE'])} {self.text(kind)}{collate}"
        return f"event IN ({', '.join(self.text('event') for _ in range(rng.randint(1, 4)))})"

    def conditions(self, events, least=0, joint=None):
        """A WHERE: conditions joined by AND, or by OR; with OR some are pairs."""
        rng = self.rng
        made = [self.condition(events) for _ in range(rng.randint(least, 3))]
        joint = joint or rng.choice([" AND ", " AND ", " AND ", " OR "])
        if joint == " OR ":
            made = [f"({m} AND {self.condition(events)})" if rng.random() < 0.5 else m for m in made]
        return f" WHERE {joint.join(made)}" if made else ""

    def folded(self, table, where, derived, names):
        """Counts, sums and bounds, which the reader computes."""
        rng = self.rng
        numbers = ["cpu", "pid", "ts"] + (["dur"] if derived else ["tgid"])
        made = [rng.choice(["count(*)", "count()", "COUNT( * )"] +
                           [f"{fn}({rng.choice(['', 't.'])}{rng.choice(numbers)})"
                            for fn in ("count", "sum", "min", "max", "avg")] +
                           ["count(comm)", "max(comm)", "count(DISTINCT cpu)", "min(comm) || '\"'"])
                for _ in range(rng.randint(1, 3))]
        # avg() of 64-bit sums is exact here and rounded in SQLite; sums of ts do not fit.
        made = [re.sub(r"(avg|sum)\((t\.)?ts\)", "max(ts) - min(ts)", m) for m in made]
        made = [rng.choice(["{}", "{} AS n%d" % i, "{} x%d" % i, "{} * 2 + 1"]).format(m)
                for i, m in enumerate(made)]
        keys = [rng.choice(["cpu", "pid", "t.comm", "buffer", "cpu % 2", "ts / 1000000", "upper(comm)",
                            "ts / 1000000 * 1000000", "CASE WHEN pid > 9 THEN 'a' ELSE comm END"] +
                           (["open"] if derived else []))
                for _ in range(rng.randint(0, 2))]
        by = ", ".join(str(i + 1) for i in range(len(keys)))
        tail = (f" GROUP BY {rng.choice([by, ', '.join(keys)])}" if keys else "")
        if keys and rng.random() < 0.3:
            tail += f" HAVING {rng.choice(['count(*) > 2', 'max(cpu) >= 0', 'cpu IS NOT NULL'])}"
        tail += f" ORDER BY {by}" if keys else ""
        return f"SELECT {', '.join(keys + made)} FROM {table} AS t{where}{tail}"

    def query(self):
        rng = self.rng
        at = rng.randrange(len(self.f["event"]))
        events = rng.random() < 0.5
        derived = not events and self.f["derived"] and rng.random() < 0.5
        table = "events" if events else rng.choice(self.f["derived"]) if derived else \
            '"%s/%s"' % (self.f["system"][at], self.f["event"][at])
        where = self.conditions(events)
        names = ["ts", "cpu", "pid", "comm", "buffer"]
        names += ["dur", "open"] if derived else ["tgid", "irqs_off", "lost"]
        names += ["event", "system", "id"] if events else []
        some = rng.sample(names, rng.randint(1, 3))
        shape = rng.choice(["rows", "rows", "order", "group", "distinct", "count", "limit", "lost", "loss",
                            "sorted", "folded", "folded", "folded", "joined", "joined"])
        if shape == "joined":
            # SQLite answers the OR by two scans of the table, as fewer rows then go into the join.
            where = self.conditions(events, 2, " OR ")
            return (f"SELECT * FROM (SELECT ts, cpu, t.comm, task FROM {table} AS t JOIN (SELECT pid AS one, "
                    f"comm AS task FROM tasks) ON one = pid{where}) ORDER BY 1, 2, 3, 4")
        if shape == "folded":
            return self.folded(table, where, derived, names)
        if shape == "loss":
            return (f"SELECT * FROM lost WHERE ts BETWEEN {self.time()} AND {self.time()} "
                    f"AND cpu = {self.number('cpu')}")
        if shape == "lost":
            return (f"SELECT * FROM lost WHERE ts >= {self.time()} OR "
                    f"(ts < {self.time()} AND cpu = {self.number('cpu')}) ORDER BY ts")
        if shape == "rows":
            return f"SELECT {', '.join(some)} FROM {table}{where}"
        if shape == "order":
            return f"SELECT {', '.join(some)} FROM {table}{where} ORDER BY ts"
        if shape == "count":
            return f"SELECT count(*) FROM {table}{where}"
        if shape == "limit":
            return (f"SELECT {', '.join(some)} FROM {table}{where} ORDER BY ts "
                    f"LIMIT {rng.randint(-1, 5)} OFFSET {rng.randint(0, 3)}")
        by = ", ".join(str(i + 1) for i in range(len(some)))
        if shape == "sorted":
            ways = ", ".join(f"{i + 1} {rng.choice(['ASC', 'DESC'])}" for i in range(len(some)))
            return (f"SELECT {', '.join(some)}, count(*) FROM {table}{where} GROUP BY {by} "
                    f"ORDER BY {rng.choice([by, ways])}")
        if shape == "distinct":
            return f"SELECT * FROM (SELECT DISTINCT {', '.join(some)} FROM {table}{where}) ORDER BY {by}"
        return (f"SELECT * FROM (SELECT {', '.join(some)}, count(*) AS n, max(cpu) AS most "
                f"FROM {table}{where} GROUP BY {by}) ORDER BY {by}")


def main():
    tdat, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for number, path in enumerate(sys.argv[4:]):
        known = facts(tdat, path)
        if not known["event"]:
            print(f"{path}: no events")
            continue
        queries = Queries(random.Random(seed + number), known)
        # Two separators around each, so that rows of one cannot pass for those of the next.
        script = [queries.query() for _ in range(count)]
        text = "".join(f"SELECT {i} AS query;\n{q};\n" for i, q in enumerate(script))
        want, got = run(tdat, path, text, "--no-pushdown"), run(tdat, path, text)
        plan = run(tdat, path, "".join(f"EXPLAIN QUERY PLAN {q};\n" for q in script))
        pushed = sum(b"all rows" not in line for line in plan.splitlines() if b"VIRTUAL" in line)
        if want != got:
            query = None
            for a, b in zip(want.splitlines(), got.splitlines()):
                query = json.loads(a).get("query", query)
                if a != b:
                    sys.exit(f"{path}: {script[query]}:\nwithout {a}\nwith    {b}")
            sys.exit(f"{path}: {len(want)} bytes without, {len(got)} with")
        if pushed < count // 3:
            sys.exit(f"{path}: only {pushed} of {count} queries have conditions in the reader")
        folded = plan.count(b"; added up")
        if folded < count // 12:
            sys.exit(f"{path}: only {folded} of {count} queries are added up by the reader")
        print(f"{path}: {count} queries, {pushed} with conditions in the reader, {folded} added up by it, "
              f"{len(want.splitlines()) - count} rows: the same")


if __name__ == "__main__":
    main()
