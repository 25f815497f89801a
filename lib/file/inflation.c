/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decides whether the events of a file inflate much, and cuts names that are too long there. A
 * small file that inflates to many events could cost hours by long names or wide texts. Its limits
 * of text, names and fields are therefore lower, unless the caller has set them. The sizes in the
 * heads of chunks decide. They are read once, and only if a long name asks.
 */
#include <string.h>

#include "core/limits.h"
#include "dat/chunk.h"
#include "file.h"

/*
 * The events of a file inflate much if they have more than MUCH_LEN bytes and more than MUCH_RATIO
 * times the file's length. Files of more than LONGEST bytes are not checked: they take long anyhow.
 */
enum { MIB = 1 << 20, LONGEST = 64 * MIB, MUCH_LEN = 16 * MIB, MUCH_RATIO = 16 };

/* Adds the promised sizes of a CPU's chunks; stops once the sum exceeds most. */
static void add_cpu(const struct tdat_file *file, const struct tdat_cpu *cpu, uint64_t *sum,
		    uint64_t most)
{
	struct dat_chunks c;
	bool more = cpu->len && dat_chunks_init(&c, &file->ix, cpu->off, cpu->len, NULL) == TDAT_OK;

	while (more && *sum <= most && dat_chunks_next(&c, &more, NULL) == TDAT_OK && more)
		*sum += c.out_len;
}

/* True if the events of the file inflate much. Reads the heads of all chunks. */
bool file_inflates_much(const struct tdat_file *file)
{
	const uint64_t len = tdat_source_len(file->src);
	const uint64_t most = len * MUCH_RATIO > MUCH_LEN ? len * MUCH_RATIO : MUCH_LEN;
	uint64_t sum = 0;
	size_t i;
	uint32_t k;

	if (len > LONGEST)
		return false;
	for (i = 0; i < file->ix.buffer_count; i++)
		for (k = 0; file->ix.buffers[i].compressed && k < file->ix.buffers[i].cpu_count;
		     k++)
			add_cpu(file, &file->ix.buffers[i].cpus[k], &sum, most);
	return sum > most;
}

/*
 * The limit of names, in bytes, in files that inflate much. Real names are shorter, and a file
 * could print its longest one with each of very many events.
 */
enum { NAME_LONG = 256 };

/* The lower limit holds only if the caller has not set one. */
uint32_t file_name_max(const struct tdat_file *file)
{
	const uint32_t len = file->ix.limits.name_len;

	return len == TDAT_LIMITS_DEFAULT.name_len && file_inflates_much(file) ? NAME_LONG : len;
}

/* The cheap comparison first: chunks are read only if a name is long. */
bool file_name_long(const struct tdat_file *file, size_t len)
{
	return len > (file->ix.limits.name_len < NAME_LONG ? file->ix.limits.name_len
							   : NAME_LONG) &&
	       len > file_name_max(file);
}

/*
 * The limits of fields, and of the bytes of all their names, in files that inflate much: each field
 * may be printed with each of very many events. Real formats have up to some 40.
 */
enum { FIELDS_MANY = 64, FIELD_NAMES_LONG = 1024 };

/* A limit that the caller has set is not lowered. */
enum tdat_status file_check_fields(const struct tdat_file *file,
				   const struct tdat_event_format *format, uint64_t off,
				   struct tdat_error *err)
{
	const uint32_t most = file->ix.limits.fields;
	size_t len = 0;

	if (format->field_count > most)
		return tdat_error_set(
			err, TDAT_E_LIMIT, off,
			"event \"%.64s\" has %zu fields, more than limit fields of %u",
			format->name, format->field_count, most);
	for (size_t i = 0; i < format->field_count; i++)
		len += strlen(format->fields[i].name);
	if ((format->field_count <= FIELDS_MANY && len <= FIELD_NAMES_LONG) ||
	    most != TDAT_LIMITS_DEFAULT.fields || !file_inflates_much(file))
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_LIMIT, off,
			      "event \"%.64s\" has %zu fields with names of %zu bytes; in a "
			      "strongly compressed file, limit fields is %u with %u bytes",
			      format->name, format->field_count, len, FIELDS_MANY,
			      FIELD_NAMES_LONG);
}

/* Done while the file is opened, before threads share it. */
enum tdat_status file_cut_names(struct tdat_file *file, struct tdat_error *err)
{
	size_t i;

	for (i = 0; i < file->ix.buffer_count; i++) {
		struct tdat_buffer *b = &file->ix.buffers[i];

		if (!file_name_long(file, strlen(b->name)))
			continue;
		b->name = tdat_arena_strndup(&file->ix.arena, b->name, file_name_max(file));
		if (!b->name)
			return tdat_error_no_memory(err, "a name");
	}
	return TDAT_OK;
}

size_t tdat_file_text_max(const struct tdat_file *file, size_t *per_byte)
{
	const struct model_env env = {.limits = &file->ix.limits,
				      .inflates_much = file_inflates_much(file)};

	*per_byte = model_text_per_byte(&env);
	return model_text_max(&env);
}
