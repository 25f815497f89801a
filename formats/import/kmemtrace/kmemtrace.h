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
#include "core/entries.h"
#include "import/relay/relay.h"

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

struct kmem_opts {
	bool keep_features;
	bool keep_unknown;
	bool atrace;
	bool layout_6;	  /* events as kernels since 6.1 have them: 64 bits of flags can be kept */
	uint64_t ts_step; /* 0: sequence numbers as they are */
};

/* What is known of all files of a capture: the setup->own of this kind. */
struct kmem_setup {
	const struct kmem_layout *layout;
	bool big;
	bool known; /* false: there is no byte by which layout and order could be found */
	struct kmem_opts opts;
	uint64_t subbuf_len; /* 0: files are dense */
	const struct kmem_files *files;
	uint64_t abi_version, total_overruns; /* of the files of these names */
	/* Where unwrapping starts: the first record of the lowest CPU that has one. */
	bool ref_known;
	uint32_t ref;
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
	struct relay_files data; /* without sidecars but meta */
	const struct tdat_import_input *abi_version;
	const struct tdat_import_input *total_overruns;
	const struct tdat_import_input *kallsyms;
};

/* "cpu12.out" -> 12; false without a number, or one that is too large. */
bool kmem_cpu_of_name(const char *name, uint32_t *cpu);
/* Whether the first byte is one of text, which no record begins with. */
bool kmem_is_text(const struct tdat_source *source);

/* Warns of inputs that are neither data nor known beside it. */
enum tdat_status kmem_files_init(struct kmem_files *f, const struct tdat_import_request *request,
				 const struct tdat_emit *emit, struct tdat_error *err);

/* ---- record_guess.c ---- */

/*
 * Finds what was not given: layout KMEM_LAYOUT_COUNT and order -1 mean unknown.
 * setup->known is false when all files are empty.
 */
void kmem_detect(struct kmem_setup *setup, size_t layout, int big);

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
	/* Of each kind and file that are warned of; further ones are only counted. */
	KMEM_DOUBTS_TOLD = 1000,
	KMEM_KINDS_TOLD = 8 /* unknown ids, of which the first record is warned of */
};

/* What a reader keeps beside what relay's readers keep. */
struct kmem_reader {
	uint64_t doubts[KMEM_DOUBT_COUNT];
	uint32_t told[KMEM_KINDS_TOLD];
	uint32_t told_count;
	uint64_t subbuf_end; /* of the sub-buffer at off, or of the file; no more than off: unknown
			      */
};

enum tdat_status kmem_reader_open(struct relay_reader *r, struct tdat_error *err);
enum tdat_status kmem_reader_next(struct relay_reader *r, struct import_merge_record *out,
				  struct tdat_error *err);
size_t kmem_reader_batch(struct relay_reader *r, struct import_merge_record *out, size_t max);
void kmem_reader_rewind(struct relay_reader *r);
enum tdat_status kmem_reader_warn(struct relay_reader *r, struct tdat_error *err);

/* ---- record_events.c ---- */

extern const struct relay_kind kmem_kind;

/* ---- live_bytes.c ---- */

enum { KMEM_COUNTERS = 3 }; /* by type id */

/* Freed by tdat_entries_fini(&a->pointers). */
struct kmem_atrace {
	struct tdat_entries pointers;
	uint64_t bytes[KMEM_COUNTERS]; /* live ones of each kind of allocation */
	uint64_t untracked; /* allocations that could not be followed: too many were live */
};

void kmem_atrace_init(struct kmem_atrace *a);
/*
 * Follows one record; true when a counter changed: *name and *bytes are its new
 * state. *failed: no memory.
 */
bool kmem_atrace_record(struct kmem_atrace *a, const struct kmem_record *rec, const char **name,
			uint64_t *bytes, bool *failed);

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

#endif
