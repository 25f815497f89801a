/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets inputs of a data set wait until there is memory for their export. The need is estimated by
 * the length, formats and tables of an input. It waits, in the order of the inputs, until those
 * before it have returned room. One that needs more than there is runs alone.
 */
#include "commands/export_lake_room.h"

#include <string.h>

/*
 * Bytes. ALL: for all inputs together. FILE_LEN: for each, without rows. FORMAT_LEN: for each of
 * its formats. TABLE_LEN: for each table with rows. PER_BYTE: for each byte of the input, as
 * measured at most for its rows and pages; DEFLATED times that if the input is compressed.
 */
enum {
	ALL = 128 << 20,
	FILE_LEN = 4 << 20,
	FORMAT_LEN = 6 << 10,
	TABLE_LEN = 32 << 10,
	PER_BYTE = 4,
	DEFLATED = 4,
};

uint64_t lake_room_all(void)
{
	return ALL;
}

/*
 * Returns the bytes to reserve for an input, ALL at most. With few_tables only LAKE_FEW_TABLES of
 * its tables are expected to have rows.
 */
uint64_t lake_room_need(const struct tdat_file *file, uint64_t len, bool few_tables)
{
	const struct tdat_file_info *info = tdat_file_info(file);
	const uint64_t per_byte = *info->compression && strcmp(info->compression, "none") != 0
					  ? PER_BYTE * DEFLATED
					  : PER_BYTE;
	const uint64_t formats = tdat_file_format_count(file);
	const uint64_t tables = few_tables ? LAKE_FEW_TABLES : formats;
	uint64_t need = FILE_LEN + formats * FORMAT_LEN + tables * TABLE_LEN;

	if (len >= ALL / per_byte)
		return ALL;
	need += len * per_byte;
	return need < ALL ? need : ALL;
}

/* An input gets threads in proportion to its share of the room, at least one. */
uint32_t lake_room_threads(uint64_t need, uint32_t threads)
{
	return (uint32_t)((threads * need + ALL - 1) / ALL);
}

void lake_room_begin_turn(struct lake_room *r)
{
	pthread_mutex_lock(&r->turn);
}

void lake_room_end_turn(struct lake_room *r)
{
	pthread_mutex_unlock(&r->turn);
}

/*
 * Waits until `need` bytes are free. need is at most ALL, hence it ends once the others have
 * finished.
 */
void lake_room_take(struct lake_room *r, uint64_t need)
{
	pthread_mutex_lock(&r->lock);
	while (r->used + need > ALL)
		pthread_cond_wait(&r->changed, &r->lock);
	r->used += need;
	pthread_mutex_unlock(&r->lock);
}

void lake_room_give(struct lake_room *r, uint64_t need)
{
	pthread_mutex_lock(&r->lock);
	r->used -= need;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}
