/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens a trace.dat and returns what its index holds. An opened file is immutable to its
 * callers and shared by threads; getters return what belongs to the file until
 * tdat_file_close(). Opening reads the index alone (lib/dat); formats and names are made on
 * first use (lazy.c).
 */
#include "file.h"

#include <stdlib.h>
#include <string.h>

#include "core/opts.h"
#include "core/text.h"

/* Facts are copied once, so that callers see a struct that never changes. */
static void fill_info(struct tdat_file *f)
{
	const struct dat_index *ix = &f->ix;

	f->info = (struct tdat_file_info){
		.version = ix->version,
		.big_endian = ix->big,
		.long_size = ix->long_size,
		.kernel_long_size = ix->kernel_long_size,
		.page_size = ix->page_size,
		.compression = ix->compression,
		.compression_version = ix->compression_version,
		.cpu_count = ix->cpu_count,
		.latency = ix->latency.ptr != NULL,
		.len = tdat_source_len(f->src),
		.name = tdat_source_name(f->src),
		.header_page_len = ix->header_page.len,
		.header_event_len = ix->header_event.len,
		.ftrace_format_count = ix->ftrace_format_count,
		.system_count = ix->system_count,
		.event_format_count = ix->event_format_count,
		.kallsyms_len = ix->kallsyms.len,
		.printk_len = ix->printk.len,
		.cmdlines_len = ix->cmdlines.len,
	};
	f->layout = (struct dat_page_layout){
		.big = ix->big,
		.old = ix->old_ring_buffer,
		.commit_size = ix->kernel_long_size,
		.data_off = ix->header_data_off,
	};
	file_record_lens_init(f);
}

/* Frees all but src, which stays the caller's on failure. */
static void file_free(struct tdat_file *f)
{
	size_t i;

	for (i = 0; f->slots && i < f->ix.format_count; i++) {
		model_format_free(atomic_load(&f->slots[i].format));
		model_format_free(f->slots[i].part);
		free(f->slots[i].err);
	}
	free(f->slots);
	free(f->cpu_orders);
	free(f->cpu_order);
	free(atomic_load(&f->id_map));
	model_symbols_free(atomic_load(&f->symbols));
	free(atomic_load(&f->graph_exits));
	model_printk_free(atomic_load(&f->printk));
	model_tasks_free(atomic_load(&f->names));
	model_tasks_free(atomic_load(&f->tasks));
	dat_index_fini(&f->ix);
	pthread_mutex_destroy(&f->lock);
	pthread_mutex_destroy(&f->names_lock);
	free(f);
}

/* The order is fixed: index, clock, names, layouts; each needs the one before. */
enum tdat_status tdat_file_open_source(struct tdat_file **out, struct tdat_source *source,
				       const struct tdat_open_opts *opts, struct tdat_error *err)
{
	struct tdat_open_opts how = TDAT_OPEN_OPTS_INIT;
	struct tdat_file *f = calloc(1, sizeof(*f));
	struct tdat_error own = TDAT_ERROR_INIT;
	enum tdat_status st;

	*out = NULL;
	if (!err)
		err = &own; /* a tolerant open keeps the sentences of findings, also for a caller
			       without err */
	if (!f)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to open %s",
				      tdat_source_name(source));
	tdat_opts_copy(&how, sizeof(how), opts);
	pthread_mutex_init(&f->lock, NULL);
	pthread_mutex_init(&f->names_lock, NULL);
	f->src = source;
	st = dat_index_read(&f->ix, source, how.limits, how.tolerate_damage, err);
	if (st == TDAT_OK)
		st = clock_facts_read(&f->ix, &f->clock, err);
	if (st == TDAT_OK)
		st = file_cut_names(f, err);
	if (st == TDAT_OK)
		st = file_order_cpus(f, err);
	/* One slot for each format's text; formats are parsed on first use. */
	if (st == TDAT_OK && f->ix.format_count) {
		f->slots = calloc(f->ix.format_count, sizeof(*f->slots));
		if (!f->slots)
			st = tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					    "no memory for %zu event formats", f->ix.format_count);
	}
	if (st != TDAT_OK) {
		file_free(f);
		return st;
	}
	fill_info(f);
	*out = f;
	return TDAT_OK;
}

/* Takes over src: closed with the file, or now if opening fails. */
static enum tdat_status open_own(struct tdat_file **out, struct tdat_source *src,
				 const struct tdat_open_opts *opts, struct tdat_error *err)
{
	enum tdat_status st = tdat_file_open_source(out, src, opts, err);

	if (st != TDAT_OK)
		tdat_source_close(src);
	return st;
}

/* A pipe is read only if it begins as a trace.dat, so that nothing else is stored. */
enum tdat_status tdat_file_open(struct tdat_file **out, const char *path,
				const struct tdat_open_opts *opts, struct tdat_error *err)
{
	struct tdat_source_opts how = TDAT_SOURCE_OPTS_INIT;
	struct tdat_limits limits = TDAT_LIMITS_INIT;
	struct tdat_open_opts own = TDAT_OPEN_OPTS_INIT;
	struct tdat_source *src;
	enum tdat_status st;

	tdat_opts_copy(&own, sizeof(own), opts);
	how.access = own.access;
	tdat_opts_copy(&limits, sizeof(limits), own.limits);
	how.spool_len = limits.spool_len;
	how.magic = TDAT_FILE_MAGIC;
	how.magic_len = TDAT_FILE_MAGIC_LEN;
	st = tdat_source_open(&src, path, &how, err);
	*out = NULL;
	return st != TDAT_OK ? st : open_own(out, src, opts, err);
}

/* The descriptor is duplicated, so that the caller may close its own. */
enum tdat_status tdat_file_open_fd(struct tdat_file **out, int fd, const char *name,
				   const struct tdat_open_opts *opts, struct tdat_error *err)
{
	struct tdat_open_opts own = TDAT_OPEN_OPTS_INIT;
	struct tdat_source *src;
	enum tdat_status st;

	tdat_opts_copy(&own, sizeof(own), opts);
	st = tdat_source_open_fd(&src, fd, name, own.access, err);
	*out = NULL;
	return st != TDAT_OK ? st : open_own(out, src, opts, err);
}

enum tdat_status tdat_file_open_memory(struct tdat_file **out, const void *ptr, size_t len,
				       const char *name, const struct tdat_open_opts *opts,
				       struct tdat_error *err)
{
	struct tdat_source *src;
	enum tdat_status st = tdat_source_open_memory(&src, ptr, len, name, err);

	*out = NULL;
	return st != TDAT_OK ? st : open_own(out, src, opts, err);
}

/* The source goes last, since the index borrows bytes of it. */
void tdat_file_close(struct tdat_file *file)
{
	struct tdat_source *src;

	if (!file)
		return;
	src = file->src;
	file_free(file);
	tdat_source_close(src);
}

const struct tdat_file_info *tdat_file_info(const struct tdat_file *file)
{
	return &file->info;
}

/* Parts are inflated when the file is opened: this only looks them up. */
struct tdat_span tdat_file_part(const struct tdat_file *file, enum tdat_part part)
{
	const struct dat_index *ix = &file->ix;

	switch (part) {
	case TDAT_PART_HEADER_PAGE:
		return ix->header_page;
	case TDAT_PART_HEADER_EVENT:
		return ix->header_event;
	case TDAT_PART_KALLSYMS:
		return ix->kallsyms;
	case TDAT_PART_PRINTK:
		return ix->printk;
	case TDAT_PART_CMDLINES:
		return ix->cmdlines;
	case TDAT_PART_TGIDS:
		return ix->tgids;
	case TDAT_PART_LATENCY:
		return ix->latency;
	}
	return (struct tdat_span){NULL, 0};
}

const struct tdat_file_option *tdat_file_options(const struct tdat_file *file, size_t *count)
{
	*count = file->ix.option_count;
	return file->ix.options;
}

/* Searched from the end, as readers take the last of several. */
const struct tdat_file_option *tdat_file_option_by_id(const struct tdat_file *file, uint16_t id)
{
	size_t i = file->ix.option_count;

	while (i--)
		if (file->ix.options[i].id == id)
			return &file->ix.options[i];
	return NULL;
}

/* The text may lack its NUL: the option's length bounds it. */
struct tdat_span file_uname(const struct tdat_file *file, enum file_uname_word word)
{
	const struct tdat_file_option *o = tdat_file_option_by_id(file, TDAT_OPTION_UNAME);

	return tdat_word(o ? o->data : (struct tdat_span){(const uint8_t *)"", 0}, word);
}

struct tdat_span tdat_file_host(const struct tdat_file *file)
{
	const struct tdat_span host = file_uname(file, UNAME_HOST);

	return host.len ? host : (struct tdat_span){NULL, 0};
}

/* Numbers beyond 255 are kept at 255, as the kernel keeps its sublevel. */
uint32_t file_kernel_version(const struct tdat_file *file)
{
	struct tdat_span release = file_uname(file, UNAME_RELEASE);
	uint32_t version = 0;

	/* "6.1.0-50-amd64" */
	for (int part = 0; part < 3; part++) {
		uint64_t v = 0;

		tdat_take_digits(&release, 10, &v);
		version = version << 8 | (v < UINT8_MAX ? (uint32_t)v : UINT8_MAX);
		if (!release.len || *release.ptr != '.')
			release.len = 0;
		release = tdat_span_from(release, release.len > 0);
	}
	return version;
}

/* Limits that the caller set on opening, or the defaults. */
const struct tdat_limits *tdat_file_limits(const struct tdat_file *file)
{
	return &file->ix.limits;
}

const struct tdat_source *tdat_file_source(const struct tdat_file *file)
{
	return file->src;
}

const struct tdat_section *tdat_file_sections(const struct tdat_file *file, size_t *count)
{
	*count = file->ix.section_count;
	return file->ix.sections;
}

const struct tdat_buffer *tdat_file_buffers(const struct tdat_file *file, size_t *count)
{
	*count = file->ix.buffer_count;
	return file->ix.buffers;
}

/* Findings of a tolerant open, in the order in which they were met. */
const struct tdat_error *tdat_file_damage(const struct tdat_file *file, size_t *count)
{
	*count = file->ix.damage_count;
	return file->ix.damage;
}

bool tdat_file_shows_seconds(const struct tdat_file *file)
{
	return clock_facts_seconds(&file->clock, false);
}
