/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files to be merged, made for one question each. */
#ifndef TESTS_MERGE_MAKE_INPUT_H
#define TESTS_MERGE_MAKE_INPUT_H

#include <tdat/writer.h>

enum { INPUT_CPUS = 2, INPUT_EVENTS = 40 };

struct input_option {
	uint16_t id;
	const void *data;
	size_t len;
};

struct input_case {
	const char *clock;
	const char *system, *format; /* of its events; NULL: one with a number */
	uint32_t type_off;	     /* where common_type lies behind all else; 0: before */
	uint16_t id;		     /* common_type, when there is no format: 0 format's */
	const char *kallsyms, *printk;
	const char *comm; /* of pid 42; NULL: unknown */
	uint64_t value;	  /* 8 bytes at offset 8 of each event */
	uint64_t first_ts, step;
	struct input_option options[4];
	size_t option_count;
};

/* The format of events with a number of 64 bits at offset 8, print fmt to be added. */
extern const char input_format[];

/* Writes the file; fails the test when that fails. */
void input_write(const struct input_case *c, const char *path);

#endif
