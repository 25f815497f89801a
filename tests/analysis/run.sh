#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the derived tables of the files of a folder, or of the shared corpus, with oracle.py and
# critical.py.
# With "kernel": with what kernels measured, by kernel.py. With "commands": what commands say of the
# shared corpus with its tables, by commands.py.
# usage: run.sh TDAT FOLDER | run.sh TDAT shared|kernel|commands
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../part.sh"
corpus=${TDAT_SHARED:-$here/../../../shared}/corpus
compare() {
	tdat=$1
	shift
	# shellcheck disable=SC2046 # no name has blanks
	python3 "$here/oracle.py" "$tdat" $(part_of "$@")
	# shellcheck disable=SC2046
	exec python3 "$here/critical.py" "$tdat" $(part_of "$@")
}
if [ "$2" = kernel ]; then
	[ -d "$corpus/hist" ] || { echo "no shared corpus"; exit 77; }
	exec python3 "$here/kernel.py" "$1" "$corpus/hist"
fi
if [ "$2" != shared ] && [ "$2" != commands ]; then
	compare "$1" "$2"/*.dat
fi
[ -d "$corpus/files" ] || { echo "no shared corpus"; exit 77; }
set -- "$1" "$2" "$corpus"/files/*.dat "$corpus"/hist/*/trace.dat
tdat=$1 what=$2
shift 2
[ "$what" = commands ] || compare "$tdat" "$@"
# shellcheck disable=SC2046
exec python3 "$here/commands.py" "$tdat" $(part_of "$@")
