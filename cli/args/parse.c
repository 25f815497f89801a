/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses a command line by a table of options, with GNU's rules: short options may be joined, an
 * argument may follow in the same word or the next, "--" ends options. Values go to their place in
 * the command's struct by offset, or to a callback. Complaints name the nearest option. Called by
 * every command first.
 */
#include "args/parse.h"

#include <stdlib.h>
#include <string.h>

#include "args/elsewhere.h"
#include "args/help.h"
#include "args/value.h"
#include "core/nearest.h"
#include "terminal/color.h"
#include "terminal/message.h"

/* State of one parse. argv is compacted in place: plain arguments move to its beginning. */
struct parser {
	const struct cli_cmd *cmd;
	const struct cli_opt *opts;
	void *values;
	int argc;
	char **argv;
	int next;   /* argument to look at */
	int plain;  /* plain arguments kept so far, argv[0] counted */
	int inputs; /* of these, argv[0] and those of -i, which come first */
};

/* What is to be printed in place of a run. */
enum help { NO_HELP, HELP, HELP_ALL };

/* --help, -h and --help-all exist for each command, without rows in its table. */
static enum help help_of(const char *name)
{
	return !strcmp(name, "help") ? HELP : !strcmp(name, "help-all") ? HELP_ALL : NO_HELP;
}

/* A callback takes an argument if the table names one. */
static bool takes_argument(const struct cli_opt *opt)
{
	switch (opt->kind) {
	case CLI_OPT_FLAG:
	case CLI_OPT_BIT:
		return false;
	case CLI_OPT_CALL:
		return opt->arg != NULL;
	default:
		return true;
	}
}

/* "[LEVEL]": an argument in the option's own word, or none. */
static bool is_optional(const struct cli_opt *opt)
{
	return opt->arg && *opt->arg == '[';
}

static bool begins(const struct cli_opt *opt, const char *name, size_t len)
{
	return opt->long_name && !strncmp(opt->long_name, name, len);
}

/* Whether the name is that of the option as a whole. */
static bool is_named(const struct cli_opt *opt, const char *name, size_t len)
{
	return begins(opt, name, len) && !opt->long_name[len];
}

/*
 * Finds an option by its name, or by a beginning that no other option has. *other becomes another
 * option that begins so, too: then the name is not enough.
 */
static const struct cli_opt *find_long(const struct cli_opt *opts, const char *name, size_t len,
				       const struct cli_opt **other)
{
	const struct cli_opt *found = NULL;

	*other = NULL;
	for (; opts->kind != CLI_OPT_LAST; opts++) {
		if (is_named(opts, name, len)) {
			*other = NULL;
			return opts;
		}
		if (!begins(opts, name, len))
			continue;
		if (!found)
			found = opts;
		else
			*other = opts;
	}
	return found;
}

static const struct cli_opt *find_short(const struct cli_opt *opts, char name)
{
	for (; opts->kind != CLI_OPT_LAST; opts++)
		if (opts->short_name && opts->short_name == name)
			return opts;
	return NULL;
}

/* The row of plain arguments; NULL: they are left in argv for the command. */
static const struct cli_opt *find_arg(const struct cli_opt *opts)
{
	for (; opts->kind != CLI_OPT_LAST; opts++)
		if (opts->kind == CLI_OPT_ARG)
			return opts;
	return NULL;
}

/* Says what answers an option that only trace-cmd has. False: it is none of these. */
static bool is_elsewhere(const struct parser *p, const char *name, size_t len)
{
	const char *answer = p->cmd->name ? cli_elsewhere(p->cmd->name, name, len) : NULL;

	if (answer)
		cli_error(p->cmd->name, "%s%.*s is not supported: %s", len > 1 ? "--" : "-",
			  (int)len, name, answer);
	return answer != NULL;
}

/* A misspelled option is an error with a hint; it is never ignored. */
static int unknown_long(const struct parser *p, const char *name, size_t len)
{
	char *word;
	struct tdat_near near = {.word = NULL};

	if (is_elsewhere(p, name, len))
		return CLI_USAGE;
	if (len == 4 && !memcmp(name, "help", len)) {
		cli_error(NULL, "option '--help' takes no argument");
		return CLI_USAGE;
	}
	near.word = word = strndup(name, len);
	if (!word)
		return cli_nomem();
	tdat_near_try(&near, "help");
	for (const struct cli_opt *o = p->opts; o->kind != CLI_OPT_LAST; o++)
		if (o->long_name)
			tdat_near_try(&near, o->long_name);
	if (*near.best)
		cli_error(p->cmd->name, "unknown option '--%s'; did you mean '--%s'?", word,
			  near.best);
	else
		cli_error(p->cmd->name, "unknown option '--%s'", word);
	free(word);
	return CLI_USAGE;
}

/* Users of an unknown letter mostly meant its other case. */
static int unknown_short(const struct parser *p, char name)
{
	char other = (char)(name ^ 0x20);

	if (is_elsewhere(p, &name, 1))
		return CLI_USAGE;
	if (other == 'h' || find_short(p->opts, other))
		cli_error(p->cmd->name, "unknown option '-%c'; did you mean '-%c'?", name, other);
	else
		cli_error(p->cmd->name, "unknown option '-%c'", name);
	return CLI_USAGE;
}

/*
 * A command with a row for plain arguments gets them in order with its options; otherwise they stay
 * in argv.
 */
static int plain_argument(struct parser *p, const char *word)
{
	const struct cli_opt *arg = find_arg(p->opts);

	if (arg)
		return arg->fn(p->values, arg, word);
	p->argv[p->plain++] = (char *)word;
	return CLI_OK;
}

/* The FILE of -i is a plain argument before those that are not, such as a query. */
static int input_argument(struct parser *p, const char *word)
{
	const int rc = plain_argument(p, word);

	if (find_arg(p->opts))
		return rc;
	for (int i = p->plain - 1; i > p->inputs; i--)
		p->argv[i] = p->argv[i - 1];
	p->argv[p->inputs++] = (char *)word;
	return rc;
}

static int add_words(const struct cli_opt *opt, char *text, struct cli_list *list)
{
	if (text[strspn(text, ",")])
		return cli_list_words(list, text) ? CLI_OK : cli_nomem();
	cli_error(NULL, "option '--%s' needs %s, not '%s'", opt->long_name, opt->arg, text);
	return CLI_USAGE;
}

/* Stores a value at its place, by the kind of the option. CLI_OK or the exit status. */
static int store(struct parser *p, const struct cli_opt *opt, const char *value)
{
	void *at = (char *)p->values + opt->off;

	switch (opt->kind) {
	case CLI_OPT_FLAG:
		*(bool *)at = true;
		return CLI_OK;
	case CLI_OPT_BIT:
		*(unsigned *)at |= (unsigned)opt->min;
		return CLI_OK;
	case CLI_OPT_STRING:
		*(const char **)at = value;
		return CLI_OK;
	case CLI_OPT_LIST:
		return cli_list_add(at, value) ? CLI_OK : cli_nomem();
	case CLI_OPT_WORDS:
		return add_words(opt, (char *)value, at);
	case CLI_OPT_CALL:
		return opt->fn(p->values, opt, value);
	case CLI_OPT_PLAIN:
		return input_argument(p, value);
	case CLI_OPT_U64:
	case CLI_OPT_I64:
	case CLI_OPT_SIZE:
	case CLI_OPT_CHOICE:
	case CLI_OPT_CPUS:
		return cli_value_parse(opt, value, at);
	case CLI_OPT_ARG:
	case CLI_OPT_LAST:
		break;
	}
	return CLI_USAGE;
}

/* Takes the next word as the argument of an option that has none in its own word. */
static int next_word(struct parser *p, const struct cli_opt *opt, const char **value)
{
	if (p->next >= p->argc) {
		char name[2] = {opt->short_name, '\0'};

		cli_error(NULL, "option '%s%s' needs %s", opt->long_name ? "--" : "-",
			  opt->long_name ? opt->long_name : name, opt->arg);
		return CLI_USAGE;
	}
	*value = p->argv[p->next++];
	return CLI_OK;
}

static bool has_until(const struct cli_opt *opts)
{
	while (opts->kind != CLI_OPT_LAST && !is_named(opts, "until", 5))
		opts++;
	return opts->kind != CLI_OPT_LAST;
}

/* --color exists for each command, too. */
static int parse_color(struct parser *p, const char *when)
{
	static const struct cli_opt row = {.long_name = "color", .arg = "WHEN"};
	const int rc = when ? CLI_OK : next_word(p, &row, &when);

	if (rc != CLI_OK || cli_color_ask(when))
		return rc;
	cli_error(NULL, "option '--color' must be auto, always or never, not '%s'", when);
	return CLI_USAGE;
}

/* name is the word behind the two dashes: "output=FILE" or "output". */
static int parse_long(struct parser *p, const char *name, enum help *help)
{
	size_t len = strcspn(name, "=");
	const char *value = name[len] ? name + len + 1 : NULL;
	const struct cli_opt *other, *opt = find_long(p->opts, name, len, &other);
	int rc;

	*help = help_of(name);
	/* --no-pager was found before (cli/main.c). */
	if (*help || (!opt && len > 3 && !strncmp(name, "no-pager", len)))
		return CLI_OK;
	if (!opt && len > 1 && !strncmp(name, "color", len))
		return parse_color(p, value);
	if (!opt)
		return unknown_long(p, name, len);
	if (other) {
		cli_error(p->cmd->name, "option '--%.*s' is ambiguous: --%s or --%s", (int)len,
			  name, opt->long_name, other->long_name);
		return CLI_USAGE;
	}
	if (value && !takes_argument(opt)) {
		cli_error(NULL, "option '--%s' takes no argument", opt->long_name);
		return CLI_USAGE;
	}
	if (!value && takes_argument(opt) && !is_optional(opt)) {
		rc = next_word(p, opt, &value);
		if (rc)
			return rc;
	}
	/*
	 * --to is a format in some commands and a time in others. A time for a format is a mistake
	 * that can be explained.
	 */
	if (opt->arg && !strcmp(opt->arg, "FORMAT") && has_until(p->opts) && *value &&
	    strchr("+-.0123456789", *value)) {
		cli_error(NULL, "--%s needs a format, but '%s' is a time; use --until %s",
			  opt->long_name, value, value);
		return CLI_USAGE;
	}
	return store(p, opt, value);
}

/*
 * letters is the word behind the single dash, at least one letter. Letters that take no argument
 * may be joined; the rest behind one that does is its argument.
 */
static int parse_short(struct parser *p, const char *letters, enum help *help)
{
	while (*letters) {
		const struct cli_opt *opt = find_short(p->opts, *letters);
		const char *value = NULL;
		int rc;

		if (!opt && *letters == 'h') {
			*help = HELP;
			return CLI_OK;
		}
		if (!opt)
			return unknown_short(p, *letters);
		letters++;
		if (takes_argument(opt)) {
			if (*letters) {
				value = letters;
				letters = "";
			} else if (!is_optional(opt)) {
				rc = next_word(p, opt, &value);
				if (rc)
					return rc;
			}
		}
		rc = store(p, opt, value);
		if (rc)
			return rc;
	}
	return CLI_OK;
}

/*
 * Returns true if the command is to run. False: *status is the exit status, and help or a complaint
 * was printed, no help for a command without a synopsis. *argc becomes the number of plain
 * arguments, argv[0] counted.
 */
bool cli_opt_parse(const struct cli_cmd *cmd, const struct cli_opt *opts, int *argc, char **argv,
		   void *values, int *status)
{
	struct parser p = {cmd, opts, values, *argc, argv, 1, 1, 1};
	enum help help = NO_HELP;
	bool only_plain = false;
	int rc = CLI_OK;

	while (rc == CLI_OK && !help && p.next < p.argc) {
		char *word = argv[p.next++];

		/* A single "-" is standard input, not an option. */
		if (only_plain || word[0] != '-' || !word[1])
			rc = plain_argument(&p, word);
		else if (!strcmp(word, "--"))
			only_plain = true;
		else if (word[1] == '-')
			rc = parse_long(&p, word + 2, &help);
		else
			rc = parse_short(&p, word + 1, &help);
	}
	*argc = p.plain;
	*status = rc;
	if (help && rc == CLI_OK && cmd->synopsis)
		cli_opt_help(cmd, opts, help == HELP_ALL);
	return rc == CLI_OK && !help;
}
