# SPDX-License-Identifier: GPL-2.0-or-later
# Expressions of any depth and length end in one sentence and exit status 2.
# Expectation: by hand, the bounds of core/regex_bound.h
f=$FIXTURES/valid/i386-61-function.dat
rep() { awk -v s="$1" -v n="$2" 'BEGIN { while (n--) printf "%s", s }'; }
try() {
	rc=0
	"$TDAT" dump "$@" "$f" >out 2>err || rc=$?
	echo "exit $rc, $(wc -l <out) lines, $(wc -l <err) of complaint: $(sed 's/.*: //' err | cut -c1-60)"
}
open=$(rep '\(' 20000) close=$(rep '\)' 20000)
try -F "function: ip =~ \"${open}a$close\""
try -F "function: ip =~ \"$(rep '\(' 30000)\""
try -F "${open}function$close"
try -F "function/$(rep '\(' 40)a$(rep '\)' 40)"
try -F 'function: COMM =~ "\(\(\(a\{1,255\}\)\{1,255\}\)\{1,255\}\)"'
try -F 'function: COMM =~ "\(a*\)*\1"'
try -F "function: COMM =~ \"$(rep 'a*' 3000)\""
try -F "function: $(rep '(' 60000)1$(rep ')' 60000)"
try -F "function: $(rep '!' 100000)1"
try -F "function: $(rep '-' 100000)1"
try -F "$(rep 'a,' 60000)function"
try -e "$(rep '*a' 60000)"
try --comm "$(rep '*a' 60000)"
try --buffer "$(rep '*a' 60000)"
for text in "$(rep '(' 60000)" "(a{1,255}){1,255}(([0-9]+){255}){255}" "(a*)*\\1"; do
	echo "1 a" >log
	rc=0
	"$TDAT" convert --from gtsc --pid-regex "$text" -o x.dat log 2>err || rc=$?
	echo "exit $rc, $(wc -l <err) of complaint: $(sed 's/.*: //' err | cut -c1-60)"
done
