/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers the completions of the shells: "tdat __complete WORD..." prints what the last word may
 * become, a line each. Commands and options come from their tables; events, fields, tasks, CPUs,
 * buffers and tables from the file that the words name. A word that names a file has no answer:
 * shells complete it themselves. Nothing is complained of, as nobody would read it.
 */
#include "commands/complete.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "commands/list_events.h"
#include "commands/overview.h"
#include "core/grow.h"
#include "core/text.h"

struct completion {
	char **words; /* behind the command; the last one is completed */
	int count;
	const char *start;  /* of an answer */
	const char *before; /* what answers repeat: "--event=", or the part of a list before */
	size_t before_len;
	struct answers *answers;
};

/* Answers, which are printed in order, each once: events of several types share fields. */
struct answers {
	char **v;
	size_t count, room;
};

/* Takes an answer that begins as the word does. Names that a shell would take apart are left out.
 */
static void answer(const struct completion *c, const char *text, size_t len)
{
	struct answers *a = c->answers;

	const size_t start = strlen(c->start);

	if (len < start || memcmp(text, c->start, start) != 0)
		return;
	for (size_t i = 0; i < len; i++)
		if (text[i] < '!' || text[i] > '~' || strchr("'\"\\`$&;|<>()", text[i]))
			return;
	if (TDAT_GROW(a->v, &a->room, a->count + 1) && (a->v[a->count] = strndup(text, len)))
		a->count++;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_answers(const struct completion *c)
{
	const struct answers *a = c->answers;

	if (a->count)
		qsort(a->v, a->count, sizeof(*a->v), by_text);
	for (size_t i = 0; i < a->count; i++) {
		if (i && !strcmp(a->v[i], a->v[i - 1]))
			continue;
		fwrite(c->before, 1, c->before_len, stdout);
		puts(a->v[i]);
	}
	for (size_t i = 0; i < a->count; i++)
		free(a->v[i]);
	free(a->v);
}

static void answer_str(const struct completion *c, const char *text)
{
	answer(c, text, strlen(text));
}

/* ---- names out of a file ---- */

/* The file that the words name, or trace.dat. NULL: none that can be read. */
static struct tdat_file *open_named(const struct completion *c)
{
	const char *path = "trace.dat";
	struct tdat_file *file;

	for (int i = 0; i < c->count - 1; i++)
		if (c->words[i][0] != '-' && !access(c->words[i], R_OK))
			path = c->words[i];
	return tdat_file_open(&file, path, NULL, NULL) == TDAT_OK ? file : NULL;
}

static void put_events(const struct completion *c, const struct tdat_file *file)
{
	const size_t count = tdat_file_format_count(file);
	const char *last = "";

	for (size_t i = 0; i < count; i++) {
		const char *system;
		const struct tdat_span name = list_stored_name(file, i, &system);

		answer(c, (const char *)name.ptr, name.len);
		if (strcmp(system, last) != 0)
			answer_str(c, system);
		last = system;
	}
}

/* Fields of all events, and the columns that each has. */
static void put_fields(const struct completion *c, const struct tdat_file *file)
{
	static const char *const columns[] = {"comm",	"cpu",	  "pid", "event",
					      "system", "buffer", "ts"};
	const size_t count = tdat_file_format_count(file);

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		answer_str(c, columns[i]);
	for (size_t i = 0; i < count; i++) {
		const struct tdat_event_format *format;
		const struct tdat_field *f;
		size_t n;

		if (tdat_file_format(file, i, &format, NULL) != TDAT_OK)
			continue;
		f = tdat_event_format_fields(format, &n);
		for (size_t k = 0; k < n; k++)
			if (!(f[k].flags & TDAT_FIELD_COMMON))
				answer_str(c, f[k].name);
	}
}

/* Tasks of the saved names, "PID NAME" a line: no event is read for them. */
static void put_tasks(const struct completion *c, const struct tdat_file *file, bool names)
{
	struct tdat_span text = tdat_file_part(file, TDAT_PART_CMDLINES), line;

	while (tdat_take_line(&text, &line)) {
		const char *start = (const char *)line.ptr;
		const char *blank = line.len ? memchr(start, ' ', line.len) : NULL;
		const size_t pid = blank ? (size_t)(blank - start) : line.len;

		if (!names)
			answer(c, start, pid);
		else if (blank)
			answer(c, blank + 1, line.len - pid - 1);
	}
}

static void put_buffers(const struct completion *c, const struct tdat_file *file, bool cpus)
{
	size_t count;
	const struct tdat_buffer *b = tdat_file_buffers(file, &count);

	for (size_t i = 0; i < count; i++) {
		if (!cpus)
			answer_str(c, *b[i].name ? b[i].name : "top");
		for (uint32_t k = 0; cpus && k < b[i].cpu_count; k++) {
			char text[16];

			snprintf(text, sizeof(text), "%" PRIu32, b[i].cpus[k].cpu);
			answer_str(c, text);
		}
	}
}

static void put_tables(const struct completion *c, struct tdat_file *file)
{
	const struct tdat_iter_input input = {file, 0, 0};
	struct tdat_trace *trace;
	size_t count;

	if (tdat_trace_new(&trace, &input, 1, NULL, NULL) != TDAT_OK)
		return;
	for (const struct tdat_table *t = tdat_trace_tables(trace, &count); count; t++, count--)
		answer_str(c, t->name);
	tdat_trace_free(trace);
}

/* ---- values of options ---- */

static void put_formats(const struct completion *c, bool exporters)
{
	size_t count;
	const struct tdat_importer *const *importers = tdat_importers(&count);

	for (size_t i = 0; !exporters && i < count; i++)
		answer_str(c, importers[i]->name);
	if (exporters) {
		const struct tdat_exporter *const *all = tdat_exporters(&count);

		for (size_t i = 0; i < count; i++)
			if (all[i]->kind != TDAT_EXPORT_EVENTS)
				answer_str(c, all[i]->name);
	}
}

/* Which names an option takes out of the file. A filter begins with events. */
static void put_named(const struct completion *c, const char *option, struct tdat_file *file)
{
	enum names { EVENTS, TASKS, PIDS, CPUS, BUFFERS, TABLES, FIELDS };
	static const struct {
		const char *option;
		enum names names;
	} of[] = {
		{"event", EVENTS},     {"filter", EVENTS},
		{"raw-event", EVENTS}, {"no-plugin-event", EVENTS},
		{"comm", TASKS},       {"task", TASKS},
		{"pid", PIDS},	       {"cpu", CPUS},
		{"buffer", BUFFERS},   {"instance", BUFFERS},
		{"table", TABLES},     {"by", FIELDS},
		{"sum", FIELDS},       {"column", FIELDS},
		{"value", FIELDS},
	};
	size_t i = 0;

	while (i < sizeof(of) / sizeof(of[0]) && strcmp(of[i].option, option) != 0)
		i++;
	if (i == sizeof(of) / sizeof(of[0]))
		return;
	if (of[i].names == EVENTS)
		put_events(c, file);
	else if (of[i].names <= PIDS)
		put_tasks(c, file, of[i].names == TASKS);
	else if (of[i].names <= BUFFERS)
		put_buffers(c, file, of[i].names == CPUS);
	else if (of[i].names == TABLES)
		put_tables(c, file);
	else
		put_fields(c, file);
}

/* Lists: what is completed is behind the last comma. */
static void skip_list(struct completion *c)
{
	const char *comma = strrchr(c->start, ',');

	if (!comma)
		return;
	if (!c->before_len)
		c->before = c->start;
	c->before_len = (size_t)(comma + 1 - c->before);
	c->start = comma + 1;
}

static void put_values(struct completion *c, const struct cli_cmd *cmd, const struct cli_opt *opt)
{
	const char *name = opt->long_name ? opt->long_name : "";
	struct tdat_file *file;

	if (opt->choices) {
		for (const char *const *v = opt->choices; *v; v++)
			answer_str(c, *v);
		return;
	}
	if (opt->arg && (!strcmp(opt->arg, "FORMAT") || !strcmp(name, "format"))) {
		put_formats(c, !strcmp(cmd->name, "export"));
		return;
	}
	skip_list(c);
	file = open_named(c);
	if (file)
		put_named(c, name, file);
	tdat_file_close(file);
}

/* ---- words ---- */

static bool takes_value(const struct cli_opt *o)
{
	return o->kind != CLI_OPT_FLAG && o->kind != CLI_OPT_BIT && o->kind != CLI_OPT_ARG &&
	       (o->kind != CLI_OPT_CALL || (o->arg && *o->arg != '['));
}

/* The option that a word names, up to len. */
static const struct cli_opt *option_of(const struct cli_cmd *cmd, const char *word, size_t len)
{
	static const char *const when[] = {"auto", "always", "never", NULL};
	static const struct cli_opt color = {.kind = CLI_OPT_CHOICE, .choices = when};
	const struct cli_opt *o = cmd->opts;

	if (len == 7 && !strncmp(word, "--color", len))
		return &color;
	for (; o->kind != CLI_OPT_LAST; o++) {
		if (len > 2 && word[1] == '-' && o->long_name && strlen(o->long_name) == len - 2 &&
		    !strncmp(o->long_name, word + 2, len - 2))
			return o;
		if (len == 2 && o->short_name && word[1] == o->short_name)
			return o;
	}
	return NULL;
}

static void put_options(struct completion *c, const struct cli_cmd *cmd)
{
	char text[64];

	for (const struct cli_opt *o = cmd->opts; o->kind != CLI_OPT_LAST; o++) {
		if (!o->long_name || !o->help)
			continue;
		snprintf(text, sizeof(text), "--%s", o->long_name);
		answer_str(c, text);
	}
	answer_str(c, "--help");
	answer_str(c, "--help-all");
	answer_str(c, "--color");
	answer_str(c, "--no-pager");
}

static void complete_option(struct completion *c, const struct cli_cmd *cmd)
{
	const char *word = c->words[c->count - 1], *equals = strchr(word, '=');
	const char *before = c->count > 1 ? c->words[c->count - 2] : "";
	const struct cli_opt *opt = *before == '-' ? option_of(cmd, before, strlen(before)) : NULL;

	if (opt && takes_value(opt)) {
		put_values(c, cmd, opt);
	} else if (!strncmp(word, "--", 2) && equals) {
		opt = option_of(cmd, word, (size_t)(equals - word));
		c->before = word;
		c->before_len = (size_t)(equals + 1 - word);
		c->start = equals + 1;
		if (opt)
			put_values(c, cmd, opt);
	} else if (*word == '-') {
		put_options(c, cmd);
	} else if (!strcmp(cmd->name, "list")) {
		struct tdat_file *file = open_named(c);

		if (file)
			put_events(c, file);
		tdat_file_close(file);
	}
}

static void put_commands(const struct completion *c, const struct cli_cmd *const *commands)
{
	for (; *commands; commands++)
		answer_str(c, (*commands)->name);
}

/*
 * The command is the first word that is no option. Behind "help" is a command, too; a word that is
 * neither is a file, and the overview has the options.
 */
static void complete_words(struct completion *c, const struct cli_cmd *const *commands, int argc,
			   char **argv)
{
	const int last = argc - 1;
	int at = 1;

	while (at < last && argv[at][0] == '-')
		at += strcmp(argv[at], "--color") ? 1 : 2;
	if (at == last && *c->start != '-') {
		put_commands(c, commands);
		answer_str(c, "help");
		return;
	}
	if (at < last && !strcmp(argv[at], "help")) {
		put_commands(c, commands);
		answer_str(c, "questions");
		return;
	}
	while (at < last && *commands && strcmp((*commands)->name, argv[at]) != 0)
		commands++;
	if (at < last && *commands) {
		c->words = argv + at + 1;
		c->count = last - at;
	}
	if (at == last)
		answer_str(c, "--version");
	complete_option(c, at < last && *commands ? *commands : &overview_cmd);
}

int complete_run(const struct cli_cmd *const *commands, int argc, char **argv)
{
	struct answers answers = {.v = NULL};
	struct completion c = {
		.words = argv + 1, .count = argc - 1, .before = "", .answers = &answers};

	if (argc < 2)
		return CLI_USAGE;
	c.start = argv[argc - 1];
	complete_words(&c, commands, argc, argv);
	put_answers(&c);
	return CLI_OK;
}
