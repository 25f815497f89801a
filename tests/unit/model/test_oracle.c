/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every format of every file, many payloads: our programs print the bytes that
 * tep_print_event() prints. TDAT_ORACLE_SAMPLES sets the payloads per format.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "../common/run.h"
#include "oracle.h"

static struct tally {
	size_t formats, compiled, broken, foreign, samples, wrong, missing;
} tally[ORACLE_MODES];

static unsigned sample_count(void)
{
	const char *s = getenv("TDAT_ORACLE_SAMPLES");

	return s && atoi(s) > 0 ? (unsigned)atoi(s) : ORACLE_SAMPLES + 4;
}

/*
 * With these in print fmt libtraceevent leaves the record, or divides by zero,
 * on strange numbers: it gets tame ones.
 */
static bool is_wild(const struct tdat_event_format *format)
{
	static const char *const signs[] = {"__print_hex", "__print_array", "[",  "/",
					    "%*",	   "%.*",	    " % "};
	size_t i;

	for (i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (strstr(format->print_fmt, signs[i]))
			return true;
	return false;
}

static void complain(struct oracle *o, const struct tdat_event_format *format, struct tally *t,
		     unsigned n, size_t len)
{
	size_t i;

	if (t->wrong++ >= 25)
		return;
	fprintf(stderr,
		"%s %s/%s sample %u (%zu bytes)\n  fmt: %s\n  ours:  [%.*s]\n  theirs: [%.*s]\n  "
		"data:",
		o->file->path, format->system, format->name, n, len, format->print_fmt,
		(int)o->ours.len, (const char *)o->ours.ptr, (int)o->theirs.len,
		(const char *)o->theirs.ptr);
	for (i = 0; i < len && i < 200; i++)
		fprintf(stderr, "%s%02x", i % 4 ? "" : " ", o->record[i]);
	fprintf(stderr, "\n");
}

static void compare(struct oracle *o, const struct tdat_event_format *format,
		    const struct print_prog *prog, struct tep_event *event, uint64_t key,
		    enum oracle_mode mode)
{
	struct prog_env env = {.symbols = o->symbols,
			       .printk = o->printk,
			       .long_size = o->file->long_size,
			       .big = o->file->big,
			       .tep17 = true};
	struct tally *t = &tally[mode];
	unsigned n, count = sample_count();
	bool tame = is_wild(format);
	uint64_t seed = format->id + 1;

	for (n = 0; n < count; n++) {
		size_t len = oracle_fill(o, format, n, tame, &seed);
		struct tdat_span record = {o->record, len};

		if (!oracle_ask(o, event, key, len, mode == ORACLE_RAW))
			continue;
		o->ours.len = 0;
		prog_run(prog, &env, record, o->scratch, &o->ours);
		t->samples++;
		if (o->ours.len != o->theirs.len ||
		    (o->theirs.len && memcmp(o->ours.ptr, o->theirs.ptr, o->theirs.len)))
			complain(o, format, t, n, len);
	}
}

/* What we refuse, libtraceevent refuses as well, or keeps the fields before its mistake. */
static void unparsed(struct oracle *o, const struct corpus_format *cf, const struct tdat_error *err)
{
	const struct tep_event *event;
	struct tdat_span name;
	uint32_t id;

	if (!model_format_head(cf->text, &name, &id))
		return;
	event = tep_find_event(o->tep, (int)id);
	ck_assert_msg(!event || (event->flags & TEP_EVENT_FL_FAILED) ||
			      strlen(event->name) != name.len ||
			      memcmp(event->name, name.ptr, name.len),
		      "%s: only libtraceevent parses %.*s: %s", o->file->path, (int)name.len,
		      (const char *)name.ptr, err->message);
}

static void one_format(struct oracle *o, const struct corpus_format *cf, enum oracle_mode mode)
{
	static const enum model_print_style styles[] = {MODEL_PRINT_NO_PLUGINS, MODEL_PRINT_RAW,
							MODEL_PRINT_FMT};
	struct tally *t = &tally[mode];
	struct tdat_event_format *format = NULL;
	struct print_prog prog;
	struct tep_event *event;
	enum oracle_state state;
	enum prog_result result;
	uint64_t key = oracle_key(o, (const char *)cf->text.ptr, cf->text.len);
	struct tdat_error err = TDAT_ERROR_INIT;
	char why[160] = "";

	if (model_format_parse(&format, cf->system, cf->text, 0, o->file->big, o->file->long_size,
			       &err) != TDAT_OK) {
		unparsed(o, cf, &err);
		return;
	}
	event = tep_find_event(o->tep, (int)format->id);
	if (event && (strcmp(event->name, format->name) || strcmp(event->system, format->system)))
		event = NULL;
	state = oracle_state(o, key, event);
	if (state == ORACLE_NO_EVENT || !event || state == ORACLE_HANDLED) {
		model_format_free(format);
		return;
	}
	result = prog_compile(&prog, format, &o->env, styles[mode], why, sizeof(why));
	t->formats++;
	t->compiled += result == PROG_OK;
	t->broken += result == PROG_BROKEN;
	if (result == PROG_FOREIGN) {
		fprintf(stderr, "not compiled: %s/%s: %s\n", cf->system, format->name, why);
		t->foreign++;
	} else {
		bool theirs = state == ORACLE_FAILED;

		ck_assert_msg(theirs == (result == PROG_BROKEN), "%s %s/%s: %s, theirs %s (%s)",
			      o->file->path, cf->system, format->name,
			      result == PROG_OK ? "parsed" : "not parsed",
			      theirs ? "not parsed" : "parsed", why);
		if (!(event->flags & TEP_EVENT_FL_ISBPRINT))
			compare(o, format, &prog, event, key, mode);
	}
	prog_fini(&prog);
	model_format_free(format);
}

static void one_file(struct corpus_file *file, void *ctx)
{
	enum oracle_mode *mode = ctx;
	struct oracle o;
	size_t i;

	oracle_open(&o, file, *mode == ORACLE_PLUGINS);
	for (i = 0; i < file->format_count; i++)
		one_format(&o, &file->formats[i], *mode);
	tally[*mode].missing += o.missing;
	oracle_close(&o);
}

static void whole_corpus(enum oracle_mode mode)
{
	struct tally *t = &tally[mode];

	corpus_each(one_file, &mode);
	fprintf(stderr,
		"formats %zu: compiled %zu, broken for both %zu, not compiled %zu; "
		"payloads %zu, different %zu\n",
		t->formats, t->compiled, t->broken, t->foreign, t->samples, t->wrong);
	ck_assert_uint_eq(t->wrong, 0);
	ck_assert_uint_eq(t->foreign, 0);
	ck_assert_uint_eq(t->missing, 0);
}

START_TEST(plain)
{
	whole_corpus(ORACLE_PLAIN);
}
END_TEST

START_TEST(raw)
{
	whole_corpus(ORACLE_RAW);
}
END_TEST

START_TEST(with_plugins)
{
	whole_corpus(ORACLE_PLUGINS);
}
END_TEST

/* Formats a kernel made of registrations of user events, valid and strange. */
START_TEST(user_events)
{
	static const enum oracle_mode modes[] = {ORACLE_PLAIN, ORACLE_RAW};
	const char *shared = getenv("TDAT_SHARED");
	struct corpus_file *file;
	char path[4096];
	size_t i, k;

	snprintf(path, sizeof(path), "%s/corpus/user_events_formats.txt",
		 shared ? shared : "../shared");
	for (i = 0; i < 2; i++) {
		enum oracle_mode mode = modes[i];

		file = corpus_open_text(path, "user_events");
		if (!file) {
			fprintf(stderr, "no formats of user events here\n");
			return;
		}
		for (k = 0; k < file->format_count; k++) { /* ids come again */
			struct corpus_file one = *file;

			one.formats = &file->formats[k];
			one.format_count = 1;
			one_file(&one, &mode);
		}
		corpus_close(file);
		fprintf(stderr, "user events: formats %zu, compiled %zu, different %zu\n",
			tally[mode].formats, tally[mode].compiled, tally[mode].wrong);
		ck_assert_uint_eq(tally[mode].wrong, 0);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("oracle");
	TCase *t = tcase_create("oracle");

	tcase_set_timeout(t, 600);
	ADD_COMPARISON(t, plain);
	ADD_COMPARISON(t, raw);
	ADD_COMPARISON(t, with_plugins);
	ADD_COMPARISON(t, user_events);
	suite_add_tcase(s, t);
	return run_suite(s);
}
