/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what the parts of the hist triggers share: events with their triggers, the fields that
 * a trigger's text names, and the session that owns all of them.
 *
 * The rules are those of kernel/trace/trace_events_hist.c of Linux 6.1 and 6.12. Where the order
 * of steps decides which error is reported first, or what is counted, it is the kernel's.
 */
#ifndef TDAT_HIST_HIST_H
#define TDAT_HIST_HIST_H

#include <tdat/hist.h>

#include "core/arena.h"
#include "core/build.h"
#include "core/hash.h"
#include "file/file.h"
#include "model/format.h"

/* The kernel's limits of one trigger. */
enum {
	HIST_KEYS = 3,
	HIST_VALS = 3, /* hitcount is one of them */
	HIST_VARS = 16,
	HIST_FIELDS = HIST_KEYS + HIST_VALS + HIST_VARS,
	HIST_SORTS = 2,
	HIST_ACTIONS = 8,
	HIST_PARAMS = 64, /* of an action; fields of a synthetic event */
	HIST_FRAMES = 16, /* of a stack */
	HIST_STR = 256,	  /* bytes of a string variable and of a dynamic string key */
	HIST_BITS_MIN = 7,
	HIST_BITS_MAX = 17,
	HIST_BITS_USUAL = 11,
	HIST_PLAIN_KEY = 16, /* bytes of a key that batch.h takes, at most */
	HIST_DEPTH = 4	     /* triggers that may run within each other on one CPU */
};

/* Bounds of ours: a text of triggers may come from a stranger. */
enum {
	HIST_TRIGGERS_MOST = 1024,
	HIST_TEXTS_MOST = 4096, /* triggers and synthetic events, those refused among them */
	HIST_SYNTHS_MOST = 256,
	HIST_TEXT_MOST = 4096, /* bytes of one trigger, as a write to tracefs may have */
	HIST_MADE_MOST = 4096  /* synthetic events made by one event of the file */
};

/* The rules of the recording kernel, set once by kernel.c. */
struct hist_kernel {
	uint32_t major, minor, patch;
	/* nohitcount, hitcount.percent, common_stacktrace, .function of filters: 6.3 and later */
	bool new_words;
	bool new_sort;	 /* lib/sort.c of 6.11 and later */
	bool val_shares; /* .percent and .graph are taken on values */
	bool sets;	 /* CPUS{} in filters: 6.6 and later */
	bool cuts_cmd;	 /* error_log shows the first 255 bytes of a command */
};

enum hist_fn {
	HIST_FN_NONE,
	HIST_FN_VAR_REF,
	HIST_FN_COUNTER,
	HIST_FN_CONST,
	HIST_FN_LOG2,
	HIST_FN_BUCKET,
	HIST_FN_TIMESTAMP,
	HIST_FN_CPU,
	HIST_FN_STRING, /* char x[N] */
	HIST_FN_DYN,	/* __data_loc char[] */
	HIST_FN_REL,	/* __rel_loc char[] */
	HIST_FN_S64,
	HIST_FN_U64,
	HIST_FN_S32,
	HIST_FN_U32,
	HIST_FN_S16,
	HIST_FN_U16,
	HIST_FN_S8,
	HIST_FN_U8,
	HIST_FN_NEG,
	HIST_FN_SUB,
	HIST_FN_ADD,
	HIST_FN_MUL,
	HIST_FN_DIV,
	HIST_FN_DIV_POWER, /* by a constant power of two */
	HIST_FN_DIV_CONST,
	HIST_FN_DIV_SHIFT, /* by a constant below 2^20, not exact */
	HIST_FN_EXECNAME,
	HIST_FN_STACK /* a stack field, or the event's kernel stack */
};

enum hist_flags {
	HF_HITCOUNT = 1u << 0,
	HF_KEY = 1u << 1,
	HF_STRING = 1u << 2,
	HF_HEX = 1u << 3,
	HF_SYM = 1u << 4,
	HF_SYM_OFFSET = 1u << 5,
	HF_EXECNAME = 1u << 6,
	HF_SYSCALL = 1u << 7,
	HF_STACKTRACE = 1u << 8,
	HF_LOG2 = 1u << 9,
	HF_TIMESTAMP = 1u << 10,
	HF_USECS = 1u << 11,
	HF_VAR = 1u << 12,
	HF_EXPR = 1u << 13,
	HF_VAR_REF = 1u << 14,
	HF_CPU = 1u << 15,
	HF_ALIAS = 1u << 16,
	HF_BUCKET = 1u << 17,
	HF_CONST = 1u << 18,
	HF_PERCENT = 1u << 19,
	HF_GRAPH = 1u << 20
};

/* The kind that the kernel's filters give a field by its type. */
enum hist_field_type {
	HIST_TYPE_NUMBER,
	HIST_TYPE_STATIC, /* char x[N] */
	HIST_TYPE_DYN,
	HIST_TYPE_REL,
	HIST_TYPE_POINTER, /* char *: a number here */
	HIST_TYPE_STACK,
	HIST_TYPE_CPU, /* "cpu", a field of every event */
	HIST_TYPE_COMM /* "comm", the same */
};

/* A field of an event, as the kernel knows it. */
struct hist_efield {
	const char *name;
	const char *type; /* "char[16]", "__data_loc char[]" */
	uint32_t off, len;
	bool is_signed;
	enum hist_field_type kind;
};

/* A string or a stack that a variable holds. */
struct hist_text {
	uint32_t len; /* bytes of text, or frames */
	union {
		uint8_t text[HIST_STR];
		uint64_t frames[HIST_FRAMES];
	} u;
};

/* A variable's value. str is set if it holds a string or a stack. */
struct hist_value {
	uint64_t num;
	const struct hist_text *str;
};

struct hist_data;

/* A key, a value, a variable, a reference, or an operand of one of them. */
struct hist_field {
	const struct hist_efield *field;
	uint32_t flags;
	enum hist_fn fn;
	uint64_t buckets;
	const char *type;
	struct hist_field *operands[2];
	struct hist_data *data; /* of a reference: the trigger whose variable it is */
	uint32_t size, off;	/* off: in the key */
	bool is_signed;
	char op; /* + - * / or n for the unary minus; 0: none */
	const char *var_name;
	uint32_t var_idx;
	const char *system, *event_name, *name; /* of expressions and references */
	uint32_t ref_idx;
	bool read_once;
	uint32_t str_idx;
	uint64_t constant, multiplier;
};

/* A bare field in an action, and the variable that is made of it. */
struct hist_field_var {
	struct hist_field *var, *val;
};

enum hist_handler { HIST_ONMATCH, HIST_ONMAX, HIST_ONCHANGE };
enum hist_action_kind { HIST_TRACE, HIST_SAVE, HIST_SNAPSHOT };

struct hist_synth;

struct hist_action {
	enum hist_handler handler;
	enum hist_action_kind kind;
	const char *name; /* as written: "trace", "save", or that of the synthetic event */
	bool by_trace;	  /* trace(EVENT,...) */
	const char *synth_name;
	struct hist_event *synth;
	const char *params[HIST_PARAMS];
	uint32_t param_count;
	uint32_t refs[HIST_PARAMS];
	const char *match_system, *match_event;
	const char *var_str; /* "$x" of onmax and onchange */
	uint32_t var_ref;
	uint32_t track_idx; /* the variable that keeps the largest or last value */
};

struct hist_attrs {
	char *keys, *vals, *sort, *name, *clock;
	bool clock_given;
	bool pause, cont, clear, no_hitcount, usecs;
	uint32_t bits;
	char *assignments[HIST_VARS];
	uint32_t assignment_count;
	char *actions[HIST_ACTIONS];
	uint32_t action_count;
	const char *var_names[HIST_VARS], *var_exprs[HIST_VARS];
	uint32_t var_count;
};

struct hist_sort {
	uint32_t idx; /* of a field, variables left out; 0: hitcount */
	bool descending;
};

struct hist_map;

/* One histogram; named triggers share one. */
struct hist_data {
	struct hist_event *event;
	struct hist_attrs attrs;
	struct hist_field *fields[HIST_FIELDS]; /* hitcount, values, variables, keys */
	uint32_t field_count, val_count, key_count, var_count;
	uint32_t key_len;
	struct hist_sort sorts[HIST_SORTS];
	uint32_t sort_count;
	struct hist_field *refs[HIST_VARS];
	uint32_t ref_count;
	struct hist_action *actions[HIST_ACTIONS];
	uint32_t action_count;
	struct hist_field_var field_vars[HIST_PARAMS], save_vars[HIST_PARAMS];
	uint32_t field_var_count, save_var_count, field_str_count, save_str_count, var_str_count;
	uint32_t map_vars; /* variables of an entry */
	bool has_vars;	   /* variables or references: others find it */
	bool stamps;	   /* uses timestamps */
	bool execname;
	bool stack;	   /* needs the event's kernel stack */
	uint32_t need_len; /* bytes a record must have for its fields to be read */
	struct hist_map *map;
	bool snapshot_taken;
	uint64_t snapshot_value;
	const struct hist_action *snapshot_action;
	uint8_t *snapshot_key;
	uint32_t snapshot_task;
};

struct hist_filter;

/* A trigger of an event: a histogram, or enable_hist/disable_hist of another event. */
struct hist_trigger {
	struct hist_event *event;
	struct hist_data *data; /* NULL: enable_hist or disable_hist */
	const char *filter_str;
	struct hist_filter *filter;
	bool paused;
	const char *name; /* "name=N" of a named one; NULL */
	const struct hist_trigger *named;
	struct hist_event *target;
	bool enable;
	int64_t count; /* -1: unlimited */
};

struct hist_synth_field {
	const char *type, *name; /* "char[16]" */
	uint32_t size;
	bool is_signed, is_string, is_dynamic, is_stack;
};

struct hist_synth {
	const char *name;
	struct hist_synth_field fields[HIST_PARAMS];
	uint32_t field_count;
	uint32_t fixed_len; /* of its record, common fields included */
	uint64_t made;
	bool of_file; /* no text defined it: the file's format did */
};

/* An event that a trigger may name. */
struct hist_event {
	const char *system, *name;
	uint32_t id;
	const struct hist_efield *fields;
	size_t field_count;
	const struct tdat_event_format *format;
	struct tdat_event_format *own_format; /* NULL: it is the file's */
	struct hist_synth *synth;	      /* NULL: it is not synthetic */
	struct hist_data *plain;	      /* batch.h: its one histogram, or NULL */
	bool is_made; /* actions make it: those of the file are not counted */
	struct hist_trigger **triggers;
	size_t trigger_count, trigger_room;
	bool listed;
	bool stack, execname; /* what its triggers need */
	struct hist_event *next_shown;
	struct hist_event *next;
};

/* Why a trigger is refused: lines as error_log has them. */
struct hist_refusal {
	struct tdat_build text;
	char *cmd; /* "hist:" and the trigger */
	const char *system, *event;
	const char *ours; /* why the trigger is refused that the kernel takes; or NULL */
	const char
		*hint; /* for our sentence: the nearest field of one that is not there; or NULL */
};

struct hist_tasks;
struct hist_syms;

struct tdat_hist {
	struct tdat_file *file;
	struct tdat_hist_opts opts;
	struct hist_kernel kernel;
	const char *machine;		      /* "x86_64" of the uname option, or "" */
	const struct tdat_syscalls *syscalls; /* of the machine; NULL: not known */
	bool big, clock_ns;
	uint32_t buffer;   /* index of the one whose events are counted */
	const char *clock; /* of that buffer */
	uint8_t long_len;
	struct tdat_arena arena;
	struct hist_event *events; /* those that were named so far */
	struct hist_event *shown, **shown_end;
	struct hist_event **by_id; /* events of the file that have triggers; FILE_ID_COUNT */
	struct hist_synth **synths;
	size_t synth_count, synth_room;
	struct hist_data **datas; /* in order of creation */
	size_t data_count, data_room;
	struct hist_trigger **named;
	size_t named_count, named_room;
	size_t trigger_count, text_count;
	struct hist_refusal refusal;
	struct tdat_error *err; /* of the call that is running */
	bool nomem;
	char **notes;
	size_t note_count, note_room;
	struct hist_tasks *tasks;
	struct hist_syms *syms;
	struct tdat_hash_seed seed;
	tdat_hist_synth_fn on_synth;
	void *on_synth_ctx;
	uint32_t depth;
	uint8_t *records[HIST_DEPTH]; /* of synthetic events that are being made */
	uint32_t made;		      /* by the event that is being handled */
	bool removing;		      /* the text removes a trigger: its variables exist already */
	bool ran;
	bool enables;		/* a trigger may pause or unpause others */
	bool names;		/* names of tasks are followed */
	uint64_t short_records; /* of which a trigger's fields lie outside */
	bool lost;		/* events were lost while it was recorded */
	uint64_t no_stack;	/* hits without the stack they need */
	uint64_t events_read;
	struct tdat_iter *iter;
};

/* The event that is being handled. */
struct hist_hit {
	const uint8_t *record;
	size_t len;
	uint64_t ts;
	uint32_t cpu;
	int32_t pid;
	const uint64_t *frames; /* its kernel stack without frames of the tracing; or NULL */
	uint32_t frame_count;
	bool has_stack;
	const struct tdat_event *event; /* of the file */
};

static inline struct hist_hit hist_hit_of(const struct tdat_event *ev)
{
	return (struct hist_hit){.record = ev->record.ptr,
				 .len = ev->record.len,
				 .ts = ev->ts,
				 .cpu = ev->cpu,
				 .pid = ev->pid,
				 .event = ev};
}

/* ---- memory ---- */

static inline void *hist_alloc(struct tdat_hist *h, size_t count, size_t len)
{
	void *p = tdat_arena_array(&h->arena, count ? count : 1, len);

	if (!p)
		h->nomem = true;
	return p;
}

/* Whether an array of the session has grown. */
static inline bool hist_grown(struct tdat_hist *h, bool grown)
{
	h->nomem |= !grown;
	return grown;
}

static inline char *hist_strndup(struct tdat_hist *h, const char *s, size_t len)
{
	char *p = tdat_arena_strndup(&h->arena, s, len);

	if (!p)
		h->nomem = true;
	return p;
}

static inline char *hist_strdup(struct tdat_hist *h, const char *s)
{
	return hist_strndup(h, s, strlen(s));
}

/* Fills what was appended from start on with blanks up to a width. */
static inline void hist_pad(struct tdat_build *out, size_t start, size_t width)
{
	if (out->len - start < width)
		tdat_build_fill(out, ' ', width - (out->len - start));
}

/* Text in the arena, or NULL. */
char *hist_text(struct tdat_hist *h, const char *fmt, ...) TDAT_PRINTF(2, 3);

/* Adds a sentence of tdat_hist_note(), once. */
void hist_note(struct tdat_hist *h, const char *fmt, ...) TDAT_PRINTF(2, 3);

/* As the kernel's kstrtoull(): base 0, the whole text. */
bool hist_parse_u64(const char *text, uint64_t *out);
bool hist_parse_i64(const char *text, int64_t *out);
/* Blanks at both ends cut off. */
char *hist_strip(char *s);

/* Takes what stands before the first of the delimiters off *s, which is NULL after the last. */
char *hist_cut(char **s, const char *delims);
bool hist_has_prefix(const char *s, const char *prefix);

#endif
