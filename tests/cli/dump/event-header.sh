# SPDX-License-Identifier: GPL-2.0-or-later
# EventHeader events: names, fields and values of each encoding in both byte orders, structs and
# arrays, activities, records without a description or with a broken one, and modes of --compat.
# Where all records of an event have one shape, in all inputs, each field is a column, whose values
# are those of eh_fields; where they differ there are none.
# Expectation: by hand from libeventheader-tracepoint/include/eventheader/eventheader.h of
# microsoft/LinuxTracepoints, whose layouts the bytes have; --compat prints print fmt as before
set -eu
export LC_ALL=C
n=0

# Appends a write to event $1 of the definitions; further arguments are printf's.
put() {
	index=$1
	shift
	n=$((n + 1))
	{
		printf '%d 0 9 0%d000000' $n "$index"
		for part; do
			printf "$part" | od -An -v -tx1 | tr -d ' \n'
		done
		echo
	} >>log
}

# A metadata extension of a little-endian record, the last extension: its length is less than 256.
meta() {
	len=$(printf "$1" | wc -c)
	printf '\\%03o\\0\\1\\0%s' "$len" "$1"
}

fields='u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level'
printf '%s\n' "Acme_L5K1 $fields" "Acme_L4K0Gx $fields" 'Other u8 flags; u8 version' >defs.txt

# flags 7: 64-bit pointers, little endian, extensions
head='\7\0\0\0\0\0\0\5'
put 0 "$head" "$(meta 'Ints;a=b\0a\0\2b\0\203\2c\0\204\3d;x=;;y\0\205\211\52\0')" \
	'\377\376\377\1\2\3\4' '\010\7\6\5\4\3\2\1'
put 0 "$head" "$(meta 'Kinds\0f\0\204\10g\0\205\10t\0\205\6b\0\202\7b2\0\203\7e\0\204\4p\0\203\20')" \
	'\0\0\0\100' '\0\0\0\0\0\0\370\177' '\0\312\232\73\0\0\0\0' '\1' '\377\1' '\2\0\0\0' '\37\220'
put 0 "$head" "$(meta 'Ids\0u\0\206\17v4\0\204\21v6\0\206\21raw\0\6bin\0\15nil\0\215\2num\0\215\2')" \
	'\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20' '\177\0\0\1' \
	'\40\1\15\270\0\0\0\0\0\0\0\0\0\0\0\1' '\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17' \
	'\3\0\1\2\3' '\0\0' '\2\0\376\377'
put 0 "$head" "$(meta 'Texts\0z8\0\7z16\0\10z32\0\11s8\0\12s16\0\13s32\0\14l1\0\212\12bom\0\212\14ch\0\202\12')" \
	'a"\\\303\251\0' 'a\0\75\330\0\336\0\0' 'b\0\0\0\0\0\0\0' '\3\0x\ny' '\1\0\254\40' \
	'\1\0c\0\0\0' '\2\0\351\200' '\6\0\377\376d\0e\0' '\376'
# carray of 2, varray of 3, a struct with a struct in it, a varray of structs, an empty one
put 0 "$head" "$(meta 'Many\0c\0\42\2\0v\0\103s\0\201\2i\0\2n\0\201\1j\0\2q\0\301\1k\0\7e\0\301\1m\0\2z\0\2')" \
	'\1\2' '\3\0\1\0\2\0\3\0' '\4\5' '\2\0k1\0k2\0' '\0\0' '\6'
# an activity and the one it comes from; opcode 1; another extension of unknown kind before them
put 1 '\7\2\350\3\64\22\1\4' '\2\0\77\200??' '\40\0\2\200' '0123456789abcdef' 'ABCDEFGHIJKLMNOP' \
	"$(meta 'Start\0')"
# big endian, in a file of the other order
put 1 '\5\0\0\0\0\0\0\4' '\0\16\0\1' 'Big\0h\0\203\3s\0\13w\0\4' '\1\2' '\0\1\40\254' '\0\0\0\1'
# no description; nothing but a header; values that are cut; a definition that is none
put 0 '\3\0\7\0\0\0\0\5' 'raw bytes'
put 0 '\3\0\7\0\0\0\0\5'
put 0 "$head" "$(meta 'Cut\0a\0\2b\0\205\2')" '\1' 'four'
put 0 "$head" "$(meta 'Odd\0a\0\2b\0\37')" '\1' 'five5'
put 0 "$head" '\377\0\1\0Too long'
# a name twice, at the end of a struct and alone
put 0 "$head" "$(meta 'Twice\0s\0\201\2a\0\2a\0\2')" '\1' '\2'
put 0 "$head" "$(meta 'Twice\0a\0\2b\0\2a\0\2')" '\1' '\2' '\3' '\0'
# bytes behind all fields
put 0 "$head" "$(meta 'More\0a\0\2')" '\1' 'behind'
# no EventHeader event, though it begins like one
put 2 '\7\0' '\0\0\0\0\0\5' "$(meta 'No\0')"

"$TDAT" convert -q --from user_events --definitions defs.txt -o eh.dat log
"$TDAT" dump eh.dat
"$TDAT" dump --json eh.dat | sed 's/.*"fields"://'
"$TDAT" sql eh.dat "SELECT eh_name, json_extract(eh_fields, '\$.v[2]') AS v, hex(eh_rest) AS rest
	FROM Acme_L5K1 WHERE eh_name IN ('Many', 'Cut')"
"$TDAT" dump --compat 3.1 eh.dat | head -n3 | tail -n1
"$TDAT" convert -q --endian big -o big.dat eh.dat
"$TDAT" dump --json eh.dat | sed 's/.*"fields"://' >little.json
"$TDAT" dump --json big.dat | sed 's/.*"fields"://' | cmp - little.json

# One shape: Acme_L5K1 with a value of each type, a cut record, and a truth value that is none;
# Acme_L4K0Gx has two shapes.
one='One\0id\0\3i;x=y\0\203\2q\0\5h\0\204\3b\0\202\7odd\0\204\7f\0\204\10t\0\205\6s\0\12w\0\10n\0\215\2raw\0\6'
columns() {
	"$TDAT" sql "$@" "SELECT name, type FROM pragma_table_info('Acme_L5K1') AS c WHERE cid >
		(SELECT cid FROM pragma_table_info('Acme_L5K1') WHERE name = 'eh_rest')"
}
>log
put 0 "$head" "$(meta "$one")" '\1\0' '\376\377' '\377\377\377\377\377\377\377\177' '\37\0\0\0' '\1' \
	'\2\0\0\200' '\0\0\300\77' '\0\312\232\73\0\0\0\0' '\6\0a"\\\n\177b' '\75\330\0\336\200\0\0\0' '\0\0' \
	'\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17'
put 0 "$head" "$(meta "$one")" '\2\0' '\3\0' '\0\0\0\0\0\0\0\0' '\0\0\0\0' '\0' \
	'\1\0\0\0' '\0\0\300\177' '\377\377\377\377\377\377\377\177' '\0\0' '\0\0' '\2\0\376\377' 'cut'
put 1 "$head" "$(meta 'Two\0a\0\2')" '\1'
put 1 "$head" "$(meta 'Two\0a\0\3')" '\1\0'
"$TDAT" convert -q --from user_events --definitions defs.txt -o one.dat log
columns one.dat | tee 1.txt
columns one.dat one.dat | cmp - 1.txt
columns one.dat eh.dat
"$TDAT" sql one.dat "SELECT name FROM pragma_table_info('Acme_L4K0Gx') WHERE name = 'a'"
for column in field_id i q h b odd f t s w n raw; do
	"$TDAT" sql --csv one.dat "SELECT '$column', typeof($column), quote($column),
		$column || '' IS json_extract(eh_fields, '\$.${column#field_}') || '' AS same
		FROM Acme_L5K1" | tail -n +2
done
