# SPDX-License-Identifier: GPL-2.0-or-later
# Captures that were not copied to their end are told of, with exit status 1.
# Expectation: by hand
copy() {
	rm -rf c
	cp -r "$FIXTURES/foreign/$1" c
	chmod -R u+w c
	rm -f c/expected.txt
	"$TDAT" convert --from "${1%%/*}" -q -f -o whole.dat c >log 2>whole.err || [ $? = 1 ]
}
cut_copy() {
	rc=0
	"$TDAT" convert --from "$1" -q -f -o cut.dat c >log 2>err || rc=$?
	echo "$2: exit $rc"
	diff whole.err err | sed -n 's/^> //p'
}

copy gtsc/text_no_stamp
truncate -s 40 c/trace0
cut_copy gtsc 'the last line of a text'

copy ktr/bsdos_i386_tsc
mv c/ktr0.bin .
cut_copy ktr 'one of two rings'

copy tracefs/x64-fgraph
truncate -s -5 c/kallsyms
cut_copy tracefs 'the last symbol'
copy tracefs/x64-fgraph
truncate -s -5 c/events/ftrace/funcgraph_exit/format
cut_copy tracefs 'the end of a format'
copy tracefs/x64-fgraph
sed -i '/^print fmt/d' c/events/ftrace/funcgraph_exit/format
cut_copy tracefs 'the last line of a format'
