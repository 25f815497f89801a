/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what the importer of KTR shares above its tools: inputs -> layout -> entries or rows of
 * a listing, surveyed first -> events. Tools that know nothing of an import have headers of their
 * own.
 */
#ifndef TDAT_IMPORT_KTR_KTR_H
#define TDAT_IMPORT_KTR_KTR_H

#include <tdat/emit.h>
#include <tdat/error.h>
#include <tdat/source.h>

#include "core/build.h"
#include "core/map.h"
#include "entry_layout.h"
#include "ktrgraph.h"
#include "printf_format.h"
#include "reorder.h"

/* ---- doubts.c ---- */

/* How often something doubtful was met, and where first. */
struct ktr_seen {
	uint64_t count;
	uint64_t off;
};

static inline void ktr_see(struct ktr_seen *s, uint64_t off)
{
	if (!s->count++)
		s->off = off;
}

/* Warn of such entries, if there are any. */
enum tdat_status ktr_warn_bad_cpu(const struct ktr_seen *s, const struct tdat_emit *emit,
				  struct tdat_error *err);
enum tdat_status ktr_warn_backwards(const struct ktr_seen *s, const struct tdat_emit *emit,
				    struct tdat_error *err);

/* ---- format_table.c ---- */

struct ktr_format;
struct ktr_strings;

/* KTR_FORMATS_RECENT: places for those that were looked up last; a power of two. */
enum { KTR_FORMATS_MAX = 65536, KTR_FORMATS_RECENT = 256 };

/* All zero: none. */
struct ktr_formats {
	struct ktr_format **v; /* in the order of their first use */
	size_t cap;
	struct tdat_map map;
	struct ktr_format *recent[KTR_FORMATS_RECENT]; /* of v; NULL: none yet */
	bool overflown;				       /* there are more than KTR_FORMATS_MAX */
	struct ktr_format *spare;		       /* the one that is not kept */
	bool no_string_width; /* BSD/OS ignores the width of %s, as its manual says */
	uint64_t unresolved, unsupported, many; /* different ones */
};

void ktr_formats_fini(struct ktr_formats *f);
/* Valid until the next call. */
enum tdat_status ktr_formats_find(struct ktr_formats *f, struct ktr_strings *strings, uint64_t addr,
				  unsigned int parm_count, struct ktr_format **out,
				  struct tdat_error *err);

/* ---- thread_pids.c ---- */

/* KTR_RECENT: places for what was looked up last; a power of two. */
enum { KTR_PID_FIRST = 4194304, KTR_TASKS_MAX = 1 << 18, KTR_RECENT = 1024 };

struct ktr_task {
	uint64_t key;
	int32_t pid;
	int32_t tid; /* of a thread pointer, learnt later; -1: none */
};

struct ktr_task_table {
	struct ktr_task *v;
	size_t cap;
	struct tdat_map map;
	uint32_t recent[KTR_RECENT]; /* index + 1; 0: none yet */
};

struct ktr_tasks {
	struct ktr_task_table threads; /* by pointer */
	struct ktr_task_table named;   /* by thread number + 1 */
};

void ktr_tasks_fini(struct ktr_tasks *t);
/* The pid of a thread pointer; its name is emitted the first time. */
enum tdat_status ktr_tasks_thread(struct ktr_tasks *t, const struct tdat_emit *emit,
				  uint64_t thread, int32_t *pid, struct tdat_error *err);
/* Keeps a thread number and name; they are emitted the first time. */
enum tdat_status ktr_tasks_named(struct ktr_tasks *t, const struct tdat_emit *emit, int32_t tid,
				 struct tdat_span name, struct tdat_error *err);
/* From now on the thread pointer is this thread number. */
enum tdat_status ktr_tasks_learn(struct ktr_tasks *t, uint64_t thread, int32_t tid,
				 struct tdat_error *err);

/* ---- event_send.c ---- */

struct ktr_entry;
struct ktr_setup;

#define KTR_HZ_MAX 10000000000ull

struct ktr_output_opts {
	bool typed;
	bool graph;
	bool sched;
	bool atrace;
	bool ns;     /* stamps are ns already */
	uint64_t hz; /* 0: stamps stay cycles */
};

struct ktr_sched;

/* Offsets in the event "ktr". */
enum { KTR_PID_OFF = 4, KTR_LOC_FILE = 12, KTR_LOC_MSG = 80, KTR_FIXED_LEN = 84 };

enum { KTR_TYPED_NAME_CAP = 64 };

/* A name of an event that has a format of its own. */
struct ktr_typed_name {
	char name[KTR_TYPED_NAME_CAP];
	unsigned int last; /* numbers that were tried behind it */
};

struct ktr_output {
	const struct tdat_emit *emit;
	const struct ktr_setup *setup; /* layout NULL for text forms */
	struct ktr_output_opts opts;
	bool others; /* events beside "ktr" are asked for */
	struct ktr_strings *strings;
	struct ktr_formats formats;
	struct ktr_tasks tasks;
	struct ktr_sched *sched;
	unsigned int word, parm_count;
	uint16_t ktr_id, graph_ids[3], mark_id;
	struct tdat_build payload, message, file, arg;
	struct ktr_print_stats print;
	uint64_t files_unresolved;
	uint64_t *cpu_events; /* by CPU */
	uint32_t cpu_count;
	uint64_t typed_count; /* formats that have an event of their own */
	uint64_t typed_refused;
	struct ktr_typed_name *typed_names; /* NULL before the first */
	size_t typed_cap;
	struct tdat_map typed_map; /* by name */
};

/* The payload built last as an event. */
enum tdat_status ktr_output_send(struct ktr_output *o, uint32_t cpu, uint64_t ts,
				 struct tdat_error *err);
/* Cycles to ns, where their rate is known. */
uint64_t ktr_stamp(const struct ktr_output *o, uint64_t ts);
enum tdat_status ktr_output_format(struct ktr_output *o, const char *system, const char *name,
				   uint16_t *id, struct tdat_error *err);

/* ---- entry_events.c ---- */

struct ktr_meta;

enum tdat_status ktr_output_init(struct ktr_output *o, const struct tdat_emit *emit,
				 const struct ktr_setup *setup, const struct ktr_output_opts *opts,
				 struct ktr_strings *strings, uint32_t cpu_count,
				 struct tdat_error *err);
void ktr_output_fini(struct ktr_output *o);
/* The same, one by one, that ktr_pipe_run (entry_batch.h) does in batches, and other events. */
enum tdat_status ktr_output_entry(struct ktr_output *o, const struct ktr_entry *e,
				  struct tdat_error *err);
/* Warns of doubts about strings and writes CPUSTAT. */
enum tdat_status ktr_output_end(struct ktr_output *o, const struct ktr_meta *meta,
				struct tdat_error *err);

/* ---- parts of ktr_output_entry ---- */

/* What a message says of the thread that it is of. */
struct ktr_task_hint {
	bool named; /* tid and name are there */
	bool runs;  /* it is what runs: its pointer becomes known by it */
	int32_t tid;
	struct tdat_span name;
};

/* g: of the message; NULL: there is none. */
struct ktr_task_hint ktr_task_hint(const struct ktr_graph *g);
enum tdat_status ktr_find_task(struct ktr_output *o, uint64_t thread,
			       const struct ktr_task_hint *hint, int32_t *pid,
			       struct tdat_error *err);
/* Append what precedes the strings, the name of the file, and the message. */
void ktr_put_fixed(const struct ktr_output *o, struct tdat_build *b, const struct ktr_entry *e,
		   int32_t pid);
void ktr_put_file(struct ktr_output *o, const struct ktr_entry *e, struct tdat_build *b);
enum tdat_status ktr_put_message(struct ktr_output *o, const struct ktr_entry *e,
				 struct tdat_build *b, struct ktr_format **format,
				 struct tdat_error *err);

/* ---- entry_batch.c ---- */

struct ktr_pipe;

/* Adds an entry that has no text of its own; only the reading function calls it. */
enum tdat_status ktr_pipe_add(struct ktr_pipe *p, const struct ktr_entry *e,
			      struct tdat_error *err);

/* Reads entries in their order, and adds each. */
typedef enum tdat_status (*ktr_read_fn)(void *ctx, struct ktr_pipe *p, struct tdat_error *err);

/*
 * Runs read, on a thread of its own if threads is not 1, and hands over the events of what it adds.
 * Events and failures are those that ktr_output_entry gives for each entry in turn, where no event
 * but "ktr" is asked for (o->others; tests/unit/formats/test_import_threads.c compares).
 */
enum tdat_status ktr_pipe_run(struct ktr_output *o, uint32_t threads, ktr_read_fn read, void *ctx,
			      struct tdat_error *err);

/* ---- sched_events.c ---- */

struct ktr_graph;

/* Makes o->sched, which free() frees, also after a failure. */
enum tdat_status ktr_sched_new(struct ktr_output *o, struct tdat_error *err);
/* Follows one state of a thread. */
enum tdat_status ktr_sched_state(struct ktr_output *o, const struct ktr_graph *g, int32_t pid,
				 uint32_t cpu, uint64_t ts, struct tdat_error *err);

/* ---- typed_events.c ---- */

/* The event of the entry's own format, after the generic one. */
enum tdat_status ktr_typed(struct ktr_output *o, struct ktr_format *f, const struct ktr_entry *e,
			   int32_t pid, uint64_t ts, struct tdat_error *err);

/* ---- ring_meta.c ---- */

struct ktr_meta {
	const struct tdat_import_input *input; /* NULL: there is none */
	char layout[32];		       /* "" when the file has none; likewise the rest */
	char endian[8];
	char clock[8];
	uint64_t word;
	bool has_idx;
	uint64_t idx;
	uint64_t entries;
	uint64_t version;
	uint64_t ring_len; /* BSD/OS: ktr_size */
	bool has_alq_failed;
	uint64_t alq_failed;
};

enum tdat_status ktr_meta_read(struct ktr_meta *m, const struct tdat_import_input *in,
			       const struct tdat_emit *emit, struct tdat_error *err);
/* "idx<N>=" of BSD/OS; false without it. */
bool ktr_meta_ring_idx(const struct ktr_meta *m, uint32_t cpu, uint64_t *idx);
/* Warns of each "idx<N>=" below cpus for whose CPU there is no ring. */
enum tdat_status ktr_meta_warn_absent(const struct ktr_meta *m, const bool *has_ring, uint32_t cpus,
				      const struct tdat_emit *emit, struct tdat_error *err);

/* ---- ktr_inputs.c ---- */

struct ktr_files {
	struct ktr_meta meta;
	const struct tdat_import_input **data; /* binary */
	size_t data_count;
	const struct tdat_import_input **texts; /* text forms */
	size_t text_count;
	const struct tdat_import_input **sidecars; /* strings and ELF files */
	size_t sidecar_count;
};

enum tdat_status ktr_files_init(struct ktr_files *f, const struct tdat_import_request *request,
				const struct tdat_emit *emit, struct tdat_error *err);
void ktr_files_fini(struct ktr_files *f);
/* ktr<N>.bin -> N */
bool ktr_ring_cpu(const char *name, uint32_t *cpu);
bool ktr_is_strings_name(const char *name);
/* Whether an option names the input. */
bool ktr_is_option_file(const struct tdat_import_request *request, const char *key,
			const struct tdat_import_input *in);
bool ktr_is_elf(const struct tdat_source *source);

/* ---- entry_guess.c ---- */

struct ktr_candidates {
	bool allowed[KTR_SCORED][2]; /* by layout and byte order */
};

/*
 * The best of the candidates; TDAT_E_FORMAT when none is plausible. All sources
 * empty: setup->layout stays NULL.
 */
enum tdat_status ktr_detect(struct ktr_setup *setup, const struct ktr_candidates *candidates,
			    const struct tdat_import_input *const *data, size_t data_count,
			    struct ktr_strings *strings, struct tdat_error *err);
/* The byte order of a layout that is given; strings: NULL when there are none. */
bool ktr_detect_big(const struct ktr_setup *setup, const struct tdat_import_input *const *data,
		    size_t data_count, struct ktr_strings *strings);
uint32_t ktr_probe(const struct tdat_import_input *inputs, size_t input_count);

/* ---- stathz.c ---- */

enum { KTR_STATHZ_SAMPLES = 4096 };

/* All zero: no ticks yet. */
struct ktr_stathz {
	uint64_t last[KTR_CPU_MAX];
	uint64_t samples[KTR_STATHZ_SAMPLES]; /* cycles per second */
	size_t sample_count;
};

void ktr_stathz_add(struct ktr_stathz *s, uint32_t cpu, uint64_t ts, struct tdat_span message);
/* Cycles per second, or 0 when no two ticks of a CPU were seen. */
uint64_t ktr_stathz_hz(struct ktr_stathz *s);

/* ---- entry_reader.c ---- */

struct ktr_stream {
	const struct tdat_import_input *input;
	uint32_t cpu; /* of all entries, when fixed_cpu */
	bool fixed_cpu;
	bool ring; /* empty slots are to be expected */
	uint64_t slots;
	uint64_t first;		/* oldest slot */
	struct ktr_seen unused; /* counted by the survey */
	struct ktr_seen begun;	/* those of unused that have other bytes than zeros */
	uint64_t unused_behind; /* slots behind this one that lie in a hole: they are skipped */
};

struct ktr_survey {
	uint64_t entries;
	struct ktr_seen bad_cpu, backwards; /* earlier than the one before on its CPU */
	struct ktr_seen early;		    /* before 1970 */
	uint32_t cpu_count;		    /* highest + 1 */
	uint32_t cpus;			    /* different ones */
	bool ordered;			    /* as read */
	uint64_t image_votes;		    /* formats where an amd64 kernel would have them */
	struct ktr_blocks blocks;
};

struct ktr_reader {
	const struct ktr_setup *setup;
	struct ktr_stream *streams;
	size_t count;
};

/* Lays out the inputs, and warns of what is left over at their ends. */
enum tdat_status ktr_reader_init(struct ktr_reader *r, const struct ktr_setup *setup,
				 const struct ktr_files *files, const struct tdat_emit *emit,
				 struct tdat_error *err);
void ktr_reader_fini(struct ktr_reader *r);
/* The first pass. stathz and output->formats only when stathz is not NULL. */
enum tdat_status ktr_reader_survey(struct ktr_reader *r, struct ktr_survey *s,
				   struct ktr_stathz *stathz, struct ktr_formats *formats,
				   struct ktr_strings *strings, struct tdat_error *err);
void ktr_survey_fini(struct ktr_survey *s);
enum tdat_status ktr_survey_warn(const struct ktr_survey *s, const struct ktr_reader *r,
				 const struct tdat_emit *emit, struct tdat_error *err);
/*
 * The second pass: everything in order of time to output. threads as in a request: with more than
 * one, entries are read and events made on a thread of its own.
 */
enum tdat_status ktr_reader_emit(struct ktr_reader *r, const struct ktr_survey *s,
				 struct ktr_output *out, uint32_t threads, struct tdat_error *err);

/* ---- listing.c ---- */

enum ktr_text_form {
	KTR_TEXT_NONE,
	KTR_TEXT_KTRDUMP,
	KTR_TEXT_DTRACE,    /* FreeBSD's schedgraph.d */
	KTR_TEXT_DRAGONFLY, /* its ktrdump */
	KTR_TEXT_TDUMP,
	KTR_TEXT_KDEBUG,
	KTR_TEXT_DDB,
	KTR_TEXT_DDB_OLD, /* FreeBSD of 2000 */
	KTR_TEXT_CONSOLE
};

enum ktr_column {
	KTR_COLUMN_CPU,
	KTR_COLUMN_TIME,
	KTR_COLUMN_FILE,
	KTR_COLUMN_THREAD,
	KTR_COLUMN_CALLERS,
	KTR_COLUMN_ID,
	KTR_COLUMN_TRACE,
	KTR_COLUMN_COUNT
};

/* What a listing's rows consist of. */
struct ktr_text_shape {
	enum ktr_text_form form;
	enum ktr_column columns[KTR_COLUMN_COUNT]; /* behind the index, in order */
	uint8_t column_count;
	bool strict; /* columns have to be as wide as they are printed */
	int indent;  /* strict: blanks before each row, or -1: a mail took one */
	bool words;  /* tdump -v: five raw words before the text */
	bool deltas; /* tdump: time since the older row */
	bool has_newest;
	uint64_t newest; /* time of the newest row */
	uint64_t hz;	 /* as the listing says; 0: it does not */
};

struct ktr_text_row {
	bool has_index, has_time, time_is_ns;
	uint64_t index;
	uint64_t time; /* or delta */
	uint32_t cpu;
	bool bad_cpu;
	uint64_t thread;
	uint32_t line;
	uint64_t parms[KTR_PARMS];
	struct tdat_span file;
	struct tdat_span id, caller1, caller2; /* DragonFly */
	struct tdat_span text;
};

/* ---- listing_row.c ---- */

bool ktr_text_row(const struct ktr_text_shape *shape, struct tdat_span line,
		  struct ktr_text_row *out);
/* Whether a line belongs to a listing but is no row. */
bool ktr_text_is_noise(const struct ktr_text_shape *shape, struct tdat_span line);
void ktr_text_unquote(struct tdat_span *line);
/* ktrdump's header: fills columns. */
bool ktr_text_header(struct tdat_span line, struct ktr_text_shape *shape);

/* ---- listing_shape.c ---- */

void ktr_text_shape(const struct tdat_source *source, struct ktr_text_shape *out);
bool ktr_text_is(const struct tdat_source *source);
/* Bits of the head that were found as a listing has them. */
uint32_t ktr_text_probe(const struct tdat_source *source);
const char *ktr_text_form_name(enum ktr_text_form form);

/* ---- listing.c ---- */

enum ktr_text_order { KTR_TEXT_OLDEST_FIRST, KTR_TEXT_NEWEST_FIRST };

struct ktr_text_survey {
	uint64_t rows;
	struct ktr_seen bad_lines, bad_cpu, backwards;
	uint64_t cut_off; /* of a last line without an end; TDAT_NO_OFFSET: none */
	uint32_t cpu_count;
	uint32_t cpus;
	enum ktr_text_order order;
	bool has_time;
	bool relative; /* each time counts from the row before */
	bool per_cpu;  /* ... of the same CPU */
	bool ns;       /* times are ns */
	bool steady;   /* times never go against the order of rows */
	uint64_t sum;  /* of all deltas but the first */
};

struct ktr_text {
	const struct tdat_import_input *input;
	struct ktr_text_shape shape;
	struct ktr_text_survey survey;
};

/* stathz: NULL when the rate is not asked for. */
enum tdat_status ktr_text_survey(struct ktr_text *t, struct ktr_stathz *stathz,
				 struct tdat_error *err);
enum tdat_status ktr_text_warn(const struct ktr_text *t, const struct tdat_emit *emit,
			       struct tdat_error *err);
enum tdat_status ktr_text_emit(struct ktr_text *t, struct ktr_output *out, struct tdat_error *err);

#endif
