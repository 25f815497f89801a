/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exports one input of a data set. Its tables go to parts, each of which appears when it is whole;
 * then its record replaces an older one. Without a record an input is exported from the start: its
 * parts get the same names and bytes, so a run that was killed leaves nothing behind.
 */
#include "commands/export_lake_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/file_option.h>

#include "commands/export_lake_parts.h"
#include "input/damage.h"
#include "output/export_record.h"
#include "terminal/message.h"

/*
 * One input that is being exported, on one worker's thread. take_rows and others may run on reader
 * threads.
 */
struct lake_file {
	const struct lake_job *job;
	struct tdat_file *file;
	char *host;
	struct export_parts parts;
	struct tdat_build made, had; /* names of parts below the output, each with a NUL */
	struct cli_export_facts facts;
	char *record;
	bool damaged;
	uint64_t room;		    /* taken of that for all files */
	bool few_tables;	    /* the room is for no more than a few */
	atomic_uint begun;	    /* parts */
	atomic_bool too_many_parts; /* for the room */
};

/* ---- what is printed ---- */

/* Prints under the lock that all workers share; returns false. */
static bool fail(struct lake_file *x, const struct tdat_error *err)
{
	if (x->job->plan)
		return false;
	pthread_mutex_lock(x->job->print);
	cli_fail(x->job->input->path, err);
	pthread_mutex_unlock(x->job->print);
	return false;
}

static bool no_memory(struct lake_file *x)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	tdat_error_no_memory(&err, "an export");
	return fail(x, &err);
}

/* Called by readers while tables are read. A damaged input is exported, and its record says so. */
static void take_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	struct lake_file *x = ctx;

	pthread_mutex_lock(x->job->print);
	for (size_t i = 0; i < count; i++)
		cli_damage(x->job->input->path, x->file, &damage[i]);
	pthread_mutex_unlock(x->job->print);
	x->damaged |= count != 0;
}

/* ---- facts ---- */

/* The name of the recorded machine, which free() frees. NULL without memory. */
static char *node_name(const struct tdat_file *file)
{
	const struct tdat_span host = tdat_file_host(file);

	return host.len ? strndup((const char *)host.ptr, host.len) : strdup("");
}

static void trace_id(void *ctx, const char *key, uint64_t value, bool hex)
{
	(void)hex;
	if (!strcmp(key, "trace_id"))
		*(uint64_t *)ctx = value;
}

static bool open_file(struct lake_file *x)
{
	const struct lake_job *job = x->job;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file_option_visitor visitor = {
		.size = sizeof(visitor), .ctx = &x->facts.trace_id, .number = trace_id};
	const struct tdat_file_option *id;

	if ((job->plan ? cli_files_peek : cli_files_parse)(job->files, job->index,
							   &job->lake->limits, &x->file, &err))
		return fail(x, &err);
	id = tdat_file_option_by_id(x->file, TDAT_OPTION_TRACEID);
	if (id)
		tdat_file_option_decode(x->file, id, &visitor, NULL);
	x->facts.len = job->input->len;
	x->facts.mtime_ns = job->input->mtime_ns;
	x->facts.recipe = job->lake->recipe;
	x->facts.given = job->lake->pipe;
	x->host = node_name(x->file);
	x->record = cli_export_record_path(job->lake->output, job->input->name);
	return (x->host && x->record) || no_memory(x);
}

/* ---- tables ---- */

/*
 * Opens the file of a part below its folders. It has a temporary name until it is whole, and
 * replaces an older part of the same name. Columns file and host are added unless they are keys of
 * folders, as readers make columns of those.
 */
static enum tdat_status open_part(void *ctx, const struct tdat_table *table,
				  const struct ArrowSchema *schema, struct export_part *p,
				  struct tdat_error *err)
{
	struct lake_file *x = ctx;
	const struct export_lake *lake = x->job->lake;
	struct cli_partition_place place = {.output = lake->output,
					    .file = x->job->input->name,
					    .host = x->host,
					    .table = table};
	const bool *key = lake->partition.has;
	const struct ArrowSchema *full;
	enum tdat_status st;

	/*
	 * Files with rows in many tables need more memory than was reserved; the export is
	 * cancelled then and starts again (write_all). `begun` counts parts of all threads.
	 */
	if (atomic_fetch_add(&x->begun, 1) >= LAKE_FEW_TABLES && x->few_tables) {
		x->too_many_parts = true;
		return TDAT_E_CANCELLED;
	}
	st = lake_folders_use(x->job->folders, table, schema, p, &place.value, err);
	if (st != TDAT_OK)
		return st;
	full = lake_shape_schema(p->shape, schema);
	p->path = cli_partition_path(&lake->partition, &place, lake->exporter->columns->suffix);
	if (!p->path ||
	    (!key[CLI_KEY_FILE] &&
	     !cli_constants_add(&p->constants, full, "file", x->job->input->name)) ||
	    (!key[CLI_KEY_HOST] && !cli_constants_add(&p->constants, full, "host", x->host)))
		return tdat_error_no_memory(err, table->name);
	st = cli_partition_folders(p->path, strlen(lake->output) + 1, err);
	if (st == TDAT_OK)
		st = cli_table_file_resume(&p->file, p->path, err);
	p->file.pipe = lake->pipe;
	p->file.piped_name = p->path + strlen(lake->output) + 1;
	return st;
}

/* ---- the whole ---- */

/*
 * Makes the trace, the exporter and the list of tables. It may run twice for an input (write_all),
 * hence export_parts_fini() leaves everything as before.
 */
static bool begin_export(struct lake_file *x)
{
	const struct export_lake *lake = x->job->lake;
	const struct tdat_iter_input input = {x->file, 0, 0};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;

	x->parts = (struct export_parts){
		.exporter = lake->exporter, .open = open_part, .ctx = x, .opts = lake->table};
	x->parts.opts.threads = lake_room_threads(x->room, lake->table.threads);
	x->parts.opts.damage = take_damage;
	x->parts.opts.damage_ctx = x;
	request.inputs = &input;
	request.input_count = 1;
	request.options = lake->options;
	request.option_count = lake->option_count;
	return export_parts_begin(&x->parts, &request, &lake->trace, lake->wanted, lake->wanted_ctx,
				  &err) == TDAT_OK ||
	       fail(x, &err);
}

/* Writes all parts in one pass over the input. A cancellation for lack of room is not reported. */
static bool write_parts(struct lake_file *x)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	return export_parts_write(&x->parts, &err) == TDAT_OK ||
	       (!x->too_many_parts && fail(x, &err));
}

static void give_room(struct lake_file *x)
{
	if (x->room)
		lake_room_give(x->job->room, x->room);
	x->room = 0;
}

/*
 * Waits until the room for this input is free, in the order of the inputs. An export that runs
 * alone has all of it.
 */
static void take_room(struct lake_file *x, bool few_tables)
{
	x->room = x->job->alone ? lake_room_all()
				: lake_room_need(x->file, x->job->input->len, few_tables);
	x->few_tables = few_tables && x->room < lake_room_all();
	lake_room_take(x->job->room, x->room);
}

/*
 * Writes all parts. Only the rows tell whether an input fills many tables. If so, the export begins
 * anew with more room. It cannot wait for more while it keeps its share: two exports would wait for
 * each other.
 */
static bool write_all(struct lake_file *x)
{
	bool ok = begin_export(x) && write_parts(x);

	if (!x->too_many_parts)
		return ok;
	export_parts_fini(&x->parts);
	give_room(x);
	x->too_many_parts = false;
	lake_room_begin_turn(x->job->room);
	take_room(x, false);
	lake_room_end_turn(x->job->room);
	return begin_export(x) && write_parts(x);
}

/* The record is written last: it proves that all parts are whole, and that the schema has them. */
static bool finish(struct lake_file *x)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	for (size_t i = 0; i < x->parts.table_count; i++) {
		const struct export_part *p = &x->parts.parts[x->parts.tables[i]->index];

		if (p->rows)
			tdat_build_cstr(&x->made, p->path + strlen(x->job->lake->output) + 1);
	}
	if (x->made.failed || x->had.failed)
		return no_memory(x);
	pthread_mutex_lock(x->job->print);
	lake_parts_remove(x->job->lake->output, &x->had, &x->made, x->facts.given);
	pthread_mutex_unlock(x->job->print);
	if (lake_folders_write(x->job->folders, x->job->lake->pipe, &err))
		return fail(x, &err);
	if (cli_export_record_write(x->record, &x->facts, x->damaged, &x->made, &err))
		return fail(x, &err);
	return true;
}

/* Plans an input, unless its record says that it is there already, or that it is another one. */
void lake_file_plan(const struct lake_job *job)
{
	struct lake_file x = {.job = job};

	if (open_file(&x) &&
	    (job->lake->force ||
	     cli_export_record_look(x.record, &x.facts, NULL, NULL) == CLI_EXPORT_NEW) &&
	    begin_export(&x))
		lake_folders_plan(job->folders, &job->lake->partition, &x.parts, NULL);
	export_parts_fini(&x.parts);
	tdat_file_close(x.file);
	free(x.host);
	free(x.record);
}

/* Prints why an input that was exported before is not exported again. */
static void tell_state(const struct lake_job *job, enum cli_export_state state, const char *joined)
{
	pthread_mutex_lock(job->print);
	if (joined)
		cli_error(job->input->path,
			  "rows of a file of that name were joined into %s/%s and cannot be "
			  "replaced; export to another folder",
			  job->lake->output, joined);
	else if (state == CLI_EXPORT_DAMAGED)
		cli_error(job->input->path, "was damaged in an earlier export");
	else if (state == CLI_EXPORT_OTHER)
		cli_error(job->input->path,
			  "%s contains another file of that name, or an export with other options; "
			  "--force replaces it",
			  job->lake->output);
	job->sums->skipped += !joined && state != CLI_EXPORT_OTHER;
	pthread_mutex_unlock(job->print);
}

/*
 * True if the input is to be exported. If not, *ok tells whether it was exported before without
 * damage; the reason is printed otherwise.
 */
static bool is_due(struct lake_file *x, bool *ok)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_build joined = {.len = 0};
	const enum cli_export_state state =
		cli_export_record_look(x->record, &x->facts, &x->had, &joined);
	const bool again = state == CLI_EXPORT_OTHER || x->job->lake->force;
	const char *found = state != CLI_EXPORT_NEW && again
				    ? lake_parts_find(x->job->lake->output, &joined)
				    : NULL;
	bool due = state == CLI_EXPORT_NEW || (x->job->lake->force && !found);

	*ok = state == CLI_EXPORT_DONE && !found;
	if (!due)
		tell_state(x->job, state, found);
	else if (state != CLI_EXPORT_NEW && cli_export_record_reopen(x->record, &err))
		due = fail(x, &err);
	tdat_build_fini(&joined);
	return due;
}

/*
 * Opens an input that is to be exported, and waits for room. Turns keep the order of the inputs, so
 * a large one is not passed by small ones forever.
 */
static bool prepare(struct lake_file *x, bool *ok)
{
	bool due;

	*ok = false;
	lake_room_begin_turn(x->job->room);
	due = open_file(x) && is_due(x, ok);
	if (due)
		take_room(x, true);
	lake_room_end_turn(x->job->room);
	return due;
}

/* Returns false if the input failed or is damaged; both make the exit status 1. */
static bool export_file(struct lake_file *x)
{
	bool ok;

	if (!prepare(x, &ok))
		return ok;
	pthread_mutex_lock(x->job->print);
	x->damaged |= cli_file_damage(x->job->input->path, x->file) != CLI_OK;
	pthread_mutex_unlock(x->job->print);
	if (!write_all(x))
		return false;
	pthread_mutex_lock(x->job->print);
	x->damaged |= cli_undescribed(x->job->input->path, x->file) != CLI_OK;
	pthread_mutex_unlock(x->job->print);
	if (!finish(x))
		return false;
	pthread_mutex_lock(x->job->print);
	x->job->sums->exported++;
	for (size_t i = 0; i < x->parts.table_count; i++)
		x->job->sums->rows += x->parts.parts[x->parts.tables[i]->index].rows;
	pthread_mutex_unlock(x->job->print);
	return !x->damaged;
}

/* Exports one input, and counts it in sums. Called by a worker of export_lake.c. */
void lake_file_export(const struct lake_job *job)
{
	struct lake_file x = {.job = job};

	tdat_build_init(&x.made, false);
	tdat_build_init(&x.had, false);
	if (!export_file(&x)) {
		pthread_mutex_lock(job->print);
		job->sums->failed++;
		pthread_mutex_unlock(job->print);
	}
	export_parts_fini(&x.parts);
	tdat_file_close(x.file);
	give_room(&x);
	tdat_build_fini(&x.made);
	tdat_build_fini(&x.had);
	free(x.host);
	free(x.record);
}
