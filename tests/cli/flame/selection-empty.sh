# SPDX-License-Identifier: GPL-2.0-or-later
# A selection that no event passes is told on standard error, with exit status 0.
# Expectation: by hand: each prints which option chose nothing
f=$FIXTURES/valid/s390x-61-kstack.dat
for words in '--cpu 99' '--pid 999999' '--comm nobody' '--from +900s'; do
	# shellcheck disable=SC2086
	"$TDAT" flame "$f" $words
done
# Of a trace without stacks, no option is to blame.
"$TDAT" flame "$FIXTURES/valid/x64-61-v6-tiny.dat" --of kernel-stack
