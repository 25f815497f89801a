# SPDX-License-Identifier: GPL-2.0-or-later
# A number whose events were not recorded is not 0: "-" in text, null in JSON, nothing in CSV. Chosen
# tasks do not tell when a CPU was idle.
# Expectation: by hand: the trace has events of the scheduler only; its sums are in profile --json
f=$FIXTURES/valid/x64-61-v6-tiny.dat
"$TDAT" profile --exact "$f" | sed -n '2,3p'
"$TDAT" profile --csv "$f" | sed -n '1,2p'
"$TDAT" profile --json "$f" | jq -c ".cpus[0] | {idle, irqs, softirqs}"
for choice in "--pid 207" "--comm work.sh" "-e sched_switch" "--cpu 1" "--from 30.7"; do
	echo "$choice: $("$TDAT" profile --json $choice "$f" | jq -c '[.cpus[0].idle != null, .tasks[0].irqs]')"
done
"$TDAT" profile --pid 207 "$f" | sed -n '2,3p'
