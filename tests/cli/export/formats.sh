# SPDX-License-Identifier: GPL-2.0-or-later
# All formats of tables have as many rows as dump has events.
# Expectation: compared here: each format has as many rows as dump has events of the type; by hand
f=$FIXTURES/valid/x64-61-date.dat
t=sched/sched_switch
"$TDAT" dump --json -e $t "$f" | wc -l
"$TDAT" export --to jsonl --table $t "$f" | wc -l
"$TDAT" export --to csv --table $t "$f" | sed 1d | wc -l
"$TDAT" export -q --to sqlite -o all.db "$f"
python3 -c "import sqlite3
db = sqlite3.connect('all.db')
print(db.execute('select count(*) from \"$t\"').fetchone()[0])
print(db.execute('pragma integrity_check').fetchone()[0])"
"$TDAT" export --to sqlite -o all.db "$f" 2>&1 || echo "exit $?"
"$TDAT" export -q --to sqlite -f -o all.db "$f" && echo replaced
"$TDAT" export --to clickhouse -O ddl --table tasks "$f" | head -1
"$TDAT" export --to arrow --table tasks "$f" | head -c 4 | od -An -tx1
ls -A
