/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures exporters that take tables: batches of a table like that of sched_switch are made
 * once, given over and over, and the processor time of one thread is told.
 *
 * usage: columns EXPORTER MILLIONS_OF_ROWS [KEY=VALUE]...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tdat/export.h>

enum { COLUMNS = 8, ROWS = 65536, BATCHES = 16, TASKS = 400 };

static const char *const names[COLUMNS] = {"ts",	 "cpu",	      "prev_comm", "prev_pid",
					   "prev_state", "next_comm", "next_pid",  "next_prio"};
static const char *const formats[COLUMNS] = {"tsn:", "S", "s", "i", "l", "s", "i", "i"};

struct batch {
	int64_t ts[ROWS], prev_state[ROWS];
	uint16_t cpu[ROWS];
	int16_t prev_comm[ROWS], next_comm[ROWS];
	int32_t prev_pid[ROWS], next_pid[ROWS], next_prio[ROWS];
	struct ArrowArray rows, columns[COLUMNS];
	struct ArrowArray *list[COLUMNS];
	const void *buffers[COLUMNS][2];
};

static struct ArrowArray words;
static const void *word_buffers[3], *no_buffer[1];
static int32_t word_offsets[TASKS + 1];
static char word_bytes[TASKS * 16];
static uint64_t seed = 1;

static uint64_t next(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % below;
}

static void make_words(void)
{
	for (int i = 0; i < TASKS; i++)
		word_offsets[i + 1] = word_offsets[i] + snprintf(word_bytes + word_offsets[i], 16,
								 "kworker/%d:%d", i % 16, i / 16);
	word_buffers[1] = word_offsets;
	word_buffers[2] = word_bytes;
	words = (struct ArrowArray){.length = TASKS, .n_buffers = 3, .buffers = word_buffers};
}

static void set_column(struct batch *b, int i, const void *values)
{
	b->buffers[i][1] = values;
	b->columns[i] = (struct ArrowArray){.length = ROWS,
					    .n_buffers = 2,
					    .buffers = b->buffers[i],
					    .dictionary = !strcmp(formats[i], "s") ? &words : NULL};
	b->list[i] = &b->columns[i];
}

/* Four CPUs, each of which goes back to the idle task about every other time. */
static struct batch *make_batch(int64_t *ts)
{
	static int task[4];
	struct batch *b = calloc(1, sizeof(*b));

	for (int i = 0; b && i < ROWS; i++) {
		const int cpu = (int)next(4), prev = task[cpu];
		const int now = prev && next(2) ? 0 : (int)(next(8) ? next(20) : next(TASKS));

		b->ts[i] = *ts += (int64_t)next(3000);
		b->cpu[i] = (uint16_t)cpu;
		b->prev_comm[i] = (int16_t)prev;
		b->prev_pid[i] = prev ? 300 + prev * 7 : 0;
		b->prev_state[i] = (int64_t)next(3) / 2;
		b->next_comm[i] = (int16_t)now;
		b->next_pid[i] = now ? 300 + now * 7 : 0;
		b->next_prio[i] = 120 - (now % 40 == 3 ? 100 : 0);
		task[cpu] = now;
	}
	if (!b)
		return NULL;
	set_column(b, 0, b->ts);
	set_column(b, 1, b->cpu);
	set_column(b, 2, b->prev_comm);
	set_column(b, 3, b->prev_pid);
	set_column(b, 4, b->prev_state);
	set_column(b, 5, b->next_comm);
	set_column(b, 6, b->next_pid);
	set_column(b, 7, b->next_prio);
	b->rows = (struct ArrowArray){.length = ROWS,
				      .n_buffers = 1,
				      .buffers = no_buffer,
				      .n_children = COLUMNS,
				      .children = b->list};
	return b;
}

/* The same batch again, later. */
static void move_on(struct batch *b, int64_t *ts)
{
	const int64_t by = *ts - b->ts[0] + 1000;

	for (int i = 0; i < ROWS; i++)
		b->ts[i] += by;
	*ts = b->ts[ROWS - 1];
}

static enum tdat_status count(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)data;
	(void)err;
	*(uint64_t *)ctx += len;
	return TDAT_OK;
}

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static enum tdat_status run(const struct tdat_exporter *x, struct tdat_export *e, uint64_t rows,
			    uint64_t *bytes, double *seconds, struct tdat_error *err)
{
	struct ArrowSchema children[COLUMNS], *list[COLUMNS], dictionary = {.format = "u"};
	struct ArrowSchema schema = {.format = "+s", .n_children = COLUMNS, .children = list};
	struct batch *batches[BATCHES];
	int64_t ts = 1000000000;
	void *part;
	enum tdat_status st;

	make_words();
	for (int i = 0; i < COLUMNS; i++) {
		children[i] = (struct ArrowSchema){.format = formats[i], .name = names[i]};
		if (!strcmp(formats[i], "s"))
			children[i].dictionary = &dictionary;
		list[i] = &children[i];
	}
	for (int i = 0; i < BATCHES; i++) {
		batches[i] = make_batch(&ts);
		if (!batches[i])
			return TDAT_E_NOMEM;
	}
	st = x->columns->table_begin(tdat_export_ctx(e), "sched/sched_switch", &schema, count,
				     bytes, &part, err);
	for (uint64_t done = 0, i = 0; st == TDAT_OK && done < rows; done += ROWS, i++) {
		double start;

		move_on(batches[i % BATCHES], &ts);
		start = now_s();
		st = x->columns->batch(part, &batches[i % BATCHES]->rows, err);
		*seconds += now_s() - start;
	}
	if (st == TDAT_OK) {
		const double start = now_s();

		st = x->columns->table_end(part, false, err);
		*seconds += now_s() - start;
	}
	for (int i = 0; i < BATCHES; i++)
		free(batches[i]);
	return st;
}

int main(int argc, char **argv)
{
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_keyed_option options[8];
	const struct tdat_exporter *x = argc > 2 ? tdat_exporter_find(argv[1]) : NULL;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_export *e = NULL;
	uint64_t rows, bytes = 0;
	double seconds = 0;

	if (!x || !x->columns) {
		fputs("usage: columns EXPORTER MILLIONS_OF_ROWS [KEY=VALUE]...\n", stderr);
		return 2;
	}
	for (int i = 3; i < argc && request.option_count < 8; i++) {
		char *value = strchr(argv[i], '=');

		if (value)
			*value++ = '\0';
		options[request.option_count++] =
			(struct tdat_keyed_option){argv[i], value ? value : ""};
	}
	request.options = options;
	rows = strtoull(argv[2], NULL, 10) * 1000000;
	if (tdat_export_new(&e, x, &request, &err) || run(x, e, rows, &bytes, &seconds, &err)) {
		fprintf(stderr, "columns: %s\n", err.message);
		return 1;
	}
	tdat_export_free(e);
	printf("%s: %.2f M rows/s, %.1f ns and %.2f bytes a row\n", argv[1],
	       (double)rows / seconds / 1e6, seconds * 1e9 / (double)rows,
	       (double)bytes / (double)rows);
	return 0;
}
