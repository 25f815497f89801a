/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides memory among the files of a data set that are exported at once. How an export keeps its
 * own memory bounded depends on nothing but its file, since its parts must be the same bytes
 * however many others there are. So each file is begun only when there is room for what it may
 * need: large files one at a time, with all threads, small ones side by side.
 */
#ifndef CLI_EXPORT_LAKE_ROOM_H
#define CLI_EXPORT_LAKE_ROOM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <tdat/file.h>

struct lake_room {
	pthread_mutex_t turn; /* held by the one file that is parsed and waits for room */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t used; /* bytes, under the lock */
};

#define LAKE_ROOM_INIT                                                                             \
	{                                                                                          \
		PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0  \
	}

/* Tables with rows that files have as a rule. */
enum { LAKE_FEW_TABLES = 100 };

/*
 * Bytes that the export of a file needs at most, if there are rows in only a few of its tables, or
 * in all. len is that of the file.
 */
uint64_t lake_room_need(const struct tdat_file *file, uint64_t len, bool few_tables);
/* All there is, for a file that is alone. */
uint64_t lake_room_all(void);

/* Of threads in all, how many a file of that need has. */
uint32_t lake_room_threads(uint64_t need, uint32_t threads);

/* Only between these two a file is parsed, and waits for room. */
void lake_room_begin_turn(struct lake_room *r);
void lake_room_end_turn(struct lake_room *r);

/* Waits until there is room. */
void lake_room_take(struct lake_room *r, uint64_t need);
void lake_room_give(struct lake_room *r, uint64_t need);

#endif
