# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing is printed where one of the tables or columns is not there.
# Expectation: by hand
f=$FIXTURES/valid/i386-61-v6-sched.dat
for format in --json --csv --top=20; do
	"$TDAT" latency "$format" --table wakeup --table wakup "$f" && echo "exit 0" || echo "exit $?"
	"$TDAT" latency "$format" --by nothing "$f" && echo "exit 0" || echo "exit $?"
	"$TDAT" latency "$format" --value comm "$f" && echo "exit 0" || echo "exit $?"
done
