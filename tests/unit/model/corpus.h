/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metadata of trace.dat files for tests of the model layer, read by a small
 * reader of its own: formats, kallsyms, printk formats, command lines.
 */
#ifndef TESTS_MODEL_CORPUS_H
#define TESTS_MODEL_CORPUS_H

#include <tdat/base.h>

#include "answers.h"

struct corpus_format {
	char *system;
	struct tdat_span text;
};

struct corpus_file {
	char *path;
	bool big;
	uint8_t long_size;
	struct corpus_format *formats;
	size_t format_count;
	struct tdat_span kallsyms, printk, cmdlines;
	uint8_t *bytes;	  /* the file */
	uint8_t **blocks; /* inflated sections */
	size_t block_count;
};

/* NULL when the file is no trace.dat of version 6 or 7. */
struct corpus_file *corpus_open(const char *path);
/* Formats in a text file, each from "name: " to a line of "--- "; NULL: no file. */
struct corpus_file *corpus_open_text(const char *path, const char *system);
void corpus_close(struct corpus_file *f);

/*
 * Calls fn for every .dat file of the fixtures and, when there, of the shared
 * corpus; the number of files is returned, and said on stderr.
 */
size_t corpus_each(void (*fn)(struct corpus_file *f, void *ctx), void *ctx);

/*
 * Adds a test that compares with libtraceevent, on a host where its text is as on x86-64
 * (answers.h), or with what it said there.
 */
#define ADD_COMPARISON(tcase, test)                                                                \
	do {                                                                                       \
		if (answers_usable())                                                              \
			tcase_add_test(tcase, test);                                               \
		else                                                                               \
			puts(#test ": not compared with libtraceevent on a host like this");       \
	} while (0)

#endif
