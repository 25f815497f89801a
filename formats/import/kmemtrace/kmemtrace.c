/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines the importer of kmemtrace captures: its options, and the steps of an import. Options,
 * sidecars (a copied kallsyms, counts) and the layout are settled first; then capture_passes.c
 * reads all files. Damage and doubts are warnings, as the rest of the capture is still good.
 */
#include "kmemtrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "import/importers.h"
#include "import/importer_options.h"

enum {
	KALLSYMS_MAX = 64 * 1024 * 1024,
	ABSENT_NAMED = 64 /* absent CPUs that are named one by one */
};

static const struct tdat_keyed_option_desc option_descs[] = {
	{"layout", "NAME", "relay, rfc1, rfc2, ftrace64 or ftrace32 (default: auto)"},
	{"endian", "ORDER", "little or big (default: auto)"},
	{"subbuf-size", "BYTES", "raw relay buffers: skip the unused tail of each sub-buffer"},
	{"ts-step", "NS", "synthetic time: so many ns for each sequence number"},
	{"cpu", "N=FILE", "the CPU of a file whose name does not have it; may be repeated"},
	{"kmem-layout", "VERSION",
	 "events as kernels 2.6.31 to 6.0 had them (3, the default), or "
	 "later ones (6)"},
	{"keep-features", NULL, "one event for each feature of a record"},
	{"keep-unknown", NULL, "one event for each record of an unknown kind"},
	{"atrace", NULL, "add counters of live bytes that Perfetto draws"},
	{NULL, NULL, NULL},
};

/* Options of the importer; the sidecar may set subbuf_len. */
struct options {
	size_t layout; /* KMEM_LAYOUT_COUNT: to be found */
	int big;       /* -1: to be found */
	uint64_t subbuf_len;
	struct kmem_output_opts output;
};

static enum tdat_status parse_options(struct options *o, const struct tdat_import_request *request,
				      struct tdat_error *err)
{
	static const char *const layouts[] = {"relay",	  "rfc1", "rfc2", "ftrace64",
					      "ftrace32", "auto", NULL};
	static const char *const orders[] = {"little", "big", "auto", NULL};
	static const char *const kmem_layouts[] = {"3", "6", NULL};
	size_t order = 2, kmem_layout = 0;
	enum tdat_status st;

	*o = (struct options){.layout = KMEM_LAYOUT_COUNT};
	st = import_options_check(request, option_descs, "kmemtrace", err);
	if (st == TDAT_OK)
		st = import_option_choice(request, "layout", layouts, &o->layout, err);
	if (st == TDAT_OK)
		st = import_option_choice(request, "endian", orders, &order, err);
	if (st == TDAT_OK)
		/* 56 bytes: the longest record without features; a sub-buffer must hold one. */
		st = import_option_u64(request, "subbuf-size", 56, 1u << 30, &o->subbuf_len, err);
	if (st == TDAT_OK)
		st = import_option_u64(request, "ts-step", 1, 1000000000, &o->output.ts_step, err);
	if (st == TDAT_OK)
		st = import_option_choice(request, "kmem-layout", kmem_layouts, &kmem_layout, err);
	o->output.layout_6 = kmem_layout == 1;
	o->big = order == 2 ? -1 : (int)order;
	o->output.keep_features = import_option_flag(request, "keep-features");
	o->output.keep_unknown = import_option_flag(request, "keep-unknown");
	o->output.atrace = import_option_flag(request, "atrace");
	return st;
}

/* Reads numbers beside the data. A bad one costs a warning; options win over the sidecar. */
static enum tdat_status read_sidecars(const struct kmem_files *files, const struct tdat_emit *emit,
				      struct options *o, struct kmem_totals *t,
				      struct tdat_error *err)
{
	uint64_t subbuf_len = 0;
	enum tdat_status st = TDAT_OK;

	t->has_abi = files->abi_version != NULL;
	t->has_overruns = files->total_overruns != NULL;
	if (t->has_abi)
		st = kmem_sidecar_u64(files->abi_version, emit, &t->abi_version, err);
	if (st == TDAT_OK && t->has_overruns)
		st = kmem_sidecar_u64(files->total_overruns, emit, &t->total_overruns, err);
	if (st == TDAT_OK && files->meta && !o->subbuf_len)
		st = kmem_sidecar_key(files->meta, "subbuf_size", emit, &subbuf_len, err);
	if (st != TDAT_OK || !subbuf_len)
		return st;
	if (subbuf_len < 56 || subbuf_len > 1u << 30)
		return tdat_emit_warnf(emit, files->meta->name, 0, err,
				       "subbuf_size is %" PRIu64 ", but must be 56 to %u",
				       subbuf_len, 1u << 30);
	o->subbuf_len = subbuf_len;
	return TDAT_OK;
}

/*
 * Warns of CPUs without a file, below the highest one. Files are sorted by CPU. Long gaps make one
 * warning.
 */
static enum tdat_status warn_absent(const struct kmem_files *files, const struct tdat_emit *emit,
				    struct tdat_error *err)
{
	uint32_t next = 0, warned = 0;
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < files->count && st == TDAT_OK; i++) {
		uint32_t cpu = files->files[i].cpu;

		for (; next < cpu && warned < ABSENT_NAMED && st == TDAT_OK; next++, warned++)
			st = tdat_emit_warnf(emit, NULL, TDAT_NO_OFFSET, err, "cpu%u.out is absent",
					     next);
		if (next < cpu && st == TDAT_OK)
			st = tdat_emit_warnf(emit, NULL, TDAT_NO_OFFSET, err,
					     "cpu%u.out to cpu%u.out are absent", next, cpu - 1);
		next = cpu + 1;
	}
	return st;
}

/* Emits the fixed facts. Sequence numbers are not time: their clock is "counter". */
static enum tdat_status emit_info(const struct tdat_emit *emit, const struct kmem_setup *setup,
				  const struct kmem_output_opts *opts, uint32_t cpu_count,
				  struct tdat_error *err)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	char version[64];

	snprintf(version, sizeof(version), "tdat %s (kmemtrace)", tdat_version());
	info.big_endian = setup->big;
	info.long_size = 8;
	info.cpu_count = cpu_count;
	info.clock = setup->layout->has_seq && !opts->ts_step ? "counter" : "local";
	info.uname = "Linux kmemtrace-import";
	info.version = version;
	return tdat_emit_info(emit, &info, err);
}

/* Emits the copied kallsyms as it is in the file. */
static enum tdat_status emit_kallsyms(const struct tdat_import_input *in,
				      const struct tdat_emit *emit, struct tdat_error *err)
{
	uint64_t len = tdat_source_len(in->source);
	const uint8_t *p = tdat_source_peek(in->source, 0, (size_t)len);
	uint8_t *copy = NULL;
	enum tdat_status st = TDAT_OK;

	if (!len)
		return TDAT_OK;
	if (len > KALLSYMS_MAX)
		return tdat_emit_warnf(emit, in->name, 0, err,
				       "%" PRIu64 " bytes of symbols, more than %d, left out", len,
				       KALLSYMS_MAX);
	if (!p) {
		copy = malloc((size_t)len);
		if (!copy)
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					      "no memory for %" PRIu64 " bytes of symbols", len);
		st = tdat_source_read(in->source, 0, copy, (size_t)len, err);
		p = copy;
	}
	if (st == TDAT_OK)
		st = tdat_emit_kallsyms(emit, (const char *)p, (size_t)len, err);
	free(copy);
	return st;
}

/* Checks that the last timestamp fits in 64 bits. 2^32 is added, as the shift may reach so far. */
static enum tdat_status check_step(const struct import_merge_range *s, uint64_t step,
				   struct tdat_error *err)
{
	uint64_t last = (uint64_t)s->max_key - (uint64_t)(s->min_key < 0 ? s->min_key : 0);

	if (!step || (tdat_add_u64(last, 1ull << 32, &last) && tdat_mul_u64(last, step, &last)))
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "option \"ts-step\" %" PRIu64 " is too large for %" PRIu64
			      " sequence numbers",
			      step, (uint64_t)s->max_key);
}

/* Emits everything behind the survey: facts, symbols, events, totals. */
static enum tdat_status convert(struct kmem_merge *merge, const struct options *o,
				struct kmem_totals *totals, const struct tdat_emit *emit,
				struct tdat_error *err)
{
	const struct kmem_files *files = merge->files;
	struct kmem_output out = {0};
	enum tdat_status st = check_step(merge->range, o->output.ts_step, err);

	if (st == TDAT_OK)
		st = emit_info(emit, merge->setup, &o->output, merge->cpu_count, err);
	if (st == TDAT_OK && files->kallsyms)
		st = emit_kallsyms(files->kallsyms, emit, err);
	if (st == TDAT_OK)
		st = kmem_output_init(&out, emit, merge->setup, &o->output, merge->cpu_count, err);
	if (st == TDAT_OK)
		st = kmem_merge_emit(merge, &out, &totals->missing_seq, err);
	totals->reordered = merge->range->late;
	if (st == TDAT_OK)
		st = kmem_output_end(&out, totals, err);
	kmem_output_fini(&out);
	return st;
}

/* Imports the files: sidecars, layout, survey, events. */
static enum tdat_status run_files(struct kmem_files *files, struct options *o,
				  const struct tdat_import_request *request,
				  const struct tdat_emit *emit, struct tdat_error *err)
{
	struct kmem_setup setup = {.keep_unknown = o->output.keep_unknown,
				   .wide_gfp = o->output.layout_6};
	struct kmem_totals totals = {0};
	struct kmem_merge merge;
	enum tdat_status st = read_sidecars(files, emit, o, &totals, err);

	if (st != TDAT_OK)
		return st;
	/*
	 * Cannot fail: a capture without a plausible record is still read, and its damage reported.
	 */
	kmem_detect(&setup, files, o->layout, o->big);
	setup.subbuf_len = o->subbuf_len;
	if (!setup.layout->has_seq)
		o->output.ts_step = 0; /* these have a time */
	if (!setup.layout->has_cpu)
		st = warn_absent(files, emit, err);
	if (st != TDAT_OK)
		return st;
	st = kmem_merge_init(&merge, &setup, files, request->threads, emit, err);
	if (st == TDAT_OK)
		st = convert(&merge, o, &totals, emit, err);
	/* Damage alone is not a capture. */
	if (st == TDAT_OK && merge.damaged && !merge.range->records)
		st = tdat_error_set(err, TDAT_E_FORMAT, 0, "%s%s no kmemtrace record",
				    files->files[0].name,
				    files->count > 1 ? " and the other files hold" : " holds");
	kmem_merge_fini(&merge);
	return st;
}

/* Entry point of the importer. */
static enum tdat_status kmem_run(const struct tdat_import_request *request,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	struct kmem_files files;
	struct options o;
	enum tdat_status st = parse_options(&o, request, err);

	if (st != TDAT_OK)
		return st;
	st = kmem_files_init(&files, request, emit, err);
	if (st == TDAT_OK)
		st = run_files(&files, &o, request, emit, err);
	kmem_files_fini(&files);
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
