/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What all other headers use: statuses, spans, limits, and the library's version.
 *
 * Conventions of the whole library:
 *  - A function that can fail returns enum tdat_status and takes a
 *    struct tdat_error * as its last parameter, which may be NULL.
 *  - open/close own system things, new/free own heap things, init/fini work on
 *    the caller's memory. Every close and free accepts NULL.
 *  - A struct of options begins with its size, which TDAT_..._INIT sets; members that are zero
 *    have their default. So a library that is newer or older than the caller knows which members
 *    the caller has.
 *  - A table of functions that callers implement begins with its size, too: ".size =
 *    sizeof(struct tdat_sink_ops)". Members from its first optional one on may be missing or NULL;
 *    the library refuses a table that is smaller (TDAT_E_USAGE).
 *  - Getters return borrowed pointers that live as long as their object.
 *  - Names tell units: _ns nanoseconds, _len bytes, _off bytes from the start
 *    of the file, _count things.
 *  - The library never prints, never exits and never touches signals.
 *  - The library has no writable globals. What a header says of an object holds for that
 *    object alone: two objects may be used by two threads at the same time.
 *
 * Threads: all functions of this header may be called by any thread at any time.
 */
#ifndef TDAT_BASE_H
#define TDAT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define TDAT_BEGIN_DECLS extern "C" {
#define TDAT_END_DECLS }
#else
#define TDAT_BEGIN_DECLS
#define TDAT_END_DECLS
#endif

#if defined(__GNUC__)
#define TDAT_API __attribute__((visibility("default")))
#define TDAT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TDAT_API
#define TDAT_PRINTF(fmt, args)
#endif

/* A struct of options with its size, and defaults for all else. */
#ifdef __cplusplus
template <typename T> static inline T tdat_sized()
{
	T t = T();
	t.size = sizeof(T);
	return t;
}
#define TDAT_SIZED(type) tdat_sized<type>()
#else
#define TDAT_SIZED(type)                                                                           \
	{                                                                                          \
		.size = sizeof(type)                                                               \
	}
#endif

/* Whether a table of functions has an optional member, and it is set. */
#define TDAT_HAS(table, member)                                                                    \
	((size_t)((const char *)&(table)->member - (const char *)(table)) < (table)->size &&       \
	 (table)->member)

/*
 * The version of these headers; tdat_version() has that of the library that runs. Until 1.0 a new
 * minor version may change functions and structs, and has a soname of its own (libtdat.so.0.1).
 */
#define TDAT_VERSION_MAJOR 0
#define TDAT_VERSION_MINOR 1
#define TDAT_VERSION_PATCH 0
/* As one number that grows with each version: "#if TDAT_VERSION_NUM >= 200" is 0.2.0. */
#define TDAT_VERSION_NUM                                                                           \
	(TDAT_VERSION_MAJOR * 10000 + TDAT_VERSION_MINOR * 100 + TDAT_VERSION_PATCH)

/* Whether integers of this program are big-endian, as a capture of its own memory is then. */
#define TDAT_HOST_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

TDAT_BEGIN_DECLS

/* What a function returns. With a negative status it failed, and its outputs must not be used. */
enum tdat_status {
	TDAT_OK = 0,
	TDAT_E_SYSTEM = -1,	 /* a system call failed; error.sys_errno says how */
	TDAT_E_NOMEM = -2,	 /* there was not enough memory */
	TDAT_E_FORMAT = -3,	 /* the input is not of the expected format */
	TDAT_E_DAMAGED = -4,	 /* the input is of the format, but broken or cut */
	TDAT_E_UNSUPPORTED = -5, /* sound input that this build cannot handle */
	TDAT_E_LIMIT = -6,	 /* a tdat_limits value was reached */
	TDAT_E_USAGE = -7,	 /* an argument of the caller makes no sense */
	TDAT_E_NOT_FOUND = -8,	 /* the named thing does not exist */
	TDAT_E_CANCELLED = -9	 /* a callback of the caller asked to stop */
};

/* Bytes that belong to another object: they are valid as long as it is, and are not freed. */
struct tdat_span {
	const uint8_t *ptr;
	size_t len;
};

/*
 * Upper bounds on what a file may ask for. Begin with TDAT_LIMITS_INIT and set single values;
 * zero means the default, which each comment gives. A file that goes beyond one is refused with
 * TDAT_E_LIMIT and a sentence that names the limit. The limits print_steps and print_len do
 * not fail: an event type whose print format takes too many steps is printed by its fields
 * (tdat_printer_kind gives the reason), and text that gets too long is cut and marked.
 */
struct tdat_limits {
	size_t size;	      /* sizeof(struct tdat_limits) */
	uint32_t sections;    /* v7 sections in one file; 65536 */
	uint32_t options;     /* options in one file; 65536 */
	uint32_t option_len;  /* bytes of one option; 64 MiB */
	uint32_t formats;     /* event formats in one file; 65536 */
	uint32_t format_len;  /* bytes of one event format; 1 MiB */
	uint32_t buffers;     /* buffer instances in one file; 4096 */
	uint32_t cpus;	      /* highest CPU number + 1; 65536 */
	uint32_t page_len;    /* bytes of one ring-buffer sub-buffer; 16 MiB */
	uint64_t section_len; /* bytes of one metadata section, inflated; 256 MiB */
	uint64_t chunk_len;   /* bytes of one compressed chunk, inflated; 64 MiB */
	/*
	 * The most steps that the print program of an event may take, and the most bytes
	 * of an event's text, or of its fields in JSON and CSV; 4096 and 16384. (A CSV file has at
	 * most one column for each four bytes.) To the default of print_len, 16 bytes are added for
	 * each byte of the record. A file inflates much if it has up to 64 MiB
	 * and its events inflate to more than 16 MiB and more than 16 times its length: there
	 * the defaults are 96 and 256.
	 */
	uint32_t print_steps;
	uint32_t print_len;
	/*
	 * The compressed metadata of a file may inflate to 16 MiB plus text_ratio times the
	 * length of the file; 16.
	 */
	uint32_t text_ratio;
	/*
	 * The compressed CPU data of a file may inflate to 32 MiB plus data_ratio times the
	 * length of the file. Each CPU gets an equal share of the 32 MiB and of half of the
	 * rest; the other half is shared by the bytes that each CPU has in the file; 64.
	 */
	uint32_t data_ratio;
	/*
	 * The most bytes of a name. A format whose event, system or field has a longer one
	 * is not read; a longer name of a task or a buffer instance is cut. The default is
	 * 16384, and 256 in a file that inflates much.
	 */
	uint32_t name_len;
	/*
	 * Bytes stored of a pipe, or of a file that says it has no size. 0: 1 GiB, and 256 MiB
	 * of such a file.
	 */
	uint64_t spool_len;
	/*
	 * The most fields of an event format; one with more is not read. The default is 6000,
	 * and 64 with 1024 bytes of names in a file that inflates much.
	 */
	uint32_t fields;
};

#define TDAT_LIMITS_INIT TDAT_SIZED(struct tdat_limits)

/* tdat_version returns the library's version, "MAJOR.MINOR.PATCH", as a static string. */
TDAT_API const char *tdat_version(void);

/* Parts that whoever built libtdat may have left out (CMake options). */
enum tdat_component {
	TDAT_COMPONENT_IMPORTERS = 0, /* TDAT_IMPORTERS: tdat/emit.h has importers */
	TDAT_COMPONENT_ELF = 1, /* TDAT_LIBELF: the importer ktr reads ELF kernels and modules */
	TDAT_COMPONENT_PLUGINS = 2, /* TDAT_PLUGINS: tdat/print.h loads plugins of libtraceevent */
	TDAT_COMPONENT_SQLITE = 3,  /* TDAT_SQLITE: the exporter sqlite writes databases */
	TDAT_COMPONENT_HIST = 4,    /* TDAT_HIST: the functions of tdat/hist.h */
	TDAT_COMPONENT_KTR = 5,	    /* TDAT_KTR: the importer ktr */
	TDAT_COMPONENT_USER_EVENTS = 6 /* TDAT_USER_EVENTS: tdat/user_events.h, its importer */
};

/*
 * tdat_has tells whether this library was built with a component. A function that needs a
 * component which is not there fails with TDAT_E_UNSUPPORTED. A library without HIST or
 * USER_EVENTS does not export the functions of their headers.
 */
TDAT_API bool tdat_has(enum tdat_component component);

/* tdat_status_name returns a static name such as "damaged" for a status. */
TDAT_API const char *tdat_status_name(enum tdat_status status);

TDAT_END_DECLS
#endif
