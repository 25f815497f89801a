# SPDX-License-Identifier: GPL-2.0-or-later
# Values of filters that newer kernels have: sets of CPUs, functions, .ustring.
# Expectation: compared here: hits are counted again by Python over the fields that dump gives; texts
# and places of errors are those of the kernel's source, read by hand
cp "$FIXTURES/hist/s390x-61-pause/trace.dat" pause.dat
cp "$FIXTURES/valid/x64-61-conv-v7-zstd.dat" work.dat
cat >check.py <<'EOF'
import json, os, subprocess
tdat = os.environ["TDAT"]

def run(*words):
    return subprocess.run([tdat, *words], capture_output=True, text=True)

def hits(file, event, text):
    out = run("hist", "--kernel", "6.12", file, f"{event} hist:keys=common_pid if {text}")
    return int(out.stdout.split("Hits: ")[1].split()[0]) if out.stdout else out.stderr

def compare(what, got, want):
    print(what, "hits" if got == want and want else f"{got}, not {want}")

wakes = [json.loads(line) for line in run("dump", "--json", "-e", "sched_waking", "pause.dat").stdout.splitlines()]
cpus = [(e["fields"]["target_cpu"], e["cpu"]) for e in wakes]
for text, fn in (("target_cpu & CPUS{0-1}", lambda t, c: True),
                 ("target_cpu == CPUS{1}", lambda t, c: t == 1),
                 ("target_cpu & CPUS{1}", lambda t, c: t == 1),
                 ("target_cpu!=CPUS{1}", lambda t, c: t != 1),
                 ("target_cpu != CPUS{0,1}", lambda t, c: True),
                 ("target_cpu & CPUS{0-7:1/2}", lambda t, c: t == 0),
                 ("!(cpu & CPUS{ 1, 9})", lambda t, c: c != 1),
                 ("CPU & CPUS{N} && target_cpu & CPUS{all}", lambda t, c: c == 1)):
    compare(text, hits("pause.dat", "sched/sched_waking", text), sum(fn(*p) for p in cpus))
compare("none of several is one", hits("pause.dat", "sched/sched_waking", "target_cpu == CPUS{0,1} || cpu == 0"),
        sum(c == 0 for t, c in cpus))

rows = [json.loads(line) for line in run("export", "-q", "--to", "jsonl", "--table",
                                         "workqueue/workqueue_execute_start", "work.dat").stdout.splitlines()]
for name in sorted({r["function_sym"] for r in rows if "+" not in r["function_sym"]})[:3]:
    n = sum(r["function_sym"] == name for r in rows)
    event = "workqueue/workqueue_execute_start"
    compare(name, hits("work.dat", event, f"function.function == {name}"), n)
    compare("not " + name, hits("work.dat", event, f"function.function != {name} && function != 0"), len(rows) - n)
    addr = next(r["function"] for r in rows if r["function_sym"] == name)
    compare("by address", hits("work.dat", event, f"function.function=={addr + 1:#x}"), n)
EOF
python3 check.py
refused() {
	"$TDAT" hist "$@" 2>&1 | grep -v ^tdat:
}
w='sched/sched_waking hist:keys=pid if'
refused --kernel 6.12 pause.dat "$w target_cpu & CPUS{0-1"
refused --kernel 6.12 pause.dat "$w target_cpu & CPUS{}"
refused --kernel 6.12 pause.dat "$w target_cpu & CPUS{2-1}"
refused --kernel 6.12 pause.dat "$w target_cpu & CPUS 1"
refused --kernel 6.12 pause.dat "$w comm & CPUS{1}"
refused --kernel 6.12 pause.dat "$w target_cpu < CPUS{1}"
refused --kernel 6.1 pause.dat "$w target_cpu & CPUS{1}"
refused --kernel 6.12 work.dat "workqueue/workqueue_execute_start hist:keys=work if function.function == nosuch && 1"
refused --kernel 6.12 work.dat "workqueue/workqueue_execute_start hist:keys=work if function.function > schedule"
refused --kernel 6.12 work.dat "workqueue/workqueue_execute_start hist:keys=work if common_pid.function == schedule"
refused --kernel 6.1 work.dat "workqueue/workqueue_execute_start hist:keys=work if function.function == schedule"
refused --kernel 6.1 pause.dat "$w comm.ustring == 5"
