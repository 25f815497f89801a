/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines the importer of kmemtrace captures: its options, and the steps of an import. Options,
 * sidecars (a copied kallsyms, counts) and the layout are settled first; the rest is relay's
 * (relay/capture.c), of which kmemtrace is a kind. Damage and doubts are warnings, as the rest of
 * the capture is still good.
 */
#include "kmemtrace.h"

#include <inttypes.h>

#include "import/importers.h"
#include "import/importer_options.h"

/* A sub-buffer holds the longest record without features at least. */
enum { SUBBUF_MIN = 56, SUBBUF_MAX = 1 << 30 };

static const struct tdat_keyed_option_desc option_descs[] = {
	{"layout", "NAME",
	 "record layout: relay, rfc1, rfc2, ftrace64 or ftrace32 (default: auto)"},
	{"endian", "ORDER", "byte order: little or big (default: auto)"},
	{"subbuf-size", "BYTES", "raw relay buffers: size of a sub-buffer, to skip its unused end"},
	{"ts-step", "NS", "synthetic timestamps: NS nanoseconds per sequence number"},
	{"cpu", "N=FILE", "the CPU of a file whose name lacks it; may be repeated"},
	{"kmem-layout", "VERSION",
	 "event layout of kernels 2.6.31 to 6.0 (3, default), or of later ones (6)"},
	{"keep-features", NULL, "add an event for each feature of a record"},
	{"keep-unknown", NULL, "add an event for each record of an unknown kind"},
	{"atrace", NULL, "add counters of bytes that are not yet freed, for Perfetto"},
	{NULL, NULL, NULL},
};

static enum tdat_status parse_options(struct kmem_setup *s,
				      const struct tdat_import_request *request, size_t *layout,
				      size_t *order, struct tdat_error *err)
{
	static const char *const layouts[] = {"relay",	  "rfc1", "rfc2", "ftrace64",
					      "ftrace32", "auto", NULL};
	static const char *const orders[] = {"little", "big", "auto", NULL};
	static const char *const kmem_layouts[] = {"3", "6", NULL};
	size_t kmem_layout = 0;
	enum tdat_status st = import_options_check(request, option_descs, "kmemtrace", err);

	st = import_option_choice(request, "layout", layouts, layout, st, err);
	st = import_option_choice(request, "endian", orders, order, st, err);
	st = import_option_u64(request, "subbuf-size", SUBBUF_MIN, SUBBUF_MAX, &s->subbuf_len, st,
			       err);
	st = import_option_u64(request, "ts-step", 1, 1000000000, &s->opts.ts_step, st, err);
	st = import_option_choice(request, "kmem-layout", kmem_layouts, &kmem_layout, st, err);
	s->opts.layout_6 = kmem_layout == 1;
	s->opts.keep_features = import_option_flag(request, "keep-features");
	s->opts.keep_unknown = import_option_flag(request, "keep-unknown");
	s->opts.atrace = import_option_flag(request, "atrace");
	return st;
}

/* Reads numbers beside the data. A bad one costs a warning; options win over the sidecar. */
static enum tdat_status read_sidecars(struct kmem_setup *s, const struct kmem_files *files,
				      const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st = relay_sidecar_u64(files->abi_version, emit, &s->abi_version, err);

	if (st == TDAT_OK)
		st = relay_sidecar_u64(files->total_overruns, emit, &s->total_overruns, err);
	if (st == TDAT_OK && files->data.meta && !s->subbuf_len)
		st = relay_meta_u64(files->data.meta, "subbuf_size", SUBBUF_MIN, SUBBUF_MAX,
				    &s->subbuf_len, emit, err);
	return st;
}

/* Entry point of the importer; relay_convert() does the import. */
static enum tdat_status kmem_run(const struct tdat_import_request *request,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	const struct relay_options opts = {.uname = "Linux kmemtrace-import",
					   .threads = request->threads};
	struct kmem_files files = {0};
	struct kmem_setup own = {.files = &files};
	struct relay_setup setup = {.kind = &kmem_kind, .own = &own};
	size_t layout = KMEM_LAYOUT_COUNT, order = 2;
	enum tdat_status st = parse_options(&own, request, &layout, &order, err);

	if (st == TDAT_OK)
		st = kmem_files_init(&files, request, emit, err);
	if (st == TDAT_OK)
		st = read_sidecars(&own, &files, emit, err);
	if (st == TDAT_OK) {
		/*
		 * Cannot fail: a capture without a plausible record is still read, and its damage
		 * reported.
		 */
		kmem_detect(&own, layout, order == 2 ? -1 : (int)order);
		setup.big = own.big;
		setup.own_cpus = own.layout->has_cpu;
		if (!own.layout->has_seq)
			own.opts.ts_step = 0; /* these have a time */
		st = relay_convert(&setup, &files.data, &opts, emit, err);
	}
	relay_files_fini(&files.data);
	return st;
}

const struct tdat_importer import_kmemtrace = {
	.name = "kmemtrace",
	.summary = "Linux kmemtrace captures of 2008-2010: per-CPU relay files, RFC layouts, "
		   "binary ftrace output",
	.options = option_descs,
	.probe = kmem_probe,
	.run = kmem_run,
};
