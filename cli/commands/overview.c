/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says for "tdat FILE" in a few lines what a trace is: host, kernel, duration, events, losses,
 * damage, buffers, the busiest tasks and events. Then it names the three commands that make most
 * sense for the events that were recorded. All is counted once, as by tdat stat.
 */
#include "commands/overview.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args/limits.h"
#include "args/parse.h"
#include "commands/commands.h"
#include "commands/each_file.h"
#include "commands/info_facts.h"
#include "commands/stat_facts.h"
#include "input/damage.h"
#include "terminal/message.h"
#include "terminal/safe_text.h"
#include "terminal/screen.h"
#include "terminal/units.h"

struct overview_args {
	bool json, has_view;
	struct tdat_limits limits;
};

static const struct cli_opt overview_opts[] = {
	CLI_FLAG(0, "json", struct overview_args, json, "print the facts as JSON"),
	CLI_LIMITS(struct overview_args, limits),
	CLI_OPT_END,
};

/* The busiest that are named, and the commands that are proposed. */
enum { BUSIEST = 5, PROPOSED = 3 };

/* A command, and the event whose presence makes it worth running. */
static const struct proposal {
	const char *event; /* with '*' at its end: any that begins so; NULL: always */
	const char *command, *answers;
} proposals[] = {
	{"sched_wak*", "tdat latency", "how long woken tasks waited"},
	{"block_rq_issue", "tdat latency --table block_io", "how long disk requests took"},
	{"sys_exit*", "tdat latency --table syscall", "how long system calls took"},
	{"sched_switch", "tdat profile", "how tasks spent their time"},
	{"funcgraph_entry", "tdat flame -o flame.svg", "which functions took time"},
	{"kmalloc", "tdat stat --kmem", "memory allocations"},
	{"irq_handler_entry", "tdat latency --table irq", "how long interrupts took"},
	{"kernel_stack", "tdat flame -o flame.svg", "a flame graph of the stacks"},
	{"print", "tdat latency --table slice", "duration of marked sections"},
	{NULL, "tdat view", "a timeline in the browser"},
	{NULL, "tdat dump --head 20", "the first events"},
	{NULL, "tdat stat", "all event types and tasks"},
};

/* Of a file without events. */
static const struct proposal without_events = {NULL, "tdat info", "what the file contains instead"};
static const struct proposal text_only = {NULL, "tdat report", "the text of the latency tracer"};
static const struct proposal damaged = {NULL, "tdat check", "where the file is damaged"};

static bool is_of(const char *pattern, const char *name)
{
	const size_t n = strlen(pattern);

	return pattern[n - 1] == '*' ? !strncmp(pattern, name, n - 1) : !strcmp(pattern, name);
}

static bool is_recorded(const struct stat_facts *f, const char *pattern)
{
	for (size_t i = 0; i < f->event_count; i++) {
		const struct tdat_event_format *format =
			tdat_file_format_by_id(f->file, f->events[i].id);

		if (format && is_of(pattern, tdat_event_format_name(format)))
			return true;
	}
	return false;
}

/* The commands in the order of proposals; each is named once. */
static size_t propose(const struct stat_facts *f, const struct overview_args *a, bool whole,
		      const struct proposal *out[PROPOSED])
{
	size_t count = 0, k;

	if (!f->total.events) {
		out[0] = tdat_file_info(f->file)->latency ? &text_only
			 : whole			  ? &without_events
							  : &damaged;
		return 1;
	}
	for (size_t i = 0; i < sizeof(proposals) / sizeof(proposals[0]) && count < PROPOSED; i++) {
		const struct proposal *p = &proposals[i];

		for (k = 0; k < count && strcmp(out[k]->command, p->command) != 0; k++)
			;
		if (k == count && (!p->event || is_recorded(f, p->event)) &&
		    (a->has_view || strcmp(p->command, "tdat view") != 0))
			out[count++] = p;
	}
	return count;
}

static const char *event_name(const struct stat_facts *f, size_t i)
{
	const struct tdat_event_format *format = tdat_file_format_by_id(f->file, f->events[i].id);

	return format ? tdat_event_format_name(format) : "(unknown type)";
}

static unsigned int percent(const struct stat_facts *f, uint64_t count)
{
	return (unsigned int)(100.0 * (double)count / (double)f->total.events + 0.5);
}

static bool put_busiest(const struct stat_facts *f, bool tasks)
{
	const size_t count = tasks ? f->task_count : f->event_count;
	struct tdat_build b;
	char *text;

	tdat_build_init(&b, false);
	for (size_t i = 0; i < count && i < BUSIEST; i++) {
		const char *name = tasks ? "" : event_name(f, i);
		const struct tdat_span comm =
			tasks ? stat_comm(f, f->tasks[i].pid)
			      : (struct tdat_span){(const uint8_t *)name, strlen(name)};

		tdat_build_str(&b, i ? ", " : tasks ? "  Tasks    " : "  Types    ");
		cli_build_text(&b, comm.ptr, comm.len, "");
		if (tasks)
			tdat_build_printf(&b, "-%" PRId32, f->tasks[i].pid);
		tdat_build_printf(&b, " %u %%",
				  percent(f, tasks ? f->tasks[i].count : f->events[i].count));
	}
	if (count > BUSIEST)
		tdat_build_printf(&b, ", %zu more", count - BUSIEST);
	text = tdat_build_text(&b);
	if (text && count)
		cli_screen_fold(text, 0, 11);
	free(text);
	return text;
}

static void put_time(const struct stat_facts *f)
{
	const uint64_t span = f->total.last_ts - f->total.first_ts;
	char buf[CLI_UNIT_ROOM];

	if (!f->total.events)
		return;
	if (f->seconds)
		printf("  Time     %s, from %" PRIu64 ".%06" PRIu64 " s on",
		       cli_unit_ns(buf, span, false), f->total.first_ts / 1000000000,
		       f->total.first_ts % 1000000000 / 1000);
	else
		printf("  Time     %" PRIu64 " ticks, from %" PRIu64 " on", span,
		       f->total.first_ts);
	/* A cut file may lack the clock's name. */
	fputs(*f->buffers[0].clock ? ", clock " : "", stdout);
	cli_put_str(stdout, f->buffers[0].clock);
	putchar('\n');
}

/* CPUs with events in the first buffer, whose streams come first: of a cut file not all. */
static uint32_t seen_cpus(const struct stat_facts *f)
{
	uint32_t count = 0;

	for (size_t i = 0; i < f->stream_count; i++)
		count += f->streams[i].buffer == 0 && f->streams[i].event_count;
	return count;
}

static void put_events(const struct stat_facts *f)
{
	const uint32_t all = tdat_file_info(f->file)->cpu_count, seen = seen_cpus(f);
	char buf[CLI_UNIT_ROOM];
	uint64_t rate;

	printf("  Events   %s on ", cli_unit_count(buf, f->total.events, false));
	if (seen < all)
		printf("%u of ", seen);
	printf("%u CPUs", all);
	if (stat_rate(f, f->total.events, &rate))
		printf(", %s a second", cli_unit_count(buf, rate, false));
	if (f->total.lost)
		printf("; %s lost", cli_unit_count(buf, f->total.lost, false));
	if (f->total.lost_marks)
		printf("; %" PRIu64 " loss%s of unknown number", f->total.lost_marks,
		       f->total.lost_marks == 1 ? "" : "es");
	putchar('\n');
	if (f->buffer_count < 2)
		return;
	printf("  Buffers  ");
	for (size_t i = 0; i < f->buffer_count; i++) {
		fputs(i ? ", " : "", stdout);
		cli_put_str(stdout, *f->buffers[i].name ? f->buffers[i].name : "(top)");
	}
	putchar('\n');
}

static void put_option(const struct stat_facts *f, uint16_t id, const char *what)
{
	const struct tdat_span text = info_text_of(tdat_file_option_by_id(f->file, id));

	if (!text.len)
		return;
	fputs(what, stdout);
	cli_put_text(stdout, (const char *)text.ptr, text.len);
	putchar('\n');
}

/* A command for a shell, the file and its CPU files behind it; the answers begin in one column. */
static void put_command(const char *command, const char *path, bool cpu_files, const char *answers)
{
	struct tdat_build b;

	tdat_build_init(&b, false);
	tdat_build_printf(&b, "  %s ", command);
	tdat_build_shell_word(&b, path);
	if (cpu_files) {
		tdat_build_u8(&b, ' ');
		tdat_build_shell_word(&b, path);
		tdat_build_str(&b, ".cpu*");
	}
	tdat_build_printf(&b, "%*s # %s", b.len < 50 ? 50 - (int)b.len : 1, "", answers);
	if (!b.failed)
		cli_put_text(stdout, (const char *)b.ptr, b.len);
	putchar('\n');
	tdat_build_fini(&b);
}

/* The command that saves what a damaged file has, or that adds the events that it lacks. */
static void put_saving(const struct stat_facts *f, const struct cli_file *file)
{
	if (file->importer)
		put_command("tdat convert -o whole.dat", file->path, false,
			    "saves the readable data");
	else if (f->total.events)
		put_command("tdat repair -o whole.dat", file->path, false,
			    "saves the readable data");
	else
		put_command("tdat repair -o whole.dat", file->path, true,
			    "adds CPU files; without them, copy the file again");
}

static void print_text(const struct stat_facts *f, const struct overview_args *a,
		       const struct cli_file *file, bool whole)
{
	const struct tdat_file_info *info = tdat_file_info(f->file);
	const struct proposal *list[PROPOSED];
	const size_t count = propose(f, a, whole, list);
	char buf[CLI_UNIT_ROOM];

	cli_put_str(stdout, file->path);
	if (file->importer)
		printf(": %s, %s, read as trace.dat version %u", file->importer->name,
		       cli_unit_bytes(buf, file->capture_len, false), info->version);
	else
		printf(": trace.dat version %u, %s", info->version,
		       cli_unit_bytes(buf, info->len, false));
	printf(", %s endian, %u bits%s\n", info->big_endian ? "big" : "little",
	       info->long_size * 8u, info->latency ? ", text of a latency tracer" : "");
	put_option(f, TDAT_OPTION_UNAME, "  Host     ");
	put_option(f, TDAT_OPTION_VERSION, "  Made by  ");
	put_time(f);
	put_events(f);
	if (f->total.events && (!put_busiest(f, true) || !put_busiest(f, false)))
		cli_nomem();
	printf("  Damage   %s\n\n", whole ? "none" : "yes, tdat check lists it");
	if (!whole)
		put_saving(f, file);
	for (size_t i = 0; i < count; i++)
		put_command(list[i]->command, file->path, false, list[i]->answers);
}

static void print_json(struct tdat_json *j, const struct stat_facts *f,
		       const struct overview_args *a, const struct cli_file *file, bool whole)
{
	const struct tdat_file_info *info = tdat_file_info(f->file);
	const struct tdat_span host =
		info_text_of(tdat_file_option_by_id(f->file, TDAT_OPTION_UNAME));
	const struct proposal *list[PROPOSED];
	const size_t count = propose(f, a, whole, list);

	tdat_json_object(j, NULL);
	tdat_json_str(j, "file", file->path);
	tdat_json_u64(j, "version", info->version);
	tdat_json_u64(j, "bytes", file->importer ? file->capture_len : info->len);
	if (host.len)
		tdat_json_strn(j, "host", host.ptr, host.len);
	tdat_json_u64(j, "cpus", info->cpu_count);
	tdat_json_u64(j, "cpus_with_events", seen_cpus(f));
	tdat_json_u64(j, "events", f->total.events);
	tdat_json_u64(j, "lost", f->total.lost);
	tdat_json_u64(j, "losses_of_unknown_number", f->total.lost_marks);
	tdat_json_bool(j, "damaged", !whole);
	if (f->total.events) {
		tdat_json_u64(j, "first_ts", f->total.first_ts);
		tdat_json_u64(j, "last_ts", f->total.last_ts);
	}
	tdat_json_array(j, "commands");
	for (size_t i = 0; i < count; i++)
		tdat_json_str(j, NULL, list[i]->command);
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

static int overview_file(const void *args, struct tdat_json *j, struct cli_files *files, size_t i)
{
	const struct overview_args *a = args;
	const char *path = files->v[i].path;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter_input in = {NULL, 0, 0};
	const struct stat_args none = {.top = BUSIEST};
	struct stat_facts f;
	struct tdat_stat *st;
	int status;

	if (cli_files_parse(files, i, &a->limits, &in.file, &err))
		return cli_fail(path, &err);
	status = cli_file_damage(path, in.file);
	if (tdat_stat_new(&st, &in, 1, NULL, &err)) {
		tdat_file_close(in.file);
		return cli_fail(path, &err);
	}
	stat_facts_init(&f, &none, in.file, st);
	/* cli_undescribed() reports the ids without a format among those that were asked for. */
	for (size_t k = 0; k < f.event_count; k++)
		tdat_file_format_by_id(in.file, f.events[k].id);
	if (cli_undescribed(path, in.file) != CLI_OK || f.total.bad_pages || files->v[i].doubted)
		status = CLI_FAILED;
	if (a->json)
		print_json(j, &f, a, &files->v[i], status == CLI_OK);
	else
		print_text(&f, a, &files->v[i], status == CLI_OK);
	tdat_stat_free(st);
	tdat_file_close(in.file);
	return status;
}

static const char *const overview_synopsis[] = {"FILE...", NULL};

const struct cli_cmd overview_cmd = {
	.name = "",
	.summary = "Summarize trace.dat files, and list commands to run next",
	.synopsis = overview_synopsis,
	.opts = overview_opts};

int overview_run(int argc, char **argv)
{
	struct overview_args a = {.limits = TDAT_LIMITS_INIT};
	struct cli_each each = {"tdat", &a.limits, false, false, overview_file, &a};
	char view[VIEW_PROGRAM_LEN];
	int status;

	if (!cli_opt_parse(&overview_cmd, overview_opts, &argc, argv, &a, &status))
		return status;
	a.has_view = cli_view_program(view);
	each.json = a.json;
	return cli_each_file(&each, argv + 1, argc - 1);
}
