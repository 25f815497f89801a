/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes a program of a printf format of the kernel, and prints messages with it. */
#ifndef TDAT_IMPORT_KTR_PRINTF_FORMAT_H
#define TDAT_IMPORT_KTR_PRINTF_FORMAT_H

#include <tdat/source.h>

#include "entry_layout.h"

struct ktr_strings;
struct tdat_build;

enum ktr_arg_size { KTR_ARG_CHAR, KTR_ARG_SHORT, KTR_ARG_INT, KTR_ARG_WORD };

struct ktr_conv {
	uint8_t lit_off, lit_len; /* text before it */
	char kind;		  /* d u x X o c s p; % for a percent sign; 0: only the text */
	uint8_t size;		  /* enum ktr_arg_size */
	bool left, zero, plus, space, alt;
	uint8_t parm; /* index; KTR_PARMS or more: there is no such */
	uint16_t width;
	int16_t prec; /* -1: not given */
	bool plain;   /* a number by its letter only, as %d or %p: no width, no flag that counts */
};

enum { KTR_WIDTH_MAX = 1024, KTR_TEXT_SLACK = 8 };

struct ktr_format {
	uint64_t addr;
	bool resolved;
	bool unsupported; /* shown raw */
	bool many;	  /* wants more parameters than there are */
	bool clean;	  /* its text has no control bytes */
	bool stathz;	  /* its text names the rate of statclock */
	uint8_t conv_count;
	uint8_t len;
	char text[KTR_STRING_MAX + KTR_TEXT_SLACK]; /* more than its NUL behind it */
	bool typed_known;
	uint16_t typed_id;	 /* 0: has no event of its own */
	struct ktr_conv convs[]; /* the last one has kind 0 */
};

/* What printing met. */
struct ktr_print_stats {
	uint64_t strings_unresolved;
};

/* NULL: no memory. parm_count: of the layout. */
struct ktr_format *ktr_format_new(uint64_t addr, struct tdat_span text, unsigned int parm_count);
/* The value of a parameter as the conversion sees it, sign-extended when signed. */
uint64_t ktr_conv_value(const struct ktr_conv *c, uint64_t parm, unsigned int word);
bool ktr_conv_signed(const struct ktr_conv *c);
/* Appends the message. */
void ktr_format_print(const struct ktr_format *f, const struct ktr_entry *e, unsigned int word,
		      unsigned int parm_count, struct ktr_strings *strings, struct tdat_build *out,
		      struct ktr_print_stats *stats);
/* "<0xADDR>" or the string at addr. */
bool ktr_string_print(struct ktr_strings *strings, uint64_t addr, struct tdat_build *out);

#endif
