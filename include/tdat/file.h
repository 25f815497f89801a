/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An opened trace.dat: its header, sections, options and buffers.
 *
 * Versions 6 and 7 give the same structs. Sources of the format's facts:
 * trace-cmd.dat.v6(5), trace-cmd.dat.v7(5), docs/file-format.md.
 *
 * Threads: a tdat_file does not change after it was opened. All functions of this header but
 * tdat_file_close may be called by several threads at once for the same file; what is made on
 * first use (formats and tables of names) is made by one of them under a lock.
 *
 * Owners: a file is the caller's to close, after all iterators, printers and writers that use
 * it are done. Everything a getter returns is borrowed and lives until tdat_file_close.
 */
#ifndef TDAT_FILE_H
#define TDAT_FILE_H

#include <tdat/event.h>
#include <tdat/source.h>

TDAT_BEGIN_DECLS

struct tdat_file;

/* How every trace.dat begins, and how many bytes that are. */
#define TDAT_FILE_MAGIC "\x17\x08\x44tracing"
#define TDAT_FILE_MAGIC_LEN 10

struct tdat_open_opts {
	size_t size;		 /* sizeof(struct tdat_open_opts) */
	enum tdat_access access; /* read, the default, or map: <tdat/source.h> has its dangers */
	const struct tdat_limits *limits; /* NULL: defaults; needed only while it opens */
	/*
	 * true: a cut or broken file opens as far as it can be read, and the
	 * findings are kept for tdat_file_damage(). false: such a file is an error.
	 */
	bool tolerate_damage;
};

#define TDAT_OPEN_OPTS_INIT TDAT_SIZED(struct tdat_open_opts)

/*
 * tdat_file_open opens the trace.dat at path ("-": standard input). opts may be
 * NULL. No event format is parsed and no page of CPU data is touched. On
 * success *out is the caller's to close.
 */
TDAT_API enum tdat_status tdat_file_open(struct tdat_file **out, const char *path,
					 const struct tdat_open_opts *opts, struct tdat_error *err);

/*
 * tdat_file_open_fd and tdat_file_open_memory are the same for a descriptor, which stays the
 * caller's and may be closed afterwards, and for len bytes, which must outlive the file. name
 * is used in sentences and copied.
 */
TDAT_API enum tdat_status tdat_file_open_fd(struct tdat_file **out, int fd, const char *name,
					    const struct tdat_open_opts *opts,
					    struct tdat_error *err);
TDAT_API enum tdat_status tdat_file_open_memory(struct tdat_file **out, const void *ptr, size_t len,
						const char *name, const struct tdat_open_opts *opts,
						struct tdat_error *err);

/*
 * tdat_file_open_source opens what source holds. On success the file owns the
 * source; on failure it stays the caller's.
 */
TDAT_API enum tdat_status tdat_file_open_source(struct tdat_file **out, struct tdat_source *source,
						const struct tdat_open_opts *opts,
						struct tdat_error *err);

/* tdat_file_close frees the file and all that its getters returned. NULL is allowed. */
TDAT_API void tdat_file_close(struct tdat_file *file);

/* What the first bytes and header_page say. */
struct tdat_file_info {
	uint32_t version;	  /* 6 or 7 */
	bool big_endian;	  /* byte order of the file */
	uint8_t long_size;	  /* header byte: sizeof(long) of the writing program */
	uint8_t kernel_long_size; /* size of header_page's commit field */
	uint32_t page_size;	  /* header's page size, bytes */
	const char *compression;  /* "none", "zlib", "zstd"; "" in version 6 */
	const char *compression_version;
	uint32_t cpu_count; /* CPUs of the traced machine */
	bool latency;	    /* holds latency text instead of pages */
	uint64_t len;	    /* bytes of the whole file */
	const char *name;   /* path or name it was opened with */
	/* sizes and counts of the metadata */
	uint64_t header_page_len, header_event_len;
	uint32_t ftrace_format_count; /* formats of system "ftrace" */
	uint32_t system_count;	      /* other event systems */
	uint32_t event_format_count;  /* formats in them */
	uint64_t kallsyms_len, printk_len, cmdlines_len;
};

/* tdat_file_info returns the facts of the file's header; borrowed until tdat_file_close. */
TDAT_API const struct tdat_file_info *tdat_file_info(const struct tdat_file *file);

/* tdat_file_limits gives the limits that the file was opened with, defaults filled in. */
TDAT_API const struct tdat_limits *tdat_file_limits(const struct tdat_file *file);

/*
 * tdat_file_text_max returns the most bytes of text that the limit print_len allows an event
 * of this file; *per_byte are added for each byte of the event's record. It looks at all
 * chunks of a compressed file.
 */
TDAT_API size_t tdat_file_text_max(const struct tdat_file *file, size_t *per_byte);

/* tdat_file_source gives the source that the file's bytes are read from; borrowed. */
TDAT_API const struct tdat_source *tdat_file_source(const struct tdat_file *file);

/* The parts of a file's metadata. */
enum tdat_part {
	TDAT_PART_HEADER_PAGE,
	TDAT_PART_HEADER_EVENT,
	TDAT_PART_KALLSYMS,
	TDAT_PART_PRINTK,
	TDAT_PART_CMDLINES,
	TDAT_PART_TGIDS,
	TDAT_PART_LATENCY /* text of tracefs "trace" of the first latency buffer */
};
/* tdat_file_part gives the bytes of a part, inflated; len is 0 if the file has none. */
TDAT_API struct tdat_span tdat_file_part(const struct tdat_file *file, enum tdat_part part);

/* One option of the header, in file order. */
struct tdat_file_option {
	uint16_t id;	       /* enum tdat_file_option_id, or an unknown number */
	uint64_t off;	       /* file offset of its payload */
	struct tdat_span data; /* its payload */
};

enum tdat_file_option_id {
	TDAT_OPTION_DONE = 0,
	TDAT_OPTION_DATE = 1,
	TDAT_OPTION_CPUSTAT = 2,
	TDAT_OPTION_BUFFER = 3,
	TDAT_OPTION_TRACECLOCK = 4,
	TDAT_OPTION_UNAME = 5,
	TDAT_OPTION_HOOK = 6,
	TDAT_OPTION_OFFSET = 7,
	TDAT_OPTION_CPUCOUNT = 8,
	TDAT_OPTION_VERSION = 9,
	TDAT_OPTION_PROCMAPS = 10,
	TDAT_OPTION_TRACEID = 11,
	TDAT_OPTION_TIME_SHIFT = 12,
	TDAT_OPTION_GUEST = 13,
	TDAT_OPTION_TSC2NSEC = 14,
	TDAT_OPTION_STRINGS = 15,
	TDAT_OPTION_HEADER_INFO = 16,
	TDAT_OPTION_FTRACE_EVENTS = 17,
	TDAT_OPTION_EVENT_FORMATS = 18,
	TDAT_OPTION_KALLSYMS = 19,
	TDAT_OPTION_PRINTK = 20,
	TDAT_OPTION_CMDLINES = 21,
	TDAT_OPTION_BUFFER_TEXT = 22,
	TDAT_OPTION_BTF_FILE = 23,
	TDAT_OPTION_LAST_BOOT_INFO = 24,
	TDAT_OPTION_MODULES_FILE = 25,
	TDAT_OPTION_SAVED_TGIDS = 32,
	TDAT_OPTION_TASK_NAMES = 63 /* of tdat alone: names that tasks have in turn */
};

/* tdat_file_options gives all options in file order, and their number in *count. */
TDAT_API const struct tdat_file_option *tdat_file_options(const struct tdat_file *file,
							  size_t *count);

/* tdat_file_option_name returns a static name ("TRACECLOCK"), or NULL if unknown. */
TDAT_API const char *tdat_file_option_name(uint16_t id);

/* tdat_file_option_by_id finds the last option of an id; NULL without one. */
TDAT_API const struct tdat_file_option *tdat_file_option_by_id(const struct tdat_file *file,
							       uint16_t id);

/*
 * tdat_file_host gives the name of the recorded machine: the second word of option UNAME, "Linux
 * host 6.1.0 x86_64", which trace-cmd makes of uname(2). Not ended by NUL; len 0: none. It belongs
 * to the file.
 */
TDAT_API struct tdat_span tdat_file_host(const struct tdat_file *file);

/* One section. Version 6 has no section headers: each of its parts is given as a section. */
struct tdat_section {
	uint16_t id; /* as option ids; 0 options, 3 buffer, 15 strings */
	bool compressed;
	uint64_t off;		 /* where it starts (version 7: its 16-byte header) */
	uint64_t body_off;	 /* first byte of the body */
	uint64_t body_len;	 /* stored bytes of the body */
	const char *description; /* stored name, or the library's for version 6 */
};
/* tdat_file_sections gives all sections in file order, and their number in *count. */
TDAT_API const struct tdat_section *tdat_file_sections(const struct tdat_file *file, size_t *count);

/*
 * tdat_file_section_read gives the body of a section of metadata, inflated, in memory
 * that the caller frees with free(); a NUL that *len does not count follows it.
 */
TDAT_API enum tdat_status tdat_file_section_read(const struct tdat_file *file,
						 const struct tdat_section *section, uint8_t **out,
						 size_t *len, struct tdat_error *err);

/* CPU data of one CPU in one buffer. */
struct tdat_cpu {
	uint32_t cpu; /* CPU number, not an index */
	uint64_t off; /* file offset of its data */
	uint64_t len; /* stored bytes */
};

/* One ring buffer: the top one has name "". */
struct tdat_buffer {
	const char *name;
	const char *clock;  /* active clock, "" when unknown */
	uint32_t page_size; /* bytes of one sub-buffer */
	bool compressed;    /* CPU data is chunked */
	bool latency;	    /* text instead of pages */
	uint32_t cpu_count; /* number of entries in cpus */
	const struct tdat_cpu *cpus;
	uint64_t off; /* v7: section header; v6: table */
};
/*
 * tdat_file_buffers lists the buffers: the top one first if there is one, then
 * instances in file order.
 */
TDAT_API const struct tdat_buffer *tdat_file_buffers(const struct tdat_file *file, size_t *count);

/* tdat_file_format_count is the number of formats. Their order is the file's, ftrace first. */
TDAT_API size_t tdat_file_format_count(const struct tdat_file *file);

/*
 * tdat_file_format parses (once) and returns format number index. A format that
 * cannot be parsed is an error each time.
 */
TDAT_API enum tdat_status tdat_file_format(const struct tdat_file *file, size_t index,
					   const struct tdat_event_format **out,
					   struct tdat_error *err);

/* tdat_file_format_text gives the stored text of a format, and its system, without parsing it. */
TDAT_API struct tdat_span tdat_file_format_text(const struct tdat_file *file, size_t index,
						const char **system);

/*
 * tdat_file_format_by_id and tdat_file_format_by_name parse (once) and return the format of
 * an id, or of a system and a name (system NULL: of any). They return NULL when there is none
 * or it is broken.
 */
TDAT_API const struct tdat_event_format *tdat_file_format_by_id(const struct tdat_file *file,
								uint32_t id);
TDAT_API const struct tdat_event_format *
tdat_file_format_by_name(const struct tdat_file *file, const char *system, const char *name);

/*
 * tdat_file_undescribed counts the ids that tdat_file_format_by_id gave no format for so far, or
 * one whose text could not be read to its end:
 * a printer or an export has asked it for the ids of all events it met, a filter for those that
 * its names may mean. *first (may be NULL) becomes a sentence about the lowest of them, and how
 * many more there are. Safe for many threads.
 */
TDAT_API size_t tdat_file_undescribed(const struct tdat_file *file, struct tdat_error *first);

/*
 * tdat_file_memory_failures tells how often formats and tables of names, which are made on
 * first use, could not be made for want of memory. If the number grows between two calls, a
 * NULL or an unknown name in between may be due to that.
 */
TDAT_API uint64_t tdat_file_memory_failures(const struct tdat_file *file);

/*
 * tdat_file_comm is the name of a pid, the same for all readers of the file: that of
 * saved_cmdlines; where it has none, the last one that an event of the kernel says (sched_switch,
 * sched_wakeup, sched_wakeup_new, sched_waking, sched_process_fork, sched_process_exec,
 * task_newtask, task_rename). The events are read once, when a pid without a saved name is first
 * asked for. ptr NULL when unknown.
 */
TDAT_API struct tdat_span tdat_file_comm(const struct tdat_file *file, int32_t pid);

/*
 * tdat_file_task gives these names one after the other, in the order of pids, each pid once: number
 * index, from 0. False beyond the last one.
 */
TDAT_API bool tdat_file_task(const struct tdat_file *file, size_t index, int32_t *pid,
			     struct tdat_span *comm);

/*
 * tdat_file_symbol finds the kernel function that addr lies in: its name, or
 * ptr NULL; *start (may be NULL) is set to the function's address.
 */
TDAT_API struct tdat_span tdat_file_symbol(const struct tdat_file *file, uint64_t addr,
					   uint64_t *start);

/*
 * tdat_file_symbol_count, tdat_file_printk_count and tdat_file_comm_count return the number of
 * lines of kallsyms, of printk formats, and of names of tasks. The tables of the latter
 * two are parsed on first use; without memory for that the number is 0.
 */
TDAT_API size_t tdat_file_symbol_count(const struct tdat_file *file);
TDAT_API size_t tdat_file_printk_count(const struct tdat_file *file);
TDAT_API size_t tdat_file_comm_count(const struct tdat_file *file);

/* Sums of one CPU's data in a buffer. Times are as they are shown, with offsets applied. */
struct tdat_cpu_summary {
	uint64_t page_count;	    /* sub-buffers, the cut last one included */
	bool has_events;	    /* then first_ts and last_ts are set */
	uint64_t first_ts, last_ts; /* of the first and the last record in the file */
	/* only when counting was asked for, but for bad_pages, which are of those that were read:
	 */
	uint64_t event_count;
	uint64_t lost_count; /* events known to be lost */
	uint64_t lost_marks; /* losses of unknown number */
	uint64_t bad_pages;
	uint64_t backward_count; /* records with an earlier time than the record before */
	uint64_t backward_most;	 /* the longest such step back in time */
};

/*
 * tdat_file_cpu_summary summarizes entry cpu_index of buffer buffer_index.
 * Without count it reads the first and the last pages only, or all where headers of compressed
 * chunks do not fit each other. Damaged pages are counted, not an error.
 */
TDAT_API enum tdat_status tdat_file_cpu_summary(const struct tdat_file *file, size_t buffer_index,
						size_t cpu_index, bool count,
						struct tdat_cpu_summary *out,
						struct tdat_error *err);

/*
 * tdat_file_shows_seconds tells whether times are ns, which are shown as seconds: the clock counts
 * ns, or 1/100 s as uptime does, or option TSC2NSEC says how long its ticks are. Other clocks count
 * ticks.
 */
TDAT_API bool tdat_file_shows_seconds(const struct tdat_file *file);

/* tdat_file_damage gives what a tolerant open found broken, each a sentence with its offset. */
TDAT_API const struct tdat_error *tdat_file_damage(const struct tdat_file *file, size_t *count);

TDAT_END_DECLS
#endif
