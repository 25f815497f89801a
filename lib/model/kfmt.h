/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares a print fmt as the kernel's compiler read it: C expressions over the fields of a
 * record, with C's precedence, types and conversions.
 *
 * print fmt is "TEXT", ARG, ARG ...: the text of TP_printk() and its arguments after the
 * preprocessor. kfmt_parse() cuts it into the text and one tree for each argument. An argument
 * that is not understood costs that argument only (KN_BAD). kfmt_expr.c turns trees into the
 * expressions of a program (print_prog.h), kfmt_compile.c the whole into its items.
 */
#ifndef TDAT_MODEL_KFMT_H
#define TDAT_MODEL_KFMT_H

#include "format.h"
#include "operator.h"

/* A C type as far as values need it. Of a pointer, all but ptr describe its target. */
struct ktype {
	uint8_t len;	/* bytes of the number; 0: void, a structure, or not known */
	bool is_signed; /* the number is */
	bool is_bool;	/* conversions give 0 or 1 */
	bool opaque;	/* a structure or type whose size is not known */
	uint8_t ptr;	/* levels of pointers */
};

enum kn_kind {
	KN_BAD,	   /* text: why it cannot be evaluated */
	KN_NUM,	   /* num, type */
	KN_STR,	   /* text, len: escapes are resolved */
	KN_NAME,   /* text: a constant, or the trace_seq p */
	KN_FIELD,  /* REC->text; field NULL: there is none */
	KN_DOT,	   /* a.text or a->text, of another structure than the record */
	KN_INDEX,  /* a[b] */
	KN_CALL,   /* text(args) */
	KN_CAST,   /* (type) a */
	KN_SIZEOF, /* sizeof a, or of type where a is NULL */
	KN_UNARY,  /* op a: one of - + ! ~ * & */
	KN_BINARY, /* a op b */
	KN_COND,   /* a ? b : c */
	KN_LIST,   /* { args } */
	KN_PAREN   /* (a), of kfmt_parse_written() only */
};

struct kn {
	enum kn_kind kind;
	uint16_t depth; /* levels of nodes below it */
	int op;
	struct ktype type;
	uint64_t num;
	const char *text; /* NUL-terminated */
	size_t len;
	const struct tdat_field *field;
	struct kn *a, *b, *c;
	struct kn *args; /* of a call or list, linked by next */
	struct kn *next;
};

struct kfmt {
	const char *text; /* of the format string, escapes resolved */
	size_t len;
	struct kn *args;
	uint32_t arg_count;
	bool too_deep; /* one of them is KN_BAD for that */
};

/*
 * kfmt_parse reads format->print_fmt. False: there is no format string, or no memory (*nomem).
 * Trees live in the arena.
 */
bool kfmt_parse(struct kfmt *out, const struct tdat_event_format *format, struct tdat_arena *arena,
		bool *nomem);

/*
 * kfmt_parse_written reads the arguments from byte at of print fmt on, for readers that do not
 * take C as C means it: parentheses and all casts are nodes, the text of strings, numbers,
 * characters (op is a quote), casts and types of sizeof is as it stands, and numbers have no
 * value. KN_BAD is what needs a C compiler: statement expressions, commas with nothing behind
 * them but for tables, and text of several lines, which no kernel writes. False: there are none,
 * or brackets or quotes do not fit each other, or no memory (*nomem, left alone else).
 */
bool kfmt_parse_written(struct kfmt *out, const struct tdat_event_format *format, size_t at,
			struct tdat_arena *arena, bool *nomem);

/* Very old ftrace events name no arguments: all fields are. False: no memory. */
bool kfmt_all_fields(struct kfmt *fmt, const struct tdat_event_format *format,
		     struct tdat_arena *arena);

/* How many arguments the conversions of a format string take, widths of "*" included. */
uint32_t kfmt_conversions(const char *text, size_t len);

/* The type that a name stands for, such as "unsigned long" or "u8 *"; false: it is not known. */
bool ktype_named(struct ktype *out, const char *name, size_t len, uint8_t long_size);
/* The type of a field's value, or of an element of its array. */
struct ktype ktype_of_field(const struct tdat_field *field);

/* Walks all nodes below n, n first, until fn returns false. */
bool kn_each(const struct kn *n, bool (*fn)(void *ctx, const struct kn *n), void *ctx);

#endif
