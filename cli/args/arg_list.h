/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists that options add to: CPU numbers, and strings of the command line. */
#ifndef CLI_ARG_LIST_H
#define CLI_ARG_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_CPU_MAX = 65535 };

/* CPU numbers in rising order, each once. */
struct cli_cpus {
	uint32_t *v;
	size_t count;
};

/* cli_cpus_add adds first..last, both at most CLI_CPU_MAX; false: memory ran out. */
bool cli_cpus_add(struct cli_cpus *cpus, uint32_t first, uint32_t last);
bool cli_cpus_has(const struct cli_cpus *cpus, uint32_t cpu);
void cli_cpus_fini(struct cli_cpus *cpus);

/* Strings of the command line; the list owns only its array. */
struct cli_list {
	const char **v;
	size_t count, room;
};

/* cli_list_add appends value, which must outlive the list; false: memory ran out. */
bool cli_list_add(struct cli_list *list, const char *value);
/* cli_list_words adds the words of "a,b", whose bytes stay the caller's. False: no memory. */
bool cli_list_words(struct cli_list *list, char *text);
void cli_list_fini(struct cli_list *list);

#endif
