# SPDX-License-Identifier: GPL-2.0-or-later
# Version 6 stores no length of a part, so what follows a damaged one would be lost in it.
# Expectation: by hand: the change, the exit status, and that nothing is left of the output
cp "$FIXTURES/valid/x64-61-v7-none-tiny.dat" in.dat
chmod u+w in.dat
# kallsyms are told to be one byte shorter than their section.
printf '\340' | dd of=in.dat bs=1 seek=14435 conv=notrunc 2>/dev/null
status=0
"$TDAT" split --file-version 6 -i in.dat -o six || status=$?
echo "exit $status, $(find . -name 'six*' | wc -l) files"
# Version 7 has it as it was, and repair makes it anew.
"$TDAT" split -i in.dat -o seven || true
"$TDAT" repair --file-version 6 in.dat -o repaired.dat || true
"$TDAT" check repaired.dat
for file in seven.1 repaired.dat; do
	"$TDAT" dump "$file" 2>/dev/null | wc -l
done
