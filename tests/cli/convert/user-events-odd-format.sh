# SPDX-License-Identifier: GPL-2.0-or-later
# A registration that the kernel takes makes a format that no reader understands: told
# of by the writer; --strict stops there.
# Expectation: made by tdat, proves only that nothing changed; by hand: exit status 1, and no
# file with --strict
printf 'u:odd __data_loc char[\257] msg;u32 id\nu:fine u32 id\n' >defs.txt
printf '1000 0 7 0000000005001000090000006869210000\n1001 0 7 0100000007000000\n' >writes.txt
convert() {
	"$TDAT" convert --from user_events --definitions defs.txt --endian little -q "$@" \
		-o out.dat writes.txt
}
convert --strict && exit 9
[ ! -e out.dat ] || exit 8
rc=0
convert || rc=$?
"$TDAT" dump out.dat || [ $? = 1 ]
exit $rc
