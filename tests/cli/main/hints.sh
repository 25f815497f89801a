# SPDX-License-Identifier: GPL-2.0-or-later
# Hints of misspelled words, and of files of other kinds.
# Expectation: by hand
sample=sample.dat
cp "$FIXTURES/valid/i386-61-fgraph.dat" "$sample"
"$TDAT" dump --help=3 || echo "exit $?"
"$TDAT" help questons || echo "exit $?"
"$TDAT" dump -e ftrce "$sample" || echo "exit $?"
"$TDAT" dump --comm '<idl>' "$sample" || echo "exit $?"
printf '%%PDF-1.7\n' >a.pdf
printf '\004\042\115\030abcdef0123456789' >a.lz4
printf '\135\000\000\200\000abcdef0123456789' >a.lzma
gzip -c "$sample" | gzip -c >a.gz.gz
for file in a.pdf a.lz4 a.lzma a.gz.gz; do
	"$TDAT" info $file || echo "exit $?"
done
"$TDAT" convert --help | sed -n '/^Input format/,/^General/p'
