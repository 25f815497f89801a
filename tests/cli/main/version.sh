# SPDX-License-Identifier: GPL-2.0-or-later
# The option --version prints the name and three numbers; of a build that has all parts no more.
# Expectation: by hand: the form of a version
[ "$("$TDAT" --version | wc -l)" = 1 ]
"$TDAT" --version | grep -E "^tdat [0-9]+\.[0-9]+\.[0-9]+$" >/dev/null
"$TDAT" -V >/dev/null
# -v adds the commit, each part and each library; --json is the same for programs.
"$TDAT" -V -v >out
[ "$(sed -n 1p out)" = "$("$TDAT" -V)" ]
grep -Ex 'commit ([0-9a-f]{40}|unknown: .*)' out >/dev/null
grep -Ex 'built with SQLite \(TDAT_SQLITE\)' out >/dev/null
grep -Ex "library zlib $(pkg-config --modversion zlib)" out >/dev/null
"$TDAT" --version --json >json
jq -e --arg v "$(sed -n '1s/tdat //p' out)" '.version == $v and .parts.TDAT_PACKED == true' json >/dev/null
jq -r '.commit // "unknown"' json | grep -qf - out
[ "$(jq -r '.libraries | to_entries[] | "library \(.key) \(.value)"' json)" = "$(grep ^library out)" ]
