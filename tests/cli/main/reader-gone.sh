# SPDX-License-Identifier: GPL-2.0-or-later
# A reader that goes away ends tdat silently by SIGPIPE (141 for a shell); where the
# signal is ignored it is one line and exit 1. Nothing is left behind.
# Expectation: by hand: 141 for a command that SIGPIPE ends, 1 with a complaint where it is
# ignored; sentences are made by tdat
for i in $(seq 20); do cp "$FIXTURES/valid/i386-61-v6-sched.dat" $i.dat; done
mkfifo pipe

try() {
	("$TDAT" "$@" >pipe 2>err && echo "exit 0" >rc || echo "exit $?" >rc) &
	head -c 10 <pipe >/dev/null
	wait
	echo "$1: $(cat rc) $(cat err)"
}

try dump ./*.dat
try dump --json --threads 4 ./*.dat
try info -v ./*.dat ./*.dat ./*.dat ./*.dat ./*.dat
try convert -q -o - 1.dat
trap '' PIPE
try dump ./*.dat
try convert -q -o - 1.dat
rm ./*.dat pipe err rc
ls -A
