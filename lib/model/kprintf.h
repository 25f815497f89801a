/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the conversions of the kernel's vsprintf(), as Documentation/core-api/printk-formats.rst
 * of Linux describes them. They differ from C's: "%#x" of 0 is "0x0", "%.0d" of 0 is "0", "0"
 * counts beside a precision, and what follows "%p" says what is printed of a pointer.
 */
#ifndef TDAT_MODEL_KPRINTF_H
#define TDAT_MODEL_KPRINTF_H

#include "core/build.h"
#include "core/number.h"
#include "symbol_cache.h"

enum { KCONV_LETTERS = 7 };

/* One conversion. Widths and precisions of "*" are 0 and -1 here, and given later. */
struct kconv {
	struct tdat_num_spec spec; /* conv: d u x X o c s p %; '\0': the kernel stops here */
	uint8_t bits;		   /* of a number's argument */
	bool has_width;
	bool star_width, star_prec;
	char letters[KCONV_LETTERS + 1]; /* behind %p; the kernel skips further ones */
};

/*
 * kconv_parse reads the conversion that text begins with ('%') and returns its length, which is
 * at least 1. long_size: the bytes of a long of the recorded machine.
 */
size_t kconv_parse(struct kconv *out, const char *text, size_t len, uint8_t long_size);

/* Sets a width or precision from an argument, as the kernel takes it. */
void kconv_star_width(struct kconv *c, int32_t v);
void kconv_star_prec(struct kconv *c, int32_t v);

/* Prints the low c->bits of v. */
void kprint_number(struct tdat_build *out, const struct kconv *c, uint64_t v);
void kprint_string(struct tdat_build *out, const struct kconv *c, const void *text, size_t len);
/* Cuts what was printed since start to prec bytes (-1: not), and pads it to width with blanks. */
void kprint_fit(struct tdat_build *out, size_t start, bool left, int32_t width, int32_t prec);

/* What pointers are printed with. Everything is borrowed. */
struct kprint_env {
	const struct model_symbols *symbols;
	struct model_symbol_cache *names; /* of the thread; may be NULL */
	uint8_t long_size;
	bool big;
	uint32_t kernel; /* major << 16 | minor << 8 | patch; 0: not known */
};

enum kprint_symbol_kind {
	KPRINT_NAME,	 /* %ps: name [module] */
	KPRINT_OFFSET,	 /* %pS: name+0xoff/0xsize [module] */
	KPRINT_BACKTRACE /* %pB: the same of a return address */
};

/* Whether a %p conversion prints the symbol of the address, and which text of it. */
bool kconv_symbol(const struct kconv *c, uint32_t kernel, enum kprint_symbol_kind *kind);

/* Whether a %p conversion prints the bytes at the pointer, not the pointer. */
bool kconv_needs_bytes(const struct kconv *c);
/* Why nobody can print it from a recording, such as "%pd needs the kernel's memory"; NULL: we can.
 */
const char *kconv_refusal(const struct kconv *c);

/* Prints a conversion of the %p family that prints the pointer: its number, symbol or error. */
void kprint_address(struct tdat_build *out, const struct kprint_env *env, const struct kconv *c,
		    uint64_t addr);
/* Prints one that prints bytes, of which there may be fewer than it wants: false, nothing was
 * printed. */
bool kprint_bytes(struct tdat_build *out, const struct kprint_env *env, const struct kconv *c,
		  struct tdat_span bytes);

/* The number stands where no symbol is known. */
void kprint_symbol(struct tdat_build *out, const struct kprint_env *env, uint64_t addr,
		   enum kprint_symbol_kind kind);

/* The masks and lists of %*pb and %*pbl: bits of kernel words in the recorded machine's order. */
void kprint_mask(struct tdat_build *out, struct tdat_span bytes, uint32_t bits, bool big,
		 size_t word);
void kprint_mask_list(struct tdat_build *out, struct tdat_span bytes, uint32_t bits, bool big,
		      size_t word);

#endif
