/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Statuses, spans, limits and the library's version, for all other headers.
 *
 * Conventions of the whole library:
 *  - A function that can fail returns enum tdat_status. Its last parameter points to a struct
 *    tdat_error, and may be NULL.
 *  - Functions called open and close manage system resources; new and free manage heap memory; init
 *    and fini initialize and clear a struct in the caller's memory. Every close and free accepts
 *    NULL.
 *  - A struct of options begins with its size, which the macro TDAT_..._INIT sets. A member that is
 *    zero has its default value. The size shows the library which members the caller's headers
 *    have, if the caller was compiled with a newer or older version of the library.
 *  - A table of functions that callers implement also begins with its size: ".size = sizeof(struct
 *    tdat_sink_ops)". Required members come first. An optional member may be NULL, or lie beyond
 *    the size. The library rejects a table without the required members (TDAT_E_USAGE).
 *  - Getters return borrowed pointers that live as long as their object.
 *  - Names show units: _ns nanoseconds, _len bytes, _off bytes from the start of the file, _count a
 *    number of things.
 *  - The library never prints, exits or handles signals.
 *  - The library has no writable globals. The thread rules of a header apply to each object by
 *    itself: two threads may use two different objects at the same time.
 *
 * Threads: any thread may call the functions of this header at any time.
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

/* Initializes a struct of options: sets its size, and all other members to zero. */
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

/* True if a table of functions contains an optional member that is not NULL. */
#define TDAT_HAS(table, member)                                                                    \
	((size_t)((const char *)&(table)->member - (const char *)(table)) < (table)->size &&       \
	 (table)->member)

/*
 * The version of these headers; tdat_version() returns the version of the running library. Until
 * 1.0, a new minor version may change functions and structs, and has its own soname
 * (libtdat.so.0.1).
 */
#define TDAT_VERSION_MAJOR 0
#define TDAT_VERSION_MINOR 1
#define TDAT_VERSION_PATCH 0
/* The version as one number that increases: "#if TDAT_VERSION_NUM >= 200" tests for 0.2.0. */
#define TDAT_VERSION_NUM                                                                           \
	(TDAT_VERSION_MAJOR * 10000 + TDAT_VERSION_MINOR * 100 + TDAT_VERSION_PATCH)

/* True if the integers of the compiled program are big-endian. */
#define TDAT_HOST_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

TDAT_BEGIN_DECLS

/* The result of a function. A negative status means failure; the outputs are then undefined. */
enum tdat_status {
	TDAT_OK = 0,
	TDAT_E_SYSTEM = -1,	 /* a system call failed; error.sys_errno is its errno */
	TDAT_E_NOMEM = -2,	 /* memory ran out */
	TDAT_E_FORMAT = -3,	 /* the input does not have the expected format */
	TDAT_E_DAMAGED = -4,	 /* the input has the format, but is corrupt or truncated */
	TDAT_E_UNSUPPORTED = -5, /* this build cannot handle the (valid) input */
	TDAT_E_LIMIT = -6,	 /* a tdat_limits value was reached */
	TDAT_E_USAGE = -7,	 /* the caller passed an invalid argument */
	TDAT_E_NOT_FOUND = -8,	 /* the named object does not exist */
	TDAT_E_CANCELLED = -9	 /* a callback of the caller requested a stop */
};

/* Bytes owned by another object: valid until that object is freed. Do not free them. */
struct tdat_span {
	const uint8_t *ptr;
	size_t len;
};

/*
 * Upper bounds for the contents of a file. Start with TDAT_LIMITS_INIT and set single members. Zero
 * means the default, which is the number at the end of a member's comment. If a file exceeds a
 * limit, the function fails with TDAT_E_LIMIT, and the error names the limit. The limits
 * print_steps, print_len, name_len and fields cause no failure. An event type whose print fmt takes
 * too many steps is printed as fields (tdat_printer_kind returns the reason). An event's text that
 * is too long is truncated, and a mark in the text shows this.
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
	uint64_t section_len; /* bytes of one metadata section, decompressed; 256 MiB */
	uint64_t chunk_len;   /* bytes of one compressed chunk, decompressed; 64 MiB */
	/*
	 * Maximum steps of an event's print program, and maximum bytes of an event's text, or of
	 * its fields in JSON and CSV; 4096 and 16384. (A CSV file has at most one column per four
	 * bytes.) The default of print_len grows by 16 bytes for each byte of the record. The
	 * defaults are 96 and 256 for a file with a high compression ratio: at most 64 MiB long,
	 * with events that decompress to more than 16 MiB and more than 16 times its length.
	 */
	uint32_t print_steps;
	uint32_t print_len;
	/*
	 * The compressed metadata of a file may decompress to 16 MiB plus text_ratio times the
	 * length of the file; 16.
	 */
	uint32_t text_ratio;
	/*
	 * The compressed CPU data of a file may decompress to 32 MiB plus data_ratio times the
	 * length of the file; 64. The 32 MiB and half of the remaining bytes are divided equally
	 * among the CPUs. The other half is divided in proportion to the CPUs' bytes in the file.
	 */
	uint32_t data_ratio;
	/*
	 * Maximum bytes of a name; 16384, and 256 in a file with a high compression ratio. A format
	 * is not read if the name of its event, system or a field is longer; longer names of tasks
	 * and buffer instances are truncated.
	 */
	uint32_t name_len;
	/*
	 * Maximum bytes to store of a pipe, or of a file whose reported size is 0. The default is 1
	 * GiB for a pipe, and 256 MiB for a file whose reported size is 0.
	 */
	uint64_t spool_len;
	/*
	 * Maximum fields of an event format; a format with more fields is not read. The default is
	 * 6000. In a file with a high compression ratio, the default is 64 fields, with at most
	 * 1024 bytes of field names.
	 */
	uint32_t fields;
};

#define TDAT_LIMITS_INIT TDAT_SIZED(struct tdat_limits)

/* tdat_version returns the library's version, "MAJOR.MINOR.PATCH", as a static string. */
TDAT_API const char *tdat_version(void);

/* Optional components of libtdat (CMake options). */
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
 * tdat_has returns true if this library was built with a component. A function that needs a missing
 * component fails with TDAT_E_UNSUPPORTED. A library without the component HIST does not export the
 * functions of tdat/hist.h; a library without USER_EVENTS does not export the functions of
 * tdat/user_events.h.
 */
TDAT_API bool tdat_has(enum tdat_component component);

/* tdat_status_name returns a static name such as "damaged" for a status. */
TDAT_API const char *tdat_status_name(enum tdat_status status);

TDAT_END_DECLS
#endif
