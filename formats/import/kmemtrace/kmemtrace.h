/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what the files of the kmemtrace importer share: inputs -> layout and byte order ->
 * records of each file -> merged records -> events. There are two passes over the files: the
 * first warns, counts and puts aside the records that are not in order of time; the second emits.
 */
#ifndef TDAT_IMPORT_KMEMTRACE_KMEMTRACE_H
#define TDAT_IMPORT_KMEMTRACE_KMEMTRACE_H

#include <tdat/emit.h>

#include "core/build.h"
#include "import/record_merge.h"
#include "import/relay/channel_files.h"
#include "import/window.h"

enum kmem_layout_id {
	KMEM_RELAY,    /* ABI 1 and later: cpuN.out, sequence numbers */
	KMEM_RFC1,     /* RFC of 10 and 17 July 2008: ns stamps, 16-bit ids */
	KMEM_RFC2,     /* RFC of 22 July 2008: ns stamps, sized */
	KMEM_FTRACE64, /* binary output of the ftrace plugin: CPU and ns in each record */
	KMEM_FTRACE32,
	KMEM_LAYOUT_COUNT
};

enum {
	KMEM_CPU_MAX = 65535,	     /* in a file's name */
	KMEM_FTRACE_CPU_MAX = 4095,  /* in a record */
	KMEM_RECORD_PLAUSIBLE = 4096 /* longest record believed while guessing */
};

struct kmem_layout {
	const char *name;
	uint8_t free_len;
	uint8_t alloc_len;
	uint8_t alloc_id;
	uint8_t free_id;
	bool sized;   /* has an event size */
	bool has_seq; /* a sequence number instead of a time */
	bool has_cpu;
};

/* What is known of all files of a capture. */
struct kmem_setup {
	const struct kmem_layout *layout;
	bool big;
	bool known; /* false: there is no byte by which layout and order could be found */
	bool keep_unknown;
	bool wide_gfp;	     /* 64 bits of allocation flags can be kept */
	uint64_t subbuf_len; /* 0: files are dense */
};

struct kmem_head {
	uint16_t event_id;
	uint16_t type_id;
	uint32_t len; /* as claimed; the layout's for unsized ones */
};

/* The values by which records are ordered; a layout has some of them. */
struct kmem_order {
	uint32_t seq;
	uint32_t cpu;
	uint64_t time_ns;
};

struct kmem_record {
	struct kmem_head head;
	bool is_free;
	bool unknown; /* only head, seq, time and bytes count */
	uint32_t seq;
	uint32_t cpu;
	uint64_t time_ns;
	uint64_t call_site;
	uint64_t ptr;
	uint64_t bytes_req;
	uint64_t bytes_alloc;
	uint64_t gfp_flags;
	int32_t node;
	struct tdat_span bytes; /* the whole record */
	struct tdat_span tail;	/* features */
	uint64_t off;		/* filled by the reader */
};

struct kmem_feature {
	uint8_t id;
	struct tdat_span data;
};

/* ---- record_layout.c ---- */

const struct kmem_layout *kmem_layout(enum kmem_layout_id id);
/* p: at least free_len bytes. */
struct kmem_head kmem_read_head(const struct kmem_layout *l, const uint8_t *p, bool big);
/* The same bytes. */
struct kmem_order kmem_read_order(const struct kmem_layout *l, const uint8_t *p, bool big);
/* Shortest record with this event id, or 0 when the id is unknown. */
uint32_t kmem_least_len(const struct kmem_layout *l, uint16_t event_id);
/* bytes: one whole record, as long as its head says. */
void kmem_decode(const struct kmem_layout *l, bool big, struct tdat_span bytes,
		 struct kmem_record *out);

enum kmem_feature_verdict {
	KMEM_FEATURE_OK,
	KMEM_FEATURE_END,   /* nothing left */
	KMEM_FEATURE_SMALL, /* size < 3: *out has its id, *size what it claims */
	KMEM_FEATURE_LONG,  /* past the record's end */
	KMEM_FEATURE_CUT    /* one or two bytes left */
};

/* Takes the next feature from *tail; *size is the size it claims. */
enum kmem_feature_verdict kmem_next_feature(struct tdat_span *tail, bool big,
					    struct kmem_feature *out, uint16_t *size);

/* ---- kmemtrace_inputs.c ---- */

struct kmem_files {
	struct relay_file *files; /* ordered by CPU */
	size_t count;
	const struct tdat_import_input *abi_version;
	const struct tdat_import_input *total_overruns;
	const struct tdat_import_input *kallsyms;
	const struct tdat_import_input *meta;
};

/* "cpu12.out" -> 12; false without a number, or one that is too large. */
bool kmem_cpu_of_name(const char *name, uint32_t *cpu);
/* Whether the first byte is one of text, which no record begins with. */
bool kmem_is_text(const struct tdat_source *source);

/* Warns of inputs that are neither data nor known beside it. */
enum tdat_status kmem_files_init(struct kmem_files *f, const struct tdat_import_request *request,
				 const struct tdat_emit *emit, struct tdat_error *err);
void kmem_files_fini(struct kmem_files *f);

/* A sidecar that holds one number; warns when it does not. */
enum tdat_status kmem_sidecar_u64(const struct tdat_import_input *in, const struct tdat_emit *emit,
				  uint64_t *out, struct tdat_error *err);
/* The number after "key=" in a text sidecar; *out is left alone without. */
enum tdat_status kmem_sidecar_key(const struct tdat_import_input *in, const char *key,
				  const struct tdat_emit *emit, uint64_t *out,
				  struct tdat_error *err);

/* ---- record_guess.c ---- */

struct kmem_score {
	uint64_t bytes;
	uint64_t records;
};

/*
 * Finds what was not given: layout KMEM_LAYOUT_COUNT and order -1 mean unknown.
 * setup->known is false when all files are empty.
 */
void kmem_detect(struct kmem_setup *setup, const struct kmem_files *files, size_t layout, int big);

uint32_t kmem_probe(const struct tdat_import_input *inputs, size_t input_count);

/* ---- record_reader.c ---- */

enum kmem_doubt {
	KMEM_DOUBT_UNKNOWN,
	KMEM_DOUBT_FEATURE,
	KMEM_DOUBT_VALUE,
	KMEM_DOUBT_ORDER,
	KMEM_DOUBT_SUBBUF,
	KMEM_DOUBT_COUNT
};

enum {
	KMEM_DOUBTS_TOLD = 1000
}; /* of each kind and file that are warned of; further ones are only counted */

/* Where unwrapping starts: the first record of the lowest CPU that has one; found before all. */
struct kmem_reference {
	bool set;
	uint32_t seq;
};

struct kmem_reader {
	const struct kmem_setup *setup;
	const struct relay_file *file;
	const struct kmem_reference *ref;
	struct import_window window;
	const struct tdat_emit *emit; /* NULL: quiet */
	uint64_t off;
	uint64_t subbuf_end; /* of the sub-buffer at off, or of the file; no more than off: unknown
			      */
	bool stopped;	     /* by damage */
	bool damaged;	     /* stopped in the survey */
	bool started;
	uint32_t last_seq;
	int64_t key;
	uint64_t doubts[KMEM_DOUBT_COUNT];
	bool doubts_told;
};

void kmem_reader_init(struct kmem_reader *r, const struct kmem_setup *setup,
		      const struct relay_file *file, const struct kmem_reference *ref,
		      size_t window_len, const struct tdat_emit *emit);
void kmem_reader_fini(struct kmem_reader *r);

/* Gives the records that can be used; in the first pass it warns of doubts. */
struct import_merge_stream kmem_reader_stream(struct kmem_reader *r);

/* ---- record_events.c ---- */

struct kmem_output_opts {
	bool keep_features;
	bool keep_unknown;
	bool atrace;
	bool layout_6;	  /* events as kernels since 6.1 have them */
	uint64_t ts_step; /* 0: sequence numbers as they are */
};

struct kmem_atrace;

struct kmem_output {
	const struct tdat_emit *emit;
	const struct kmem_setup *setup;
	struct kmem_output_opts opts;
	uint16_t event_ids[3][3]; /* [kind][type]: alloc, alloc with node, free */
	uint16_t feature_id;
	uint16_t unknown_id;
	uint16_t mark_id;
	struct tdat_build payload;
	struct kmem_atrace *atrace;
	struct import_events *events; /* of a part, while its records come; NULL: one by one */
	uint64_t *cpu_records;	      /* by CPU; NULL in a part, which has one CPU */
	uint32_t cpu_count;
	uint64_t records;
	uint64_t features;
	uint64_t features_cut; /* data longer than a dynamic array can be */
};

enum tdat_status kmem_output_init(struct kmem_output *o, const struct tdat_emit *emit,
				  const struct kmem_setup *setup,
				  const struct kmem_output_opts *opts, uint32_t cpu_count,
				  struct tdat_error *err);
void kmem_output_fini(struct kmem_output *o);
/*
 * Makes part an output for the records of one CPU, which go to emit on any thread, and adds its
 * counts to o when it is done. Not with atrace, whose counters are of all CPUs.
 */
void kmem_output_part_init(struct kmem_output *part, const struct kmem_output *o,
			   const struct tdat_emit *emit);
void kmem_output_part_add(struct kmem_output *o, const struct kmem_output *part, uint32_t cpu);
void kmem_output_part_fini(struct kmem_output *part);
/*
 * Makes the event of a record of relay's layout in which nothing is unusual: whether it was one.
 */
bool kmem_output_usual(struct kmem_output *o, const struct import_merge_record *item, uint64_t ts,
		       enum tdat_status *st, struct tdat_error *err);
enum tdat_status kmem_output_record(struct kmem_output *o, const struct kmem_record *rec,
				    uint64_t ts, struct tdat_error *err);

/* Values of the capture as a whole, for CPUSTAT and the summary. */
struct kmem_totals {
	uint64_t missing_seq;
	uint64_t reordered;
	bool has_overruns;
	uint64_t total_overruns;
	bool has_abi;
	uint64_t abi_version;
};

enum tdat_status kmem_output_end(struct kmem_output *o, const struct kmem_totals *t,
				 struct tdat_error *err);

/* ---- live_bytes.c ---- */

enum { KMEM_COUNTERS = 3 }; /* by type id */

struct kmem_atrace *kmem_atrace_new(void);
void kmem_atrace_free(struct kmem_atrace *a);
/*
 * Follows one record; true when a counter changed: *name and *bytes are its new
 * state. *failed: no memory.
 */
bool kmem_atrace_record(struct kmem_atrace *a, const struct kmem_record *rec, const char **name,
			uint64_t *bytes, bool *failed);
/* Allocations that could not be followed because too many were live. */
uint64_t kmem_atrace_untracked(const struct kmem_atrace *a);

/* ---- seq_set.c ---- */

struct kmem_seq_set;

/*
 * A set of sequence numbers from min to max, to which several threads add; NULL without memory, or
 * where it would be larger than KMEM_SEQ_SET_LEN.
 */
struct kmem_seq_set *kmem_seq_set_new(int64_t min, int64_t max);
void kmem_seq_set_free(struct kmem_seq_set *set);
uint64_t kmem_seq_set_count(const struct kmem_seq_set *set);

enum { KMEM_SEQ_SET_LEN = 32 << 20, KMEM_SEQ_PIECE = 1 << 15 };

/* What one thread adds: a piece of the set, which goes there when the numbers leave it. */
struct kmem_seq_piece {
	struct kmem_seq_set *set;
	int64_t first;
	uint64_t bits[KMEM_SEQ_PIECE / 64];
};

void kmem_seq_piece_init(struct kmem_seq_piece *p, struct kmem_seq_set *set);
/* To be called at the end, too. */
void kmem_seq_piece_flush(struct kmem_seq_piece *p, int64_t next);

static inline void kmem_seq_piece_add(struct kmem_seq_piece *p, int64_t seq)
{
	uint64_t at = (uint64_t)seq - (uint64_t)p->first;

	if (at >= KMEM_SEQ_PIECE) {
		kmem_seq_piece_flush(p, seq);
		at = (uint64_t)seq - (uint64_t)p->first;
	}
	p->bits[at / 64] |= 1ull << (at % 64);
}

/* ---- capture_passes.c ---- */

/* One reader for each file, merged. There are two passes: the survey, which warns, and output. */
struct kmem_merge {
	const struct kmem_setup *setup;
	const struct kmem_files *files;
	struct kmem_reference ref;
	struct kmem_reader *readers;
	struct import_merge *merge;
	const struct import_merge_range *range; /* what the survey learnt */
	uint32_t threads;			/* 0: one per CPU */
	uint32_t cpu_count;
	bool damaged; /* a file was left before its end */
};

/* Opens and surveys all files. */
enum tdat_status kmem_merge_init(struct kmem_merge *m, const struct kmem_setup *setup,
				 const struct kmem_files *files, uint32_t threads,
				 const struct tdat_emit *emit, struct tdat_error *err);
void kmem_merge_fini(struct kmem_merge *m);

/* The second pass: all records in order to output; CPU by CPU on threads where that can be. */
enum tdat_status kmem_merge_emit(struct kmem_merge *m, struct kmem_output *out,
				 uint64_t *missing_seq, struct tdat_error *err);

#endif
