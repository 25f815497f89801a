# SPDX-License-Identifier: GPL-2.0-or-later
# --cpu selects the waits for a CPU: as many, and as long, as table wakeup has of that CPU.
# Expectation: compared here with the table, which is computed by other code; by hand: that there are rows
f=$FIXTURES/valid/x64-61-conv-v7-zstd.dat
for cpu in 0 1; do
	"$TDAT" why --summary --json --cpu $cpu "$f" |
		python3 -c 'import json, sys; i = json.load(sys.stdin)[0]; print(i["count"], i["dur"])' >why
	"$TDAT" export -q --to jsonl --table wakeup --cpu $cpu -o - "$f" |
		python3 -c 'import json, sys; d = [json.loads(line)["dur"] for line in sys.stdin]; d = [int(x) for x in d if x]; print(len(d), sum(d))' >table
	cmp why table && cat why
done
