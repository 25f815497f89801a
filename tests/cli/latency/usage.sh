# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong arguments of latency are complained of.
# Expectation: by hand
f=$FIXTURES/valid/i386-61-v6-sched.dat
run() {
	"$TDAT" latency "$@" 2>&1 >/dev/null && echo "exit 0" || echo "exit $?"
}
run --table wakup "$f"
run --by nothing "$f"
run --value comm "$f"
run --json --csv "$f"
run --by a,b,c,d,e --by f,g,h,i "$f"
run --comm nobody "$f"
run missing.dat
