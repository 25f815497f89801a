#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The files that packages are made of agree with the tree: versions, symbols, and each file that is installed in one
# package. The packages themselves are built by scripts/release.
# usage: packages.sh SOURCE_DIR
set -eu
cd "$1"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0

fail() {
	echo "$*"
	bad=1
}

version=$(sed -n 's/^#define TDAT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/tdat/base.h | paste -sd .)
minor=${version%.*}
grep -qx "version = \"$version\"" pyproject.toml || fail "pyproject.toml is not of $version"
[ "$(sed -n '1s/^tdat (\(.*\)-[0-9]*) .*/\1/p' debian/changelog)" = "$version" ] || fail "debian/changelog is not of $version"
[ "$(sed -n 's/^Version: *//p' rpm/tdat.spec)" = "$version" ] || fail "rpm/tdat.spec is not of $version"
grep -q "<abi-corpus .*soname='libtdat.so.$minor'" abi/libtdat.xml || fail "abi/libtdat.xml is not of libtdat.so.$minor"

# Symbols, and the package that has the soname.
grep -qx "Package: libtdat$minor" debian/control || fail "debian/control has no libtdat$minor"
sed -n 's/^ \(tdat_[a-z0-9_]*\)@LIBTDAT_0 .*/\1/p' "debian/libtdat$minor.symbols" >"$tmp/symbols"
cmp tests/lint/symbols.txt "$tmp/symbols" || fail "debian/libtdat$minor.symbols is not tests/lint/symbols.txt"

# Each binary package of Debian takes files, but that which only depends.
for package in $(sed -n 's/^Package: //p' debian/control); do
	[ -s "debian/$package.install" ] || [ "$package" = tdat-plugins ] || fail "debian/$package.install is missing"
done

# matches FILE: how many packages of Debian take the installed file.
matches() {
	cat debian/*.install | while read -r pattern; do
		# shellcheck disable=SC2254 # a pattern
		case $1 in $pattern | $pattern/*) echo 1 ;; esac
	done | grep -c . || true
}
for page in man/*.[1-9]; do
	section=${page##*.}
	[ "$(matches "usr/share/man/man$section/${page#man/}")" = 1 ] || fail "debian/*.install: not one package has $page"
	grep -qF "%{_mandir}/man$section/" rpm/tdat.spec || fail "rpm/tdat.spec has no section $section of the manual"
done
for file in usr/bin/tdat usr/libexec/tdat/tdat-view usr/lib/x/tdat/libtdat-user-events.so usr/lib/x/libtdat.a \
	usr/include/tdat/base.h usr/share/bash-completion/completions/tdat; do
	[ "$(matches $file)" = 1 ] || fail "debian/*.install: not one package has $file"
done

for script in debian/tests/main-job debian/tests/life; do
	sh -n "$script" || fail "$script is not well formed"
done
for script in archive debian release static static-libs.sh wheels; do
	bash -n "scripts/$script" || fail "scripts/$script is not well formed"
done
for script in scripts/sbom.py python/dist_info.py; do
	python3 -c "import ast, sys; ast.parse(open(sys.argv[1]).read())" $script || fail "$script is not well formed"
done
if command -v dpkg-parsechangelog >/dev/null; then
	dpkg-parsechangelog -l debian/changelog >"$tmp/changelog" 2>&1 || fail "$(cat "$tmp/changelog")"
	! grep -i 'warning' "$tmp/changelog" || bad=1
fi
if command -v rpmspec >/dev/null; then
	rpmspec -q rpm/tdat.spec >"$tmp/spec" 2>&1 && [ "$(grep -c "^[a-z0-9-]*-$version-" "$tmp/spec")" = 8 ] ||
		fail "rpm/tdat.spec is not well formed: $(cat "$tmp/spec")"
fi
exit $bad
