# SPDX-License-Identifier: GPL-2.0-or-later
# Several files become a data set with a folder for each event and file.
# Expectation: by hand: parts are named as docs/exports.md says; the rows of one trace of both files
# are as many as those of the parts, which dump counts
a=$FIXTURES/valid/i386-61-v6-sched.dat b=$FIXTURES/valid/s390x-61-v7-zstd-sched.dat
table=sched/sched_switch
"$TDAT" export -q --to jsonl --table $table -o lake "$a" "$b"
(cd lake && find event* -type f | sort)
cat lake/event=*/file=*/part-0.jsonl | wc -l
"$TDAT" export -q --to jsonl --table $table --partition none -o one.jsonl "$a" "$b"
wc -l <one.jsonl
"$TDAT" export -q --to jsonl --table $table "$a" "$b" | cmp - one.jsonl && echo same
for f in "$a" "$b"; do "$TDAT" dump -e $table "$f"; done | grep -c ': sched_switch: '
