/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the kinds of relay channels under GTSC: text, SystemTap, and records that the user
 * describes. */
#ifndef TDAT_IMPORT_GTSC_GTSC_H
#define TDAT_IMPORT_GTSC_GTSC_H

#include <regex.h>

#include <tdat/base.h>

#include "core/checked.h"
#include "import/relay/relay.h"

/* ---- gtsc_setup ---- */

enum gtsc_unit { GTSC_NS, GTSC_US, GTSC_MS, GTSC_S, GTSC_TSC };

struct gtsc_record_types;

/* The setup->own of the kinds text, SystemTap and record. */
struct gtsc_setup {
	enum gtsc_unit unit;
	uint64_t hz;			 /* of the unit tsc; 0: ticks stay as they are */
	bool stamped;			 /* text: some line of some file has a stamp */
	struct gtsc_record_types *types; /* of the kind record */
	const char *system;
	const char *event; /* NULL: from the capture's folder */
	bool as_print;
	bool atrace;
	const regex_t *pid_regex; /* NULL: no pid in the text */
};

/* The stamp in ns, or as it is; false when that is no 64-bit number any more. */
static inline bool gtsc_scale(const struct gtsc_setup *s, int64_t stamp, int64_t *key)
{
	static const uint64_t factors[] = {1, 1000, 1000000, 1000000000};
	uint64_t v = stamp < 0 ? 0 - (uint64_t)stamp : (uint64_t)stamp, rest = 0;
	bool ok = true;

	if (s->unit != GTSC_TSC) {
		ok = tdat_mul_u64(v, factors[s->unit], &v);
	} else if (s->hz) {
		/* hz is at most 10^10, so that the rest's product fits. */
		rest = v % s->hz * 1000000000 / s->hz;
		ok = tdat_mul_u64(v / s->hz, 1000000000, &v) && tdat_add_u64(v, rest, &v);
	}
	if (!ok || v > INT64_MAX) {
		ok = !s->hz && stamp == INT64_MIN && s->unit == GTSC_NS;
		*key = stamp < 0 ? INT64_MIN : INT64_MAX;
		return ok;
	}
	*key = stamp < 0 ? -(int64_t)v : (int64_t)v;
	return true;
}

/* ---- gtsc_events.c ---- */

enum { GTSC_NAME_CAP = 128 };

/* A name as events have them: other characters become '_', no digit first. out: GTSC_NAME_CAP. */
void gtsc_clean_name(const char *s, size_t len, char *out);
/* The functions begin and record of kinds whose records are text. */
enum tdat_status gtsc_text_begin(struct relay_output *o, struct tdat_error *err);
enum tdat_status gtsc_text_record(struct relay_output *o, const struct import_merge_record *rec,
				  struct tdat_error *err);
void gtsc_text_close_output(struct relay_output *o);

/* ---- plain_text.c ---- */

/* Percent of bytes that no text has. */
unsigned int gtsc_binary_percent(struct tdat_span head);

/* ---- text_records.c ---- */

extern const struct relay_kind gtsc_text_kind;

/* Parses "[stamp] "; *len is its length. */
bool gtsc_parse_stamp(struct tdat_span line, int64_t *stamp, size_t *len);

/* ---- stap_records.c ---- */

extern const struct relay_kind gtsc_stap_kind;

/* Bytes of a chain of records from the start of head. */
size_t gtsc_stap_score(struct tdat_span head, bool big, size_t *records);
/* The byte order that explains more of head; -1 when both are alike. */
int gtsc_stap_guess_big(struct tdat_span head);

/* ---- described_records.c ---- */

extern const struct relay_kind gtsc_record_kind;

/* The types that options describe; to be freed also after a failure. */
enum tdat_status gtsc_record_types_new(struct gtsc_record_types **out,
				       const struct tdat_import_request *request,
				       struct tdat_error *err);
void gtsc_record_types_free(struct gtsc_record_types *t);

/* ---- kind_guess.c ---- */

const struct relay_kind *gtsc_guess_kind(const struct relay_files *files);
uint32_t gtsc_probe(const struct tdat_import_input *inputs, size_t input_count);

#endif
