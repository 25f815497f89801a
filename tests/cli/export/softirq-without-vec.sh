# SPDX-License-Identifier: GPL-2.0-or-later
# Formats whose field vec has another name: nothing tells which raise a softirq had, or which
# exit, and none is given.
# Expectation: by hand: no raise_ts and no end in any row, and as many rows as softirq_entry
in=$FIXTURES/valid/s390x-61-v6-sched.dat
LC_ALL=C sed 's/field:unsigned int vec;/field:unsigned int vek;/' "$in" >in.dat
for file in "$in" in.dat; do
	"$TDAT" export --to jsonl --table softirq -q -o softirq "$file"
	jq -s -c '{rows: length, raised: map(select(.raise_ts)) | length,
		ended: map(select(.dur)) | length, vec: map(.vec) | unique}' softirq
	rm softirq
	"$TDAT" dump -F 'softirq_entry' "$file" | grep -c 'softirq_entry:'
done
