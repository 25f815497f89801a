/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compiles regular expressions with regcomp(3) behind a bound; there is no other way to one in
 * the library. The C library recurses for each group and copies what is repeated, so that a short
 * expression may end in a stack overflow or take all memory, when it is compiled or when it is
 * searched for; back references make it search for ever.
 */
#ifndef TDAT_CORE_REGEX_BOUND_H
#define TDAT_CORE_REGEX_BOUND_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	TDAT_REGEX_LEN = 4096,	 /* bytes of an expression */
	TDAT_REGEX_NEST = 32,	 /* groups within each other */
	TDAT_REGEX_PARTS = 1024, /* what it has when all that is repeated is written out */
	TDAT_REGEX_OPEN = 12	 /* places that may double what regexec(3) keeps */
};

/*
 * tdat_regex_compile is regcomp with these bounds, in the locale "C". False: nothing was compiled,
 * and why has the reason ("groups are nested deeper than 32"). True: regfree is the caller's.
 */
bool tdat_regex_compile(regex_t *regex, const char *text, int flags, char *why, size_t why_len);

/*
 * Compiles an expression of basic syntax, which tdat_regex_compile has taken, once more for long
 * texts, in which regexec otherwise tries each place anew: the time of its search is in proportion
 * to the text. flags has REG_NOSUB. False: there is no such form of it; it has one if something is
 * repeated without a bound, if it has no '^' and at most TDAT_REGEX_OPEN places that take different
 * characters, and if there is memory for it. True: regfree is the caller's.
 */
bool tdat_regex_compile_once(regex_t *regex, const char *text, int flags);

#endif
