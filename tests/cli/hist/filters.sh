# SPDX-License-Identifier: GPL-2.0-or-later
# Filters of triggers: hits are counted again, by Python over the fields that dump gives.
# Expectation: compared here: conditions and their meaning are written down twice, for tdat and for
# python3; the last line by hand
cp "$FIXTURES/hist/s390x-61-pause/trace.dat" pause.dat
"$TDAT" dump --json -e sched_switch pause.dat >events.json
cat >check.py <<'EOF'
import json, os, random, subprocess
from fnmatch import fnmatchcase
events = [json.loads(line) for line in open("events.json")]
rows = [dict(e["fields"], cpu=e["cpu"], common_pid=e["pid"]) for e in events]
random.seed(4)

def glob(s, p):
    return fnmatchcase(s, p.replace("[!", "[!"))

def term():
    kind = random.randrange(3)
    if kind == 0:
        name = random.choice(["prev_pid", "next_pid", "prev_prio", "next_prio", "prev_state", "common_pid", "cpu"])
        value = random.choice([r[name] for r in rows] + [-1, 5])
        op = random.choice(["==", "!=", "<", "<=", ">", ">=", "&"])
        if op == "&":
            return f"{name} & {value}", lambda r: r[name] & value != 0
        text = random.choice([f"{name} {op} {value}", f"{name}{op}{value}", f"{name} {op} {hex(value)}" if value >= 0 else f"{name} {op} {value}"])
        return text, lambda r: eval(f"a {op} b", {"a": r[name], "b": value})
    name = random.choice(["prev_comm", "next_comm"])
    word = random.choice([r[name] for r in rows])
    if kind == 1:
        op = random.choice(["==", "!="])
        return f'{name} {op} "{word}"', lambda r: (r[name] == word) == (op == "==")
    pattern = random.choice([word[:2] + "*", "*" + word[1:3] + "*", word, word[0] + "*" + word[-1], "[a-m]*", "s?", "*/[01]*", "!" + word[:3] + "*"])
    no = pattern.startswith("!")
    return f"{name} ~ '{pattern}'", lambda r: glob(r[name], pattern.lstrip("!")) != no

def expr(depth):
    if depth == 0 or random.random() < 0.3:
        return term()
    kind = random.randrange(4)
    a, fa = expr(depth - 1)
    if kind == 0:
        return f"!({a})", lambda r: not fa(r)
    b, fb = expr(depth - 1)
    if kind == 1:
        return f"({a}) && ({b})", lambda r: fa(r) and fb(r)
    if kind == 2:
        return f"({a})||({b})", lambda r: fa(r) or fb(r)
    c, fc = term()
    d, fd = term()
    e, fe = term()
    return f"{c} || {d} && {e}", lambda r: fc(r) or (fd(r) and fe(r))

seen = set()
for number in range(150):
    text, fn = expr(3)
    out = subprocess.run([os.environ["TDAT"], "hist", "pause.dat",
                          f"sched/sched_switch hist:keys=cpu if {text}"], capture_output=True, text=True)
    want = sum(map(fn, rows))
    got = out.stdout.split("Hits: ")[1].split()[0] if out.stdout else out.stderr
    seen.add(want)
    if str(want) != got:
        print(f"{text}: {want} hits, tdat says {got}")
print("150 filters", "of many counts" if len(seen) > 30 else "of few counts")
EOF
python3 check.py
