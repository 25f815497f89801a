/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes a trace, and reports how much of its index is made. It lists files, recordings, CPUs,
 * times, options and findings. Progress is a number from 0 to 1 that the page polls. No event is
 * read for it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <tdat/check.h>

#include "core/text.h"

#include "answer.h"

enum { CPUS_MOST = 256 };

/* An option's text ends at its first NUL. */
static void put_option(struct tdat_json *j, const char *key, const struct tdat_file *file,
		       uint16_t id)
{
	const struct tdat_file_option *o = tdat_file_option_by_id(file, id);

	tdat_json_strn(j, key, o ? (const void *)o->data.ptr : "",
		       o ? strnlen((const char *)o->data.ptr, o->data.len) : 0);
}

/* Writes the host's name, the second word of option UNAME, which has the fields of uname(2). */
static void put_host(struct tdat_json *j, const struct tdat_file *file)
{
	const struct tdat_file_option *o = tdat_file_option_by_id(file, TDAT_OPTION_UNAME);
	const uint8_t *p = o ? o->data.ptr : NULL, *end = o ? p + o->data.len : NULL;
	const uint8_t *begin;

	while (p < end && *p && *p != ' ')
		p++;
	begin = p = p < end && *p ? p + 1 : p;
	while (p < end && *p && *p != ' ')
		p++;
	tdat_json_strn(j, "host", begin ? (const void *)begin : "", (size_t)(p - begin));
}

/* Only damage is shown; `tdat check` lists the rest. */
static enum tdat_status put_finding(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	(void)err;
	if (f->severity == TDAT_DAMAGE)
		tdat_json_str(ctx, NULL, f->sentence);
	return TDAT_OK;
}

/* Facts of one file. ts_offset is a string, as it has 64 bits. */
static void put_file(struct tdat_json *j, const struct view_trace *t, size_t input)
{
	const struct tdat_file *file = t->inputs[input].file;
	const struct tdat_file_info *info = tdat_file_info(file);
	size_t count;
	const struct tdat_error *damage = tdat_file_damage(file, &count);
	const struct tdat_buffer *buffers;
	char offset[24];

	tdat_json_object(j, NULL);
	tdat_json_str(j, "name", tdat_base_name(info->name));
	tdat_json_str(j, "path", info->name);
	tdat_json_u64(j, "len", info->len);
	tdat_json_u64(j, "version", info->version);
	put_host(j, file);
	put_option(j, "uname", file, TDAT_OPTION_UNAME);
	tdat_json_bool(j, "big_endian", info->big_endian);
	tdat_json_u64(j, "cpu_count", info->cpu_count);
	tdat_json_u64(j, "text_len", tdat_file_part(file, TDAT_PART_LATENCY).len);
	snprintf(offset, sizeof(offset), "%lld", (long long)t->inputs[input].ts_offset);
	tdat_json_str(j, "ts_offset", offset);
	tdat_json_array(j, "damage");
	for (size_t i = 0; i < count; i++)
		tdat_json_str(j, NULL, damage[i].message);
	tdat_check_meta(file, put_finding, j, NULL);
	tdat_json_array_end(j);
	buffers = tdat_file_buffers(file, &count);
	tdat_json_str(j, "clock", count ? buffers[0].clock : "");
	tdat_json_object_end(j);
}

/* The numbers of all CPUs of a recording, "0-3,8". */
static void put_cpu_list(struct tdat_json *j, const struct view_trace *t,
			 const struct view_rec *rec)
{
	const struct view_lane **lanes = t->by_cpu + rec->first_lane;
	struct tdat_build list;

	tdat_build_init(&list, false);
	for (size_t i = 0, end; i < rec->lane_count; i = end) {
		for (end = i + 1;
		     end < rec->lane_count && lanes[end]->cpu - lanes[end - 1]->cpu <= 1;)
			end++;
		tdat_build_printf(&list, "%s%" PRIu32, i ? "," : "", lanes[i]->cpu);
		if (lanes[end - 1]->cpu > lanes[i]->cpu)
			tdat_build_printf(&list, "-%" PRIu32, lanes[end - 1]->cpu);
	}
	j->out->failed = j->out->failed || list.failed;
	tdat_json_strn(j, "cpu_list", list.ptr ? (const void *)list.ptr : "", list.len);
	tdat_build_fini(&list);
}

/*
 * A recording is one buffer of one file; times of a CPU are missing if it has no events. Of many
 * CPUs only the numbers of all are told.
 */
static void put_rec(struct tdat_json *j, const struct view_trace *t, const struct view_rec *rec)
{
	tdat_json_object(j, NULL);
	tdat_json_u64(j, "file", rec->input);
	tdat_json_str(j, "buffer", rec->name);
	tdat_json_str(j, "clock", rec->clock);
	put_cpu_list(j, t, rec);
	tdat_json_u64(j, "cpu_total", rec->lane_count);
	tdat_json_array(j, "rows");
	view_cpu_rows(t, (uint32_t)(rec - t->recs), view_put_cpu_row, j);
	tdat_json_array_end(j);
	tdat_json_array(j, "cpus");
	for (size_t i = 0; i < rec->lane_count && i < CPUS_MOST; i++) {
		const struct view_lane *lane = &t->lanes[rec->first_lane + i];

		tdat_json_object(j, NULL);
		tdat_json_u64(j, "cpu", lane->cpu);
		tdat_json_u64(j, "len", lane->len);
		if (lane->has_events) {
			view_json_time(j, "from", lane->first_ts);
			view_json_time(j, "to", lane->last_ts);
		}
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

/* The names of the tables of a kind. */
static void put_tables(struct tdat_json *j, const struct view_trace *t, const char *key,
		       enum tdat_table_kind kind)
{
	size_t count;
	const struct tdat_table *tables = tdat_trace_tables(t->tables, &count);

	tdat_json_array(j, key);
	for (size_t i = 0; i < count; i++)
		if (tables[i].kind == kind)
			tdat_json_str(j, NULL, tables[i].name);
	tdat_json_array_end(j);
}

static void put_vcpu(void *ctx, const struct view_vcpu *v)
{
	struct tdat_json *j = ctx;

	tdat_json_object(j, NULL);
	tdat_json_u64(j, "guest", v->guest);
	tdat_json_u64(j, "cpu", v->cpu);
	tdat_json_u64(j, "host", v->host);
	tdat_json_i64(j, "pid", v->pid);
	tdat_json_object_end(j);
}

/*
 * The answer does not change while the program runs. Lists of event types and derived tables
 * complete names in the page.
 */
enum tdat_status view_answer_trace(struct view_question *q)
{
	const struct view_trace *t = q->api->trace;
	struct tdat_json *j = &q->json;

	tdat_json_str(j, "tdat", tdat_version());
	tdat_json_bool(j, "sql", q->api->sql);
	tdat_json_str(j, "unit", t->ns ? "ns" : "ticks");
	tdat_json_bool(j, "date", t->date);
	view_json_time(j, "from", t->from);
	view_json_time(j, "to", t->to);
	tdat_json_bool(j, "empty", t->empty);
	tdat_json_array(j, "files");
	for (size_t i = 0; i < t->input_count; i++)
		put_file(j, t, i);
	tdat_json_array_end(j);
	tdat_json_array(j, "recordings");
	for (size_t i = 0; i < t->rec_count; i++)
		put_rec(j, t, &t->recs[i]);
	tdat_json_array_end(j);
	tdat_json_array(j, "vcpus");
	view_vcpus(t, put_vcpu, j);
	tdat_json_array_end(j);
	put_tables(j, t, "events", TDAT_TABLE_EVENT);
	put_tables(j, t, "derived", TDAT_TABLE_DERIVED);
	return TDAT_OK;
}

/* Event types that were met so far and have no sound format. */
static void put_undescribed(struct tdat_json *j, const struct tdat_file *file)
{
	struct tdat_error first = TDAT_ERROR_INIT;

	if (tdat_file_undescribed(file, &first))
		tdat_json_str(j, NULL, first.message);
}

/* Says what of a CPU's data the end of the file cuts off. */
static void put_missing(const struct view_lane *lane, char *line, size_t len)
{
	if (lane->missing_len == UINT64_MAX)
		snprintf(line, len, "the file ends within its data");
	else if (lane->len && lane->missing_len == 1)
		snprintf(line, len, "the file ends before the last byte of its data");
	else
		snprintf(line, len, "the file ends before %s%" PRIu64 " bytes of its data",
			 lane->len ? "the last " : "all ", lane->missing_len);
}

/*
 * Fills a sentence about the damage of a lane, as far as it is read; false: there is none. Without
 * bad pages the lane could not be read to its end, and the offset means nothing.
 */
bool view_lane_damage(struct view_api *api, size_t lane, char *line, size_t len)
{
	const struct view_lane *def = &api->index->trace->lanes[lane];
	const struct view_rec *rec = &api->index->trace->recs[def->rec];
	const bool cut = def->missing_len != 0;
	struct tdat_stream_damage damage;
	bool compressed;
	size_t count;

	if (cut)
		put_missing(def, line, len);
	if (!view_engine_damage(api->engine, lane, &damage))
		return cut;
	if (cut) {
		len -= strlen(line);
		line += strlen(line);
	}
	compressed =
		tdat_file_buffers(api->index->trace->inputs[rec->input].file, &count)[rec->buffer]
			.compressed;
	if (damage.bad_pages)
		snprintf(line, len,
			 "%s%" PRIu64 " %s, read up to the damage; the first at "
			 "offset %" PRIu64 ": %s",
			 cut ? "; " : "", damage.bad_pages,
			 tdat_damaged_pages(compressed, damage.bad_pages), damage.off,
			 damage.message);
	else
		snprintf(line, len, "%snot read to its end: %s", cut ? "; " : "", damage.message);
	return true;
}

bool view_lane_loss(const struct view_index *ix, size_t lane, size_t i, struct view_loss *out)
{
	const struct view_lane_index *l = &ix->lanes[lane];
	const struct view_lane *def = &ix->trace->lanes[lane];

	if (i < l->loss_count)
		*out = l->losses[i];
	else
		*out = (struct view_loss){def->last_ts, def->last_ts,
					  view_index_bin(ix, def->last_ts), 1, -1};
	return i < l->loss_count ||
	       (i == l->loss_count && !l->cut && def->lost_end && def->has_events);
}

/* Events that were lost, as far as lanes are complete. A damaged end is no loss of the kernel. */
static void put_lost(struct tdat_json *j, const struct view_index *ix)
{
	uint64_t count = 0, marks = 0;

	for (size_t i = 0; i < ix->trace->lane_count; i++) {
		const struct view_lane_index *l = &ix->lanes[i];

		if (!__atomic_load_n(&l->complete, __ATOMIC_ACQUIRE))
			continue;
		marks -= l->cut;
		for (size_t k = 0; k < l->loss_count; k++) {
			marks += l->losses[k].marks;
			if (l->losses[k].count > 0 &&
			    __builtin_add_overflow(count, (uint64_t)l->losses[k].count, &count))
				count = UINT64_MAX;
		}
	}
	tdat_json_u64(j, "lost", count);
	tdat_json_u64(j, "lost_marks", marks);
}

/* Names the recording of a CPU, by its file if there are several, and by its buffer. */
static void put_where(const struct view_trace *t, const struct view_rec *rec, char *line,
		      size_t len)
{
	const char *name = tdat_base_name(tdat_file_info(t->inputs[rec->input].file)->name);

	if (t->input_count == 1)
		snprintf(line, len, " of buffer %.80s", *rec->name ? rec->name : "top");
	else
		snprintf(line, len, " of %.200s%s%.80s", name, *rec->name ? ", buffer " : "",
			 rec->name);
}

/*
 * Polled by the page while the index is made. Damage is found with it, hence it is listed here and
 * not in the trace.
 */
enum tdat_status view_answer_progress(struct view_question *q)
{
	const struct view_index *ix = q->api->index;
	struct tdat_json *j = &q->json;
	const bool ready = view_index_complete(ix);

	view_json_real(j, "done", view_index_progress(ix));
	tdat_json_u64(j, "events", __atomic_load_n(&ix->events, __ATOMIC_RELAXED));
	tdat_json_bool(j, "ready", ready);
	tdat_json_array(j, "damage");
	for (size_t i = 0; i < ix->trace->lane_count; i++) {
		const struct view_lane *lane = &ix->trace->lanes[i];
		char where[300] = "", what[400], line[740];

		if (!view_lane_damage(q->api, i, what, sizeof(what)))
			continue;
		if (ix->trace->rec_count > 1)
			put_where(ix->trace, &ix->trace->recs[lane->rec], where, sizeof(where));
		snprintf(line, sizeof(line), "CPU %u%s: %s", lane->cpu, where, what);
		tdat_json_str(j, NULL, line);
	}
	for (size_t i = 0; i < ix->trace->input_count; i++)
		put_undescribed(j, ix->trace->inputs[i].file);
	tdat_json_array_end(j);
	put_lost(j, ix);
	tdat_json_u64(j, "jobs", view_engine_jobs(q->api->engine));
	return TDAT_OK;
}
