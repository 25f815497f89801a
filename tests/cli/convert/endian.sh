# SPDX-License-Identifier: GPL-2.0-or-later
# The byte order changes, and nothing that is shown.
# Expectation: trace-cmd, run here, reports the same before and after; by hand: version and byte
# order asked for
for name in s390x-61-kstack i386-61-v7-buffers x64-61-v6-tiny; do
	in=$FIXTURES/valid/$name.dat
	"$TDAT" dump "$in" >first
	trace-cmd report "$in" >report
	for order in little big; do
		"$TDAT" convert -q -f --endian $order -o out.dat "$in"
		"$TDAT" info --json out.dat | jq -c ".[0] | [.version, .endian]"
		"$TDAT" dump out.dat | cmp first -
		trace-cmd report out.dat | cmp report -
	done
done
"$TDAT" convert --endian middle out.dat || echo "status $?"
# A synthetic event's stack: 8 bytes say where it lies, of which the kernel fills the first four.
in=$FIXTURES/hist/x64-612-offstack/trace.dat
"$TDAT" dump --json "$in" >first
"$TDAT" convert -q -f --endian big -o big.dat "$in"
"$TDAT" dump --json big.dat | cmp first -
"$TDAT" merge -q -f -o out.dat --as instances big.dat "$in"
"$TDAT" dump --json out.dat | grep '"block_lat"' | sed 's/"buffer":"[^"]*",//' >both
grep '"block_lat"' first | sed p | cmp both -
# A sockaddr is bytes, of which the family and the scope of IPv6 are numbers of the machine.
"$TDAT" split -q -f --event n_sock --exact -i "$FIXTURES/truth/s390x-61-fmt.dat" -o sock.dat
"$TDAT" dump -N sock.dat >first
"$TDAT" convert -q -f --endian little -o little.dat sock.dat
"$TDAT" dump -N little.dat | cmp first -
grep -c "n_sock: .*fam=10" first
