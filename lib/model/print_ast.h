/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares a print format as a tree in the shape that libtraceevent gives it, made of the tree of
 * kfmt.h. Its operator precedence is not C's everywhere; a program that prints the same bytes must
 * be compiled from the same tree.
 */
#ifndef TDAT_MODEL_PRINT_AST_H
#define TDAT_MODEL_PRINT_AST_H

#include "format.h"
#include "print_func.h"

/* The numbers are libtraceevent's: it prints them in complaints. */
enum ast_type {
	AST_NULL = 0,
	AST_ATOM = 1,	   /* text: a number, a name, a string */
	AST_FIELD = 2,	   /* REC->text; field NULL: there is none */
	AST_FLAGS = 3,	   /* a: value; delim; pairs */
	AST_SYMBOL = 4,	   /* a: value; pairs */
	AST_HEX = 5,	   /* a: bytes; b: length */
	AST_INT_ARRAY = 6, /* a: array; b: count; c: element size */
	AST_TYPE = 7,	   /* (text) a */
	AST_STRING = 8,	   /* __get_str(text) */
	AST_DYN = 10,	   /* __get_dynamic_array(field) */
	AST_OP = 11,	   /* a text b */
	AST_FUNC = 12,	   /* func(args) */
	AST_BITMASK = 13,  /* __get_bitmask(text) */
	AST_DYN_LEN = 14,  /* __get_dynamic_array_len(field) */
	AST_HEX_STR = 15,
	AST_CPUMASK = 16
};

/* { value, "text" } */
struct ast_pair {
	struct ast_pair *next;
	const char *value;
	const char *text;
};

struct ast {
	enum ast_type type;
	int prio;	  /* of an operator */
	const char *text; /* NUL-terminated, like all text here */
	const struct tdat_field *field;
	struct ast *a, *b, *c;
	struct ast *args; /* of func, linked by next */
	struct ast *next; /* the next argument of print fmt */
	const struct print_func *func;
	const char *delim; /* NULL: none */
	struct ast_pair *pairs;
};

struct ast_print {
	const char *format; /* without quotes, escapes untouched */
	struct ast *args;
	bool tep17;    /* set by the caller: as libtraceevent 1.7 parses */
	bool too_deep; /* nested deeper than we follow; libtraceevent might */
	bool nomem;
	bool knew;	  /* knows said yes */
	unsigned deepest; /* levels of nesting */
	char why[128];	  /* of a failure */
	/* Functions that a plugin may have brought; NULL: there are none. Set by the caller. */
	bool (*knows)(void *ctx, const char *name, unsigned args);
	void *knows_ctx;
};

/*
 * ast_parse reads format->print_fmt. False: libtraceevent cannot parse it
 * either (or too_deep, or nomem), and why says what was wrong.
 */
bool ast_parse(struct ast_print *out, const struct tdat_event_format *format, bool plugins,
	       struct tdat_arena *arena);

/* What a cast to this type leaves of a value; UINT64_MAX: all of it. */
uint64_t parse_cast_mask(const char *type);

#endif
