/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads listings of ktrdump, tdump, kdebug, ddb and the console: docs/formats/ktr.md §4. */
#ifndef TDAT_IMPORT_KTR_LISTING_H
#define TDAT_IMPORT_KTR_LISTING_H

#include "doubts.h"
#include "entry_events.h"
#include "entry_layout.h"
#include "stathz.h"

enum ktr_text_form {
	KTR_TEXT_NONE,
	KTR_TEXT_KTRDUMP,
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
	bool words;  /* tdump -v: five raw words before the text */
	bool deltas; /* tdump: time since the older row */
	bool has_newest;
	uint64_t newest; /* time of the newest row */
	uint64_t hz;	 /* as the listing says; 0: it does not */
};

struct ktr_text_row {
	bool has_index, has_cpu, has_time, time_is_ns;
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
