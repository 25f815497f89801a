# SPDX-License-Identifier: GPL-2.0-or-later
# Complaints, one line each.
# Expectation: made by tdat, proves only that nothing changed; by hand: no file is written
in=$FIXTURES/valid/x64-61-v7-none-tiny.dat
try() {
	"$TDAT" split -o out "$@" || echo "status $?: $(echo "$*" | sed "s|$in|IN|")"
}
try -i "$in" -e sched_switch
try -i "$in" -s 0
try -i "$in" -p 1 -e 2
try -i "$in" -s 99999999999999999
try -i "$in" -t
try -i "$in" --top -t
try -i "$in" -B foo -b bar
try -i "$in" -B nosuch 2>&1 | sed "s|$in|IN|"
try -i "$in" --top --top 2>&1 | sed "s|$in|IN|"
try -i "$in" in.dat
try -i "$in" 5 4
try -i "$in" 1 2 3
try -i "$in" --from 1 1
try -i "$in" -r --exact -e 1
try -i "$in" --event nosuch 2>&1 | sed "s|$in|IN|"
try -i nosuch
try -i "$FIXTURES/valid/x64-61-clock-x86-tsc.dat" -m 1 2>&1 | sed "s|$FIXTURES|F|"
try -i "$FIXTURES/valid/x64-lab612-latency-irqsoff-v7zstd.dat" 2>&1 | sed "s|$FIXTURES|F|"
try -i "$in" --file-version 6 --compression zstd
ls
