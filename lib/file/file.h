/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the contents of an opened file. They do not change after opening; formats and name
 * tables are created once, on first use, under a lock.
 */
#ifndef TDAT_FILE_FILE_H
#define TDAT_FILE_FILE_H

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
	_Atomic(struct tdat_event_format *) format;
	atomic_bool broken; /* parsing failed; err says why */
	struct tdat_error *err;
	struct tdat_event_format *part; /* what could be read when broken, or NULL */
};

struct tdat_file {
	struct tdat_source *src;
	struct dat_index ix;
	struct tdat_file_info info;
	struct clock_facts clock;
	struct dat_page_layout layout;
	struct dat_record_lens lens;
	/* By buffer, the indices of its CPUs, by number of the CPU: parts of cpu_order. */
	const uint32_t **cpu_orders;
	uint32_t *cpu_order;

	/* Made on first use, under lock; never changed afterwards. */
	pthread_mutex_t lock;
	struct format_slot *slots;  /* one per format text */
	_Atomic(uint32_t *) id_map; /* id -> slot + 1, for ids below 65536 */
	_Atomic(struct model_symbols *) symbols;
	_Atomic(struct model_graph_exits *) graph_exits;
	_Atomic(struct model_printk *) printk;
	_Atomic(struct model_tasks *) tasks;
	/* Made by lib/read/names.c, under names_lock: names that the events say, too. */
	pthread_mutex_t names_lock;
	_Atomic(struct model_tasks *) names;
	atomic_bool named; /* it was tried: names may be NULL or lack some, as names_err says */
	struct tdat_error names_err;
	_Atomic(uint64_t) memory_failures;		   /* of making them */
	_Atomic(uint32_t) undescribed[FILE_ID_COUNT / 32]; /* ids whose format was missed */
};

/* The file as what makes its tables on first use needs it: callers see it as const. */
static inline struct tdat_file *file_mutable(const struct tdat_file *file)
{
	union {
		const struct tdat_file *in;
		struct tdat_file *out;
	} u = {file};

	return u.out;
}

/* Makes cpu_orders; cpu_order.c, at opening. */
enum tdat_status file_order_cpus(struct tdat_file *f, struct tdat_error *err);
/* The indices of a CPU in the list of a buffer, ascending: more than one where the file is damaged.
 */
const uint32_t *file_cpu_entries(const struct tdat_file *f, size_t buffer, uint32_t cpu,
				 size_t *count);

/* Where every record holds its event id and its pid. */
struct file_common {
	uint32_t type_off, type_len;
	uint32_t pid_off, pid_len;
};
#define FILE_COMMON_USUAL ((struct file_common){0, 2, 4, 4})

/* Words of the option UNAME, "Linux HOST RELEASE MACHINE"; empty where there is none. */
enum file_uname_word { UNAME_HOST = 1, UNAME_RELEASE, UNAME_MACHINE };
struct tdat_span file_uname(const struct tdat_file *file, enum file_uname_word word);

/* The kernel that was recorded: major << 16 | minor << 8 | patch; 0: the file does not tell. */
uint32_t file_kernel_version(const struct tdat_file *file);

/* Takes the offsets from a format. False, and *c as it was, when it lacks one of the fields. */
bool file_common_of_format(const struct tdat_event_format *format, struct file_common *c);
/* Takes the offsets from the first format that has both fields, else the usual ones. */
void file_common_find(const struct tdat_file *file, struct file_common *c);

/*
 * The readable part of the broken format of an id: its name at least, perhaps without some of
 * its fields. It is for printing only. NULL when the format is sound or unreadable.
 */
const struct tdat_event_format *file_format_part(const struct tdat_file *file, uint32_t id);
/* How long records of a format's event, or of NULL, can be. */
struct dat_len_bounds file_record_bounds(const struct tdat_event_format *format,
					 const struct file_common *c);
/* Keeps that in lens, where a record's first two bytes have its id. */
void file_record_keep(struct dat_record_lens *lens, const struct file_common *c,
		      const uint8_t *record, bool big, struct dat_len_bounds bounds);
/* The id of a record's event; 0, which no kernel gives to one, when there is none. */
uint32_t file_record_id(const struct file_common *c, const uint8_t *record, uint32_t len, bool big);
/* Lets the layout of pages know how long records can be. */
void file_record_lens_init(struct tdat_file *file);
/*
 * As tdat_file_format_by_id, but whoever asks needs no format: that there is none is not told by
 * tdat_file_undescribed. *known is false when there was no memory to find out.
 */
const struct tdat_event_format *file_format_quiet(const struct tdat_file *file, uint32_t id,
						  bool *known);
/*
 * As tdat_file_format, but fails also for a format whose text could not be read to its end, such as
 * one with a NUL between its fields, which is used nevertheless.
 */
enum tdat_status file_format_whole(const struct tdat_file *file, size_t index,
				   struct tdat_error *err);
/*
 * Whether events of an id are read by the format of that index: of several formats with one id the
 * first is. No format is parsed.
 */
bool file_format_reads(const struct tdat_file *file, size_t index, uint32_t id);
/*
 * The next format of that name, searched from the index *at on, which is then set behind it:
 * merged files may have several. NULL: none.
 */
const struct tdat_event_format *file_format_next(const struct tdat_file *file, const char *system,
						 const char *name, size_t *at);
/* TDAT_E_NOMEM when making formats or tables failed since there were before failures. */
enum tdat_status file_memory(const struct tdat_file *file, uint64_t before, struct tdat_error *err);

/* The tables of names; NULL only without memory. */
const struct model_symbols *file_symbols(const struct tdat_file *file);
const struct model_printk *file_printk(const struct tdat_file *file);
const struct model_tasks *file_tasks(const struct tdat_file *file);
/* The types of funcgraph_exit; NULL only without memory. */
const struct model_graph_exits *file_graph_exits(const struct tdat_file *file);

/*
 * Whether a file inflates much: it has up to 64 MiB, and the sizes in its chunk headers say that
 * its events inflate to more than 16 MiB and more than 16 times its length. Such a file can
 * hold very many events in few bytes, so each of them gets lower limits for printing.
 */
bool file_inflates_much(const struct tdat_file *file);

/* The limit fields; it is lower in a file that inflates much, unless the caller has set it. */
enum tdat_status file_check_fields(const struct tdat_file *file,
				   const struct tdat_event_format *format, uint64_t off,
				   struct tdat_error *err);
/* The limit name_len; it is lower in a file that inflates much, unless the caller has set it. */
uint32_t file_name_max(const struct tdat_file *file);
/* True if a name of len bytes is longer than that; for short names no chunk is read. */
bool file_name_long(const struct tdat_file *file, size_t len);
/* Cuts the names of buffer instances to that limit; called once, when the file is opened. */
enum tdat_status file_cut_names(struct tdat_file *file, struct tdat_error *err);

#endif
