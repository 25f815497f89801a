/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the answers to single questions have in common, for the files of this folder. */
#ifndef VIEW_API_ANSWER_H
#define VIEW_API_ANSWER_H

#include "asker.h"
#include "data/counts.h"
#include "data/tracks.h"
#include "json.h"
#include "query.h"

/* The most bytes of an answer: so much memory, times the number of connections, may be used. */
enum { VIEW_ANSWER_LEN = 6 << 20 };
/* The most bytes of events in a report. */
enum { VIEW_REPORT_EVENTS_LEN = 16 << 20 };

struct view_api {
	struct view_engine *engine;
	const struct view_trace *trace;
	const struct view_index *index;
	pthread_mutex_t lock; /* for whole */
	struct view_cache *counts;
	struct view_cache *tracks;
	struct view_cache *made; /* answers (made.h) */
	/* The last complete answers of api/stats for a span with all of the trace, without and with
	 * latencies. */
	struct view_whole {
		struct view_span span;
		struct tdat_build json;
	} whole[2];
	view_sql_fn sql; /* NULL: there is no SQL */
	void *sql_ctx;
};

/* A question that is being answered. */
struct view_question {
	struct view_api *api;
	const struct view_query *query;
	struct tdat_json json;
	struct tdat_error *err;
	/*
	 * In a report this many events are answered at once, or fewer where they need too much
	 * memory; 0: not one.
	 */
	uint64_t event_count;
	const struct view_asker *asker; /* NULL: somebody waits in any case */
	/* As in tdat_table_opts, for answers that are made in the background; NULL for others. */
	bool (*is_cancelled)(void *ctx);
	void *cancel_ctx;
};

typedef enum tdat_status (*view_answer_fn)(struct view_question *q);

enum tdat_status view_answer_trace(struct view_question *q);
enum tdat_status view_answer_progress(struct view_question *q);
enum tdat_status view_answer_tasks(struct view_question *q);
enum tdat_status view_answer_picture(struct view_question *q);
enum tdat_status view_answer_events(struct view_question *q);
enum tdat_status view_answer_event(struct view_question *q);
enum tdat_status view_answer_search(struct view_question *q);
enum tdat_status view_answer_filter(struct view_question *q);
enum tdat_status view_answer_rows(struct view_question *q);
enum tdat_status view_answer_stats(struct view_question *q);
enum tdat_status view_answer_text(struct view_question *q);
/* These run on the threads of the engine. */
enum tdat_status view_answer_why(struct view_question *q);
enum tdat_status view_answer_flame(struct view_question *q);
enum tdat_status view_answer_diff(struct view_question *q);
enum tdat_status view_answer_pair(struct view_question *q);
enum tdat_status view_answer_sums(struct view_question *q);
/* Returns the options with which these read tables. Reading ends if the answer is given up. */
struct tdat_table_opts view_read_opts(const struct view_question *q,
				      const struct tdat_filter *filter);

/*
 * view_api_ask answers the question of a path, which there must be. event_count is that of a
 * report, or 0.
 */
enum tdat_status view_api_ask(struct view_api *api, const char *path, const char *query,
			      uint64_t event_count, struct tdat_build *out, struct tdat_error *err);

/* Puts the member wakeups of an object; *is_pending: they are being read. */
enum tdat_status view_put_latencies(struct view_question *q, const struct view_span *span,
				    bool *is_pending);

/* A row that the trace has, "counter:0:frames", and how many intervals or values it has. */
struct view_row_key {
	const char *kind, *name;
	uint32_t rec;
	uint64_t count;
};
typedef void (*view_row_key_fn)(void *ctx, const struct view_row_key *key);

/* The result of lists: rows in all, and whether some are still being looked for. */
struct view_row_list {
	uint64_t total;
	bool pending;
	struct tdat_error *err;
};

/*
 * Hands out the rows that a trace begins with besides its CPUs and tasks. `most` of each kind, or
 * VIEW_ROWS_USUAL: the number that page and report show first.
 */
#define VIEW_ROWS_USUAL UINT64_MAX
enum tdat_status view_usual_rows(struct view_api *api, uint64_t most, view_row_key_fn fn, void *ctx,
				 struct view_row_list *list);

/*
 * view_cpu_rows hands out the rows of CPUs that a recording begins with, and view_cpu_rows_of those
 * that a row of several opens to. A row has the CPUs [first, end) in the order of their numbers.
 */
typedef void (*view_cpu_row_fn)(void *ctx, const char *key, size_t first, size_t end);
void view_cpu_rows(const struct view_trace *t, uint32_t rec, view_cpu_row_fn fn, void *ctx);
void view_cpu_rows_of(const struct view_trace *t, uint32_t rec, size_t first, size_t end,
		      view_cpu_row_fn fn, void *ctx);

/* A CPU of a guest, and the task of the host that it is. Recordings are the first ones of the
 * files. */
struct view_vcpu {
	uint32_t guest, cpu, host;
	int32_t pid;
};
typedef void (*view_vcpu_fn)(void *ctx, const struct view_vcpu *vcpu);
/* Hands out the virtual CPUs of guests whose file and host are both inputs. */
void view_vcpus(const struct view_trace *t, view_vcpu_fn fn, void *ctx);

/* A view_cpu_row_fn that puts the key as a text; ctx: a struct tdat_json. */
void view_put_cpu_row(void *ctx, const char *key, size_t first, size_t end);

/* The byte of a filter's text that a message is about; columns in messages are from 1. */
bool view_filter_at(const char *message, const char *text, uint64_t *at);

/*
 * Fails where an answer has grown too long; the sentence ends with what, which tells users what to
 * ask for instead.
 */
enum tdat_status view_answer_fits(const struct view_question *q, const char *what);

/*
 * Puts the member "comm", the name of a task that the file knows; nothing where it knows none. Rows
 * of calls of a trace without sched_switch have no other name.
 */
void view_put_comm(struct tdat_json *j, const struct view_trace *t, uint32_t rec, int64_t pid);

/* Fills a sentence about the damage of a lane, as far as it is read; false: there is none. */
bool view_lane_damage(struct view_api *api, size_t lane, char *line, size_t len);

/*
 * Gives the loss number i of a lane whose index is complete; false: there are fewer. The last one
 * is a moment where data of the CPU with the trace's last event is missing: no span follows it.
 */
bool view_lane_loss(const struct view_index *ix, size_t lane, size_t i, struct view_loss *out);

/* "SYSTEM/EVENT" of an event, or "?/ID" where the file has no sound format of it. */
void view_event_name(const struct view_trace *t, const struct tdat_event *event, char *out,
		     size_t len);

#endif
