# SPDX-License-Identifier: GPL-2.0-or-later
# Formats whose field vec has another name, or whose ret has no size of a number: nothing tells
# which raise or exit a softirq had, or what a handler returned, and none is given.
# Expectation: by hand: no raise_ts, end or ret in any row, and as many rows as softirq_entry
in=$FIXTURES/valid/s390x-61-v6-sched.dat
LC_ALL=C sed 's/field:unsigned int vec;/field:unsigned int vek;/' "$in" >in.dat
for file in "$in" in.dat; do
	"$TDAT" export --to jsonl --table softirq -q -o softirq "$file"
	jq -s -c '{rows: length, raised: map(select(.raise_ts)) | length,
		ended: map(select(.dur)) | length, vec: map(.vec) | unique}' softirq
	rm softirq
	"$TDAT" dump -F 'softirq_entry' "$file" | grep -c 'softirq_entry:'
done
# A field of 3 bytes is no number, but as names go a text.
LC_ALL=C sed 's/field:int ret;	offset:\([0-9]*\);	size:4;/field:int ret;	offset:\1;	size:3;/' "$in" >in.dat
for file in "$in" in.dat; do
	"$TDAT" export --to jsonl --table irq -q -o irq "$file" || echo "exit $?"
	jq -s -c '{rows: length, ret: map(.ret) | unique}' irq
	rm irq
done
