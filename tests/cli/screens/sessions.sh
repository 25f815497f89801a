# SPDX-License-Identifier: GPL-2.0-or-later
# What three people see in their first minutes: one who knows trace-cmd, one with a customer's broken file over
# ssh, the author of a tool. 80 columns; events and complaints are never folded, so that they may be wrapped.
# Expectation: by hand: each screen was looked at on 2026-11-26
. "$(dirname "$0")/show.inc"
width=80
wrapped=0
cp "$FIXTURES/valid/x64-61-conv-v7-zstd.dat" trace.dat
head -c 40000 trace.dat >broken.dat
cp "$FIXTURES/foreign/ftrace-text/tgid/trace.txt" trace.txt
tmux -L screen -f /dev/null new-session -d -x 80 -y 24 "sleep 600"
echo '--- with ten years of trace-cmd'
screen record -e sched
screen report -i trace.dat --cpu 1 -F "'sched_switch: next_comm == \"taskset\"'"
screen report -w -i trace.dat
screen latency --top 3 --worst 1
screen lattency
screen dump -e shced_switch --head 1
echo '--- with a broken file of a customer, over ssh'
screen broken.dat
screen check broken.dat
screen repair -o whole.dat broken.dat
screen check whole.dat
screen dump --tail 2 whole.dat
screen trace.txt
echo '--- writing a tool'
screen list -i trace.dat sched:sched_waking
screen dump --csv -e sched_waking --head 2
screen sql --json "'SELECT event, count(*) AS n FROM events GROUP BY 1 ORDER BY 2 DESC LIMIT 2'"
screen sql "'SELECT comm, sum(dur) FROM shced GROUP BY 1'"
screen export -o waking.csv -e sched_waking
tmux -L screen kill-server
