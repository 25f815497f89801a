/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cuts the arguments of a print fmt into the tokens of C. */
#ifndef TDAT_MODEL_KFMT_LEX_H
#define TDAT_MODEL_KFMT_LEX_H

#include "kfmt.h"

enum ktok_kind { KT_END, KT_NAME, KT_NUM, KT_STR, KT_CHAR, KT_OP, KT_BAD };

struct ktok {
	enum ktok_kind kind;
	int op;		  /* of KT_OP: a character or enum kn_op */
	const char *text; /* in the source; of strings and characters without quotes */
	size_t len;
};

/* What is left of a source text. */
struct klex {
	const char *p, *end;
};

/* The next token; at the end, KT_END again and again. */
struct ktok klex_next(struct klex *lex);

/* The number of a KT_NUM or KT_CHAR token, of its type in C; false: it is none. */
bool ktok_number(const struct ktok *tok, uint8_t long_size, uint64_t *num, struct ktype *type);

/* Resolves the escapes of a string into out, which has room for len bytes; returns the length. */
size_t klex_unescape(char *out, const char *text, size_t len);

#endif
