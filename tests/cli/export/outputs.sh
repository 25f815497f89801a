# SPDX-License-Identifier: GPL-2.0-or-later
# What -o may name besides a new file: pipes and devices get the bytes and stay what they are; of
# a link the file behind it is replaced, and keeps its mode; a link to nothing is only followed
# with --force.
# Expectation: by hand: the lines of the file that is written without such names
f=$FIXTURES/valid/x64-61-v6-tiny.dat
csv() {
	"$TDAT" export -q --to csv --table events "$@" "$f"
}
csv -o want.csv
mkfifo pipe
cat pipe >got.csv &
csv -f -o pipe
wait $!
cmp want.csv got.csv
csv -o /dev/stdout | cmp - want.csv
[ -p pipe ] || echo "the pipe is gone"
echo old >real.csv
chmod 640 real.csv
ln -s real.csv link.csv
csv -o link.csv || echo "exit $?"
cat real.csv
csv -f -o link.csv
cmp want.csv real.csv
stat -c '%F %a' link.csv real.csv | sed 's/symbolic link.*/symbolic link/'
ln -s nothing.csv dangling.csv
csv -o dangling.csv || echo "exit $?"
cat pipe >stream &
"$TDAT" export -q --to arrow --table events -o pipe "$f"
wait $!
head -c 4 stream | od -An -tx1 # a stream of Arrow begins with a continuation, a file with ARROW1
"$TDAT" export -q --to sqlite -f -o pipe "$f" || echo "exit $?"
csv -o /dev/full || echo "exit $?"
mkdir folder
"$TDAT" export -q --to chrome -f -o folder "$f" || echo "exit $?"
# A folder is one to all commands, and nothing that --force would replace.
"$TDAT" convert -q -o folder "$f" || echo "exit $?"
for to in ctf "parquet --partition event,file" csv; do
	"$TDAT" export -q --to $to -o "" "$f" || echo "exit $?"
done
for n in 5 6 7 8 9; do
	(ulimit -n $n && exec "$TDAT" export -q --to ctf -o ctf "$f") 2>err || grep -v 'Too many open files' err || :
	rm -rf ctf err
done
# Nothing is left of what was given up.
ls -A
