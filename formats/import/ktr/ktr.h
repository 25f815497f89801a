/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * KTR captures of the BSDs: inputs -> layout and byte order -> entries in order
 * of time -> messages by format strings of a kernel image -> events. Binary
 * captures are read twice: a survey that counts and looks at the order, then the
 * pass that emits. Text forms bring their messages along.
 */
#ifndef TDAT_IMPORT_KTR_H
#define TDAT_IMPORT_KTR_H

#include <tdat/emit.h>

#include "core/build.h"
#include "import/lines.h"
#include "import/sort.h"
#include "import/window.h"

enum {
	KTR_CPU_MAX = 4096,    /* entries name CPUs below it */
	KTR_LINE_MAX = 200000, /* plausible line numbers are below it */
	KTR_PARMS = 6,
	KTR_ENTRY_MAX = 128, /* bytes of the longest entry */
	KTR_STRING_MAX = 127 /* characters of a format or %s that are shown */
};

enum ktr_layout_id {
	KTR_V2_64,
	KTR_V2_32,
	KTR_V2_32A8,
	KTR_V1_64,
	KTR_V1_32,
	KTR_SCORED, /* those before it can be told apart by their bytes */
	KTR_BSDOS = KTR_SCORED,
	KTR_2000_32,
	KTR_2000_64,
	KTR_2000X, /* message inside, 2000 */
	KTR_2001X, /* message inside, 2001 */
	KTR_LAYOUT_COUNT
};

enum ktr_time {
	KTR_TIME_CYCLES,
	KTR_TIME_TIMEVAL,    /* s32 sec, s32 usec */
	KTR_TIME_TIMESPEC32, /* s32 sec, s32 nsec */
	KTR_TIME_TIMESPEC64  /* s32 sec, 4 unused, s64 nsec */
};

/* Offsets of fields; 0: the entry has none (only time is at 0). */
struct ktr_layout {
	const char *name;
	uint8_t len;
	uint8_t word; /* bytes of a pointer and of a parameter */
	uint8_t cpu_off, line_off, file_off, desc_off, thread_off, parm_off;
	uint8_t parm_count;
	uint8_t desc_len; /* the message itself stands at desc_off; 0: a pointer */
	uint8_t file_len; /* the same for the file's name */
	enum ktr_time time;
};

/* What all entries of a capture have in common. */
struct ktr_setup {
	const struct ktr_layout *layout; /* NULL: nothing to tell it from */
	enum ktr_time time;
	bool big;
};

struct ktr_entry {
	uint64_t ts;  /* cycles, or ns where the layout has real time */
	uint32_t cpu; /* 0 when bad_cpu */
	uint32_t line;
	bool bad_cpu;
	bool unused; /* empty slot */
	bool early;  /* a time before 1970, taken as 0 */
	uint64_t file, desc, thread;
	uint64_t parms[KTR_PARMS];
	/* Text instead of pointers: of text forms and layouts that hold the message. */
	bool has_text;
	struct tdat_span text;
	struct tdat_span file_text;
};

/* ---- seen.c: doubts ---- */

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

/* Tell of entries, if there are any. */
enum tdat_status ktr_warn_bad_cpu(const struct ktr_seen *s, const struct tdat_emit *emit,
				  struct tdat_error *err);
enum tdat_status ktr_warn_backwards(const struct ktr_seen *s, const struct tdat_emit *emit,
				    struct tdat_error *err);

/* ---- layout.c ---- */

const struct ktr_layout *ktr_layout(size_t id);
/* p: layout->len bytes. */
void ktr_decode(const struct ktr_setup *setup, const uint8_t *p, struct ktr_entry *out);

/* ---- image.c: strings and symbols of an ELF file ---- */

struct ktr_image;

/*
 * source stays open as long as the image. base: where a module was loaded; 0
 * for a kernel. *out is NULL when the file is no ELF file that can be read.
 */
enum tdat_status ktr_image_open(struct ktr_image **out, const struct tdat_source *source,
				const char *name, uint64_t base, struct tdat_error *err);
void ktr_image_close(struct ktr_image *image);
bool ktr_image_is_elf(const struct tdat_source *source);

/* A module, whose addresses mean nothing without the one it was loaded at. */
bool ktr_image_needs_base(const struct ktr_image *image);
uint8_t ktr_image_word(const struct ktr_image *image); /* 4 or 8 */
bool ktr_image_big(const struct ktr_image *image);
uint16_t ktr_image_machine(const struct ktr_image *image);
/* Up to max bytes before a NUL at an address; ptr NULL when nothing lies there. */
struct tdat_span ktr_image_string(const struct ktr_image *image, uint64_t addr, size_t max);
/* An int variable by name; false without it. */
bool ktr_image_int(const struct ktr_image *image, const char *symbol, uint32_t *out);
/* A char array by name. */
struct tdat_span ktr_image_text(const struct ktr_image *image, const char *symbol);
/* Appends lines as of /proc/kallsyms. module: NULL for a kernel. */
enum tdat_status ktr_image_kallsyms(const struct ktr_image *image, const char *module,
				    struct tdat_build *out, struct tdat_error *err);

/* ---- strings.c: address -> text ---- */

enum { KTR_STRINGS_CACHE = 4096 };

struct ktr_strings_slot {
	uint64_t addr;
	struct tdat_span text;
	bool set;
};

struct ktr_strings {
	struct ktr_image **images;
	const char **module_names; /* of images; NULL for a kernel */
	size_t image_count;
	struct tdat_build table; /* of struct strings_entry, sorted */
	struct tdat_build bytes;
	size_t max; /* characters shown */
	struct ktr_strings_slot cache[KTR_STRINGS_CACHE];
};

void ktr_strings_init(struct ktr_strings *s);
void ktr_strings_fini(struct ktr_strings *s);
/* Takes the image over, also on failure. */
enum tdat_status ktr_strings_add_image(struct ktr_strings *s, struct ktr_image *image,
				       const char *module, struct tdat_error *err);
/* Lines of 0xADDR<TAB>"text". */
enum tdat_status ktr_strings_add_file(struct ktr_strings *s, const struct tdat_import_input *in,
				      const struct tdat_emit *emit, struct tdat_error *err);
bool ktr_strings_any(const struct ktr_strings *s);
/* At most s->max characters; ptr NULL when there is nothing at addr. */
struct tdat_span ktr_strings_find(struct ktr_strings *s, uint64_t addr);

/* ---- detect.c ---- */

struct ktr_candidates {
	bool allowed[KTR_SCORED][2]; /* by layout and byte order */
	size_t count;
};

struct ktr_score {
	int64_t points;
	uint64_t seen; /* entries looked at that are not all zero */
	uint64_t plausible;
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

/* ---- meta.c: the sidecar of ring copies ---- */

struct ktr_meta {
	const struct tdat_import_input *input; /* NULL: there is none */
	char layout[32];		       /* "" when not told; likewise the rest */
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

/* ---- files.c ---- */

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

/* ---- format.c: a printf format as a program ---- */

enum ktr_arg_size { KTR_ARG_CHAR, KTR_ARG_SHORT, KTR_ARG_INT, KTR_ARG_WORD };

struct ktr_conv {
	uint8_t lit_off, lit_len; /* text before it */
	char kind;		  /* d u x X o c s p; % for a percent sign; 0: only the text */
	uint8_t size;		  /* enum ktr_arg_size */
	bool left, zero, plus, space, alt;
	uint8_t parm; /* index; KTR_PARMS or more: there is no such */
	uint16_t width;
	int16_t prec; /* -1: not given */
};

enum { KTR_WIDTH_MAX = 1024, KTR_CONVS_MAX = KTR_STRING_MAX };

struct ktr_format {
	uint64_t addr;
	struct ktr_format *next; /* of the same bucket */
	bool resolved;
	bool unsupported; /* shown raw */
	bool many;	  /* wants more parameters than there are */
	bool clean;	  /* its text has no control bytes */
	bool stathz;	  /* its text names the rate of statclock */
	uint8_t conv_count;
	uint8_t len;
	char text[KTR_STRING_MAX + 1];
	bool typed_known;
	uint16_t typed_id;	 /* 0: has no event of its own */
	struct ktr_conv convs[]; /* the last one has kind 0 */
};

/* What printing met. */
struct ktr_print_stats {
	uint64_t strings_unresolved;
};

/* NULL: no memory. parm_count: of the layout. */
struct ktr_format *ktr_format_new(uint64_t addr, struct tdat_span text, unsigned int parm_count);
/* The value of a parameter as the conversion sees it, sign-extended when signed. */
uint64_t ktr_conv_value(const struct ktr_conv *c, uint64_t parm, unsigned int word);
bool ktr_conv_signed(const struct ktr_conv *c);
/* Appends the message. */
void ktr_format_print(const struct ktr_format *f, const struct ktr_entry *e, unsigned int word,
		      unsigned int parm_count, struct ktr_strings *strings, struct tdat_build *out,
		      struct ktr_print_stats *stats);
/* Appends untrusted text: control bytes become C escapes. */
void ktr_text_clean(struct tdat_build *out, struct tdat_span text);
/* "<0xADDR>" or the string at addr. */
bool ktr_string_print(struct ktr_strings *strings, uint64_t addr, struct tdat_build *out);

/* ---- formats.c: formats met so far ---- */

enum { KTR_FORMATS_MAX = 65536, KTR_FORMAT_BUCKETS = 16384 };

struct ktr_formats {
	struct ktr_format **buckets;
	size_t count;
	bool overflown;				/* there are more than KTR_FORMATS_MAX */
	struct ktr_format *spare;		/* the one that is not kept */
	uint64_t unresolved, unsupported, many; /* different ones */
};

enum tdat_status ktr_formats_init(struct ktr_formats *f, struct tdat_error *err);
void ktr_formats_fini(struct ktr_formats *f);
/* Valid until the next call. */
enum tdat_status ktr_formats_find(struct ktr_formats *f, struct ktr_strings *strings, uint64_t addr,
				  unsigned int parm_count, struct ktr_format **out,
				  struct tdat_error *err);

/* ---- graph.c: the language of scheduler and lock events ---- */

enum ktr_graph_kind { KTR_GRAPH_STATE, KTR_GRAPH_COUNTER, KTR_GRAPH_POINT };

struct ktr_graph {
	enum ktr_graph_kind kind;
	struct tdat_span group, id;
	struct tdat_span data; /* state, point, or the counter as text */
	int64_t counter;
	struct tdat_span attributes;
	struct tdat_span name; /* of the thread: id without its number */
	int32_t tid;	       /* -1: the id tells none */
};

/* False when the message is none of it. All spans point into it. */
bool ktr_graph_parse(struct tdat_span message, struct ktr_graph *out);
bool ktr_span_is(struct tdat_span s, const char *text);
/* The number behind "key:" in the attributes; false without it. */
bool ktr_graph_number(const struct ktr_graph *g, const char *key, int64_t *out);

/* ---- stathz.c: how fast the cycle counter runs ---- */

enum { KTR_STATHZ_SAMPLES = 4096 };

struct ktr_stathz {
	uint64_t *last;	   /* by CPU; of KTR_CPU_MAX */
	uint64_t *samples; /* cycles per second */
	size_t sample_count;
};

enum tdat_status ktr_stathz_init(struct ktr_stathz *s, struct tdat_error *err);
void ktr_stathz_fini(struct ktr_stathz *s);
void ktr_stathz_add(struct ktr_stathz *s, uint32_t cpu, uint64_t ts, struct tdat_span message);
/* Cycles per second, or 0 when no two ticks of a CPU were seen. */
uint64_t ktr_stathz_hz(struct ktr_stathz *s);

/* ---- tasks.c: threads as pids ---- */

enum { KTR_PID_FIRST = 4194304, KTR_TASKS_MAX = 1 << 18 };

struct ktr_task_slot {
	uint64_t key; /* 0: free */
	int32_t pid;
	int32_t tid; /* of a thread pointer, learnt later; -1: none */
};

struct ktr_task_table {
	struct ktr_task_slot *slots;
	size_t cap, count;
};

struct ktr_tasks {
	struct ktr_task_table threads; /* by pointer */
	struct ktr_task_table named;   /* by thread number + 1 */
};

void ktr_tasks_init(struct ktr_tasks *t);
void ktr_tasks_fini(struct ktr_tasks *t);
/* The pid of a thread pointer; its name is told to emit the first time. */
enum tdat_status ktr_tasks_thread(struct ktr_tasks *t, const struct tdat_emit *emit,
				  uint64_t thread, int32_t *pid, struct tdat_error *err);
/* A thread number and name; told to emit the first time. */
enum tdat_status ktr_tasks_named(struct ktr_tasks *t, const struct tdat_emit *emit, int32_t tid,
				 struct tdat_span name, struct tdat_error *err);
/* From now on the thread pointer is this thread number. */
enum tdat_status ktr_tasks_learn(struct ktr_tasks *t, uint64_t thread, int32_t tid,
				 struct tdat_error *err);

/* ---- output.c ---- */

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

struct ktr_output {
	const struct tdat_emit *emit;
	const struct ktr_setup *setup; /* layout NULL for text forms */
	struct ktr_output_opts opts;
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
	struct tdat_build typed_names; /* NUL-terminated ones */
	uint64_t graphs_unknown;
};

enum tdat_status ktr_output_init(struct ktr_output *o, const struct tdat_emit *emit,
				 const struct ktr_setup *setup, const struct ktr_output_opts *opts,
				 struct ktr_strings *strings, uint32_t cpu_count,
				 struct tdat_error *err);
void ktr_output_fini(struct ktr_output *o);
enum tdat_status ktr_output_entry(struct ktr_output *o, const struct ktr_entry *e,
				  struct tdat_error *err);
/* Tells doubts about strings and writes CPUSTAT. */
enum tdat_status ktr_output_end(struct ktr_output *o, const struct ktr_meta *meta,
				struct tdat_error *err);
/* The payload built last as an event. */
enum tdat_status ktr_output_send(struct ktr_output *o, uint32_t cpu, uint64_t ts,
				 struct tdat_error *err);
enum tdat_status ktr_output_format(struct ktr_output *o, const char *system, const char *name,
				   uint16_t *id, struct tdat_error *err);

/* ---- typed.c ---- */

/* The event of the entry's own format, after the generic one. */
enum tdat_status ktr_typed(struct ktr_output *o, struct ktr_format *f, const struct ktr_entry *e,
			   int32_t pid, uint64_t ts, struct tdat_error *err);

/* ---- sched.c ---- */

struct ktr_sched *ktr_sched_new(void);
void ktr_sched_free(struct ktr_sched *s);
enum tdat_status ktr_sched_init(struct ktr_sched *s, struct ktr_output *o, struct tdat_error *err);
/* Follows one state of a thread. */
enum tdat_status ktr_sched_state(struct ktr_sched *s, struct ktr_output *o,
				 const struct ktr_graph *g, int32_t pid, uint32_t cpu, uint64_t ts,
				 struct tdat_error *err);

/* ---- reorder.c: entries that are nearly in order ---- */

/* The least time of each block of entries; after end, of it and all that follow. */
struct ktr_blocks {
	struct tdat_build least; /* of uint64_t */
	uint64_t used;
};

void ktr_blocks_init(struct ktr_blocks *b);
void ktr_blocks_fini(struct ktr_blocks *b);
void ktr_blocks_add(struct ktr_blocks *b, uint64_t ts);
/* False: no memory. */
bool ktr_blocks_end(struct ktr_blocks *b);

struct ktr_reorder;
typedef enum tdat_status (*ktr_reorder_fn)(void *ctx, uint64_t ts, uint32_t cpu,
					   struct tdat_span raw, struct tdat_error *err);

/* fn gets every entry in order of time, CPU and reading. */
enum tdat_status ktr_reorder_new(struct ktr_reorder **out, const struct ktr_blocks *blocks,
				 size_t entry_len, ktr_reorder_fn fn, void *ctx,
				 struct tdat_error *err);
void ktr_reorder_free(struct ktr_reorder *r);
enum tdat_status ktr_reorder_add(struct ktr_reorder *r, uint64_t ts, uint32_t cpu,
				 const uint8_t *raw, struct tdat_error *err);
enum tdat_status ktr_reorder_end(struct ktr_reorder *r, struct tdat_error *err);

/* ---- reader.c: binary entries ---- */

struct ktr_stream {
	const struct tdat_import_input *input;
	uint32_t cpu; /* of all entries, when fixed_cpu */
	bool fixed_cpu;
	bool ring; /* empty slots are to be expected */
	uint64_t slots;
	uint64_t first;		     /* oldest slot */
	struct ktr_seen unused;	     /* counted by the survey */
};

struct ktr_survey {
	uint64_t entries;
	struct ktr_seen bad_cpu, backwards; /* earlier than the one before on its CPU */
	struct ktr_seen early; /* before 1970 */
	uint32_t cpu_count;   /* highest + 1 */
	uint32_t cpus;	      /* different ones */
	bool ordered;	      /* as read */
	uint64_t image_votes; /* formats where an amd64 kernel would have them */
	struct ktr_blocks blocks;
};

struct ktr_reader {
	const struct ktr_setup *setup;
	struct ktr_stream *streams;
	size_t count;
};

/* Lays out the inputs; tells what is left over at their ends. */
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
/* The second pass: everything in order of time to output. */
enum tdat_status ktr_reader_emit(struct ktr_reader *r, const struct ktr_survey *s,
				 struct ktr_output *out, struct tdat_error *err);

#endif
