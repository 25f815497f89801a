/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what importers of relay channels share: files -> sub-buffers without padding -> records
 * of each file -> merged by time -> events. All of it but the records themselves is the same for
 * every producer; a relay_kind is what differs.
 */
#ifndef TDAT_IMPORT_RELAY_RELAY_H
#define TDAT_IMPORT_RELAY_RELAY_H

#include <tdat/emit.h>

#include "core/build.h"
#include "import/event_batch.h"
#include "import/record_merge.h"
#include "import/window.h"

/* ---- channel_files.c ---- */

enum { RELAY_CPU_MAX = 65535 };

struct relay_file {
	const char *name;
	const char *path;
	const struct tdat_source *source;
	size_t stem_len; /* of the name, without its number */
	uint32_t cpu;
	bool numbered; /* by its name or the user */
};

struct relay_files {
	struct relay_file *files; /* ordered by CPU */
	size_t count;
	const char *stem,
		*suffix; /* that names of files have around a CPU; NULL: as they show it */
	const struct tdat_import_input *dropped;
	const struct tdat_import_input *nr_sub;
	const struct tdat_import_input *sub_size;
	const struct tdat_import_input *state;
	const struct tdat_import_input *meta;
};

/* Whether data files of these facilities have such names: "trace0", "sda.blktrace.0". */
bool relay_is_data_name(const char *name);
bool relay_is_sidecar(const char *name);
/* The wants of an importer (tdat/emit.h) whose captures lie in TRACE_ROOT/TRACE_NAME/. */
bool relay_wants(const struct tdat_import_request *request, const char *name, bool live);
/* Few files, mostly in order already: files of equal CPUs stay as given. */
void relay_sort_by_cpu(struct relay_file *files, size_t count);

/* The inputs that are data, ordered by CPU, and those that are sidecars; warns of others. */
enum tdat_status relay_files_init(struct relay_files *f, const struct tdat_import_request *request,
				  const struct tdat_emit *emit, struct tdat_error *err);
void relay_files_fini(struct relay_files *f);

/* First line of a sidecar, cut to cap; "" without one. */
void relay_sidecar_line(const struct tdat_import_input *in, char *buf, size_t cap);
/* The value after "key=" in the meta file; false without. */
bool relay_meta_value(const struct tdat_import_input *meta, const char *key, char *buf, size_t cap);
/* Warns of CPUs below the highest that left no file. */
enum tdat_status relay_warn_absent(const struct relay_files *f, const struct tdat_emit *emit,
				   struct tdat_error *err);

/* ---- subbufs.c ---- */

enum { RELAY_SUB_MAX = 1 << 26 };

enum relay_padding { RELAY_PAD_NONE, RELAY_PAD_ZERO, RELAY_PAD_COUNT };

/* How raw images of relay buffers lie in a file. */
struct relay_geometry {
	uint64_t sub_len; /* 0: no sub-buffers, the file is dense */
	enum relay_padding padding;
	uint64_t produced; /* sub-buffers ever begun; 0: unknown, not rotated */
	uint64_t ring;	   /* sub-buffers of the buffer; 0: those of the file */
};

/* A stretch of a file that holds records only, and maybe zeros at its end. */
struct relay_chunk {
	uint64_t off;
	uint64_t end;
};

struct relay_subbufs {
	const struct relay_geometry *geometry;
	const char *name;
	const struct tdat_emit *emit; /* NULL: quiet */
	struct import_window window;
	bool big;	 /* of padding counts */
	bool keep_zeros; /* at the end: they may belong to a record */
	uint64_t next;	 /* slot, in order of time */
};

void relay_subbufs_init(struct relay_subbufs *r, const struct relay_geometry *geometry, bool big,
			const struct relay_file *file, size_t window_len,
			const struct tdat_emit *emit);
void relay_subbufs_fini(struct relay_subbufs *r);
/* The next one, oldest first. TDAT_E_NOT_FOUND at the end. */
enum tdat_status relay_subbufs_next(struct relay_subbufs *r, struct relay_chunk *out,
				    struct tdat_error *err);
/* The byte order in which more padding counts are sound: -1 when both are alike. */
int relay_subbufs_guess_big(const struct relay_geometry *geometry,
			    const struct tdat_source *source);

/* ---- channel_reader.c ---- */

struct relay_setup;

struct relay_wall {
	bool set;
	int64_t offset_ns; /* wall clock minus the trace's */
};

/* What the survey of a file leaves when its reader is rewound. */
struct relay_surveyed {
	uint64_t missing_seq;
	bool damaged;
};

struct relay_reader {
	const struct relay_setup *setup;
	const struct relay_file *file;
	const struct tdat_emit *emit; /* NULL: quiet */
	struct relay_subbufs subbufs;
	struct relay_chunk chunk;
	uint64_t off;	  /* of what comes next; chunk.end: a new chunk is needed */
	bool stopped;	  /* by damage */
	uint64_t clamped; /* times that are none */
	int64_t key;	  /* of the record before */
	uint32_t last_seq;
	bool seq_known;
	uint64_t missing_seq;
	struct relay_wall wall;
	struct relay_surveyed surveyed;
	void *own; /* of the kind */
};

/* Takes memory for what the kind needs. To be followed by fini, after a failure too. */
enum tdat_status relay_reader_init(struct relay_reader *r, const struct relay_setup *setup,
				   const struct relay_file *file, size_t window_len,
				   const struct tdat_emit *emit, struct tdat_error *err);
void relay_reader_fini(struct relay_reader *r);
/* A new chunk when the last one is used up; TDAT_E_NOT_FOUND at the end. */
enum tdat_status relay_reader_chunk(struct relay_reader *r, struct tdat_error *err);
/* Returns len bytes at off, as import_window_get; NULL: relay_reader_status says why. */
static inline const uint8_t *relay_reader_get(struct relay_reader *r, size_t len,
					      struct tdat_error *err)
{
	return import_window_get(&r->subbufs.window, r->off, len, err);
}
enum tdat_status relay_reader_status(const struct relay_reader *r);
/* How many bytes lie in the window from off to the end of the chunk, which *p points at. */
static inline size_t relay_reader_in_window(const struct relay_reader *r, const uint8_t **p)
{
	const struct import_window *w = &r->subbufs.window;
	const uint64_t at = r->off - w->buf_off, left = r->chunk.end - r->off;

	if (at >= w->buf_len || r->off >= r->chunk.end)
		return 0;
	*p = w->buf + at;
	return left < w->buf_len - at ? (size_t)left : w->buf_len - (size_t)at;
}
/* Skips zeros, if only zeros follow in a sub-buffer, and returns whether that was so. */
bool relay_reader_skip_zeros(struct relay_reader *r);
/* Ends the file for damage at off; st is that of the warning. */
enum tdat_status relay_reader_stop(struct relay_reader *r, enum tdat_status st);
/* Goes back to the start for the second pass, in which nothing is warned of again. */
void relay_reader_rewind(struct relay_reader *r);
struct import_merge_stream relay_reader_stream(struct relay_reader *r);
/* Warnings about the whole file, after the first pass. */
enum tdat_status relay_reader_warn(struct relay_reader *r, struct tdat_error *err);

/* ---- relay_kind ---- */

struct relay_output;

/* What a producer's records are. NULL functions do nothing. */
struct relay_kind {
	const char *importer; /* for the version text: "gtsc" */
	size_t own_len;	      /* bytes of a reader's own state, zeroed before open */
	bool keep_zeros;      /* zeros at the end of a sub-buffer may belong to a record */
	bool locked;	      /* a single file has no reason to be out of order */
	bool by_cpu;	     /* events of a CPU depend on no record of others, but see begin_part */
	uint64_t shift_unit; /* negative times are moved by a multiple of it; 0: by any */
	enum tdat_status (*open)(struct relay_reader *r, struct tdat_error *err);
	void (*close)(struct relay_reader *r);
	/* Gives the next record: key and data, and cpu and lost_before where they differ. */
	enum tdat_status (*next)(struct relay_reader *r, struct import_merge_record *out,
				 struct tdat_error *err);
	/*
	 * Gives the next records, max at most, as next would: whole, but the CPU of a record is
	 * that of the file. 0: next has to say what comes.
	 */
	size_t (*batch)(struct relay_reader *r, struct import_merge_record *out, size_t max);
	/* Sets the reader's own state back to the start. */
	void (*rewind)(struct relay_reader *r);
	/* Warns of what the first pass met. */
	enum tdat_status (*warn)(struct relay_reader *r, struct tdat_error *err);
	/* Name of the clock, once all readers are open; "local" without it. */
	const char *(*clock)(const struct relay_setup *s);
	/* Emits formats; may set out->own, which close_output frees. */
	enum tdat_status (*begin)(struct relay_output *out, struct tdat_error *err);
	enum tdat_status (*record)(struct relay_output *out, const struct import_merge_record *rec,
				   struct tdat_error *err);
	/* Warns, after the last record; without setup->what, it emits statistics and facts as well.
	 */
	enum tdat_status (*end)(struct relay_output *out, struct tdat_error *err);
	void (*close_output)(struct relay_output *out);
	/*
	 * Readies the kind for records of one CPU apart from others, on threads. prepare comes
	 * first, once: false where that cannot be done. begin_part makes the part's own state, by
	 * which record() works, of the output's; end_part frees it.
	 */
	bool (*prepare)(struct relay_output *out, const struct relay_reader *readers, size_t count,
			enum tdat_status *st, struct tdat_error *err);
	enum tdat_status (*begin_part)(struct relay_output *part, struct tdat_error *err);
	void (*end_part)(struct relay_output *part);
};

/* What is known of a capture before a record is read. */
struct relay_setup {
	const struct relay_kind *kind;
	void *own;	  /* of the kind */
	const char *what; /* the fact "kind" */
	bool big;
	bool order_known; /* false: nothing depends on the byte order */
	bool own_cpus;	  /* records name their CPUs: the numbers of files say nothing */
	struct relay_geometry geometry;
};

/* ---- relay_options.c ---- */

struct relay_options {
	size_t order;	   /* 0 little, 1 big, 2 to be found */
	const char *uname; /* NULL: unknown */
	bool wall_clock;
	bool mark_dropped;
	bool has_padding;
	uint32_t threads; /* that may read; 0: one per CPU */
	struct relay_geometry geometry;
};

enum { RELAY_ORDER_UNKNOWN = 2 };

/* Options that the importer does not describe are not given, and so left as they are. */
enum tdat_status relay_options_read(struct relay_options *o,
				    const struct tdat_import_request *request,
				    struct tdat_error *err);
/* What the user gave goes before what the meta file says. meta: NULL without one. */
enum tdat_status relay_meta_read(struct relay_options *o, const struct tdat_import_input *meta,
				 const struct tdat_emit *emit, struct tdat_error *err);
/*
 * Takes the size and number of sub-buffers from the control files, if options or meta tell how raw
 * buffers are padded, or guess is set and the files look like such. They also lie beside what was
 * read from a channel, which has no padding.
 */
enum tdat_status relay_control_read(struct relay_options *o, const struct relay_files *f,
				    bool guess, const struct tdat_emit *emit,
				    struct tdat_error *err);
/* The number after "key=" of a meta file, of min to max; a bad one costs a warning. */
enum tdat_status relay_meta_u64(const struct tdat_import_input *meta, const char *key, uint64_t min,
				uint64_t max, uint64_t *out, const struct tdat_emit *emit,
				struct tdat_error *err);
/* The number that a sidecar holds (NULL: *out stays); a bad one costs a warning, and is 0. */
enum tdat_status relay_sidecar_u64(const struct tdat_import_input *in, const struct tdat_emit *emit,
				   uint64_t *out, struct tdat_error *err);

/* ---- relay_output.c ---- */

enum { RELAY_PAYLOAD_MAX = 4000 }; /* longest text an event of a 4096-byte page gets */

struct relay_output {
	const struct tdat_emit *emit;
	const struct relay_setup *setup;
	const struct relay_files *files;
	struct tdat_build payload;
	uint64_t *cpu_records; /* by CPU; NULL in a part, which has one CPU */
	uint64_t records;      /* of a part */
	uint32_t cpu_count;
	uint64_t dropped;
	uint64_t shift;				/* added to every key */
	uint64_t step;				/* then multiplied by this */
	const struct import_merge_range *range; /* what the survey learnt */
	uint64_t missing_seq;
	struct import_events *events; /* of a part, while its records come; NULL: one by one */
	void *own;		      /* of the kind */
};

/* After setup, files, cpu_count and the rest are set. To be followed by fini, after a failure too.
 */
enum tdat_status relay_output_init(struct relay_output *o, struct tdat_error *err);
void relay_output_fini(struct relay_output *o);
/*
 * Makes part an output for the records of one CPU, which go to emit on any thread.
 */
enum tdat_status relay_output_part_init(struct relay_output *part, const struct relay_output *o,
					const struct tdat_emit *emit, struct tdat_error *err);
void relay_output_part_fini(struct relay_output *part);
/* The payload as an event, at the record's time; more: as a further one of the record. */
enum tdat_status relay_output_send(struct relay_output *o, const struct import_merge_record *rec,
				   struct tdat_error *err);
enum tdat_status relay_output_more(struct relay_output *o, const struct import_merge_record *rec,
				   struct tdat_error *err);
/*
 * Room for an event of len bytes, RELAY_PAYLOAD_MAX and a head at most, that is then given by
 * relay_output_give; NULL: *st says why.
 */
uint8_t *relay_payload_room(struct relay_output *o, size_t len, enum tdat_status *st,
			    struct tdat_error *err);
static inline uint8_t *relay_output_room(struct relay_output *o, size_t len, enum tdat_status *st,
					 struct tdat_error *err)
{
	return o->events ? import_events_room(o->events, len, st, err)
			 : relay_payload_room(o, len, st, err);
}

/* Parts have no counts by CPU: they have one CPU. */
static inline void relay_output_count(struct relay_output *o, uint32_t cpu)
{
	o->records++;
	if (o->cpu_records)
		o->cpu_records[cpu]++;
}

static inline uint64_t relay_output_time(const struct relay_output *o,
					 const struct import_merge_record *rec)
{
	return ((uint64_t)rec->key + o->shift) * o->step;
}

static inline enum tdat_status relay_output_give(struct relay_output *o,
						 const struct import_merge_record *rec, size_t len,
						 struct tdat_error *err)
{
	if (!o->events) {
		o->payload.len = len;
		return relay_output_send(o, rec, err);
	}
	relay_output_count(o, rec->cpu);
	import_events_add(o->events, rec->cpu, relay_output_time(o, rec), rec->lost_before, len);
	return TDAT_OK;
}

/* The format ftrace:print, which several kinds have. */
enum tdat_status relay_format_print(const struct tdat_emit *emit, uint16_t *id,
				    struct tdat_error *err);
/* Statistics of the CPUs and facts. */
enum tdat_status relay_output_end(struct relay_output *o, struct tdat_error *err);

/* ---- capture.c ---- */

/*
 * Takes over the geometry, and the byte order that was given or that padding counts show.
 * kind_needs: records depend on the order. guess: the kind's own, where there are no counts;
 * -1 for both are alike; may be NULL.
 */
void relay_setup_order(struct relay_setup *s, const struct relay_options *o,
		       const struct relay_files *f, bool kind_needs,
		       int (*guess)(struct tdat_span head));

/* Converts the capture, from the warnings of absent CPUs to the last fact. */
enum tdat_status relay_convert(struct relay_setup *setup, const struct relay_files *files,
			       const struct relay_options *opts, const struct tdat_emit *emit,
			       struct tdat_error *err);

#endif
