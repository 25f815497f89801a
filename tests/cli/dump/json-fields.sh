# SPDX-License-Identifier: GPL-2.0-or-later
# The fields of sched_switch are those of report's raw output, and the names those of its text.
# Expectation: compared here: JSON with the raw text of the same events; the two lines shown are
# made by tdat
f=$FIXTURES/valid/s390x-61-v6-sched.dat
"$TDAT" dump -R -e sched_switch "$f" | sed 1d | sed -E 's/.* prev_comm=//' >raw
"$TDAT" dump --json -e sched_switch "$f" | sed -E 's/.*"fields":\{"prev_comm":"([^"]*)","prev_pid":([0-9]+),"prev_prio":([0-9]+),"prev_state":([0-9]+),"prev_state_name":"[^"]*","next_comm":"([^"]*)","next_pid":([0-9]+),"next_prio":([0-9]+)\}\}/\1|\2|\3|\4|\5|\6|\7/' >json
sed -E 's/^(.*) prev_pid=([0-9]+) prev_prio=([0-9]+) prev_state=(0x)?([0-9a-f]+) next_comm=(.*) next_pid=([0-9]+) next_prio=([0-9]+).*/\1|\2|\3|\5|\6|\7|\8/' raw >want
head -n 1 json
# Both have the same lines.
wc -l <want
cmp json want
# The names of states are those of print fmt, which the plugin prints otherwise.
"$TDAT" dump -N -e sched_switch "$f" | sed -nE 's/.* prev_state=([A-Zt|+]+) ==> .*/\1/p' >want
"$TDAT" dump --json -e sched_switch "$f" | sed -E 's/.*"prev_state_name":"([^"]*)".*/\1/' >names
sort names | uniq -c | sed 's/^ *//'
cmp names want
