/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of the many things that a test goes through (files, random rounds) it takes, by
 * TDAT_PART. Builds with sanitizers and emulated machines, many times slower than the release,
 * take a part of them each ("2/4": the second of four parts); without it a test takes all.
 */
#ifndef TDAT_TESTS_PART_H
#define TDAT_TESTS_PART_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
	unsigned int nth, of; /* nth from 0 */
};

static inline struct part part_asked(void)
{
	const char *text = getenv("TDAT_PART");
	struct part part = {1, 1};

	if (text && *text &&
	    (sscanf(text, "%u/%u", &part.nth, &part.of) != 2 || !part.nth || part.nth > part.of)) {
		fprintf(stderr, "TDAT_PART=%s: not like 1/4\n", text);
		exit(EXIT_FAILURE);
	}
	part.nth--;
	return part;
}

/* Whether the part has the nth of things. */
static inline bool part_takes(size_t n)
{
	const struct part part = part_asked();

	return n % part.of == part.nth;
}

/* A number of a file by its name (FNV-1a), since folders are listed in any order. */
static inline unsigned int part_number_of_file(const char *path)
{
	const char *name = strrchr(path, '/');
	unsigned int hash = 2166136261u;

	for (name = name ? name + 1 : path; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash >> 8;
}

static inline bool part_takes_file(const char *path)
{
	return part_takes(part_number_of_file(path));
}

/* How many of count random rounds. */
static inline unsigned int part_of(unsigned int count)
{
	return (count + part_asked().of - 1) / part_asked().of;
}

#endif
