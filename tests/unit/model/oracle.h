/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints records by libtraceevent and by our programs, side by side, for one file's formats. */
#ifndef TESTS_MODEL_ORACLE_H
#define TESTS_MODEL_ORACLE_H

#include <event-parse.h>
#include <trace-seq.h>

#include "corpus.h"
#include "model/print.h"
#include "model/print_prog.h"

enum oracle_mode { ORACLE_PLAIN, ORACLE_RAW, ORACLE_PLUGINS, ORACLE_MODES };

struct oracle {
	struct corpus_file *file;
	struct tep_handle *tep;
	struct tep_plugin_list *plugins;
	struct model_symbols *symbols;
	struct model_printk *printk;
	struct model_env env;
	struct model_scratch *scratch;
	uint8_t *record; /* with zeros behind it */
	size_t record_cap;
	struct trace_seq seq;
	struct tdat_build ours, theirs;
	uint64_t context; /* of all questions: what the file has beside formats */
	size_t missing;	  /* questions without a kept answer */
};

void oracle_open(struct oracle *o, struct corpus_file *file, bool plugins);
/* A new handle of libtraceevent, without events. */
void oracle_renew(struct oracle *o);
/* Whether libtraceevent may be given what it fails to parse. */
bool oracle_may_fail(void);
void oracle_close(struct oracle *o);

/* What questions about a format are known by (answers.h). */
uint64_t oracle_key(const struct oracle *o, const char *format, size_t len);

/* What libtraceevent made of a format: nothing, an event that it cannot print, or one it can. */
enum oracle_state { ORACLE_NO_EVENT, ORACLE_FAILED, ORACLE_PARSED, ORACLE_HANDLED };
/* The state of event, or the one that is kept. ORACLE_HANDLED: a plugin prints it. */
enum oracle_state oracle_state(struct oracle *o, uint64_t key, const struct tep_event *event);

/*
 * libtraceevent's text of the first len bytes of o->record, in o->theirs; or the kept
 * one, for which event is not looked at. False: none is kept.
 */
bool oracle_ask(struct oracle *o, struct tep_event *event, uint64_t key, size_t len, bool raw);

/*
 * oracle_fill writes sample number n (0 .. ORACLE_SAMPLES-1 are the edge cases,
 * more are random) of a record into o->record and returns its length. tame:
 * only small positive numbers, for formats libtraceevent reads wildly with.
 */
enum { ORACLE_SAMPLES = 12 };
size_t oracle_fill(struct oracle *o, const struct tdat_event_format *format, unsigned n, bool tame,
		   uint64_t *seed);

#endif
