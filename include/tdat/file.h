/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An opened trace.dat: its header, sections, options and buffers.
 *
 * Versions 6 and 7 fill the same structs. Sources of the format: trace-cmd.dat.v6(5),
 * trace-cmd.dat.v7(5), docs/file-format.md.
 *
 * Threads: a tdat_file does not change after it was opened. Several threads may call all functions
 * of this header except tdat_file_close at the same time with the same file. Formats and name
 * tables are created on first use, by one thread under a lock.
 *
 * Owners: the caller closes a file, after it freed all iterators, printers and writers that use it.
 * Everything that getters return is borrowed and lives until tdat_file_close.
 */
#ifndef TDAT_FILE_H
#define TDAT_FILE_H

#include <tdat/event.h>
#include <tdat/source.h>

TDAT_BEGIN_DECLS

struct tdat_file;

/* The first bytes of every trace.dat, and their number. */
#define TDAT_FILE_MAGIC "\x17\x08\x44tracing"
#define TDAT_FILE_MAGIC_LEN 10

struct tdat_open_opts {
	size_t size;		 /* sizeof(struct tdat_open_opts) */
	enum tdat_access access; /* read (default) or map; <tdat/source.h> lists map's dangers */
	const struct tdat_limits *limits; /* NULL: defaults; needed only during the open */
	/*
	 * true: a truncated or corrupt file opens with its readable parts, and tdat_file_damage()
	 * lists the damage. false: a truncated or corrupt file is an error.
	 */
	bool tolerate_damage;
};

#define TDAT_OPEN_OPTS_INIT TDAT_SIZED(struct tdat_open_opts)

/*
 * tdat_file_open opens the trace.dat at path ("-": standard input). opts may be NULL. It parses no
 * event format and reads no page of CPU data. On success the caller must close *out.
 */
TDAT_API enum tdat_status tdat_file_open(struct tdat_file **out, const char *path,
					 const struct tdat_open_opts *opts, struct tdat_error *err);

/*
 * tdat_file_open_fd opens the trace.dat of a descriptor. The caller keeps the descriptor, and may
 * close it afterwards. tdat_file_open_memory opens the trace.dat in len bytes of memory, which must
 * outlive the file. Error messages use name, which is copied.
 */
TDAT_API enum tdat_status tdat_file_open_fd(struct tdat_file **out, int fd, const char *name,
					    const struct tdat_open_opts *opts,
					    struct tdat_error *err);
TDAT_API enum tdat_status tdat_file_open_memory(struct tdat_file **out, const void *ptr, size_t len,
						const char *name, const struct tdat_open_opts *opts,
						struct tdat_error *err);

/*
 * tdat_file_open_source opens the trace.dat in source. On success the file owns the source; on
 * failure the caller still owns it.
 */
TDAT_API enum tdat_status tdat_file_open_source(struct tdat_file **out, struct tdat_source *source,
						const struct tdat_open_opts *opts,
						struct tdat_error *err);

/* tdat_file_close frees the file and everything that its getters returned. NULL is allowed. */
TDAT_API void tdat_file_close(struct tdat_file *file);

/* Facts from the file's header and from header_page, and sizes of metadata. */
struct tdat_file_info {
	uint32_t version;	  /* 6 or 7 */
	bool big_endian;	  /* byte order of the file */
	uint8_t long_size;	  /* header byte: sizeof(long) of the writing program */
	uint8_t kernel_long_size; /* size of header_page's commit field */
	uint32_t page_size;	  /* header's page size, bytes */
	const char *compression;  /* "none", "zlib", "zstd"; "" in version 6 */
	const char *compression_version;
	uint32_t cpu_count; /* CPUs of the traced machine */
	bool latency;	    /* the file contains latency text instead of pages */
	uint64_t len;	    /* bytes of the whole file */
	const char *name;   /* path or name passed to the open function */
	/* sizes and counts of the metadata */
	uint64_t header_page_len, header_event_len;
	uint32_t ftrace_format_count; /* formats of system "ftrace" */
	uint32_t system_count;	      /* other event systems */
	uint32_t event_format_count;  /* formats in them */
	uint64_t kallsyms_len, printk_len, cmdlines_len;
};

/* tdat_file_info returns the facts of the file's header; borrowed until tdat_file_close. */
TDAT_API const struct tdat_file_info *tdat_file_info(const struct tdat_file *file);

/* tdat_file_limits returns the limits with which the file was opened, with defaults filled in. */
TDAT_API const struct tdat_limits *tdat_file_limits(const struct tdat_file *file);

/*
 * tdat_file_text_max returns the maximum length of an event's printed text under the limit
 * print_len of this file. For each byte of the event's record, *per_byte more bytes are allowed. In
 * a compressed file, the function reads the headers of all chunks.
 */
TDAT_API size_t tdat_file_text_max(const struct tdat_file *file, size_t *per_byte);

/* tdat_file_source returns the source from which the file is read; borrowed. */
TDAT_API const struct tdat_source *tdat_file_source(const struct tdat_file *file);

/* The parts of a file's metadata. */
enum tdat_part {
	TDAT_PART_HEADER_PAGE,
	TDAT_PART_HEADER_EVENT,
	TDAT_PART_KALLSYMS,
	TDAT_PART_PRINTK,
	TDAT_PART_CMDLINES,
	TDAT_PART_TGIDS,
	TDAT_PART_LATENCY /* lines of a latency tracer, in the first buffer that has them */
};
/* tdat_file_part returns the decompressed bytes of a part; len is 0 if the file lacks the part. */
TDAT_API struct tdat_span tdat_file_part(const struct tdat_file *file, enum tdat_part part);

/* An option of the header. */
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
	TDAT_OPTION_TASK_NAMES = 63 /* written only by tdat: the changing names of tasks */
};

/* tdat_file_options returns all options in file order; *count is their number. */
TDAT_API const struct tdat_file_option *tdat_file_options(const struct tdat_file *file,
							  size_t *count);

/* tdat_file_option_name returns a static name ("TRACECLOCK"), or NULL if the id is unknown. */
TDAT_API const char *tdat_file_option_name(uint16_t id);

/* tdat_file_option_by_id returns the last option with an id, or NULL. */
TDAT_API const struct tdat_file_option *tdat_file_option_by_id(const struct tdat_file *file,
							       uint16_t id);

/*
 * tdat_file_host returns the name of the recorded machine: the second word of the option UNAME,
 * "Linux host 6.1.0 x86_64", which trace-cmd writes from uname(2). It belongs to the file and has
 * no NUL at its end. len is 0 if there is none.
 */
TDAT_API struct tdat_span tdat_file_host(const struct tdat_file *file);

/* A section. Version 6 has no section headers: each of its parts appears as a section. */
struct tdat_section {
	uint16_t id; /* like option ids; 0 options, 3 buffer, 15 strings */
	bool compressed;
	uint64_t off;		 /* file offset of the section (version 7: of its 16-byte header) */
	uint64_t body_off;	 /* first byte of the body */
	uint64_t body_len;	 /* stored bytes of the body */
	const char *description; /* stored name, or the library's for version 6 */
};
/* tdat_file_sections returns all sections in file order; *count is their number. */
TDAT_API const struct tdat_section *tdat_file_sections(const struct tdat_file *file, size_t *count);

/*
 * tdat_file_section_read returns the decompressed body of a metadata section, in memory that the
 * caller frees with free(). A NUL follows the body; *len does not include the NUL.
 */
TDAT_API enum tdat_status tdat_file_section_read(const struct tdat_file *file,
						 const struct tdat_section *section, uint8_t **out,
						 size_t *len, struct tdat_error *err);

/* The data of one CPU in one buffer. */
struct tdat_cpu {
	uint32_t cpu; /* CPU number, not an index */
	uint64_t off; /* file offset of the data */
	uint64_t len; /* stored bytes */
	/*
	 * Bytes of this CPU that are missing after the end of the file; UINT64_MAX: an unknown
	 * number.
	 */
	uint64_t missing_len;
};

/* A ring buffer. The name of the top-level buffer is "". */
struct tdat_buffer {
	const char *name;
	const char *clock;	 /* active clock, "" if unknown */
	uint32_t page_size;	 /* bytes of one sub-buffer */
	bool compressed;	 /* CPU data is chunked */
	bool latency;		 /* text instead of pages */
	uint32_t cpu_count;	 /* number of entries in cpus */
	uint32_t lost_cpu_count; /* further CPUs, whose data was not found in a damaged file */
	const struct tdat_cpu *cpus;
	uint64_t off; /* v7: section header; v6: table */
};
/*
 * tdat_file_buffers returns the buffers: the top-level buffer first if there is one, then instances
 * in file order. *count is their number.
 */
TDAT_API const struct tdat_buffer *tdat_file_buffers(const struct tdat_file *file, size_t *count);

/*
 * tdat_file_format_count returns the number of formats. Formats have the order of the file, with
 * the system ftrace first.
 */
TDAT_API size_t tdat_file_format_count(const struct tdat_file *file);

/*
 * tdat_file_format returns format number index, parsed on first use. A format that cannot be parsed
 * returns an error on each call.
 */
TDAT_API enum tdat_status tdat_file_format(const struct tdat_file *file, size_t index,
					   const struct tdat_event_format **out,
					   struct tdat_error *err);

/* tdat_file_format_text returns the stored text of a format, and its system, without parsing. */
TDAT_API struct tdat_span tdat_file_format_text(const struct tdat_file *file, size_t index,
						const char **system);

/*
 * tdat_file_format_by_id returns the format with an id, tdat_file_format_by_name the format with a
 * system and a name (system NULL: any). The format is parsed on first use. They return NULL if the
 * file has no such format, or if the format is corrupt.
 */
TDAT_API const struct tdat_event_format *tdat_file_format_by_id(const struct tdat_file *file,
								uint32_t id);
TDAT_API const struct tdat_event_format *
tdat_file_format_by_name(const struct tdat_file *file, const char *system, const char *name);

/*
 * tdat_file_undescribed returns the number of event ids without a readable and complete format,
 * among the ids that were looked up (tdat_file_format_by_id). Printers and exports look up the ids
 * of all events. A filter looks up the ids of the events that its names may select. *first (may be
 * NULL) is set to a sentence about the lowest of the counted ids and the number of the others.
 * Several threads may call this function at the same time.
 */
TDAT_API size_t tdat_file_undescribed(const struct tdat_file *file, struct tdat_error *first);

/*
 * tdat_file_memory_failures returns how often memory ran out while a format or a name table was
 * created on first use. If the number has increased, a getter may have returned NULL or an unknown
 * name because memory ran out.
 */
TDAT_API uint64_t tdat_file_memory_failures(const struct tdat_file *file);

/*
 * tdat_file_comm returns the name of a task. It is the name in saved_cmdlines, or else the last
 * name that a kernel event contains (sched_switch, sched_wakeup, sched_wakeup_new, sched_waking,
 * sched_process_fork, sched_process_exec, task_newtask, task_rename). The library reads these
 * events once, at the first call for a pid without a name in saved_cmdlines. ptr NULL: unknown.
 */
TDAT_API struct tdat_span tdat_file_comm(const struct tdat_file *file, int32_t pid);

/*
 * tdat_file_task returns number index, from 0, of the names that tdat_file_comm returns. The names
 * are sorted by pid; each pid occurs once. The function returns false after the last name.
 */
TDAT_API bool tdat_file_task(const struct tdat_file *file, size_t index, int32_t *pid,
			     struct tdat_span *comm);

/*
 * tdat_file_symbol returns the name of the kernel function that contains addr, or ptr NULL. *start
 * (may be NULL) is set to the function's address.
 */
TDAT_API struct tdat_span tdat_file_symbol(const struct tdat_file *file, uint64_t addr,
					   uint64_t *start);

/*
 * tdat_file_symbol_count, tdat_file_printk_count and tdat_file_comm_count return the number of
 * lines of kallsyms, of printk formats, and of names of tasks. The tables of printk formats and of
 * task names are parsed on first use; if memory runs out, the number is 0.
 */
TDAT_API size_t tdat_file_symbol_count(const struct tdat_file *file);
TDAT_API size_t tdat_file_printk_count(const struct tdat_file *file);
TDAT_API size_t tdat_file_comm_count(const struct tdat_file *file);

/* Sums of one CPU's data in a buffer. Offsets are applied to the times, as in tdat dump. */
struct tdat_cpu_summary {
	uint64_t page_count;	    /* sub-buffers, including a truncated last one */
	bool has_events;	    /* if true, first_ts and last_ts are set */
	bool lost_end;		    /* later records may be lost: the data ends in damage */
	uint64_t first_ts, last_ts; /* of the first and the last record in the file */
	/*
	 * The following members are set only if count was true. The exception is bad_pages: if
	 * count was false, it counts the damaged pages among the pages that were read.
	 */
	uint64_t event_count;
	uint64_t lost_count; /* events known to be lost */
	uint64_t lost_marks; /* losses of unknown number */
	uint64_t bad_pages;
	uint64_t backward_count; /* records with an earlier timestamp than the record before */
	uint64_t backward_most;	 /* the largest decrease of the timestamp */
};

/*
 * tdat_file_cpu_summary fills *out with sums of entry cpu_index of buffer buffer_index. If count is
 * false, the function reads only the first and the last pages. It reads all pages if the headers of
 * compressed chunks contradict each other. Damaged pages are counted; they are not an error.
 */
TDAT_API enum tdat_status tdat_file_cpu_summary(const struct tdat_file *file, size_t buffer_index,
						size_t cpu_index, bool count,
						struct tdat_cpu_summary *out,
						struct tdat_error *err);

/*
 * tdat_file_shows_seconds returns true if times are nanoseconds, which are printed as seconds. This
 * is so if the clock counts ns or 1/100 s (uptime), or if the option TSC2NSEC states the length of
 * its ticks. With other clocks, times are ticks.
 */
TDAT_API bool tdat_file_shows_seconds(const struct tdat_file *file);

/*
 * tdat_file_damage returns the damage that was found when the file was opened with tolerate_damage:
 * sentences with offsets.
 */
TDAT_API const struct tdat_error *tdat_file_damage(const struct tdat_file *file, size_t *count);

TDAT_END_DECLS
#endif
