/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines the importer of blktrace captures. The format is one kind of relay channel: this file
 * has the table row and hands blk_reader.c to relay_convert().
 */
#include "blktrace.h"
#include "import/importer_options.h"
#include "import/importers.h"

static const struct tdat_keyed_option_desc option_descs[] = {
	{"mark-dropped", NULL, "mark lost events at the end of each CPU if records were dropped"},
	{"uname", "TEXT", "the traced machine's uname, to store in the trace.dat"},
	{"no-wall-clock", NULL, "do not store the offset to the time of day"},
	{"sub-size", "BYTES", "raw relay buffers: size of a sub-buffer"},
	{"padding", "KIND", "raw relay buffers: kind of padding: none, zero or count"},
	{"subbufs-produced", "N", "raw relay buffers: number of sub-buffers started, if rotated"},
	{NULL, NULL, NULL},
};

/* Entry point of the importer; relay_convert() does the import. */
static enum tdat_status blktrace_run(const struct tdat_import_request *request,
				     const struct tdat_emit *emit, struct tdat_error *err)
{
	struct relay_options opts;
	struct relay_files files = {0};
	struct relay_setup setup = {0};
	struct blk_setup own = {0};
	enum tdat_status st = import_options_check(request, option_descs, "blktrace", err);

	if (st == TDAT_OK)
		st = relay_options_read(&opts, request, err);
	if (st == TDAT_OK)
		st = relay_files_init(&files, request, emit, err);
	if (st == TDAT_OK)
		st = relay_meta_read(&opts, files.meta, emit, err);
	if (st == TDAT_OK)
		st = blk_settle(&setup, &own, &opts, &files, emit, err);
	if (st == TDAT_OK)
		st = relay_convert(&setup, &files, &opts, emit, err);
	relay_files_fini(&files);
	return st;
}

const struct tdat_importer import_blktrace = {
	.name = "blktrace",
	.summary = "block I/O traces: the files NAME.blktrace.CPU of blktrace(8), versions 7 and 8",
	.options = option_descs,
	.probe = blk_probe,
	.run = blktrace_run,
};
