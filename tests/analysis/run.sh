#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the derived tables of the files of a folder, or of the shared corpus, with oracle.py.
# With "kernel": with what kernels measured, by kernel.py. With "commands": what commands say of the
# shared corpus with its tables, by commands.py.
# usage: run.sh TDAT FOLDER | run.sh TDAT shared|kernel|commands
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../part.sh"
corpus=${TDAT_SHARED:-$here/../../../shared}/corpus
if [ "$2" = kernel ]; then
	[ -d "$corpus/hist" ] || { echo "no shared corpus"; exit 77; }
	exec python3 "$here/kernel.py" "$1" "$corpus/hist"
fi
if [ "$2" != shared ] && [ "$2" != commands ]; then
	# shellcheck disable=SC2046 # no name has blanks
	exec python3 "$here/oracle.py" "$1" $(part_of "$2"/*.dat)
fi
[ -d "$corpus/files" ] || { echo "no shared corpus"; exit 77; }
compare=oracle
[ "$2" != commands ] || compare=commands
# shellcheck disable=SC2046
exec python3 "$here/$compare.py" "$1" $(part_of "$corpus"/files/*.dat "$corpus"/hist/*/trace.dat)
