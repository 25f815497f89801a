# SPDX-License-Identifier: GPL-2.0-or-later
# Options that choose no event are told of.
# Expectation: by hand
f=$FIXTURES/valid/i386-61-v6-sched.dat
for o in "--cpu 99" "--pid 999999" "--comm nobody" "--from 99999" "--until 0.001"; do
	"$TDAT" profile $o "$f" 2>&1 >/dev/null
done
