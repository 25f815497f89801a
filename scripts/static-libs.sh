# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds other libraries as archives that programs of ours contain: sourced by scripts/wheels and scripts/static,
# never run. The compiler is zig's of PyPI (tests/wheels/requirements.txt). The sources are Debian's source
# packages, which apt gets by lists of its own, in versions and with hashes that are below.

work=${TDAT_WORK:-$root/build/wheels}
suite=bookworm
# SOURCE VERSION HASH of the .dsc file, which has the hashes of all others.
libraries=(
	"zlib 1:1.2.13.dfsg-1 3fa1e6b2fc525062aa88207dda52fed8e045373c809d362fe8a2bfbf7cf515a8"
	"libdeflate 1.14-1 1f82791c5ac5623ed110e09cc991471deebfe4c419414392d1242e122c6f4c19"
	"libzstd 1.5.4+dfsg2-5 8f602f92b575aa8b5e979196fb6ee82d78f233521dc9636526d3ecba1f63c1b1"
	"elfutils 0.188-2.1 2e73c5bfe9d0ddbf837742d638c43b049590ae1de8f6e3d9c2740c28e2550760"
	"sqlite3 3.40.1-2+deb12u2 ee3459ae9d00939741c7708fc1b8ce1bde12d8c3fb1dfa005bbbc8651d884e23"
	"libmicrohttpd 0.9.75-6 c0f8a9cd77c41285d2d48fc68bbee2e460a55042fcd5d3f6b9946c017d4b6846")
# Those that unpack inputs: in the static program.
# shellcheck disable=SC2034 # for scripts/static and scripts/release
packed_libraries=(
	"bzip2 1.0.8-5 ed9c40f4de3f9e064535e15eac1c61a0f606763db98f4579dbc04067b94a8944"
	"xz-utils 5.4.1-1+deb12u1 38f98e356f7e7e89b0920d39c55dd5f3d1a9f2684bff83c8b4890561e1832e94"
	"libarchive 3.6.2-1+deb12u4 ab90e3b9c8b525255d4c33775f5db94ae97044d5e7e9507f1034b2c300182b48")
# Debian's, but for what only Debian needs.
sqlite_flags=(-DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_FTS3
	-DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS4 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE=1
	-DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_LOAD_EXTENSION -DSQLITE_ENABLE_MATH_FUNCTIONS
	-DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_USE_URI=1 -DSQLITE_ENABLE_STMTVTAB -DHAVE_USLEEP=1)

# logged NAME COMMAND...: its output goes to a file, whose end is shown when it fails. Errors end what a
# function does, which they would not in a condition.
logged() {
	local log=$work/log/$1.log status
	shift
	set +e
	(
		set -e
		"$@"
	) >"$log" 2>&1
	status=$?
	set -e
	[ $status = 0 ] || {
		tail -n 40 "$log"
		die "failed: $log"
	}
}

# The source packages in $work/source, checked and with Debian's patches.
fetch_sources() {
	local apt=$work/apt options line name version hash dsc

	options=(-q -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
		-o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=)
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/files" "$work/source"
	echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
		"http://deb.debian.org/debian $suite main" >"$apt/sources.list"
	for line in "${libraries[@]}"; do
		read -r name version hash <<<"$line"
		[ ! -e "$work/source/$name/.tdat-$hash" ] || continue
		[ "${updated:-}" ] || logged apt apt-get "${options[@]}" update
		updated=yes
		say "Source package $name $version"
		dsc=$apt/files/${name}_${version#*:}.dsc
		(cd "$apt/files" && logged "apt-$name" apt-get "${options[@]}" source --download-only \
			"$name=$version")
		echo "$hash  $dsc" | sha256sum -c --quiet || die "$dsc has another hash than the one here"
		rm -rf "$work/source/$name"
		# Its timestamps of patches are more than libfaketime knows (scripts/release twice).
		logged "source-$name" env -u LD_PRELOAD dpkg-source --no-check -x "$dsc" "$work/source/$name"
		touch "$work/source/$name/.tdat-$hash"
	done
}

# The compiler as programs of its own name: build systems take paths without arguments. Where files lie does
# not get into what it makes.
make_tools() { # ARCH ABI
	local tools=$work/$1-$2/tools tool

	mkdir -p "$tools"
	for tool in cc ar ranlib; do
		printf '#!/bin/sh\nexec "%s" -m ziglang %s "$@"\n' "$venv/bin/python" \
			"$([ $tool = cc ] && echo "cc -target $1-linux-$2 -ffile-prefix-map=$work=/work -ffile-prefix-map=$root=." || echo $tool)" \
			>"$tools/$tool.new"
		chmod +x "$tools/$tool.new"
		# A newer compiler would be another one for ccache.
		cmp -s "$tools/$tool.new" "$tools/$tool" || cp -p "$tools/$tool.new" "$tools/$tool"
	done
}

# What is linked of a library whose build has no such file, or makes it with all else.
pkg_config() { # MODULE LIBRARY VERSION
	printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s -l%s\nCflags: -I%s\n' "$1" "$1" "$3" \
		"$prefix/lib" "$2" "$prefix/include" >"$prefix/lib/pkgconfig/$1.pc"
}

build_zlib() {
	CHOST=$host ./configure --static --prefix="$prefix"
	make -j2 libz.a
	make install
}

build_libdeflate() { # VERSION
	make -j2 CFLAGS="$CFLAGS" libdeflate.a
	install -m 644 -t "$prefix/lib" libdeflate.a
	install -m 644 -t "$prefix/include" libdeflate.h
	pkg_config libdeflate deflate "$1"
}

build_libzstd() {
	make -C lib -j2 PREFIX="$prefix" UNAME=Linux install-static install-pc install-includes
}

# Only libelf, which needs no other library but zlib.
build_elfutils() { # VERSION
	./configure --host="$host" --prefix="$prefix" --disable-debuginfod --disable-libdebuginfod \
		--disable-nls --without-bzlib --without-lzma --without-zstd \
		CPPFLAGS="-I$prefix/include" LDFLAGS="-L$prefix/lib"
	make -C lib -j2 libeu.a
	make -C libelf -j2 libelf.a
	install -m 644 -t "$prefix/lib" libelf/libelf.a
	install -m 644 -t "$prefix/include" libelf/libelf.h libelf/gelf.h
	pkg_config libelf elf "$1"
}

# Its one file is made with a program of this machine's compiler.
build_sqlite3() { # VERSION
	env -u CC -u AR -u RANLIB -u CFLAGS ./configure --disable-tcl
	make sqlite3.c
	# shellcheck disable=SC2086 # several words
	"$CC" $CFLAGS "${sqlite_flags[@]}" -c sqlite3.c -o sqlite3.o
	"$AR" rcs libsqlite3.a sqlite3.o
	install -m 644 -t "$prefix/lib" libsqlite3.a
	install -m 644 -t "$prefix/include" sqlite3.h sqlite3ext.h
	pkg_config sqlite3 sqlite3 "$1"
}

build_libmicrohttpd() {
	./configure --host="$host" --prefix="$prefix" --disable-shared --disable-https --disable-doc \
		--disable-examples --disable-curl --disable-nls
	make -C src/include install
	make -C src/microhttpd -j2 install
	make install-pkgconfigDATA
}

# The libraries for ARCH in $work/ARCH-ABI/prefix, as archives only.
build_libraries() { # ARCH ABI
	local line name version hash mark arch=$work/$1-$2 prefix=$work/$1-$2/prefix host=$1-linux-${2%%.*}

	mkdir -p "$prefix/lib/pkgconfig" "$prefix/include" "$arch/build"
	for line in "${libraries[@]}"; do
		read -r name version hash <<<"$line"
		mark=$arch/build/$name.$hash
		[ ! -e "$mark" ] || continue
		say "$name for $1 ($2)"
		rm -rf "$arch/build/$name"
		cp -a "$work/source/$name" "$arch/build/$name"
		version=${version#*:}
		cd "$arch/build/$name"
		CC=$arch/tools/cc AR=$arch/tools/ar RANLIB=$arch/tools/ranlib \
			CFLAGS="-O2 -fPIC -fno-sanitize=undefined" \
			logged "$1-$2-$name" "build_${name//-/_}" "${version%%[-+]*}"
		cd "$root"
		touch "$mark"
	done
}

