/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints records by libtraceevent and by our programs, and compares both. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

/* libtraceevent reads behind the record: at most two 16-bit offsets far. */
enum { SLACK = 1 << 19, TAIL = 96 };

static void load(struct tep_handle *tep, struct tdat_span text,
		 int (*fn)(struct tep_handle *, const char *))
{
	char *copy = strndup(text.ptr ? (const char *)text.ptr : "", text.len);

	if (text.len)
		fn(tep, copy);
	free(copy);
}

void oracle_renew(struct oracle *o)
{
	struct corpus_file *file = o->file;

	tep_free(o->tep);
	tep_set_loglevel(TEP_LOG_NONE);
	o->tep = tep_alloc();
	tep_set_file_bigendian(o->tep, file->big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(o->tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(o->tep, file->long_size);
	load(o->tep, file->kallsyms, tep_parse_kallsyms);
	load(o->tep, file->printk, tep_parse_printk_formats);
}

#ifdef __SANITIZE_ADDRESS__
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

bool oracle_may_fail(void)
{
	return !sanitized;
}

/*
 * Failing to parse libtraceevent 1.7.1 frees tokens twice, which ends a
 * sanitized process: there it gets only what we can parse.
 */
static bool oracle_may_parse(const struct oracle *o, const struct corpus_format *cf)
{
	struct tdat_event_format *format = NULL;
	struct print_prog prog;
	enum prog_result result;
	char why[160];

	if (!sanitized)
		return true;
	if (model_format_parse(&format, cf->system, cf->text, 0, o->file->big, o->file->long_size,
			       NULL) != TDAT_OK)
		return false;
	result = prog_compile(&prog, format, &o->env, MODEL_PRINT_FMT, why, sizeof(why));
	prog_fini(&prog);
	model_format_free(format);
	return result == PROG_OK;
}

static uint64_t context_of(const struct corpus_file *file, bool plugins)
{
	const char *slash = strrchr(file->path, '/'), *name = slash ? slash + 1 : file->path;
	const uint8_t facts[] = {file->big, file->long_size, plugins};
	uint64_t key = answers_key(0, name, strlen(name));

	key = answers_key(key, facts, sizeof(facts));
	key = answers_key(key, file->kallsyms.ptr, file->kallsyms.len);
	return answers_key(key, file->printk.ptr, file->printk.len);
}

void oracle_open(struct oracle *o, struct corpus_file *file, bool plugins)
{
	size_t i;

	memset(o, 0, sizeof(*o));
	o->file = file;
	o->context = context_of(file, plugins);
	oracle_renew(o);
	if (plugins)
		o->plugins = tep_load_plugins(o->tep);
	model_symbols_new(&o->symbols, file->kallsyms, NULL);
	model_printk_new(&o->printk, file->printk, NULL);
	model_scratch_new(&o->scratch, NULL);
	o->env.big = file->big;
	o->env.long_size = o->env.kernel_long_size = file->long_size;
	o->env.symbols = o->symbols;
	o->env.printk = o->printk;
	o->env.tep17 = true;
	o->env.no_plugins = !plugins;
	for (i = 0; i < file->format_count; i++) {
		char *text;

		if (!oracle_may_parse(o, &file->formats[i]))
			continue;
		text = strndup((const char *)file->formats[i].text.ptr, file->formats[i].text.len);

		tep_parse_event(o->tep, text, file->formats[i].text.len, file->formats[i].system);
		free(text);
	}
	trace_seq_init(&o->seq);
	tdat_build_init(&o->ours, false);
	tdat_build_init(&o->theirs, false);
}

void oracle_close(struct oracle *o)
{
	trace_seq_destroy(&o->seq);
	tdat_build_fini(&o->ours);
	tdat_build_fini(&o->theirs);
	model_scratch_free(o->scratch);
	model_symbols_free(o->symbols);
	model_printk_free(o->printk);
	if (o->plugins)
		tep_unload_plugins(o->plugins, o->tep);
	tep_free(o->tep);
	free(o->record);
}

/* Printing an array once as bytes makes libtraceevent print it so ever after. */
static void restore_flags(struct tep_event *event, bool save, unsigned long *flags)
{
	struct tep_format_field *f;
	size_t i = 0;

	for (f = event->format.fields; f && i < 512; f = f->next, i++) {
		if (save)
			flags[i] = f->flags;
		else
			f->flags = flags[i];
	}
}

uint64_t oracle_key(const struct oracle *o, const char *format, size_t len)
{
	return answers_key(o->context, format, len);
}

enum oracle_state oracle_state(struct oracle *o, uint64_t key, const struct tep_event *event)
{
	uint8_t state = ORACLE_NO_EVENT;

	key = answers_key(key, "state", 5);
	if (answers_kept()) {
		o->theirs.len = 0;
		if (answers_get(key, &o->theirs) && o->theirs.len == 1)
			return o->theirs.ptr[0];
		o->missing++;
		return ORACLE_NO_EVENT;
	}
	if (event)
		state = event->flags & TEP_EVENT_FL_FAILED ? ORACLE_FAILED
			: event->handler		   ? ORACLE_HANDLED
							   : ORACLE_PARSED;
	answers_put(key, &state, 1);
	return state;
}

bool oracle_ask(struct oracle *o, struct tep_event *event, uint64_t key, size_t len, bool raw)
{
	unsigned long flags[512];
	struct tep_record rec;

	key = answers_key(answers_key(key, raw ? "r" : "p", 1), o->record, len);
	o->theirs.len = 0;
	if (answers_kept()) {
		if (answers_get(key, &o->theirs))
			return true;
		o->missing++;
		return false;
	}

	memset(&rec, 0, sizeof(rec));
	rec.data = o->record;
	rec.size = rec.record_size = (int)len;
	rec.ref_count = 1;
	trace_seq_reset(&o->seq);
	restore_flags(event, true, flags);
	tep_print_event(o->tep, &o->seq, &rec, "%s", raw ? TEP_PRINT_INFO_RAW : TEP_PRINT_INFO);
	restore_flags(event, false, flags);
	tdat_build_bytes(&o->theirs, o->seq.buffer, o->seq.len);
	answers_put(key, o->theirs.ptr, o->theirs.len);
	return true;
}

static uint64_t next_random(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void store(uint8_t *p, size_t len, uint64_t v, bool big)
{
	size_t i;

	for (i = 0; i < len && i < 8; i++)
		p[big ? len - 1 - i : i] = (uint8_t)(v >> (8 * i));
}

/* An address of kallsyms or printk_formats, or next to one. */
static uint64_t known_address(struct oracle *o, uint64_t *seed)
{
	struct tdat_span text =
		next_random(seed) & 1 && o->file->printk.len ? o->file->printk : o->file->kallsyms;
	const char *p, *end;
	size_t at;

	if (text.len < 64)
		return 0;
	at = next_random(seed) % (text.len - 40);
	p = (const char *)text.ptr + at;
	end = (const char *)text.ptr + text.len;
	while (p < end && *p != '\n')
		p++;
	if (end - p < 24)
		return 0;
	return strtoull(p + 1, NULL, 16) + (next_random(seed) & 3 ? 0 : next_random(seed) % 32);
}

static uint64_t dynamic_value(const struct tdat_field *f, size_t fixed, unsigned n, uint64_t *seed)
{
	uint64_t off = fixed + next_random(seed) % (TAIL / 2), len = next_random(seed) % (TAIL / 2);

	/* Behind a __rel_loc libtraceevent reads on past the record: docs/differences.md. */
	if (n % 4 == 3 && (f->flags & TDAT_FIELD_RELATIVE))
		return 0xffff0000 | (next_random(seed) & 0xffff);
	if (n % 4 == 3) /* anything */
		return next_random(seed) & 0xffffffff;
	if (n % 4 == 2 && !(f->flags & TDAT_FIELD_RELATIVE)) /* just around the end */
		len = fixed + TAIL - off + next_random(seed) % 3 - 1;
	if (f->flags & TDAT_FIELD_RELATIVE)
		off -= f->off + f->len < off ? f->off + f->len : off;
	return len << 16 | off;
}

static void fill_field(struct oracle *o, const struct tdat_event_format *format,
		       const struct tdat_field *f, unsigned n, bool tame, uint64_t *seed)
{
	uint8_t *p = o->record + f->off;
	uint64_t v = next_random(seed);
	size_t i;

	if (f->flags & TDAT_FIELD_DYNAMIC) {
		store(p, f->len, dynamic_value(f, format->fixed_len, tame ? 0 : n, seed),
		      format->big);
		return;
	}
	if ((f->flags & TDAT_FIELD_STRING) && n % 3 != 2) {
		size_t end = f->len ? v % f->len : 0;

		for (i = 0; i < f->len; i++)
			p[i] = i < end ? (uint8_t)('!' + next_random(seed) % 90) : 0;
		return;
	}
	if (f->len != 1 && f->len != 2 && f->len != 4 && f->len != 8)
		return;
	if (tame || n % 3 == 0)
		v = 1 + v % 7;
	else if (n % 3 == 1)
		v = v % 5 ? UINT64_C(1) << v % 64 : known_address(o, seed);
	if (!tame && f->len == 8 && next_random(seed) % 3 == 0)
		v = known_address(o, seed);
	store(p, f->len, v, format->big);
}

static void set_id(struct oracle *o, const struct tdat_event_format *format)
{
	store(o->record, 2, format->id, format->big);
}

/* A field of size 0 in a cut record makes libtraceevent copy -n bytes. */
static bool is_open_ended(const struct tdat_event_format *format)
{
	size_t i;

	for (i = 0; i < format->field_count; i++)
		if (!format->fields[i].len)
			return true;
	return false;
}

/* Before some field: of one that is cut itself libtraceevent may print a part. */
static size_t cut_at(const struct tdat_event_format *format, uint64_t *seed)
{
	size_t i = next_random(seed) % format->field_count;
	size_t off = format->fields[i].off;

	return off < 8 ? 8 : off;
}

size_t oracle_fill(struct oracle *o, const struct tdat_event_format *format, unsigned n, bool tame,
		   uint64_t *seed)
{
	size_t fixed = format->fixed_len, len = fixed + TAIL, i;

	if (o->record_cap < len + SLACK) {
		free(o->record);
		o->record = calloc(1, len + SLACK);
		o->record_cap = len + SLACK;
	}
	memset(o->record, 0, len + 4096);
	if (!n && !tame) {
		len = fixed;
	} else if (n == 1 && !tame) {
		memset(o->record, 0xff, len);
	} else if (n == 2 && !tame) {
		memset(o->record, 0xff, fixed);
		len = fixed;
	} else {
		for (i = 0; i < len; i++)
			o->record[i] = tame ? 1 : (uint8_t)next_random(seed);
		for (i = 0; i < format->field_count; i++)
			fill_field(o, format, &format->fields[i], n, tame, seed);
		if (n % 5 == 4 && !tame && !is_open_ended(format)) { /* cut */
			len = cut_at(format, seed);
			memset(o->record + len, 0, fixed + TAIL - len);
		}
	}
	set_id(o, format);
	return len;
}
