# SPDX-License-Identifier: GPL-2.0-or-later
# A stack is a list of all its addresses, with their functions beside it, and the text of a marker
# is text: both as the event's text has them.
# Expectation: compared here with the text, which is trace-cmd's; the numbers of lines are tdat's
f=$FIXTURES/valid/s390x-61-kstack.dat
"$TDAT" dump "$f" | sed -nE -e 's/^=> ([^ ]+) \(([0-9a-f]+)\)$/\1 \2/p' -e 's/^=> ([0-9a-f]+)$/0x\1 \1/p' >want
"$TDAT" dump --json --json-hex "$f" | grep '"kernel_stack"' >stacks
# Longer and shorter than the eight addresses of the format.
sed -E 's/.*"caller":\[([^]]*)\].*/\1/' stacks | awk -F, '{ print NF }' | sort -n | uniq -c |
	sed 's/^ *//'
sed -E 's/.*"caller":\[([^]]*)\].*/\1/' stacks | tr , '\n' | sed -E 's/"0x(.*)"/\1/' >addresses
sed -E 's/.*"caller_sym":\[([^]]*)\].*/\1/' stacks | tr , '\n' | sed -E 's/"([^+"]*).*/\1/' >names
paste -d ' ' names addresses >got
wc -l <got
cmp got want
