/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feeds an importer with files cut out of one input, checks what it emits, or also writes it. */
#ifndef TDAT_FUZZ_IMPORT_H
#define TDAT_FUZZ_IMPORT_H

#include <tdat/emit.h>

struct fuzz_import {
	const char *importer;
	const char *const *names;		 /* of the inputs, ended by NULL; at most 16 */
	const struct tdat_keyed_option *options; /* flag i of the input turns option i on */
	size_t option_count;			 /* at most 16 */
	bool foreign_formats;			 /* they are the capture's own text */
};

/*
 * Input: u16 flags of options, u8 bits (1 read through a descriptor, 2 write what
 * is emitted and compare, from 4 on FUZZ_V6 and so on), u8 bit set of names that exist; then for
 * each but the last a u16 length (little endian) and its bytes, then the last one's.
 */
void fuzz_import(const struct fuzz_import *f, const uint8_t *data, size_t size);

#endif
