/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what the parts of the filter share: the parsed text and the program. */
#ifndef TDAT_MODEL_FILTER_AST_H
#define TDAT_MODEL_FILTER_AST_H

#include <regex.h>

#include "core/arena.h"
#include "format.h"
#include "symbols.h"

enum filter_kind {
	FILTER_NUM,   /* num */
	FILTER_STR,   /* text; chr: it was in single quotes */
	FILTER_FIELD, /* text */
	FILTER_ARITH, /* left op right */
	FILTER_CMP,   /* left op right, numbers */
	FILTER_MATCH, /* left (a field) op right (a string) */
	FILTER_AND,
	FILTER_OR,
	FILTER_NOT /* right */
};

enum filter_op {
	FILTER_OP_NONE,
	/* comparisons */
	FILTER_EQ,
	FILTER_NE,
	FILTER_LT,
	FILTER_GT,
	FILTER_LE,
	FILTER_GE,
	FILTER_LIKE,
	FILTER_UNLIKE,
	/* arithmetic */
	FILTER_ADD,
	FILTER_SUB,
	FILTER_MUL,
	FILTER_DIV,
	FILTER_MOD,
	FILTER_SHL,
	FILTER_SHR,
	FILTER_BAND,
	FILTER_BOR,
	FILTER_XOR
};

struct filter_node {
	enum filter_kind kind;
	enum filter_op op;
	bool chr;
	bool negative;	/* NUM: was written with a minus */
	size_t column;	/* 1: the first character of the filter */
	uint32_t stack; /* the most numbers on the stack while it is evaluated */
	uint64_t num;
	const char *text;
	size_t len;
	const struct filter_regex *regex; /* LIKE, UNLIKE */
	const struct filter_node *left, *right;
};

/* One "system/event" of the list before the colon. */
struct filter_name {
	size_t pos, len; /* in the text */
	bool has_system;
	regex_t system, name; /* without a system, name is matched with both */
};

struct filter_word {
	const char *text;
	size_t column;
};

struct filter_regex {
	regex_t regex;
	regex_t once; /* the same for long texts, where there is one */
	bool has_once;
	struct filter_regex *next;
};

struct model_filter {
	const char *text;
	struct tdat_arena arena;
	struct filter_name *names;
	size_t name_count;
	const struct filter_node *expr; /* NULL: all */
	struct filter_word *words;
	size_t word_count;
	struct filter_regex *regexes;
};

/*
 * Bounds of a filter: bytes, as many as an argument of a program may have; names of events;
 * levels of nesting; numbers waiting for an operator.
 */
enum {
	FILTER_LEN_MOST = 128 * 1024,
	FILTER_NAMES_MOST = 8192,
	FILTER_NEST_MOST = 64,
	FILTER_STACK_MOST = 32
};

enum tdat_status model_filter_parse(struct model_filter *f, size_t pos, struct tdat_error *err);
enum tdat_status model_filter_fail(const struct model_filter *f, size_t column,
				   struct tdat_error *err, const char *fmt, ...) TDAT_PRINTF(4, 5);

/* ---- the program ---- */

enum filter_code {
	CODE_FIELD_CMP, /* field cmp num, then jump */
	CODE_PUSH_NUM,
	CODE_PUSH_FIELD,
	CODE_PUSH_CPU,
	CODE_PUSH_PID,
	CODE_PUSH_TS,
	CODE_ARITH,  /* two numbers to one */
	CODE_CMP,    /* takes two numbers, jumps */
	CODE_TRUTH,  /* takes a number, jumps */
	CODE_MATCH,  /* string of a field, jumps */
	CODE_IN_SET, /* a pid field, jumps */
	CODE_PID_IN_SET
};

/* Where the string of a CODE_MATCH comes from. */
enum filter_source {
	SOURCE_COMM,
	SOURCE_FIXED,	/* array in the record */
	SOURCE_DYNAMIC, /* __data_loc, __rel_loc or flexible array */
	SOURCE_SYMBOL,	/* name of the function at an address, or hex */
	SOURCE_HEX
};

#define FILTER_JUMP_MATCH UINT32_MAX
#define FILTER_JUMP_MISS (UINT32_MAX - 1)

struct filter_ins {
	uint8_t code;	/* enum filter_code */
	uint8_t op;	/* enum filter_op */
	uint8_t len;	/* bytes of an integer field */
	uint8_t source; /* enum filter_source */
	bool is_signed;
	uint32_t off;
	uint32_t jump_true, jump_false;
	uint64_t num;
	const char *text; /* MATCH == and != */
	size_t text_len;
	const struct filter_regex *regex;
	const struct tdat_field *field;
};

struct model_filter_prog {
	uint32_t entry; /* an instruction, or FILTER_JUMP_* */
	uint32_t count;
	bool big;
	struct tdat_span (*name)(const void *ctx, int32_t pid);
	const void *ctx;
	const struct model_symbols *symbols;
	const struct model_pid_set *set;
	struct filter_ins *ins;
};

#endif
