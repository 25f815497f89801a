#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""tdat diff of traces made here: what is found, and the numbers against those computed by docs/diff.md.

usage: diff.py TDAT FOLDER
"""
import bisect
import json
import math
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import made  # noqa: E402

BLOCKS, WAKEUPS, MEAN_GAP = 50, 3000, 1000000


def latencies(rng, count, depends, spread=0.3):
    x, out = rng.gauss(0, 1), []
    for _ in range(count):
        x = depends * x + math.sqrt(1 - depends * depends) * rng.gauss(0, 1)
        out.append(100000 * math.exp(spread * x))
    return out


def wakeups(path, values, seed, pid=20, start=1000000, name=b"task-7"):
    """A task that is woken, waits for the CPU, and sleeps again; the idle task runs between."""
    rng, trace, ts, found = random.Random(seed), made.Trace(1), start, []
    for value in values:
        ts += int(rng.expovariate(1 / MEAN_GAP)) + 1500000
        latency = int(value)
        trace.add("sched/sched_waking", 0, ts, 0, comm=name, pid=pid, prio=120, target_cpu=0)
        found.append((ts, latency))
        trace.add("sched/sched_switch", 0, ts + latency, 0, prev_comm=b"swapper/0", prev_pid=0,
                  prev_state=0, next_comm=name, next_pid=pid, next_prio=120)
        trace.add("sched/sched_switch", 0, ts + latency + 50000, pid, prev_comm=name, prev_pid=pid,
                  prev_state=1, next_comm=b"swapper/0", next_pid=0)
        ts += latency + 50000
    trace.write(path)
    return path, found, ts


def run(tdat, *words, status=0):
    done = subprocess.run([tdat, "diff", *map(str, words)], capture_output=True)
    if done.returncode != status:
        sys.exit(f"diff {words}: status {done.returncode}, not {status}: {done.stderr.decode()}")
    return done.stdout.decode(), done.stderr.decode()


def diff(tdat, *words, status=0):
    return json.loads(run(tdat, "--json", *words, status=status)[0])


def check(good, what):
    if not good:
        sys.exit(f"wrong: {what}")
    print(f"right: {what}")


# ---- the oracle ----

def range_of(v):
    """The number of a value's range, and the first value and the number of values of it."""
    shift = max(v.bit_length() - 6, 0)
    return (shift << 5) + (v >> shift), v >> shift << shift, 1 << shift


def quantile(values, q):
    """Within a range values are spread evenly."""
    cells = {}
    for v in values:
        n, first, width = range_of(v)
        cells[n] = (first, width, cells.get(n, (0, 0, 0))[2] + 1)
    rank, below = q * len(values), 0
    for n in sorted(cells):
        first, width, count = cells[n]
        if below + count >= rank:
            return first + (rank - below) / count * (width - 1)
        below += count
    raise ValueError


def t_tail(t, df):
    """P(|T| >= t), by Simpson's rule over the density: slow, and simple."""
    density = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    steps, end = 200000, math.atan(abs(t) / math.sqrt(df))
    # t = sqrt(df) tan(u): the density becomes cos(u)^(df - 1)
    h = (math.pi / 2 - end) / steps
    f = [math.cos(end + i * h) ** (df - 1) for i in range(steps + 1)]
    area = h / 3 * (f[0] + f[-1] + 4 * sum(f[1:-1:2]) + 2 * sum(f[2:-1:2]))
    return 2 * density * math.sqrt(df) * area


def side_blocks(found, start, end):
    span = end - start + 1
    length = -(-span // BLOCKS)
    blocks = [[] for _ in range(BLOCKS)]
    for ts, value in found:
        blocks[(ts - start) // length].append(range_of(value)[0])
    return blocks


def rank_p(a, b):
    """p of the rank test, as docs/diff.md has it, of blocks of ranges."""
    sides = (a, b)
    shares = [{} for _ in sides]
    for side, share in zip(sides, shares):
        n = sum(map(len, side))
        for block in side:
            for r in block:
                share[r] = share.get(r, 0) + 1 / n
    scores, below = {}, 0
    for r in sorted({*shares[0], *shares[1]}):
        both = (shares[0].get(r, 0) + shares[1].get(r, 0)) / 2
        scores[r] = below + both / 2
        below += both
    means, variances, freedoms = [], [], []
    for side in sides:
        n = sum(map(len, side))
        sums = [sum(scores[r] for r in block) for block in side]
        mean = sum(sums) / n
        rest = [s - mean * len(block) for s, block in zip(sums, side)]
        k = sum(map(bool, side))
        pairs = sum(x * y for x, y in zip(rest, rest[1:]))
        v = k / (k - 1) * (sum(x * x for x in rest) + 2 * max(pairs, 0)) / n ** 2
        least = sum((scores[r] - mean) ** 2 for block in side for r in block) / n ** 2
        means.append(mean)
        variances.append(max(v, least))
        freedoms.append(k - 1)
    v = sum(variances)
    df = v * v / sum(x * x / f for x, f in zip(variances, freedoms))
    return t_tail((means[1] - means[0]) / math.sqrt(v), df)


def exact_median(values):
    return sorted(values)[len(values) // 2]


def oracle(tdat, folder):
    """p and quantiles of one comparison, from the latencies that were written."""
    rng = random.Random(3)
    before = wakeups(folder / "before.dat", latencies(rng, 400, 0), 1)
    after = wakeups(folder / "after.dat", [v * 1.12 for v in latencies(rng, 400, 0)], 2)
    out = diff(tdat, before[0], after[0])
    p50 = [c for c in out["changes"] if c["what"] == "wakeup.p50"]
    check(len(p50) == 1 and p50[0]["key"] == "task-N", "one median of wakeups changed")
    p50 = p50[0]
    sides = []
    for _, found, end in (before, after):
        sides.append(side_blocks(found, found[0][0], end))
    want = rank_p(*sides)
    check(abs(p50["p"] / want - 1) < 1e-5, f"p of the rank test is {want:.3g}")
    for side, (_, found, _) in zip("ab", (before, after)):
        values = [v for _, v in found]
        check(abs(p50[side] / quantile(values, 0.5) - 1) < 1e-6, f"median of {side} by ranges")
        check(abs(p50[side] / exact_median(values) - 1) < 1 / 32, f"median of {side}")
    check(p50["low"] < p50["change"] < p50["high"], "the change lies in its interval")
    rates = [c for c in out["changes"] if c["what"] == "switches.rate"]
    check(not rates, "the rate of switches did not change")
    for side, (_, found, end) in zip("ab", (before, after)):
        time = (end - found[0][0] + 1) / 1e9
        check(abs(out[side]["seconds"] / time - 1) < 1e-8, f"time of {side}")


# ---- what is found ----

def halves(tdat, folder, depends):
    """Two halves of a steady trace, and one whose second half is 10 % slower."""
    steady = changed = 0
    cases = 2
    for seed in range(cases):
        rng = random.Random(f"{seed} {depends}")
        values = latencies(rng, WAKEUPS, depends)
        path, found, _ = wakeups(folder / "steady.dat", values, seed)
        middle = f"{found[WAKEUPS // 2][0] / 1e9:.9f}"
        cut = ("--a", f"--until {middle}", "--b", f"--from {middle}")
        steady += not diff(tdat, *cut, path)["changes"]
        slower = [v * (1.1 if i >= WAKEUPS // 2 else 1) for i, v in enumerate(values)]
        path, found, _ = wakeups(folder / "slower.dat", slower, seed)
        middle = f"{found[WAKEUPS // 2][0] / 1e9:.9f}"
        cut = ("--a", f"--until {middle}", "--b", f"--from {middle}")
        out = diff(tdat, *cut, path)
        changed += any(c["of"] == "wakeup" and c["metric"] != "rate" and c["change"] > 0
                       for c in out["changes"])
    check(steady == cases, f"no finding in halves of steady traces, {depends}: {steady} of {cases}")
    check(changed == cases, f"10 % found, {depends}: {changed} of {cases}")


def files_of_a_side(tdat, folder):
    """Each file is a sample: files that differ among themselves show no change."""
    rng = random.Random(8)
    for i, level in enumerate((1, 1.4, 1.2, 0.9, 1.1, 1.3)):
        values = [v * level for v in latencies(rng, 600, 0)]
        wakeups(folder / f"{'xy'[i % 2]}{i}.dat", values, i)
        values = latencies(rng, 600, 0)
        wakeups(folder / f"{'uv'[i % 2]}{i}.dat", [v * (1 + i % 2) for v in values], i)
    out = diff(tdat, folder / "x?.dat", folder / "y?.dat")
    check(out["a"]["samples"] == 3 and not out["changes"], "variation between files is noise")
    out = diff(tdat, folder / "u?.dat", folder / "v?.dat")
    check(any(c["what"] == "wakeup.p50" and 0.8 < c["change"] < 1.2 for c in out["changes"]),
          "a change beyond the variation between files is found")


def new_and_gone(tdat, folder):
    """Keys that only one side has, with many events and with few."""
    sides = []
    for side, (vec, few) in enumerate(((1, 3), (3, 9))):
        trace = made.Trace(1)
        for i in range(1000):
            ts = 1000000 + i * 1000000
            for v in (vec, 7, *((few + 2,) if i < 3 else ())):
                trace.add("irq/softirq_entry", 0, ts + v * 1000, 0, vec=v)
                trace.add("irq/softirq_exit", 0, ts + v * 1000 + 300, 0, vec=v)
        sides.append(trace.write(folder / f"vec{side}.dat"))
    out = diff(tdat, *sides)
    got = {(c["what"], c["key"], c["status"]) for c in out["changes"]}
    check(got == {("softirq.rate", "NET_RX", "new"), ("softirq.rate", "TIMER", "gone")},
          f"new and gone: {got}")
    check(out["too_few"] == 2, "keys with three events are not compared, and counted")
    check(all(c["change"] is None for c in out["changes"] if c["status"] == "new"),
          "a new key has no change in percent")


def cpus_of_system(path, seed, cpus, rate, tasks=("app",)):
    """Tasks that are woken and run at times of their own, on any of the CPUs, for two seconds."""
    rng, trace, events = random.Random(seed), made.Trace(cpus), []
    for task in range(len(tasks)):
        ts = 1000000 + int(rng.expovariate(rate / 1e9))
        while ts < 2000000000:
            events.append((ts, task))
            ts += int(rng.expovariate(rate / 1e9)) + 1
    last = [0] * cpus
    for ts, task in sorted(events):
        cpu, name, pid = rng.randrange(cpus), tasks[task].encode(), 20 + task
        ts = max(ts, last[cpu] + 1)
        trace.add("sched/sched_waking", cpu, ts, 0, comm=name, pid=pid, prio=120, target_cpu=cpu)
        trace.add("sched/sched_switch", cpu, ts + 1000, 0, prev_comm=b"swapper/0", prev_pid=0,
                  prev_state=0, next_comm=name, next_pid=pid, next_prio=120)
        trace.add("sched/sched_switch", cpu, ts + 2000, pid, prev_comm=name, prev_pid=pid,
                  prev_state=1, next_comm=b"swapper/0", next_pid=0)
        last[cpu] = ts + 2000
    return trace.write(path)


def other_cpus(tdat, folder):
    """Rates of the system do not depend on the number of CPUs, in what is shown and in the tests."""
    few = cpus_of_system(folder / "cpus1.dat", 1, 1, 1000)
    out = diff(tdat, few, cpus_of_system(folder / "cpus2.dat", 2, 2, 2000))
    got = {c["what"] for c in out["changes"] if c["change"] and 0.8 < c["change"] < 1.2}
    check({"event.rate", "wakeup.rate", "on_cpu.time"} <= got,
          f"twice the rate on twice the CPUs is found: {sorted(got)}")
    out = diff(tdat, few, cpus_of_system(folder / "cpus2.dat", 2, 2, 1000))
    got = {c["what"] for c in out["changes"]}
    check(got == {"cpu_busy.time", "switches.rate", "migrations.rate"}, f"the same on twice the CPUs: {sorted(got)}")
    tasks, cases, steady = [f"task{chr(97 + i)}" for i in range(26)], 8, 0
    for seed in range(cases):
        sides = [cpus_of_system(folder / f"cpus{cpus}.dat", 100 * cpus + seed, cpus, 100, tasks)
                 for cpus in (3, 4)]
        got = {c["of"] for c in diff(tdat, *sides)["changes"]}
        steady += got <= {"cpu_busy", "switches", "migrations"}
    check(steady == cases, f"no finding of the system on 3 and 4 CPUs: {steady} of {cases}")
    sides = []
    for cpus in (8, 1):
        trace = made.Trace(cpus)
        for i in range(1000):
            for cpu in range(cpus):
                trace.add("irq/softirq_entry", cpu, 1000000 + i * 1000000 + cpu, 0, vec=1)
            if cpus == 8 and i % 33 == 1:
                trace.add("irq/softirq_raise", 0, 1000500 + i * 1000000, 0, vec=1)
        sides.append(trace.write(folder / f"gone{cpus}.dat"))
    got = {(c["key"], c["status"]) for c in diff(tdat, *sides)["changes"] if c["of"] == "event"}
    check(("irq/softirq_raise", "gone") in got, "30 events on 8 CPUs, none on one: gone")


def zeros(tdat, folder):
    """Values of 0 are values: their quantiles change."""
    sides = []
    for dur in (0, 300):
        trace = made.Trace(1)
        for i in range(1000):
            trace.add("irq/softirq_entry", 0, 1000000 + i * 1000000, 0, vec=1)
            trace.add("irq/softirq_exit", 0, 1000000 + i * 1000000 + dur, 0, vec=1)
        sides.append(trace.write(folder / f"dur{dur}.dat"))
    for order, change in ((sides, None), (sides[::-1], -1)):
        got = {(c["what"], c["status"], c["change"]) for c in diff(tdat, *order)["changes"]}
        check(got == {(f"softirq.{p}", "changed", change) for p in ("p50", "p90", "p99")},
              f"quantiles of 0 are changed by {change}: {got}")
        text = run(tdat, *order)[0]
        check(("x inf" if change is None else "-100.0 %") in text and "new" not in text
              and "gone" not in text, "in the text, too")


def every_change(tdat, folder):
    """--min-change 0 is told as 0, and hides nothing."""
    got = json.loads(run(tdat, "--json", "--min-change", "0", folder / "dur0.dat", folder / "dur300.dat")[0])
    check(got["min_change"] == 0 and got["changes"], "--min-change 0 hides nothing")


def dotted_pairs(tdat, folder):
    """The name of a pair may have dots."""
    sides = folder / "dur0.dat", folder / "dur300.dat"
    for gate, status in (("a.b.p50", 3), ("a.b", 3), ("a.b.p50:+5%", 3), ("a.b.rate", 0), ("a", 2),
                         ("a.p50", 2), ("a.b.time", 2), ("a.b.c", 2)):
        run(tdat, "--pair", "a.b: irq/softirq_entry(CPU,vec) -> irq/softirq_exit(CPU,vec)",
            "--fail-on", gate, *sides, status=status)
    print("right: --fail-on takes a pair whose name has a dot")


def whole_families(tdat, folder):
    """A family without a row is new or gone where its events were recorded, and not compared elsewhere."""
    sides = {}
    for side, state in (("sleep", 1), ("disk", 2)):
        trace = made.Trace(1)
        for i in range(500):
            ts = 1000000 + i * 1000000
            trace.add("sched/sched_switch", 0, ts, 0, prev_comm=b"swapper/0", prev_pid=0,
                      prev_state=0, next_comm=b"app", next_pid=20, next_prio=120)
            trace.add("sched/sched_switch", 0, ts + 400000, 20, prev_comm=b"app", prev_pid=20,
                      prev_state=state, next_comm=b"swapper/0", next_pid=0)
        sides[side] = trace.write(folder / f"{side}.dat")
    trace = made.Trace(1)
    for i in range(500):
        trace.add("irq/softirq_entry", 0, 1000000 + i * 1000000, 0, vec=1)
        trace.add("irq/softirq_exit", 0, 1000000 + i * 1000000 + 300, 0, vec=1)
    sides["softirq"] = trace.write(folder / "softirq.dat")
    for before, after, status in (("sleep", "disk", "new"), ("disk", "sleep", "gone")):
        out = diff(tdat, "--fail-on", "blocked", sides[before], sides[after], status=3)
        check([(c["what"], c["key"], c["status"]) for c in out["changes"]]
              == [("blocked.time", "app", status)], f"blocked time is {status}")
        check(not out["one_side"], "sched_switch is on both sides")
    out = diff(tdat, sides["sleep"], sides["softirq"])
    got = {(f["what"], f["on"]) for f in out["one_side"]}
    check(got == {("on_cpu", "a"), ("cpu_busy", "a"), ("switches", "a"), ("softirq", "b")},
          f"families without events are not compared: {sorted(got)}")
    check({c["of"] for c in out["changes"]} == {"event"}, "only events are")
    pair = "mine: irq/softirq_entry(CPU) if vec == {} -> irq/softirq_exit(CPU)"
    other = folder / "softirq2.dat"
    trace = made.Trace(1)
    for i in range(500):
        trace.add("irq/softirq_entry", 0, 1000000 + i * 1000000, 0, vec=3)
        trace.add("irq/softirq_exit", 0, 1000000 + i * 1000000 + 300, 0, vec=3)
    trace.write(other)
    out = diff(tdat, "--pair", pair.format(3), sides["softirq"], other)
    check(("mine.rate", "new") in {(c["what"], c["status"]) for c in out["changes"]},
          "a pair whose events are on both sides is new")


def gates(tdat, folder):
    before, after = folder / "before.dat", folder / "after.dat"
    for gate, status in (("any", 3), ("wakeup", 3), ("wakeup.p50", 3), ("wakeup.p50:5%", 3),
                         ("wakeup.p50:+5%", 3), ("wakeup.p50:-5%", 0), ("wakeup.p50:500%", 0),
                         ("switches", 0), ("wakeup.time", 2), ("wakup", 2), ("any.p50", 2),
                         ("any:x", 2), ("wakeup.p50:1%", 2)):
        run(tdat, "--fail-on", gate, before, after, status=status)
    run(tdat, "--fail-on", "switches", "--fail-on", "any", before, after, status=3)
    said = run(tdat, "--fail-on", "wakup", before, after, status=2)[1]
    check("wakeup.p99" in said and "cpu_busy.time" in said, "a wrong WHAT names those that exist")
    check(not diff(tdat, "--min-change", "60%", before, after)["changes"],
          "changes below --min-change are not shown")


def outputs(tdat, folder):
    """Text of a trace is escaped in all outputs, which are the same for any number of threads."""
    rng = random.Random(5)
    name = b"<b>|`a\x1b[1m"
    before = wakeups(folder / "odd1.dat", latencies(rng, 400, 0), 1, name=name)[0]
    after = wakeups(folder / "odd2.dat", [2 * v for v in latencies(rng, 400, 0)], 1, name=name)[0]
    for form in ("--json", "--markdown", "--html", "--exact"):
        out = [run(tdat, form, "--threads", n, before, after)[0] for n in (1, 3)]
        check(out[0] == out[1], f"{form} is the same with three threads")
        check("\x1b" not in out[0], f"{form} has no control byte")
    html = run(tdat, "--html", before, after)[0]
    check("<b>" not in html and "&lt;b&gt;|`a" in html, "HTML is escaped")
    check("http" not in html and "<script" not in html, "the page needs nothing else")
    changes = diff(tdat, before, after)["changes"]
    check(html.count("<svg") == 2 + 2 * len(changes), "the page has two histograms for each change")
    check("prefers-color-scheme: dark" in html, "the page is light or dark")
    rows = run(tdat, "--markdown", before, after)[0].splitlines()
    check(sum(r.startswith("| ") for r in rows) == len(changes) + 1, "a row for each change")
    check(any("\\<b>\\|\\`a" in r for r in rows), "Markdown is escaped")
    by_pid = diff(tdat, "--by", "pid", before, after)["changes"]
    check(any(c["key"].endswith("-20") for c in by_pid), "--by pid tells tasks by pid")


def main():
    tdat, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for test in (oracle, other_cpus, whole_families, zeros, every_change, dotted_pairs, gates, outputs, new_and_gone, files_of_a_side):
        test(tdat, folder)
    for depends in (0, 0.5):
        halves(tdat, folder, depends)


main()
