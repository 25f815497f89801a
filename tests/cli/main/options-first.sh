# SPDX-License-Identifier: GPL-2.0-or-later
# Options may stand before the file, and before the command.
# Expectation: compared here: the same with the options behind; by hand: complaints
f=$FIXTURES/valid/i386-61-v6-sched.dat
same() { # OPTIONS WORDS
	# shellcheck disable=SC2086 # options and words are lists
	"$TDAT" $1 $2 >first 2>&1 || echo "exit $?" >>first
	# shellcheck disable=SC2086
	"$TDAT" $2 $1 >behind 2>&1 || echo "exit $?" >>behind
	cmp first behind && echo "$1 $(wc -l <first)"
}
same '--color always' "$f"
same --no-pager "$f"
same --json "$f"
same '--color=always' "dump --head 3 $f"
same '--no-pager --json' "dump --head 3 $f"
same --no-pager 'help dump'
same '--max events=3' "$f"
same '--color sometimes' "dump $f"
"$TDAT" -V "$f" | cut -d' ' -f1
"$TDAT" --json none.dat || echo "exit $?"
"$TDAT" --jsn || echo "exit $?"
# Help without a command is one text, whatever asks for it.
"$TDAT" --help >help
for how in -h --help-all '--color always --help' '--no-pager --help-all'; do
	# shellcheck disable=SC2086
	"$TDAT" $how | cmp - help && echo "$how"
done
"$TDAT" "$f" --help-all | head -n 1
