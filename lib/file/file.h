/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an opened file holds. Immutable but for things made once, on first use. */
#ifndef TDAT_READ_FILE_H
#define TDAT_READ_FILE_H

#include <pthread.h>
#include <stdatomic.h>

#include <tdat/file.h>

#include "dat/index.h"
#include "dat/page.h"
#include "model/format.h"
#include "model/print.h"
#include "model/symbols.h"
#include "clock_facts.h"

enum { FILE_ID_COUNT = 65536 };

struct format_slot {
	_Atomic(struct tdat_format *) format;
	atomic_bool broken;      /* parsing failed; err says why */
	struct tdat_error *err;
	struct tdat_format *part; /* what could be read when broken, or NULL */
};

struct tdat_file {
	struct tdat_source *src;
	struct dat_index ix;
	struct tdat_file_info info;
	struct clock_facts clock;
	struct dat_page_layout layout;

	/* Made on first use, under lock; never changed afterwards. */
	pthread_mutex_t lock;
	struct format_slot *slots;       /* one per format text */
	_Atomic(uint32_t *) id_map;      /* id -> slot + 1, for ids below 65536 */
	_Atomic(struct model_symbols *) symbols;
	_Atomic(struct model_printk *) printk;
	_Atomic(struct model_tasks *) tasks;
	_Atomic(uint64_t) memory_failures; /* of making them */
	_Atomic(uint32_t) undescribed[FILE_ID_COUNT / 32]; /* ids whose format was missed */
};

/* Where every record holds its event id and its pid. */
struct file_common {
	uint32_t type_off, type_len;
	uint32_t pid_off, pid_len;
};
#define FILE_COMMON_USUAL ((struct file_common){0, 2, 4, 4})

/* False, and *c as it was, when the format does not tell. */
bool file_common_of_format(const struct tdat_format *format, struct file_common *c);
/* What the first format tells that does; the usual places without one. */
void file_common_find(const struct tdat_file *file, struct file_common *c);

/*
 * What could be read of the format of an id, its name at least, when it is broken; NULL when
 * it is not, or nothing could be. For printing only: some of the fields are missing.
 */
const struct tdat_format *file_format_part(const struct tdat_file *file, uint32_t id);
/* The nth format of that name: merged files may have several. NULL: none. */
const struct tdat_format *file_format_nth(const struct tdat_file *file, const char *system,
					       const char *name, size_t nth);
/* TDAT_E_NOMEM when making formats or tables failed since there were before failures. */
enum tdat_status file_memory(const struct tdat_file *file, uint64_t before,
				  struct tdat_error *err);

/* The tables of names; NULL only without memory. */
const struct model_symbols *file_symbols(const struct tdat_file *file);
const struct model_printk *file_printk(const struct tdat_file *file);
const struct model_tasks *file_tasks(const struct tdat_file *file);

/*
 * Whether a file of up to 64 MiB says that its events inflate to over 16 MiB and 16
 * times its length: they are cheap to ask for, so printing one must not be dear.
 */
bool file_inflates_much(const struct tdat_file *file);

/* Limit name_len, which is lower in a dense file unless set by hand. */
uint32_t file_name_max(const struct tdat_file *file);
/* Whether a name of len bytes is beyond it: cheap for most. */
bool file_name_long(const struct tdat_file *file, size_t len);
/* Cuts names of buffer instances; for its maker. */
enum tdat_status file_cut_names(struct tdat_file *file, struct tdat_error *err);

#endif
