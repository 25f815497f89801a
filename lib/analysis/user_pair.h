/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tables of pairs of events that a user asks for by a text:
 * "NAME: SYSTEM/EVENT(FIELD,...) [if FILTER] -> SYSTEM/EVENT(FIELD,...) [if FILTER]".
 */
#ifndef TDAT_ANALYSIS_USER_PAIR_H
#define TDAT_ANALYSIS_USER_PAIR_H

#include "table/derived.h"

struct user_pairs;

/*
 * Makes the tables of count texts, which are copied. The inputs tell the types of the keys; an
 * event or a field that none of them has is TDAT_E_NOT_FOUND.
 */
enum tdat_status user_pairs_new(struct user_pairs **out, const char *const *texts, size_t count,
				const struct tdat_iter_input *inputs, size_t input_count,
				struct tdat_error *err);
void user_pairs_free(void *pairs);
const struct table_derived *user_pairs_table(const struct user_pairs *p, size_t i);

#endif
