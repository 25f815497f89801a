# SPDX-License-Identifier: GPL-2.0-or-later
# Recorded writes of both byte orders and a log full of mistakes; trace-cmd reads
# the results without a word on stderr.
# Expectation: trace-cmd, run here, prints the golden; complaints of bad.dat are made by tdat
from=$FIXTURES/foreign/user_events
for order in little:le big:be; do
	"$TDAT" convert --from user_events --definitions "$from/defs.txt" --endian "${order%:*}" \
		--compression none -q -o "${order#*:}.dat" "$from/writes_${order#*:}.txt"
	trace-cmd report -t "${order#*:}.dat"
done
rc=0
"$TDAT" convert --from user_events --definitions "$from/defs.txt" --compression none -q \
	-o bad.dat "$from/writes_bad.txt" 2>messages || rc=$?
sed 's/^tdat: [^ ]*: offset [0-9]*: //' messages
trace-cmd report -t bad.dat
exit $rc
