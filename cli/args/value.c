/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the argument of an option as its kind asks for: a number, a size with a suffix, a choice,
 * or a list of CPUs. A complaint quotes the value and says what is allowed; the caller only passes
 * on the exit status.
 */
#include "args/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "core/text.h"
#include "terminal/message.h"

/* The name for a complaint: the long one, or "-x" in buf. */
static const char *shown_name(const struct cli_opt *opt, char buf[3])
{
	if (opt->long_name)
		return opt->long_name;
	buf[0] = '-';
	buf[1] = opt->short_name;
	buf[2] = '\0';
	return buf;
}

static int complain(const struct cli_opt *opt, const char *value, const char *expected)
{
	char buf[3];

	cli_error(NULL, "option '%s%s' needs %s, not '%s'", opt->long_name ? "--" : "",
		  shown_name(opt, buf), expected, value);
	return CLI_USAGE;
}

/* A maximum of 0 is none. */
static int parse_u64(const struct cli_opt *opt, const char *text, uint64_t *out)
{
	uint64_t max = opt->max ? opt->max : UINT64_MAX;
	char expected[96];
	const char *end = text;
	uint64_t v;
	const bool ok = opt->kind == CLI_OPT_SIZE ? tdat_whole_size(text, &v)
						  : tdat_read_number(&end, &v) && !*end;

	if (ok && v >= opt->min && v <= max) {
		*out = v;
		return CLI_OK;
	}
	if (opt->min || opt->max)
		snprintf(expected, sizeof(expected), "a number from %" PRIu64 " to %" PRIu64 "%s",
			 opt->min, max, opt->kind == CLI_OPT_SIZE ? " (suffixes: K, M, G)" : "");
	else
		snprintf(expected, sizeof(expected), "a number");
	return complain(opt, text, expected);
}

/* With both bounds 0 there are none. */
static int parse_i64(const struct cli_opt *opt, const char *text, int64_t *out)
{
	const int64_t min = (int64_t)opt->min, max = (int64_t)opt->max;
	const bool negative = *text == '-', bounded = min || max;
	char expected[96] = "a number";
	const char *end = text + (negative || *text == '+');
	int64_t n = 0;
	uint64_t v;
	/* The magnitude of the smallest number is one more than that of the largest. */
	bool ok = tdat_read_number(&end, &v) && !*end && v <= (uint64_t)INT64_MAX + negative;

	if (ok)
		n = negative ? (int64_t)(0 - v) : (int64_t)v;
	if (ok && (!bounded || (n >= min && n <= max))) {
		*out = n;
		return CLI_OK;
	}
	if (bounded)
		snprintf(expected, sizeof(expected), "a number from %" PRId64 " to %" PRId64, min,
			 max);
	return complain(opt, text, expected);
}

/* Room for the choices of an option. */
enum { CHOICES = 128 };

/* "; it takes a, b, c" */
static void list_choices(char buf[CHOICES], const char *const *choices)
{
	size_t len = (size_t)snprintf(buf, CHOICES, "; it accepts");

	for (; *choices && len < CHOICES; choices++)
		len += (size_t)snprintf(buf + len, CHOICES - len, " %s%s", *choices,
					choices[1] ? "," : "");
}

/* A choice is stored as its index in the option's list, which is an enum of the command. */
static int parse_choice(const struct cli_opt *opt, const char *text, int *out)
{
	size_t count = 0;
	char buf[3], hint[CHOICES];
	struct tdat_near near = {.word = text};

	for (; opt->choices[count]; count++) {
		if (!strcmp(opt->choices[count], text)) {
			*out = (int)count;
			return CLI_OK;
		}
		tdat_near_try(&near, opt->choices[count]);
	}
	list_choices(hint, opt->choices);
	cli_error(NULL, "option '%s%s' does not accept '%s'%s", opt->long_name ? "--" : "",
		  shown_name(opt, buf), text, tdat_near_hint(&near, hint));
	return CLI_USAGE;
}

/* The bound keeps a typing error from making a list of billions. */
static bool read_cpu(const char **text, uint32_t *cpu)
{
	uint64_t v;

	if (!tdat_read_number(text, &v) || v > CLI_CPU_MAX)
		return false;
	*cpu = (uint32_t)v;
	return true;
}

/* Adds the CPUs of a list such as "0,2-3". False: text is not a list, or *nomem is set. */
static bool add_cpus(struct cli_cpus *cpus, const char *text, bool *nomem)
{
	*nomem = false;
	for (;;) {
		uint32_t first, last;

		if (!read_cpu(&text, &first))
			return false;
		last = first;
		if (*text == '-') {
			text++;
			if (!read_cpu(&text, &last) || last < first)
				return false;
		}
		*nomem = !cli_cpus_add(cpus, first, last);
		if (*nomem)
			return false;
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
}

/* `at` points to the type of the kind: uint64_t, int64_t, int or struct cli_cpus. */
int cli_value_parse(const struct cli_opt *opt, const char *value, void *at)
{
	bool nomem;

	switch (opt->kind) {
	case CLI_OPT_U64:
	case CLI_OPT_SIZE:
		return parse_u64(opt, value, at);
	case CLI_OPT_I64:
		return parse_i64(opt, value, at);
	case CLI_OPT_CHOICE:
		return parse_choice(opt, value, at);
	case CLI_OPT_CPUS:
		if (add_cpus(at, value, &nomem))
			return CLI_OK;
		return nomem ? cli_nomem() : complain(opt, value, "a list of CPUs such as 0,2-3");
	default:
		return CLI_USAGE;
	}
}
