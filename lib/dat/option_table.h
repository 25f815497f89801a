/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what each option id of a trace.dat means for those that read, check, repair, copy,
 * merge or byte-swap it: one row per id (docs/file-format.md, "Options").
 *
 * An id that no row describes is handled by the row dat_option_def() returns for it:
 * its payload is kept byte by byte, and is refused where its byte order must change.
 */
#ifndef TDAT_DAT_OPTION_TABLE_H
#define TDAT_DAT_OPTION_TABLE_H

#include <tdat/file.h>

/* Where the id may stand, and what it leads to. */
/* Ids from 0 up to the last that the table describes; option_table.c checks it. */
enum { DAT_OPTION_IDS = TDAT_OPTION_TASK_NAMES + 1 };

enum dat_option_role {
	DAT_ROLE_FACT,	  /* an option whose payload is all there is */
	DAT_ROLE_END,	  /* ends a list of options; as a section: a list of options */
	DAT_ROLE_DATA,	  /* names a section of CPU data or latency text, one per buffer */
	DAT_ROLE_STRINGS, /* a section that no option names: the names of all sections */
	DAT_ROLE_PART,	  /* names one of the six sections that version 6 has in a fixed order */
	DAT_ROLE_EXTRA	  /* names a section that version 6 has no place for */
};

/* How the payload is taken apart. */
enum dat_option_shape {
	DAT_SHAPE_BYTES,  /* unknown */
	DAT_SHAPE_FIELDS, /* as the row's fields say */
	DAT_SHAPE_TEXT,
	DAT_SHAPE_MICROSECONDS, /* text of a number */
	DAT_SHAPE_NANOSECONDS,	/* text of a number */
	DAT_SHAPE_CLOCK,	/* text of trace_clock; empty: a mark of old writers */
	DAT_SHAPE_HOOK,		/* text of a hook */
	DAT_SHAPE_CPU_COUNT,	/* 4 bytes: the number of CPUs; else text as of DAT_SHAPE_TGIDS */
	DAT_SHAPE_TGIDS,	/* lines of "pid tgid" */
	DAT_SHAPE_PROCMAPS,	/* lines of a process's maps */
	DAT_SHAPE_LAST_BOOT,	/* "instance:text" */
	DAT_SHAPE_TIME_SHIFT,	/* as the row's fields say, but decoded sample by sample */
	DAT_SHAPE_BUFFER,	/* u64 offset, name; version 7: clock, u32 page size, CPUs */
	DAT_SHAPE_BUFFER_TEXT,	/* u64 offset, name; version 7: clock */
	DAT_SHAPE_SECTION	/* u64 offset of the section */
};

/* If the payload is text, who needs the NUL at its end. */
enum dat_option_nul {
	DAT_NUL_NONE,	  /* not text */
	DAT_NUL_OPTIONAL, /* text that readers take up to its length, or that may be empty */
	DAT_NUL_NEEDED	  /* text that trace-cmd reads up to a NUL: check and repair look for it */
};

/* How a merge of files treats the option. */
enum dat_option_merge {
	DAT_MERGE_ONCE,	 /* each different payload goes in once */
	DAT_MERGE_NEVER, /* the merged file has its own, or its timestamps include it */
	DAT_MERGE_TIME,	 /* that of the first file, if timestamps stay raw */
	DAT_MERGE_EQUAL, /* only when all files have the very same */
	DAT_MERGE_STATS, /* per CPU, with the numbers that CPUs get */
	DAT_MERGE_MAPS	 /* one for each process */
};

/* One item of a payload of numbers. Integers have the byte order of the file. */
enum dat_item {
	DAT_ITEM_END,
	DAT_ITEM_U32,
	DAT_ITEM_S32,
	DAT_ITEM_U64,
	DAT_ITEM_HEX64, /* a u64 that is an id */
	DAT_ITEM_STR,	/* bytes and a NUL */
	DAT_ITEM_ROWS,	/* a u32, and that many times the items up to DAT_ITEM_ROWS_END */
	DAT_ITEM_ROWS_END,
	DAT_ITEM_REST64 /* u64 to the end of the payload */
};

struct dat_field {
	enum dat_item item;
	const char *key; /* the key by which tdat_file_option_decode() gives it */
};

/* A row. Copies keep payloads of role DAT_ROLE_FACT; all others are the writer's own. */
struct dat_option_def {
	const char *name;    /* NULL: unknown */
	const char *section; /* DAT_ROLE_PART: the description that writers give the section */
	const struct dat_field *fields; /* of the payload; NULL: text, or never byte-swapped */
	enum dat_option_role role;
	enum dat_option_shape shape;
	enum dat_option_nul nul;
	enum dat_option_merge merge;
	bool of_machine;   /* holds for another recording on that machine: repair takes it over */
	bool text_section; /* the section's body is text, the same in both byte orders */
	bool once;	   /* readers use one of a file: another takes its place */
	bool summed;	   /* with once: readers add them up instead */
};

enum {
	DAT_PART_FIRST = TDAT_OPTION_HEADER_INFO, /* the ids of DAT_ROLE_PART, without a gap */
	DAT_PART_LAST = TDAT_OPTION_CMDLINES,
	DAT_PART_COUNT = DAT_PART_LAST - DAT_PART_FIRST + 1
};

/* The row of an id; never NULL. */
const struct dat_option_def *dat_option_def(uint16_t id);

/* The DAT_ITEM_ROWS_END that closes the rows f begins. */
const struct dat_field *dat_fields_after_rows(const struct dat_field *f);

static inline enum dat_option_role dat_option_role(uint16_t id)
{
	return dat_option_def(id)->role;
}

/* True if a writer makes that option itself, since it holds an offset in the file. */
static inline bool dat_option_is_own(uint16_t id)
{
	return dat_option_role(id) != DAT_ROLE_FACT;
}

/* True if the option counts the CPUs: the fork of Valve has saved tgids under that id. */
static inline bool dat_option_is_cpu_count(const struct tdat_file_option *o)
{
	return dat_option_def(o->id)->shape == DAT_SHAPE_CPU_COUNT && o->data.len == 4;
}

/* True if the option is the table of thread groups, under its own id or that of Valve. */
static inline bool dat_option_is_tgids(const struct tdat_file_option *o)
{
	enum dat_option_shape shape = dat_option_def(o->id)->shape;

	return shape == DAT_SHAPE_TGIDS || (shape == DAT_SHAPE_CPU_COUNT && o->data.len != 4);
}

/*
 * The bytes of a text behind the NUL that ends it, which no reader sees; empty when they are all 0,
 * or if the payload is not text or is one of lines, which stored_text.h checks.
 */
struct tdat_span dat_option_behind_nul(const struct tdat_file_option *o);

#endif
