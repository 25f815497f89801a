/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines the importer of GTSC channels: its options, and which kind of records a capture has.
 * A channel holds text lines, SystemTap's records, blktrace records or records that the user
 * describes. This file decides which (kind_guess.c unless an option says it) and hands the kind
 * to relay_convert().
 */
#include <stdlib.h>
#include <string.h>

#include "core/regex_bound.h"
#include "gtsc.h"
#include "import/blktrace/blktrace.h"
#include "import/importer_options.h"
#include "import/importers.h"

static const struct tdat_keyed_option_desc option_descs[] = {
	{"kind", "KIND", "kind of records: text, systemtap or blktrace (default: auto)"},
	{"record", "FIELDS",
	 "binary records: 'fork u64 ts; u32 pid; char comm[16]'; may be repeated, "
	 "then as VALUE:NAME FIELDS"},
	{"discriminator", "FIELD", "field whose value selects among several record types"},
	{"time-field", "FIELD", "timestamp field (default: ts, time, timestamp or time_ns)"},
	{"pid-field", "FIELD", "pid field (default: pid)"},
	{"ts-unit", "UNIT", "unit of timestamps: ns (default), us, ms, s or tsc"},
	{"ts-hz", "HZ", "with ts-unit tsc: ticks per second, to convert ticks to ns"},
	{"system", "NAME", "system of the event (default: gtsc)"},
	{"event", "NAME", "name of the event (default: name of the capture's folder)"},
	{"as-print", NULL, "create ftrace:print events instead of a separate event"},
	{"atrace", NULL, "create tracing_mark_write events, which Perfetto reads"},
	{"pid-regex", "RE", "extended regular expression whose first group is the pid"},
	{"mark-dropped", NULL, "mark lost events at the end of each CPU if records were dropped"},
	{"uname", "TEXT", "the traced machine's uname, to store in the trace.dat"},
	{"no-wall-clock", NULL, "blktrace: do not store the offset to the time of day"},
	{"sub-size", "BYTES", "raw relay buffers: size of a sub-buffer"},
	{"padding", "KIND", "raw relay buffers: kind of padding: none, zero or count"},
	{"endian", "ORDER", "byte order: little, big or auto (default)"},
	{"subbufs-produced", "N", "raw relay buffers: number of sub-buffers started, if rotated"},
	{NULL, NULL, NULL},
};

/* Options and everything made from them. own and blk are borrowed by the setup. */
struct options {
	const struct relay_kind *kind; /* NULL: to be found */
	struct relay_options relay;
	struct gtsc_setup own;
	struct blk_setup blk;
	regex_t regex;
	bool has_regex;
};

/* Compiles --pid-regex. Its first group must exist, since the pid is its text. */
static enum tdat_status parse_regex(struct options *o, const char *text, struct tdat_error *err)
{
	char why[256];

	if (!text)
		return TDAT_OK;
	if (!tdat_regex_compile(&o->regex, text, REG_EXTENDED, why, sizeof(why)))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option \"pid-regex\" is \"%.160s\": %s", text, why);
	o->has_regex = true;
	if (!o->regex.re_nsub)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option \"pid-regex\" is \"%s\", but needs a group: "
				      "\"child=([0-9]+)\"",
				      text);
	o->own.pid_regex = &o->regex;
	return TDAT_OK;
}

/* Settles the kind if an option does; descriptions (--record) imply theirs. */
static enum tdat_status parse_kind(struct options *o, const struct tdat_import_request *request,
				   struct tdat_error *err)
{
	static const char *const names[] = {"text", "systemtap", "blktrace", "auto", NULL};
	const struct relay_kind *const kinds[] = {&gtsc_text_kind, &gtsc_stap_kind, &blk_kind,
						  NULL};
	size_t kind = 3;
	enum tdat_status st = import_option_choice(request, "kind", names, &kind, TDAT_OK, err);

	o->kind = kinds[kind];
	if (st == TDAT_OK && import_option_find(request, "record")) {
		o->kind = &gtsc_record_kind;
		st = gtsc_record_types_new(&o->own.types, request, err);
	}
	return st;
}

static enum tdat_status parse_options(struct options *o, const struct tdat_import_request *request,
				      struct tdat_error *err)
{
	static const char *const units[] = {"ns", "us", "ms", "s", "tsc", NULL};
	struct gtsc_setup *own = &o->own;
	size_t unit = GTSC_NS;
	enum tdat_status st = import_options_check(request, option_descs, "gtsc", err);

	if (st == TDAT_OK)
		st = parse_kind(o, request, err);
	st = import_option_choice(request, "ts-unit", units, &unit, st, err);
	own->unit = (enum gtsc_unit)unit;
	st = import_option_u64(request, "ts-hz", 1, 10000000000, &own->hz, st, err);
	if (st == TDAT_OK)
		st = relay_options_read(&o->relay, request, err);
	if (st == TDAT_OK)
		st = parse_regex(o, import_option_find(request, "pid-regex"), err);
	if (st == TDAT_OK && own->hz && own->unit != GTSC_TSC)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "option \"ts-hz\" needs ts-unit tsc");
	own->system = import_option_find(request, "system");
	if (!own->system)
		own->system = "gtsc";
	own->event = import_option_find(request, "event");
	own->as_print = import_option_flag(request, "as-print");
	own->atrace = import_option_flag(request, "atrace");
	if (st == TDAT_OK && own->as_print && own->atrace)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "options \"as-print\" and \"atrace\" exclude each other");
	return st;
}

/*
 * Refuses a first file in which more than 30 % of the bytes cannot be text: it is rather something
 * else.
 */
static enum tdat_status refuse_binary(const struct relay_setup *s, const struct relay_files *f,
				      struct tdat_error *err)
{
	uint8_t buf[4096];
	struct tdat_span head = import_look(f->files[0].source, buf, sizeof(buf));
	unsigned int percent;

	/* Zeros are padding of relay and say nothing. */
	while (head.len && !head.ptr[head.len - 1])
		head.len--;
	percent = gtsc_binary_percent(head);
	if (s->kind != &gtsc_text_kind || s->geometry.sub_len || percent <= 30)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_FORMAT, 0,
			      "%s: %u of 100 bytes are no text: a block trace needs --from "
			      "blktrace, a raw relay buffer its control file sub_size beside it, "
			      "a meta file or --sub-size",
			      f->files[0].name, percent);
}

/* Settles kind, byte order and sub-buffers: the sidecar first, since it may hold them. */
static enum tdat_status settle(struct relay_setup *s, struct options *o, struct relay_files *f,
			       const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st = relay_meta_read(&o->relay, f->meta, emit, err);

	if (st != TDAT_OK)
		return st;
	s->kind = o->kind ? o->kind : gtsc_guess_kind(f);
	st = relay_control_read(&o->relay, f, s->kind == &gtsc_text_kind, emit, err);
	if (st != TDAT_OK)
		return st;
	if (s->kind == &blk_kind)
		/* GTSC wraps block traces too; they have an importer of their own. */
		return blk_settle(s, &o->blk, &o->relay, f, emit, err);
	s->own = &o->own;
	s->what = s->kind == &gtsc_text_kind   ? "text"
		  : s->kind == &gtsc_stap_kind ? "systemtap-bulk"
					       : "record";
	relay_setup_order(s, &o->relay, f, s->kind != &gtsc_text_kind,
			  s->kind == &gtsc_stap_kind ? gtsc_stap_guess_big : NULL);
	/* A kind that the user named is not doubted. */
	return o->kind ? TDAT_OK : refuse_binary(s, f, err);
}

/* Entry point of the importer. */
static enum tdat_status gtsc_run(const struct tdat_import_request *request,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	struct options o = {.kind = NULL};
	struct relay_files files = {0};
	struct relay_setup setup = {0};
	enum tdat_status st = parse_options(&o, request, err);

	if (st == TDAT_OK)
		st = relay_files_init(&files, request, emit, err);
	if (st == TDAT_OK)
		st = settle(&setup, &o, &files, emit, err);
	if (st == TDAT_OK)
		st = relay_convert(&setup, &files, &o.relay, emit, err);
	relay_files_fini(&files);
	gtsc_record_types_free(o.own.types);
	if (o.has_regex)
		regfree(&o.regex);
	return st;
}

const struct tdat_importer import_gtsc = {
	.name = "gtsc",
	.summary = "relay channels of GTSC: text with timestamps, per CPU or global, raw buffers, "
		   "SystemTap bulk mode",
	.options = option_descs,
	.probe = gtsc_probe,
	.wants = relay_wants,
	.run = gtsc_run,
};
