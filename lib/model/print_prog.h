/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the compiled form of a print format: a row of items, each of which is a literal text
 * and the value behind it. Expressions are small trees of typed loads and operations.
 */
#ifndef TDAT_MODEL_PRINT_PROG_H
#define TDAT_MODEL_PRINT_PROG_H

#include "expr_op.h"
#include "kprintf.h"
#include "print_env.h"
#include "print_func.h"
#include "core/number.h"

struct expr {
	uint8_t op; /* enum expr_op */
	bool big;
	uint8_t elem;
	uint32_t off;
	uint64_t k;
	const struct expr *a, *b, *c;
	const struct tdat_field *field;
	const struct prog_call *call;
};

/* An argument of a function; all NULL behind the last one. */
struct prog_arg {
	const struct expr *num; /* a number, or the offset of bytes */
	const struct item *text;
	bool bytes; /* it is bytes, which lie in field, or NULL: anywhere */
	bool rest;  /* these are all from the start of dynamic field on */
	const struct tdat_field *field;
};

/* A function of the kernel or of a plugin, and what it is called with. */
struct prog_call {
	const struct print_func *func;
	struct prog_arg args[FUNC_ARGS];
};

enum item_op {
	I_NONE,	    /* only the literal */
	I_DEC32,    /* %d of a 32-bit load, no flags */
	I_UDEC,	    /* %u, %lu of a value that fits */
	I_DEC64,    /* %ld */
	I_HEX,	    /* %x, %lx */
	I_HEX_ZERO, /* %08lx */
	I_NUM,	    /* any other number */
	I_TEXT,	    /* str */
	I_NAME16,   /* %s of a char array of 16 bytes, no width */
	I_NAME,	    /* the same of another length up to 64 */
	I_CHARS,    /* %s of a char array */
	I_REST,	    /* %s of a field of size 0: the rest of the record */
	I_ADDRESS,  /* %s of a pointer: a printk string or a number */
	I_DYN_STR,  /* __get_str */
	I_FLAGS,
	I_SYMBOL,
	I_BYTES, /* __print_hex, __print_hex_str */
	I_INTS,	 /* __print_array */
	I_BITMASK,
	I_CPUMASK,
	I_CHOICE,   /* string ? string : string */
	I_CALL,	    /* text of a plugin's function */
	I_FUNCTION, /* %pS and its like */
	I_MAC,
	I_IP4,
	I_IP6,
	I_SOCKADDR,
	I_UUID,
	I_BUFFER,  /* %*ph */
	I_POINTER, /* %p */
	I_RAW,	   /* a field by its type */
	I_BPRINT,  /* all of ftrace/bprint */
	/* Those of the kernel's reading of print fmt (kfmt_compile.c, kprint_run.c). */
	K_TEXT,	   /* str */
	K_NUM,	   /* any number with width, precision or flags */
	K_AT,	   /* the string at offset value of the record */
	K_ADDRESS, /* the string of printk_formats at address value */
	K_FLAGS,
	K_SYMBOL,
	K_HEX,	    /* __print_hex(), __print_hex_str() */
	K_INTS,	    /* __print_array() */
	K_DUMP,	    /* __print_hex_dump() */
	K_MASK,	    /* __get_bitmask(), __get_cpumask() */
	K_STACK,    /* __get_stacktrace() */
	K_CALL,	    /* text of a kernel's function */
	K_CHOICE,   /* yes or no, by value */
	K_FUNCTION, /* %pS, %ps and %pB without a width */
	K_POINTER,  /* the %p family, of the pointer */
	K_BYTES,    /* of the bytes in the record that it points to */
	K_BRACES    /* in place of what cannot be evaluated: {field=value ...} */
};

struct pair {
	uint64_t value;
	const char *text;
	uint32_t len;
	uint32_t at; /* in the table: which */
};

struct pairs {
	const struct pair *list; /* flags: in file order; symbols: by value, each once */
	uint32_t count;
	uint64_t text_len; /* of all, with delimiters: none prints more */
	bool negative;	   /* a value has the top bit: it may stand for 0 */
	const char *delim;
	uint32_t delim_len;
	uint64_t hash; /* of all that it prints */
	/* Symbols: index of the first pair with that value, plus 1. */
	uint8_t first[64];
};

/* What items of the kernel's reading have beside the members of struct item. */
struct kitem {
	struct kconv conv;
	const struct expr *width, *prec; /* of "*", or NULL */
	const struct expr *value3, *value4;
	const struct item *fields; /* of K_BRACES: literals and I_RAW */
	uint32_t field_count;
	const char *why; /* of K_BRACES */
	bool plain;	 /* there is neither width nor precision */
	bool jiffies;	 /* a number of them, which "j" is put behind */
};

struct run;

/* The text of a flag word that make() puts, from the scratch where it was printed lately. */
typedef void (*flags_fn)(const struct run *r, const struct item *it, uint64_t v,
			 struct tdat_build *out);
void flags_print(const struct run *r, const struct item *it, uint64_t v, flags_fn make,
		 struct tdat_build *out);

/* The pair with that value, of a sorted table; NULL: there is none. */
const struct pair *pairs_find(const struct pairs *p, uint64_t v);

struct item {
	const char *text; /* literal before the value; 16 bytes may be copied */
	uint32_t text_len;
	uint8_t op;   /* enum item_op */
	uint8_t bits; /* of the value: 8, 16, 32, 64 */
	char letter;  /* of %p.: which */
	char letter2;
	bool flag; /* of %p.: upper, offset, port ... as each op says */
	bool flag2;
	bool star_prec; /* star is the precision, not the width */
	bool big;
	struct tdat_num_spec spec;
	const struct expr *star; /* width or precision from an argument */
	const struct expr *value;
	const struct expr *value2;
	const struct tdat_field *field;
	uint32_t off, len;
	const char *str;
	const struct pairs *pairs;
	const struct item *yes, *no;
	const struct prog_call *call;
	const struct kitem *k; /* of K_ items */
};

/* Records of first to last bytes end within a field; off is where the first such field starts. */
struct pad {
	uint32_t first, last, off;
};

struct print_prog {
	const struct tdat_event_format *format;
	const struct item *items;
	uint32_t count;
	uint32_t room;	    /* bytes that all literals and plain numbers can take */
	uint32_t fixed_len; /* of the record: shorter ones are padded first (print_pad.c) */
	uint32_t pad_count;
	const struct pad *pads;
	uint32_t text_max;	       /* the most bytes of an event's text */
	uint32_t text_per_byte;	       /* bytes added to text_max for each byte of the record */
	const struct prog_lack *lacks; /* what cannot be evaluated, in the order of print fmt */
	struct tdat_arena arena;
};

/* The most bytes of text of a record. */
static inline size_t prog_text_most(const struct print_prog *prog, size_t record_len)
{
	return prog->text_max + (size_t)prog->text_per_byte * record_len;
}

/* An argument of print fmt that cannot be evaluated. */
struct prog_lack {
	const struct prog_lack *next;
	const char *conv; /* its conversion, such as "%p" */
	const char *why;
};

struct prog_env {
	const struct model_symbols *symbols;
	const struct model_printk *printk;
	uint8_t long_size;
	bool big;
	bool tep17;	 /* as libtraceevent 1.7 prints */
	uint8_t word;	 /* bytes of a long of the kernel */
	uint32_t kernel; /* version, or 0: see kprint_env */
};

static inline struct prog_env prog_env_of(const struct model_env *env,
					  const struct tdat_event_format *format)
{
	return (struct prog_env){.symbols = env->symbols,
				 .printk = env->printk,
				 .long_size = env->long_size,
				 .big = env->big,
				 .tep17 = env->tep17,
				 .word = format->long_size == 4 ? 4 : 8,
				 .kernel = env->kernel_version};
}

/* One run. data has at least fixed_len bytes; size is what the record had. */
struct run {
	const uint8_t *data;
	size_t avail; /* readable bytes at data */
	size_t size;  /* of the record: what offsets are checked against */
	size_t most;  /* bytes of text */
	const struct prog_env *env;
	struct model_scratch *scratch;
};

/*
 * More than any handler or item asks room for at once: what is below the limit print_len is never
 * refused.
 */
enum { MODEL_TEXT_ROOM = 4096 };

/*
 * Texts of flag words that were made lately and will be printed again. A slot is overwritten
 * by another word with the same hash; items and symbols outlive the scratch.
 */
enum { FLAGS_SLOTS = 128, FLAGS_TEXT = 108 };

struct flags_slot {
	const struct pairs *pairs;
	uint64_t hash; /* pairs->hash */
	uint64_t value;
	uint32_t len;
	char text[FLAGS_TEXT];
};

/*
 * Texts of addresses that were printed lately: name+0xoff/0xsize [module]. A slot is overwritten
 * by another address with the same hash.
 */
enum { ADDRESS_SLOT_BITS = 10, ADDRESS_TEXT = 94 };

struct address_slot {
	const struct model_symbols *symbols;
	uint64_t addr;
	uint8_t kind; /* enum kprint_symbol_kind */
	uint8_t len;
	char text[ADDRESS_TEXT];
};

struct model_scratch {
	struct tdat_build text;	  /* of arguments */
	struct tdat_build pad;	  /* a short record, padded */
	struct tdat_build invert; /* what a record that was made of text prints */
	size_t pad_zeros;	  /* bytes of pad that are 0 behind the record */
	struct model_symbol_cache names;
	struct flags_slot flags[FLAGS_SLOTS];
	struct address_slot addresses[1 << ADDRESS_SLOT_BITS];
};

enum prog_result {
	PROG_OK,
	PROG_BROKEN,  /* print fmt cannot be parsed; the program prints name=value */
	PROG_FOREIGN, /* sound, but not compiled: libtraceevent must print it */
	PROG_NOMEM
};

/* prog_compile fills *out and, unless PROG_OK, says why. */
enum prog_result prog_compile(struct print_prog *out, const struct tdat_event_format *format,
			      const struct model_env *env, enum model_print_style style, char *why,
			      size_t why_len);
/* A program of " name=value" for all fields by their types. */
enum prog_result prog_compile_fields(struct print_prog *out, const struct tdat_event_format *format,
				     const struct model_env *env, char *why, size_t why_len);
void prog_fini(struct print_prog *prog);

void prog_run(const struct print_prog *prog, const struct prog_env *env, struct tdat_span record,
	      struct model_scratch *scratch, struct tdat_build *out);

/*
 * How far beyond text_max a program can print: not at all; by one item at most, which itself
 * is no longer than text_max; or without a bound of its own.
 */
enum prog_reach { PROG_WITHIN, PROG_ITEM_BEYOND, PROG_FAR };
enum prog_reach prog_reach(const struct print_prog *prog);

struct model_invert_env;
/* print_invert.c: a record that may print the text, in place of what out holds; else false. */
bool print_invert_prog(const struct print_prog *prog, const struct prog_env *env,
		       const struct model_invert_env *names, struct tdat_span text,
		       struct model_scratch *scratch, struct tdat_build *out);
bool print_invert_syscall(const struct tdat_event_format *f, struct tdat_span text,
			  struct tdat_build *out);

/* print_pad.c: sets pads and fixed_len; false: no memory. */
bool prog_pads(struct print_prog *prog, const struct tdat_event_format *format);
bool prog_pad(const struct print_prog *prog, struct run *r, struct tdat_span record);

/* The parts of running a program, each in a file of its own. */
uint64_t expr_eval(const struct run *r, const struct expr *x);

/* expr_eval, without a call for the commonest loads. */
static inline uint64_t run_value(const struct run *r, const struct expr *x)
{
	switch (x->op) {
	case X_U32:
		return tdat_load32(r->data + x->off, x->big);
	case X_U64:
		return tdat_load64(r->data + x->off, x->big);
	case X_U16:
		return tdat_load16(r->data + x->off, x->big);
	case X_U8:
		return r->data[x->off];
	case X_S32:
		return (uint64_t)(int32_t)tdat_load32(r->data + x->off, x->big);
	default:
		return expr_eval(r, x);
	}
}

struct tdat_num_spec item_spec(const struct run *r, const struct item *it);
void item_print(const struct run *r, const struct item *it, struct tdat_build *out);
void item_print_pointer(const struct run *r, const struct item *it, struct tdat_build *out);
void item_print_string(const struct run *r, const struct item *it, struct tdat_build *out);
void item_print_bprint(const struct run *r, const struct item *it, struct tdat_build *out);
void item_print_kernel(const struct run *r, const struct item *it, struct tdat_build *out);
/*
 * print_bprint.c, for tables: the string of a record of trace_printk() whose arguments lie at off,
 * printed, or its arguments as a JSON array of those that are there. False: there is no string at
 * addr.
 */
bool print_bprint_part(const struct run *r, uint64_t addr, uint32_t off, bool args,
		       struct tdat_build *out);
void item_print_raw(const struct run *r, const struct item *it, struct tdat_build *out);
/* Calls the function; out NULL: for its value alone, which is returned. */
uint64_t call_run(const struct run *r, const struct prog_call *call, struct tdat_build *out);

/* The function addr lies in; ptr NULL: none. */
struct tdat_span run_symbol(const struct run *r, uint64_t addr, uint64_t *start);

/* Offset and length of a dynamic field, 0 and 0 where it points outside. */
void run_dynamic(const struct run *r, const struct tdat_field *f, uint64_t *off, uint64_t *len);

/* The bytes at off, at most len, cut at the end of what can be read. */
static inline struct tdat_span run_bytes(const struct run *r, uint64_t off, uint64_t len)
{
	struct tdat_span s = {r->data, 0};

	if (off < r->avail) {
		s.ptr = r->data + off;
		s.len = len < r->avail - off ? (size_t)len : r->avail - (size_t)off;
	}
	return s;
}

/* The C string at off. */
static inline struct tdat_span run_cstr(const struct run *r, uint64_t off)
{
	struct tdat_span s = run_bytes(r, off, UINT64_MAX);

	if (s.len)
		s.len = strnlen((const char *)s.ptr, s.len);
	return s;
}

#endif
