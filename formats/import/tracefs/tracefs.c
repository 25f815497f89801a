/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines the importer of tracefs: its options, and the steps of an import. A capture is a
 * copied or live tree of tracefs with trace_pipe_raw files. The steps: find the files
 * (tree_files.c), settle the layout (page_guess.c), emit buffers and metadata (tree_meta.c),
 * then the pages of each CPU (cpu_pages.c).
 */
#include "tracefs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/cpustat.h"
#include "import/importers.h"
#include "import/importer_options.h"

static const struct tdat_keyed_option_desc option_table[] = {
	{"endian", "little|big", "byte order of the pages (default: detected)"},
	{"long-size", "4|8", "size of the kernel's long (default: from header_page)"},
	{"page-size", "BYTES", "page size of the top-level buffer (default: from header_page)"},
	{"formats-from", "FILE",
	 "take missing event formats from a trace.dat of the same kernel, or from a folder of its "
	 "event formats"},
	{"snapshot", NULL, "convert snapshot_raw instead of trace_pipe_raw"},
	{"saved-tgids", NULL, "store saved_tgids as option 32, about which trace-cmd warns"},
	{NULL, NULL, NULL},
};

/* Ids in a warning. */
enum { IDS_TOLD = 10 };

/* State of one import. */
struct job {
	const struct tdat_import_request *request;
	const struct tdat_emit *emit;
	struct tracefs_files files;
	struct tracefs_layout layout; /* of the top buffer */
	bool detected;		      /* by pages */
	int order;		      /* asked for; -1: not */
	bool snapshot, tgids;
	struct tracefs_totals totals;
	/* By the formats that were emitted; an id of data that is missing here has no format. */
	struct tracefs_ids described; /* by the formats handed over */
};

/* Reads the options; what they do not say stays 0 or -1, to be found. */
static enum tdat_status read_options(struct job *j, struct tdat_error *err)
{
	static const char *const orders[] = {"little", "big", NULL};
	static const char *const longs[] = {"4", "8", NULL};
	size_t order = 2, width = 2;
	uint64_t page_size = 0;
	enum tdat_status st;

	st = import_options_check(j->request, option_table, "tracefs", err);
	st = import_option_choice(j->request, "endian", orders, &order, st, err);
	st = import_option_choice(j->request, "long-size", longs, &width, st, err);
	st = import_option_u64(j->request, "page-size", TRACEFS_PAGE_MIN, TRACEFS_PAGE_MAX,
			       &page_size, st, err);
	if (st == TDAT_OK && page_size & (page_size - 1))
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "option \"page-size\" is %" PRIu64 ", not a power of two",
				    page_size);
	j->order = order < 2 ? (int)order : -1;
	j->layout.long_size = width < 2 ? (uint8_t)(4 + 4 * width) : 0;
	j->layout.page_size = (uint32_t)page_size;
	j->snapshot = import_option_flag(j->request, "snapshot");
	j->tgids = import_option_flag(j->request, "saved-tgids");
	return st;
}

/* True if some CPU of the buffer has data of the wanted kind. */
static bool buffer_holds(const struct tracefs_buffer *b, bool snapshot)
{
	for (size_t i = 0; i < b->cpu_count; i++)
		if (tracefs_cpu_data(&b->cpus[i], snapshot))
			return true;
	return false;
}

/* Warns of CPU data that belongs to no CPU and is not converted. */
static enum tdat_status warn_strays(const struct job *j, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < j->files.strays.count; i++) {
		const struct tdat_import_input *in = j->files.strays.v[i];
		uint64_t len = tdat_source_len(in->source);

		if (len)
			st = tdat_emit_warnf(j->emit, in->name, TDAT_NO_OFFSET, err,
					     "%" PRIu64
					     " bytes of CPU data are omitted: they are not "
					     "per_cpu/cpuN/trace_pipe_raw of one CPU from 0 to %d",
					     len, TRACEFS_CPU_MAX);
	}
	return st;
}

/* Chooses snapshots if there is no trace_pipe_raw at all. If there are both, the option decides. */
static enum tdat_status choose_data(struct job *j, struct tdat_error *err)
{
	bool raw = false, snapshot = false;

	for (size_t i = 0; i < j->files.buffer_count; i++) {
		raw |= buffer_holds(&j->files.buffers[i], false);
		snapshot |= buffer_holds(&j->files.buffers[i], true);
	}
	if (!j->snapshot && !raw && snapshot)
		j->snapshot = true;
	else if (!j->snapshot && snapshot)
		return tdat_emit_warnf(j->emit, NULL, TDAT_NO_OFFSET, err,
				       "snapshots are omitted: --snapshot converts them instead");
	return TDAT_OK;
}

/* Uses the header_page of a buffer where no option says it. */
static enum tdat_status use_header_page(struct job *j, const struct tracefs_buffer *b,
					struct tracefs_layout *l, struct tdat_error *err)
{
	const struct tdat_import_input *in = b->header_page;
	uint32_t page_size;
	uint8_t long_size;

	if (!in)
		return TDAT_OK;
	if (!tracefs_header_page(in->source, &long_size, &page_size))
		return tdat_emit_warnf(
			j->emit, in->name, TDAT_NO_OFFSET, err,
			"the file of %" PRIu64
			" bytes describes no page layout: tdat guesses it from the pages",
			tdat_source_len(in->source));
	l->long_size = l->long_size ? l->long_size : long_size;
	l->page_size = l->page_size ? l->page_size : page_size;
	return TDAT_OK;
}

/*
 * Settles the layout of the top buffer. Byte order and word size are those of the kernel, so any
 * buffer with data can show them.
 */
static enum tdat_status find_layout(struct job *j, struct tdat_error *err)
{
	struct tracefs_detected found;
	enum tdat_status st = use_header_page(j, &j->files.buffers[0], &j->layout, err);
	struct tracefs_layout known = j->layout;
	bool any = false;

	if (st != TDAT_OK)
		return st;
	for (size_t i = 0; i < j->files.buffer_count && !j->detected; i++) {
		const struct tracefs_buffer *b = &j->files.buffers[i];

		if (!buffer_holds(b, j->snapshot))
			continue;
		any = true;
		j->layout = known;
		if (i) { /* pages of an instance may have another size */
			j->layout.page_size = 0;
			st = use_header_page(j, b, &j->layout, err);
		}
		if (st != TDAT_OK)
			return st;
		st = tracefs_detect(b, j->snapshot, &j->layout, j->order, &found, err);
		if (st != TDAT_OK)
			return st;
		j->layout = found.layout;
		j->detected = found.pages > 0;
		/* The instance's page size is not that of the top buffer. */
		if (i && known.page_size)
			j->layout.page_size = known.page_size;
	}
	/* No data at all: settle the defaults, as metadata can still be converted. */
	if (!any) {
		st = tracefs_detect(&j->files.buffers[0], j->snapshot, &known, j->order, &found,
				    err);
		if (st != TDAT_OK)
			return st;
		j->layout = found.layout;
		return tdat_emit_warnf(
			j->emit, NULL, TDAT_NO_OFFSET, err,
			"all per_cpu/cpu*/trace_pipe_raw are empty: there are no events");
	}
	if (!j->detected && j->order < 0)
		return tdat_emit_warnf(j->emit, NULL, TDAT_NO_OFFSET, err,
				       "no page shows the byte order: tdat assumes little endian; "
				       "--endian sets it");
	return TDAT_OK;
}

/* ---- facts ---- */

/* Highest CPU of all buffers + 1. CPUs of a buffer are sorted. */
static uint32_t cpu_count(const struct tracefs_files *f)
{
	uint32_t n = 0;

	for (size_t i = 0; i < f->buffer_count; i++) {
		const struct tracefs_buffer *b = &f->buffers[i];

		if (b->cpu_count && b->cpus[b->cpu_count - 1].cpu >= n)
			n = b->cpus[b->cpu_count - 1].cpu + 1;
	}
	return n;
}

/* Returns the first line of a file, or NULL; *st has failures. The caller frees it. */
static char *first_line(const struct tdat_import_input *in, enum tdat_status *st,
			struct tdat_error *err)
{
	char *text = NULL;

	if (*st != TDAT_OK || !in || !tdat_source_len(in->source))
		return NULL;
	*st = tracefs_text(in, &text, NULL, err);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

/* Emits the fixed facts; uname and trace_clock are texts of the tree. */
static enum tdat_status emit_info(struct job *j, struct tdat_error *err)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	enum tdat_status st = TDAT_OK;
	char *uname = first_line(j->files.uname, &st, err);
	char *clock = first_line(j->files.buffers[0].trace_clock, &st, err);
	char version[64];

	snprintf(version, sizeof(version), "tdat %s (tracefs)", tdat_version());
	info.big_endian = j->layout.big;
	info.long_size = j->layout.long_size;
	info.page_size = j->layout.page_size;
	info.cpu_count = cpu_count(&j->files);
	info.clock = clock && *clock ? tracefs_active_clock(clock) : "local";
	info.uname = uname;
	info.version = version;
	if (st == TDAT_OK)
		st = tdat_emit_info(j->emit, &info, err);
	free(clock);
	free(uname);
	return st;
}

/*
 * Finds the page size of an instance: header_page, then its pages, then that of the top buffer.
 * Sinks must be able to hold another size.
 */
static enum tdat_status instance_page_size(struct job *j, struct tracefs_buffer *b, uint32_t number,
					   struct tdat_error *err)
{
	struct tracefs_layout l = {j->layout.big, j->layout.long_size, 0};
	struct tracefs_detected found;
	enum tdat_status st = use_header_page(j, b, &l, err);

	if (st != TDAT_OK)
		return st;
	if (!l.page_size) {
		st = tracefs_detect(b, j->snapshot, &l, l.big, &found, err);
		if (st != TDAT_OK)
			return st;
		l.page_size = found.pages ? found.layout.page_size : j->layout.page_size;
	}
	b->page_size = l.page_size;
	if (b->page_size == j->layout.page_size)
		return TDAT_OK;
	if (!TDAT_HAS(j->emit->ops, subbuf))
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				      "pages of buffer %s have %u bytes, but pages of the "
				      "top-level buffer have %u",
				      b->name, b->page_size, j->layout.page_size);
	return tdat_emit_subbuf(j->emit, number, b->page_size, err);
}

/* Sets page sizes and announces the instances; their numbers in the sink are returned by index. */
static enum tdat_status emit_buffers(struct job *j, uint32_t *numbers, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	j->files.buffers[0].page_size = j->layout.page_size;
	numbers[0] = 0;
	for (size_t i = 1; i < j->files.buffer_count && st == TDAT_OK; i++) {
		struct tracefs_buffer *b = &j->files.buffers[i];
		char *clock = first_line(b->trace_clock, &st, err);

		if (st == TDAT_OK)
			st = tdat_emit_buffer(j->emit, b->name,
					      clock ? tracefs_active_clock(clock) : NULL,
					      &numbers[i], err);
		free(clock);
		if (st == TDAT_OK)
			st = instance_page_size(j, b, numbers[i], err);
	}
	return st;
}

/* Emits one CPU's pages, then compares its events with its stats file. */
static enum tdat_status emit_cpu(struct job *j, const struct tracefs_cpu *cpu,
				 const struct tdat_import_input *in, uint32_t buffer,
				 const struct tracefs_layout *l, struct tdat_error *err)
{
	const uint64_t before = j->totals.events;
	enum tdat_status st;

	/* Losses are compared by CPU. */
	j->totals.lost = 0;
	st = tracefs_data(in, buffer, cpu->cpu, l, j->emit, &j->totals, err);
	if (st != TDAT_OK || in != cpu->raw)
		return st; /* stats are of the buffer, not of its snapshot */
	return tracefs_warn_missing(cpu, j->totals.events - before, j->totals.lost, j->emit, err);
}

/* Emits the pages of all buffers, in order. */
static enum tdat_status emit_data(struct job *j, const uint32_t *numbers, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < j->files.buffer_count && st == TDAT_OK; i++) {
		const struct tracefs_buffer *b = &j->files.buffers[i];
		struct tracefs_layout l = j->layout;

		l.page_size = b->page_size;
		for (size_t c = 0; c < b->cpu_count && st == TDAT_OK; c++) {
			const struct tdat_import_input *in =
				tracefs_cpu_data(&b->cpus[c], j->snapshot);

			if (in)
				st = emit_cpu(j, &b->cpus[c], in, numbers[i], &l, err);
		}
	}
	return st;
}

/* Warns of events whose format was not copied: nobody can read their fields. */
static enum tdat_status warn_undescribed(const struct job *j, struct tdat_error *err)
{
	char list[IDS_TOLD * 8] = "";
	size_t len = 0, count = 0;

	for (uint32_t id = 0; id <= UINT16_MAX; id++) {
		if (!tracefs_ids_has(&j->totals.seen, (uint16_t)id) ||
		    tracefs_ids_has(&j->described, (uint16_t)id))
			continue;
		if (count++ < IDS_TOLD)
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%u",
						count > 1 ? ", " : "", id);
	}
	if (!count || (!j->files.formats.count && !import_option_find(j->request, "formats-from")))
		/* tracefs_meta() warned */
		return TDAT_OK;
	return tdat_emit_warnf(j->emit, NULL, TDAT_NO_OFFSET, err,
			       "events of %zu type%s have no events/*/*/format, so they have "
			       "neither a name nor fields: id %s%s",
			       count, count == 1 ? "" : "s", list, count > IDS_TOLD ? ", ..." : "");
}

static enum tdat_status emit_facts(struct job *j, struct tdat_error *err)
{
	enum tdat_status st =
		tdat_emit_factf(j->emit, "endian", err, "%s", j->layout.big ? "big" : "little");

	st = import_fact_u64(j->emit, "long", j->layout.long_size, st, err);
	st = import_fact_u64(j->emit, "page", j->layout.page_size, st, err);
	if (st == TDAT_OK && j->snapshot)
		st = tdat_emit_factf(j->emit, "data", err, "snapshot_raw");
	if (j->files.buffer_count > 1)
		st = import_fact_u64(j->emit, "instances", j->files.buffer_count - 1, st, err);
	st = import_fact_u64(j->emit, "pages", j->totals.pages, st, err);
	if (j->totals.lost_pages)
		st = import_fact_u64(j->emit, "pages after lost events", j->totals.lost_pages, st,
				     err);
	return st;
}

/* Runs the steps of an import. Metadata come before data, as in trace.dat. */
static enum tdat_status run_job(struct job *j, struct tdat_error *err)
{
	enum tdat_status st = tracefs_files_find(&j->files, j->request, err);
	uint32_t *numbers;

	if (st == TDAT_OK)
		st = warn_strays(j, err);
	if (st == TDAT_OK)
		st = choose_data(j, err);
	if (st == TDAT_OK)
		st = find_layout(j, err);
	if (st == TDAT_OK)
		st = emit_info(j, err);
	if (st != TDAT_OK)
		return st;
	numbers = calloc(j->files.buffer_count, sizeof(*numbers));
	if (!numbers)
		return tdat_error_no_memory(err, "buffers");
	st = emit_buffers(j, numbers, err);
	if (st == TDAT_OK)
		st = tracefs_meta(&j->files, j->emit, j->tgids,
				  import_option_find(j->request, "formats-from"), &j->described,
				  err);
	if (st == TDAT_OK)
		st = tracefs_stats(&j->files, j->emit, err);
	if (st == TDAT_OK)
		st = emit_data(j, numbers, err);
	if (st == TDAT_OK)
		st = warn_undescribed(j, err);
	free(numbers);
	return st == TDAT_OK ? emit_facts(j, err) : st;
}

static enum tdat_status tracefs_run(const struct tdat_import_request *request,
				    const struct tdat_emit *emit, struct tdat_error *err)
{
	struct job j = {.request = request, .emit = emit};
	enum tdat_status st = read_options(&j, err);

	if (st == TDAT_OK)
		st = run_job(&j, err);
	tracefs_files_fini(&j.files);
	return st;
}

const struct tdat_importer import_tracefs = {
	.name = "tracefs",
	.summary = "a copied or mounted tracefs: event formats, name tables, and raw pages of each "
		   "CPU",
	.options = option_table,
	.probe = tracefs_probe,
	.run = tracefs_run,
	.wants = tracefs_wants,
};
