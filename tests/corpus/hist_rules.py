#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Histograms of triggers made at random, computed a second time in Python from tdat dump --json.

The rules are those of the kernel's documentation and sources as docs/hist.md and the comments of
lib/hist/ name them, written down once more, simple and slow: keys as bytes in the order of the
traced machine, its heapsort, its arithmetic, sums, onmax, onchange and save, full tables, filters.
usage: hist_rules.py TDAT FOLDER_OF_FOLDERS TRIGGERS_A_FOLDER [SEED]
"""
import fnmatch
import functools
import json
import os
import random
import re
import struct
import subprocess
import sys

M = 1 << 64


def run(*args):
    return subprocess.run(args, capture_output=True, check=False)


class Field:
    def __init__(self, kind, name, size, signed):
        self.kind, self.name, self.size, self.signed = kind, name, size, signed


def formats(tdat, path):
    """Number and text fields by "system/event"; the events' systems are those of dump."""
    text = run(tdat, "info", "--section", "formats", path).stdout.decode(errors="replace")
    out = {}
    for part in re.split(r"(?m)^name: ", text)[1:]:
        fields = []
        for line in re.findall(r"field:(.*?);\s*offset:\d+;\s*size:(\d+);\s*signed:(\d);", part):
            decl, size, signed = line[0], int(line[1]), line[2] == "1"
            name = re.sub(r"\[.*\]$", "", decl.split()[-1])
            if name.startswith("common_") or "cpumask" in decl:
                continue
            if "char" in decl and ("__data_loc" in decl or re.search(r"\[\d+\]$", decl)):
                fields.append(Field("dyn" if "__data_loc" in decl else "fixed", name, size, signed))
            elif "[" not in decl and "__" not in decl.split()[0] and "char *" not in decl \
                    and size in (1, 2, 4, 8):
                fields.append(Field("num", name, size, signed))
        out[part.split("\n")[0]] = fields
    return out


def u64(v):
    return int(v) % M


def cast(v, size, signed):
    v &= (1 << 8 * size) - 1
    return v - (1 << 8 * size) if signed and v >> (8 * size - 1) else v


class Column:
    """A key or a value: how it is written, what it is worth, how it is printed and sorted."""

    def __init__(self, text, name, fn, size=8, signed=False, field=None, mod="", n=0, shown=True):
        self.text, self.name, self.fn, self.size, self.signed = text, name, fn, size, signed
        self.field, self.mod, self.n, self.shown = field, mod, n, shown
        self.string = field is not None and field.kind != "num"

    def worth(self, e):
        v = self.fn(e)
        if self.string:
            return v
        v = u64(v)
        if self.mod == "log2":
            return 0 if v < 2 else (v - 1).bit_length()
        return v // self.n * self.n if self.mod == "buckets" else v

    def key(self, v, order):
        if not self.string:
            return struct.pack(order + "Q", v)
        room = 256 if self.field.kind == "dyn" else (self.field.size + 7) // 8 * 8
        most = room - 1 if self.field.kind == "dyn" else min(self.field.size, room - 1)
        return v[:most].ljust(room, b"\0")

    def rank(self, v):
        return v if self.string else cast(v, self.size, self.signed)

    def shows(self, v):
        if self.string:
            return b"%s: %-50s" % (self.name.encode(), v)
        if self.mod == "hex":
            return b"%s: %x" % (self.name.encode(), v)
        if self.mod == "log2":
            return b"%s: ~ 2^%-2d" % (self.name.encode(), v)
        if self.mod == "buckets":
            return b"%s: ~ %d-%d" % (self.name.encode(), v, u64(v + self.n - 1))
        return b"%s: %10d" % (self.name.encode(), v)


def heapsort(a, cmp, new):
    """lib/sort.c before and since Linux 6.11."""
    def sift(i, m):
        b = i
        while 2 * b + 2 < m:
            c = 2 * b + 1
            r = cmp(a[c], a[c + 1])
            b = c if (r > 0 if new else r >= 0) else c + 1
        if 2 * b + 2 == m:
            b = 2 * b + 1
        while b != i and cmp(a[i], a[b]) >= 0:
            b = (b - 1) // 2
        c = b
        while b != i:
            b = (b - 1) // 2
            a[b], a[c] = a[c], a[b]

    n = len(a)
    if n < 2:
        return
    for i in reversed(range(n // 2)):
        sift(i, n)
    m = n
    if not new:
        while m > 1:
            m -= 1
            a[0], a[m] = a[m], a[0]
            sift(0, m)
        return
    while m > 3:
        m -= 1
        a[0], a[m] = a[m], a[0]
        i = 2 if cmp(a[1], a[2]) <= 0 else 1
        m -= 1
        a[i], a[m] = a[m], a[i]
        sift(i, m)
        sift(0, m)
    m -= 1
    a[0], a[m] = a[m], a[0]
    if m == 2 and cmp(a[0], a[1]) > 0:
        a[0], a[1] = a[1], a[0]


def special(name):
    return {"common_cpu": ("common_cpu", lambda e: e["cpu"], 8, False),
            "cpu": ("cpu", lambda e: e["cpu"], 8, False),
            "common_pid": ("common_pid", lambda e: e["pid"], 4, True),
            "common_timestamp": ("common_timestamp", lambda e: e["ts"], 8, False)}[name]


def of_field(f):
    if f.kind == "num":
        return lambda e: e["fields"][f.name]
    return lambda e: e["fields"][f.name].encode()


def make_key(rng, fields):
    if rng.random() < 0.3:
        name = rng.choice(["common_cpu", "common_pid", "common_timestamp"])
        shown, fn, size, signed = special(name)
        field = None
    else:
        field = rng.choice(fields)
        name = shown = field.name
        fn, size, signed = of_field(field), field.size, field.signed
        if field.kind != "num":
            return Column(name, name, fn, field=field)
    mod = rng.choice(["", "", "hex", "log2", "buckets"])
    if name == "common_cpu":
        mod = ""
    if name == "common_timestamp":
        mod = rng.choice(["usecs", "log2", "buckets"])
    n = rng.choice([1, 3, 10, 16, 1000, 123456]) if mod == "buckets" else 0
    text = name + (f".{mod}={n}" if n else f".{mod}" if mod else "")
    if mod == "usecs":
        return Column(text, shown, lambda e: (e["ts"] + 500) // 1000, mod="usecs")
    return Column(text, shown, fn, size, signed, field, mod, n)


def divide(a, y):
    if y & (y - 1) == 0:
        return a >> (y.bit_length() - 1)
    if y > 1 << 20 or a >= 1 << 20:
        return a // y
    return (a * ((1 << 20) // y) + (1 << 20) - 1) >> 20


def make_expr(rng, numbers):
    """Text and function of an expression with one or two operators."""
    a, b = rng.choice(numbers), rng.choice(numbers)
    x, y = of_field(a), of_field(b)
    n = rng.choice([2, 3, 7, 8, 100, 4096, 1 << 21, 1000003])
    div = lambda p, q: M - 1 if q == 0 else p // q  # noqa: E731
    return rng.choice([
        (f"{a.name}-{b.name}", lambda e: x(e) - y(e)),
        (f"{a.name}+{n}", lambda e: x(e) + n),
        (f"{a.name}*{b.name}", lambda e: x(e) * y(e)),
        (f"{a.name}/{n}", lambda e: divide(u64(x(e)), n)),
        (f"{a.name}/{b.name}", lambda e: div(u64(x(e)), u64(y(e)))),
        (f"-({a.name})", lambda e: -x(e)),
        (f"{a.name}*3/4-{b.name}", lambda e: divide(u64(x(e) * 3), 4) - y(e)),
        (f"{a.name}-{b.name}-1", lambda e: x(e) - y(e) - 1),
    ])


def make_value(rng, numbers, shares):
    if rng.random() < 0.3:
        text, fn = make_expr(rng, numbers)
        return Column(text, text, fn, shown=False)
    f = rng.choice(numbers)
    mod = rng.choice(["", "", "hex"] + (["percent", "graph"] if shares else []))
    return Column(f.name + (f".{mod}" if mod else ""), f.name, of_field(f), mod=mod)


def make_filter(rng, fields, events):
    """Text and function of a filter of comparisons that some events pass."""
    def one():
        f, e = rng.choice(fields), rng.choice(events)
        v = e["fields"][f.name]
        if f.kind == "num":
            v = int(v)
            op = rng.choice(["==", "!=", "<", "<=", ">", ">=", "&"])
            tests = {"==": lambda a: a == v, "!=": lambda a: a != v, "<": lambda a: a < v,
                     "<=": lambda a: a <= v, ">": lambda a: a > v, ">=": lambda a: a >= v,
                     "&": lambda a: bool(u64(a) & u64(v))}
            return f"{f.name} {op} {v}", lambda x: tests[op](int(x["fields"][f.name]))
        if not v or not re.fullmatch(r"[A-Za-z0-9_./-]+", v):
            return "common_pid >= 0", lambda x: x["pid"] >= 0
        if rng.random() < 0.5:
            return f'{f.name} == "{v}"', lambda x: x["fields"][f.name] == v
        glob = v[:max(1, len(v) // 2)] + "*"
        return f'{f.name} ~ "{glob}"', lambda x: fnmatch.fnmatchcase(x["fields"][f.name], glob)

    text, fn = one()
    for _ in range(rng.choice([0, 0, 1, 2])):
        t2, f2 = one()
        prev = fn
        if rng.random() < 0.5:
            text, fn = f"({text}) && {t2}", lambda x, p=prev, q=f2: p(x) and q(x)
        else:
            text, fn = f"({text}) || !({t2})", lambda x, p=prev, q=f2: p(x) or not q(x)
    return text, fn


class Trigger:
    def __init__(self, rng, fields, events, shares):
        numbers = [f for f in fields if f.kind == "num"]
        self.keys = [make_key(rng, fields) for _ in range(rng.choice([1, 1, 2, 3]))]
        while sum(256 if k.string and k.field.kind == "dyn" else 32 for k in self.keys) > 300:
            self.keys.pop()
        self.vals = [make_value(rng, numbers, shares) for _ in range(rng.choice([0, 1, 2]))]
        # Time stamps with .usecs make all of the trigger so.
        usecs = any(k.mod == "usecs" for k in self.keys)
        for k in self.keys:
            if k.name == "common_timestamp" and usecs:
                k.fn = lambda e: (e["ts"] + 500) // 1000
        self.size = rng.choice([0, 0, 0, 128, 200])
        self.filter = make_filter(rng, fields, events) if rng.random() < 0.4 else None
        self.track = None
        if rng.random() < 0.4:
            text, fn = make_expr(rng, numbers)
            saves = [f for f in rng.sample(fields, min(2, len(fields))) if len(f.name) > 1]
            if saves:
                self.track = (rng.choice(["onmax", "onchange"]), text, fn, saves)
        names = [c.name for c in self.vals if c.shown] + [k.name for k in self.keys] + ["hitcount"]
        self.sort = [(rng.choice(names), rng.random() < 0.4)
                     for _ in range(rng.choice([0, 1, 2]))]

    def text(self):
        parts = ["keys=" + ",".join(k.text for k in self.keys)]
        if self.vals:
            parts.append("vals=" + ",".join(v.text for v in self.vals))
        if self.sort:
            parts.append("sort=" + ",".join(n + (".descending" if d else "") for n, d in self.sort))
        if self.size:
            parts.append(f"size={self.size}")
        if self.track:
            how, text, _, saves = self.track
            parts.append(f"v={text}")
            parts.append(f"{how}($v).save({','.join(f.name for f in saves)})")
        return "hist:" + ":".join(parts) + (f" if {self.filter[0]}" if self.filter else "")

    def count(self, events, order):
        most = 1 << (max(128, self.size or 2048) - 1).bit_length()
        table, hits, dropped = {}, 0, 0
        for e in events:
            if self.filter and not self.filter[1](e):
                continue
            worths = [k.worth(e) for k in self.keys]
            key = b"".join(k.key(w, order) for k, w in zip(self.keys, worths))
            entry = table.get(key)
            if not entry:
                if len(table) == most:
                    dropped += 1
                    continue
                entry = table[key] = {"worths": [k.key(w, order).split(b"\0")[0] if k.string else w
                                                 for k, w in zip(self.keys, worths)],
                                      "sums": [0] * (1 + len(self.vals)), "max": 0, "saved": None}
            hits += 1
            entry["sums"][0] += 1
            for i, v in enumerate(self.vals):
                entry["sums"][i + 1] = u64(entry["sums"][i + 1] + u64(v.fn(e)))
            if self.track:
                now = u64(self.track[2](e))
                if now > entry["max"] if self.track[0] == "onmax" else now != entry["max"]:
                    entry["max"] = now
                    entry["saved"] = [of_field(f)(e) for f in self.track[3]]
        return table, hits, dropped

    def place(self, name):
        for i, v in enumerate(self.vals):
            if v.name == name:
                return "sums", i + 1
        for i, k in enumerate(self.keys):
            if k.name == name:
                return "worths", i
        return "sums", 0

    def compare(self, which):
        name, descending = self.sort[which] if self.sort else ("hitcount", False)
        where, i = ("sums", 0) if name == "hitcount" else self.place(name)

        def cmp(a, b):
            x, y = a[1][where][i], b[1][where][i]
            if where == "worths":
                x, y = self.keys[i].rank(x), self.keys[i].rank(y)
            r = (x > y) - (x < y)
            return -r if descending else r
        return cmp

    def order(self, table, new):
        rows = sorted(table.items())
        first = self.compare(0)
        heapsort(rows, first, new)
        if len(self.sort) < 2:
            return rows
        out, i = [], 0
        while i < len(rows):
            k = i + 1
            while k < len(rows) and not first(rows[i], rows[k]):
                k += 1
            part = rows[i:k]
            heapsort(part, self.compare(1), new)
            out += part
            i = k
        return out

    def lines(self, events, order, new):
        table, hits, dropped = self.count(events, order)
        sums = [sum(e["sums"][i] for e in table.values()) % M for i in range(len(self.vals) + 1)]
        most = [max((e["sums"][i] for e in table.values()), default=0)
                for i in range(len(self.vals) + 1)]
        out = []
        for _, e in self.order(table, new):
            line = b"{ " + b", ".join(k.shows(w) for k, w in zip(self.keys, e["worths"])) + b" }"
            line += b" hitcount: %10d" % e["sums"][0]
            for i, v in enumerate(self.vals):
                if v.shown:
                    line += self.value(v, e["sums"][i + 1], sums[i + 1], most[i + 1])
            out.append(line)
            if self.track:
                out.append(self.saved(e))
        out += [b"", b"Totals:", b"    Hits: %d" % hits, b"    Entries: %d" % len(table),
                b"    Dropped: %d" % dropped]
        return out

    @staticmethod
    def value(v, n, total, most):
        name = v.name.encode()

        def share(of):
            # As an unsigned int: the sum of all may have wrapped, and the share be huge.
            if of and n < (M - 1) // 10000:
                return n * 10000 // of % (1 << 32)
            return n // (of // 10000) % (1 << 32) if of // 10000 else (1 << 32) - 1 if n else 0
        if v.mod == "percent":
            s = share(total)
            if s == (1 << 32) - 1:
                return b"  %s (%%):[ERROR]" % name
            return b"  %s (%%): %3d.%02d" % (name, s // 100, s % 100)
        if v.mod == "graph":
            s = share(most)
            if s == (1 << 32) - 1:
                return b"  %s: %20s" % (name, b"[ERROR]")
            return b"  %s: %-20s" % (name, b"#" * min(20, s // 500))
        return b"  %s: %10x" % (name, n) if v.mod == "hex" else b"  %s: %10d" % (name, n)

    def saved(self, e):
        how, _, _, saves = self.track
        line = b"\t%s: %10d" % (b"max" if how == "onmax" else b"changed", e["max"])
        for i, f in enumerate(saves):
            v = e["saved"][i] if e["saved"] else b"" if f.kind != "num" else 0
            line += (b"  %s: %-32s" if f.kind != "num" else b"  %s: %10d") % (
                f.name.encode(), v if f.kind != "num" else u64(v))
        return line


def main():
    tdat, root, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    bad = done = 0
    for name in sorted(os.listdir(root)):
        path = f"{root}/{name}/trace.dat"
        if not os.path.exists(path):
            continue
        new, order = "-612-" in name, ">" if name.startswith("s390x") else "<"
        types = {}
        for line in run(tdat, "dump", "--json", path).stdout.splitlines():
            e = json.loads(line)
            types.setdefault(f"{e['system']}/{e['event']}", []).append(e)
        fields = formats(tdat, path)
        for _ in range(count):
            event = rng.choice(sorted(types))
            events = types[event]
            usable = [f for f in fields.get(event.split("/")[1], []) if
                      all(isinstance(e["fields"].get(f.name), (int, str)) and
                          isinstance(e["fields"][f.name], str) == (f.kind != "num")
                          for e in events)]
            if not any(f.kind == "num" for f in usable) or event.startswith("ftrace/"):
                continue
            t = Trigger(rng, usable, events, not name.startswith("s390x"))
            r = run(tdat, "hist", path, f"{event} {t.text()}")
            got = r.stdout.split(b"\n")[6:-1]
            want = t.lines(events, order, new)
            done += 1
            if got != want:
                bad += 1
                pair = next(((a, b) for a, b in zip(got, want) if a != b), (len(got), len(want)))
                print(f"{name}: {event} {t.text()}\n  got  {pair[0]!r}\n  want {pair[1]!r}\n"
                      f"  {r.stderr.decode()[:300]}")
    print(f"{done} triggers, {bad} differences")
    return 1 if bad or not done else 0


if __name__ == "__main__":
    sys.exit(main())
