/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options as a table: one entry has the names, the kind of argument, where the value
 * goes and the help line. Parsing, --help and the complaints (with the nearest name)
 * come from the table.
 *
 * Values go into the command's own struct at entry.off; the command sets the
 * defaults before parsing. Options and plain arguments may be mixed; "--" ends
 * options; "-" is a plain argument; "-abc" is "-a -b -c"; "-oX", "-o X",
 * "--long=X" and "--long X" are the same.
 */
#ifndef CLI_OPT_H
#define CLI_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "args/arg_list.h"

enum cli_opt_kind {
	CLI_OPT_LAST = 0, /* ends a table */
	CLI_OPT_FLAG,	  /* bool */
	CLI_OPT_BIT,	  /* unsigned, in which the bits of min are set */
	CLI_OPT_STRING,	  /* const char * */
	CLI_OPT_U64,	  /* uint64_t, decimal or 0x, in min..max */
	CLI_OPT_I64,	  /* int64_t, in min..max */
	CLI_OPT_SIZE,	  /* uint64_t bytes; K, M, G multiply by 1024; in min..max */
	CLI_OPT_CHOICE,	  /* int: index in choices */
	CLI_OPT_CPUS,	  /* struct cli_cpus: "0,2-3"; uses add up */
	CLI_OPT_LIST,	  /* struct cli_list: one string for each use, in order */
	CLI_OPT_WORDS,	  /* the same, a string for each word of "a,b"; cuts the text of argv */
	CLI_OPT_CALL,	  /* fn is called at each use: for options whose order counts */
	CLI_OPT_ARG,	  /* fn is called for each plain argument, in order; no names */
	CLI_OPT_PLAIN	  /* -i FILE: FILE is a plain argument, before the others */
};

struct cli_opt {
	char short_name;       /* 'o', or 0 */
	const char *long_name; /* "output", or NULL */
	enum cli_opt_kind kind;
	const char *arg;	    /* the argument's name in the help; CALL: NULL takes none, and
				     * "[NAME]" one in the same word, or none */
	const char *help;	    /* one sentence, lower case; NULL hides it from the help */
	size_t off;		    /* offsetof the value in the command's struct */
	uint64_t min, max;	    /* U64, SIZE; max 0: no bound. I64: as int64_t; 0, 0: none */
	const char *const *choices; /* CHOICE, and of a CALL its words; NULL ends */
	/*
	 * CALL, ARG: value is the argument (NULL when it takes none). Returns
	 * CLI_OK, or complains and returns an exit status that ends parsing.
	 */
	int (*fn)(void *values, const struct cli_opt *opt, const char *value);
};

/* clang-format off */
#define CLI_OPT_END { 0, NULL, CLI_OPT_LAST, NULL, NULL, 0, 0, 0, NULL, NULL }
#define CLI_FLAG(s, l, type, member, help) \
	{ s, l, CLI_OPT_FLAG, NULL, help, offsetof(type, member), 0, 0, NULL, NULL }
#define CLI_BIT(s, l, bit, type, member, help) \
	{ s, l, CLI_OPT_BIT, NULL, help, offsetof(type, member), bit, 0, NULL, NULL }
#define CLI_STRING(s, l, arg, type, member, help) \
	{ s, l, CLI_OPT_STRING, arg, help, offsetof(type, member), 0, 0, NULL, NULL }
#define CLI_U64(s, l, arg, lo, hi, type, member, help) \
	{ s, l, CLI_OPT_U64, arg, help, offsetof(type, member), lo, hi, NULL, NULL }
#define CLI_I64(s, l, arg, lo, hi, type, member, help) \
	{ s, l, CLI_OPT_I64, arg, help, offsetof(type, member), (uint64_t)(lo), hi, NULL, NULL }
#define CLI_SIZE(s, l, arg, lo, hi, type, member, help) \
	{ s, l, CLI_OPT_SIZE, arg, help, offsetof(type, member), lo, hi, NULL, NULL }
#define CLI_CHOICE(s, l, arg, list, type, member, help) \
	{ s, l, CLI_OPT_CHOICE, arg, help, offsetof(type, member), 0, 0, list, NULL }
#define CLI_CPUS(s, l, arg, type, member, help) \
	{ s, l, CLI_OPT_CPUS, arg, help, offsetof(type, member), 0, 0, NULL, NULL }
#define CLI_LIST(s, l, arg, type, member, help) \
	{ s, l, CLI_OPT_LIST, arg, help, offsetof(type, member), 0, 0, NULL, NULL }
#define CLI_WORDS(s, l, arg, type, member, help) \
	{ s, l, CLI_OPT_WORDS, arg, help, offsetof(type, member), 0, 0, NULL, NULL }
#define CLI_CALL(s, l, arg, fn, help) \
	{ s, l, CLI_OPT_CALL, arg, help, 0, 0, 0, NULL, fn }
#define CLI_CALL_AT(s, l, arg, fn, type, member, help) \
	{ s, l, CLI_OPT_CALL, arg, help, offsetof(type, member), 0, 0, NULL, fn }
#define CLI_INPUT { 'i', "input", CLI_OPT_PLAIN, "FILE", "read FILE; -i may be omitted", \
	0, 0, 0, NULL, NULL }
#define CLI_ARG(fn) { 0, NULL, CLI_OPT_ARG, NULL, NULL, 0, 0, 0, NULL, fn }
/* clang-format on */

#endif
