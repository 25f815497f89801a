# SPDX-License-Identifier: GPL-2.0-or-later
# The number of threads changes no byte of an export.
# Expectation: compared here: files do not depend on threads, nor on whether they are written
# alone; by hand
f=$FIXTURES/valid/x64-61-conv-v7-zstd.dat
"$TDAT" export -q --to parquet -o one --threads 1 "$f"
"$TDAT" export -q --to parquet -o many --threads 5 "$f"
diff -r one many && echo same
for n in 1 5; do
	"$TDAT" export -q --to parquet --table sched --table thread_state --table wakeup --table migration \
		--table events --table sched/sched_switch -o "derived$n" --threads "$n" "$f"
done
diff -r derived1 derived5 && ls derived1 | grep -cF .parquet
"$TDAT" export -q --to parquet --table sched/sched_switch -o alone.parquet "$f"
cmp alone.parquet one/sched.sched_switch.parquet && echo same
"$TDAT" export --to arrow -O container=stream --table tasks "$f" >tasks.arrows
[ -s tasks.arrows ] && echo "a stream"
ls -A one | grep -c '^\.' || :
