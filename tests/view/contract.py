#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/view-api.md against answers of servers: each member and type of an example is returned by one of
them, each member that is returned is described, and each parameter that is taken is, too. Answers that are
"like" those of another command are compared with what it prints.

usage: contract.py TDAT SOURCE_DIR
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from client import View

tdat, source = sys.argv[1], pathlib.Path(sys.argv[2])
VALID = source / "tests/fixtures/valid"
PAGE = (source / "docs/view-api.md").read_text(encoding="utf-8")
SECTIONS = {one.split("\n")[0]: one for one in re.split(r"^## ", PAGE, flags=re.M)[1:]}
bad, compared = [], 0
SWITCH = ("               t-{0}   (  100) [000] d..2    10.000{1}: sched_switch: prev_comm=t prev_pid={0} prev_prio=120 "
          "prev_state=S ==> next_comm=t next_pid={2} next_prio=120\n")
# A recording that knows thread groups.
GROUPS = ("# tracer: nop\n#\n#           TASK-PID    TGID    CPU#  ||||   TIMESTAMP  FUNCTION\n" +
          SWITCH.format(101, 100, 102) + SWITCH.format(102, 200, 101))


def check(ok, what):
    global compared
    compared += 1
    if not ok:
        bad.append(what)


def section_of(name):
    return next(text for title, text in SECTIONS.items() if re.match(rf"{name}\b", title))


def example_of(text):
    """The first JSON of a section. An object with one text in it stands for another answer."""
    found = re.search(r"```json\n(.*?)```", text, re.S)
    return json.loads(re.sub(r'\{("[^"]*")\}', r"\1", found[1])) if found else None


def words_of(text):
    """What a section names: words within backticks, and members in its JSON."""
    quoted = re.findall(r"`([^`]*)`", re.sub(r"```.*?```", "", text, flags=re.S))
    return set(re.findall(r"\w+", " ".join(quoted))) | set(re.findall(r'"(\w+)"', text))


COMMON = words_of(SECTIONS["What all answers have in common"])


def kind_of(value):
    return {bool: "truth", int: "number", float: "number", str: "text", type(None): "null"}.get(type(value))


def add(shape, path, value):
    """Adds the paths of a value to a shape, with the kinds of values that are there."""
    if isinstance(value, dict):
        shape.setdefault(path, set()).add("object")
        for name, one in value.items():
            add(shape, f"{path}.{name}", one)
    elif isinstance(value, list):
        shape.setdefault(path, set()).add("list")
        for one in value:
            add(shape, f"{path}[]", one)
    else:
        shape.setdefault(path, set()).add(kind_of(value))
    return shape


def answers_of(view, name, query):
    """The first answer, which may be pending, and the complete one; none where there is nothing to answer."""
    status, first = view.ask(name, **query)
    try:
        return [first, view.get(name, **query)] if status == 200 else []
    except AssertionError:
        return []


def ask(views, name, *queries):
    """The shape of the answers to queries, each of which some servers can answer."""
    shape = {}
    for query in queries:
        answered = 0
        for view in views:
            answers = answers_of(view, name, query)
            for answer in answers:
                add(shape, name, answer)
            answered += len(answers)
        check(answered, f"api/{name}: nobody answers {query}")
    return shape


def compare(name, shape):
    text = section_of(f"api/{name}")
    want = add({}, name, example_of(text))
    for path, kinds in want.items():
        for kind in kinds:
            check(kind in shape.get(path, ()), f"api/{name}: {path} is {kind} in the example, and "
                  f"{' or '.join(sorted(shape.get(path, ['missing'])))} in answers")
    words = words_of(text) | COMMON
    for path in shape:
        member = path.rsplit(".", 1)[-1].replace("[]", "")
        check(path in want or member in words, f"api/{name}: {path} is not described")


def columns(view, name, path, words, **query):
    """Columns of a table in an answer are named in the section."""
    for answer in answers_of(view, name, query):
        for table in answer[path] if isinstance(answer[path], list) else [answer[path]]:
            for column in table.get("columns", ()):
                check(column in words, f"api/{name}: the column {column} of {table.get('key')} is not described")


def parameters(view):
    """Names of parameters that some question takes, tried with all of them."""
    heads = {re.match(r"api/(\w+)", title)[1]: title for title in SECTIONS if title.startswith("api/")}
    selection = set(re.findall(r"^\| `(\w+)` \|", PAGE.split("## api/trace")[0], re.M))
    check("contains" in selection and len(selection) > 6, f"SELECTION: {selection}")
    every = selection | set(re.findall(r"[?&](\w+)=", " ".join(heads.values()))) | {"from", "to", "text", "limit"}
    for name, title in heads.items():
        told = set(re.findall(r"[?&](\w+)=", title)) | (selection if "SELECTION" in title else set())
        words = set(re.findall(r"`(\w+)(?:=[^`]*)?`", section_of(f"api/{name}")))
        for one in sorted(every):
            status, answer = view.ask(name, **{one: "x"})
            taken = not (status == 400 and "is unknown" in answer["error"])
            check(taken or one not in told, f"api/{name} does not take {one}")
            check(not taken or one in told or one in words, f"api/{name} takes {one}, which is not described")


def report(path):
    """Members of a report's JSON, and of what a page has from the beginning."""
    page = subprocess.run([tdat, "view", "-o", "-", "--view", "row=cpu:0:0", path], check=True,
                          capture_output=True, text=True).stdout
    text = r'<script type="application/json" id="tdat-data">(.*?)</script>'
    got = json.loads(re.search(text, page, re.S)[1])
    want = example_of(section_of("The report"))
    check(set(want) - {"text0"} == set(got), f"a report has {sorted(got)}, not {sorted(want)}")
    check(set(want["limits"]) == set(got["limits"]) and set(want["span"]) == set(got["span"]), "limits, span")
    with View(tdat, path) as view:
        live = json.loads(re.search(text, view.request(view.path)[2].decode(), re.S)[1])
    want = example_of(section_of("The page"))
    check({one: set(of) for one, of in want.items()} == {one: set(of) for one, of in live.items()}, f"live: {live.keys()}")


def output(command, *args):
    return subprocess.run([tdat, command, *map(str, args)], check=True, capture_output=True, text=True).stdout


def refused(view, name, **query):
    """The status and the answer to a question, which may be an error."""
    status, answer = view.ask(name, **query)
    while answer.get("pending"):
        time.sleep(0.02)
        status, answer = view.ask(name, **query)
    return status, answer


def explained(view, rec, pid, begin, end, *files):
    """A task's time in a window, as tdat why prints it for the same files."""
    want = json.loads(output("why", "--json", "--of", "all", "--task", pid, "--from", f"{begin}ns", "--until", f"{end}ns",
                             *files))
    check(len(want) == 1, f"why {pid} {files}: {len(want)} intervals")
    got = view.get("why", rec=rec, pid=pid, to=end, **{"from": begin})
    names = ("kind", "what", "pid", "by_pid")
    places = set()
    segments = []
    for cell in got["segments"]["cells"]:
        one = dict(zip(got["segments"]["columns"], cell))
        segments.append([one["t0"] + begin, one["t1"] - one["t0"], *(one[name] for name in names)])
        places.add((one["rec"], one["pid"]))
    check(segments == [[one[name] for name in ("ts", "dur", *names)] for one in want[0]["segments"]],
          f"why {pid} {files}: {segments}")
    causes = [[one["dur"], one["kind"], [(link["kind"], link["by_pid"]) for link in one["via"]]] for one in got["causes"]]
    check(causes == [[one["dur"], one["kind"], [(link["kind"], link["by_pid"]) for link in one["via"]]]
                     for one in want[0]["causes"]], f"why {pid} {files}: {causes}")
    return places


def as_why(folder):
    """A guest's task is followed into the host, in any order of the files; one pid in two files is two tasks."""
    for files in (["host.dat", "guest.dat"], ["guest.dat", "host.dat"]):
        guest = files.index("guest.dat")
        files = [f"{folder}/{name}" for name in files]
        with View(tdat, *files) as view:
            view.ready()
            places = explained(view, guest, 100, 500000, 15000000, *files)
            check(places == {(guest, 100), (1 - guest, 500)}, f"why: tasks of {places}")
            wait = view.get("why", rec=1 - guest, pid=500, at=6000000)
            check((wait["from"], wait["dur"]) == ("5001000", 3998000), f"why of the host: {wait}")
    files = [VALID / "s390x-61-v6-sched.dat", VALID / "s390x-61-v7-zstd-sched.dat"]
    with View(tdat, *map(str, files)) as view:
        view.ready()
        for rec, file in enumerate(files):
            at = view.get("tasks", rec=rec, pids=14)["tasks"][0]
            places = explained(view, rec, 14, int(at["first"]), int(at["last"]), file)
            check({place[0] for place in places} == {rec}, f"why of {file}: {places}")


def as_flame():
    """Stacks of one recording are those of its file; without stacks, the sentence is that of tdat flame."""
    files = [VALID / "arm64-16k-612-kstack.dat", VALID / "s390x-61-kstack.dat"]
    with View(tdat, *map(str, files)) as view:
        for rec, (file, pid) in enumerate(zip(files, (340, 291))):
            # With --pid, tdat flame also has the stacks of events that name the task.
            for only, args, task in (({}, [], ""), ({"cpus": 0}, ["--cpu", 0], ""),
                                     ({"pids": pid}, ["--by-task"], f"-{pid};")):
                folded = [line.rsplit(" ", 1) for line in output("flame", *args, file).splitlines() if task in line]
                want = sum(int(weight) for _, weight in folded)
                got = view.get("flame", rec=rec, **only)
                check(want and got["cells"][0][3] == want, f"flame {file} {only}: {got['cells'][:1]}, not {want}")
        both = view.get("flame")["cells"][0][3]
        check(both > got["cells"][0][3], f"flame of both: {both}")
        check(refused(view, "flame", rec=2)[0] == 404, "flame of recording 2")
    file = str(VALID / "i386-61-v7-zstd-sched.dat")
    said = subprocess.run([tdat, "flame", file], capture_output=True, text=True, check=False).stderr
    want = "; ".join(line.removeprefix("tdat: ") for line in said.splitlines())
    for query in ({}, {"rec": 0}):
        with View(tdat, file) as view:
            status, answer = refused(view, "flame", **query)
        check(status == 404 and answer["error"] == want and "flame needs sched/sched_switch" in want,
              f"flame without stacks: {status} {answer}, not {want}")


def main(folder):
    subprocess.run([sys.executable, source / "tests/view/kvm_pair.py", folder], check=True)
    damaged = pathlib.Path(folder, "damaged.dat")
    data = bytearray((VALID / "s390x-61-v6-sched.dat").read_bytes())
    data[-6000:-5900] = b"\xff" * 100
    damaged.write_bytes(data)
    cut = pathlib.Path(folder, "cut.dat")
    cut.write_bytes(data[:-7000])
    text = pathlib.Path(folder, "groups.txt")
    text.write_text(GROUPS, encoding="ascii")
    subprocess.run([tdat, "convert", "-q", "-o", f"{folder}/groups.dat", text], check=True)
    files = [[VALID / "s390x-61-v6-sched.dat"], [VALID / "i386-61-markers.dat"], [VALID / "x64-61-syscalls.dat"],
             [VALID / "x64-lab612-lost-v6.dat"], [VALID / "s390x-61-kstack.dat"], [VALID / "i386-61-fgraph.dat"],
             [VALID / "x64-lab612-latency-irqsoff-v7zstd.dat"], [VALID / "i386-61-v7-buffers.dat"],
             [damaged], [cut], [f"{folder}/groups.dat"], [f"{folder}/host.dat", f"{folder}/guest.dat"]]
    views = [View(tdat, *map(str, some)) for some in files]
    try:
        for view in views:
            view.ready()
        ask_all(views)
        parameters(views[0])
    finally:
        for view in views:
            view.stop()
    as_why(folder)
    as_flame()
    report(str(VALID / "s390x-61-v6-sched.dat"))


def ask_all(views):
    sched = views[0]
    trace = sched.get("trace")
    begin, end = int(trace["from"]), int(trace["to"])
    near = {"from": begin, "to": begin + (end - begin) // 50}
    compare("trace", ask(views, "trace", {}))
    compare("progress", ask(views, "progress", {}))
    compare("tasks", ask(views, "tasks", {}, {"match": "sh", "limit": 3}))
    rows = ["cpu:0:0", "events", "task:0:14", "irq:0:0", "lost:0:0", "hits", "counter:0:a", "syscalls:0:1",
            "process:0:1", "cpus:0:0-1", "kvm:0:500", "field:sched/sched_switch:next_pid", "functions:0:1"]
    pictures = [{"rows": rows, "width": 20, "events": "sched_switch"}, {"rows": rows, **near}]
    compare("picture", ask(views, "picture", *pictures))
    words = words_of(section_of("api/picture"))
    for view in views:
        for query in pictures:
            columns(view, "picture", "rows", words, **query)
            columns(view, "picture", "wakeups", words, **query)
    compare("rows", ask(views, "rows", *({"kind": kind} for kind in ("counter", "usual", "syscalls", "irq", "latency"))))
    compare("events", ask(views, "events", {}, {"count": 3, "at": f"ts:{begin}"}, {"text": 0}))
    compare("text", ask(views, "text", {}))
    keys = [row["key"] for view in views for row in view.get("events", count=1000)["rows"][:200:20]]
    compare("event", ask(views, "event", *({"key": key} for key in keys)))
    hits = ask(views, "search", {"events": "sched_switch", "from": begin}, {"contains": "no such text"})
    events = words_of(section_of("api/events")) | words_of(section_of("api/search")) | COMMON
    for path in hits:
        check(path.rsplit(".", 1)[-1] in events, f"api/search: {path} is not described")
    compare("stats", ask(views, "stats", {}, {"latency": 1}))
    waits = {"rec": 0, "pid": 14}
    compare("why", ask(views, "why", waits, {**waits, "at": begin}, {"rec": 0, "pid": 167}))
    compare("flame", ask(views, "flame", {}))
    half = (begin + end) // 2
    # The longest time without an event: a side that lacks kinds of events.
    times = [int(row["ts"]) for row in sched.get("events", count=1000)["rows"]]
    gap, first = max((after - before, before) for before, after in zip(times, times[1:]))
    compare("diff", ask(views, "diff", {}, {"a_to": half, "b_from": half}, {"a_file": 0, "b_file": 0},
                        {"a_from": first + 1, "a_to": first + gap - 1, "b_from": first + gap}))
    pair = "sched/sched_waking(pid) -> sched/sched_switch(next_pid)"
    compare("pair", ask(views, "pair", {"pair": pair}))
    compare("sums", ask(views, "sums", {}))
    compare("filter", ask(views, "filter", {"text": "sched_switch: nex"}, {"text": "sched_switch: next_pid == 1"}))
    compare("sql", ask(views, "sql", {"query": "SELECT event, count(*) AS n FROM events GROUP BY 1"},
                       {"query": "SELECT count(*) FROM sched"}))


with tempfile.TemporaryDirectory() as home:
    main(home)
print("\n".join(bad) or f"as the page says: {compared} comparisons")
sys.exit(1 if bad else 0)
