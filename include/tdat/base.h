/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Words every other header uses: status, span, limits, version.
 *
 * Conventions of the whole library:
 *  - A function that can fail returns enum tdat_status and takes a
 *    struct tdat_error * as its last parameter, which may be NULL.
 *  - open/close own system things, new/free own heap things, init/fini work on
 *    the caller's memory. Every close and free accepts NULL.
 *  - Getters return borrowed pointers that live as long as their object.
 *  - Names tell units: _ns nanoseconds, _len bytes, _off bytes from the start
 *    of the file, _count things.
 *  - The library never prints, never exits and never touches signals.
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

TDAT_BEGIN_DECLS

/* Negative: the call failed and its outputs are not to be used. */
enum tdat_status {
	TDAT_OK = 0,
	TDAT_E_SYSTEM = -1,      /* a system call failed; error.sys_errno says how */
	TDAT_E_NOMEM = -2,       /* memory could not be had */
	TDAT_E_FORMAT = -3,      /* the input is not of the expected format */
	TDAT_E_DAMAGED = -4,     /* the input is of the format, but broken or cut */
	TDAT_E_UNSUPPORTED = -5, /* sound input that this build cannot handle */
	TDAT_E_LIMIT = -6,       /* a tdat_limits value was reached */
	TDAT_E_USAGE = -7,       /* the caller passed something senseless */
	TDAT_E_NOT_FOUND = -8,   /* the named thing does not exist */
	TDAT_E_CANCELLED = -9    /* a callback of the caller asked to stop */
};

/* Borrowed bytes: never freed through a span, valid as long as their owner. */
struct tdat_span {
	const uint8_t *ptr;
	size_t len;
};

/*
 * Upper bounds on what a file may ask for. Fill with TDAT_LIMITS_INIT and lower
 * or raise single values; zero means "the default". A limit that is hit is
 * TDAT_E_LIMIT and named in the sentence. Of the two for printing, the sentence is
 * tdat_printer_kind's reason, and the mark where an event's text is cut.
 */
struct tdat_limits {
	size_t size;             /* sizeof(struct tdat_limits) */
	uint32_t sections;       /* v7 sections in one file */
	uint32_t options;        /* options in one file */
	uint32_t option_len;     /* bytes of one option */
	uint32_t formats;        /* event formats in one file */
	uint32_t format_len;     /* bytes of one event format */
	uint32_t buffers;        /* buffer instances in one file */
	uint32_t cpus;           /* highest CPU number + 1 */
	uint32_t page_len;       /* bytes of one ring-buffer sub-buffer */
	uint64_t section_len;    /* bytes of one metadata section, inflated */
	uint64_t chunk_len;      /* bytes of one compressed chunk, inflated */
	/*
	 * Print-program steps and bytes of text for one event, and of its fields in JSON
	 * and CSV, which has a column for each four at most. The default of print_len grows by 16 for each byte of the
	 * record. In a file of up to 64 MiB of which the events inflate to more than
	 * 16 MiB and 16 times its length the defaults are 96 and 256.
	 */
	uint32_t print_steps;
	uint32_t print_len;
	/* Compressed metadata of a file inflates to 16 MiB and text_ratio times its length... */
	uint32_t text_ratio;
	/*
	 * ...and CPU data to 32 MiB and data_ratio times: the first and half of the second
	 * in equal shares, the other half by what each CPU has in the file.
	 */
	uint32_t data_ratio;
	/*
	 * Bytes of a name: of an event, a field or a system, beyond which their format is
	 * not read, and of a task or a buffer instance, which is cut there. 256 where
	 * print_len has a lower default.
	 */
	uint32_t name_len;
	/*
	 * Bytes stored of a pipe, or of a file that says it has no size. 0: 1 GiB, and 256 MiB
	 * of such a file.
	 */
	uint64_t spool_len;
};

#define TDAT_LIMITS_INIT                                                       \
	{                                                                      \
		sizeof(struct tdat_limits), 1u << 16, 1u << 16, 1u << 26,      \
			1u << 16, 1u << 20, 1u << 12, 1u << 16, 1u << 24,      \
			1ull << 28, 1ull << 26, 1u << 12, 1u << 14, 16, 64,     \
			1u << 14, 0                                            \
	}

/* tdat_version returns the library's version, "MAJOR.MINOR.PATCH"; static. */
TDAT_API const char *tdat_version(void);

/* Parts that whoever built libtdat may have left out (CMake options). */
enum tdat_component {
	TDAT_COMPONENT_IMPORTERS = 0, /* TDAT_IMPORTERS: tdat/emit.h has importers */
	TDAT_COMPONENT_ELF = 1,       /* TDAT_LIBELF: the importer ktr reads ELF kernels and modules */
	TDAT_COMPONENT_PLUGINS = 2    /* TDAT_PLUGINS: tdat/print.h loads plugins of libtraceevent */
};

/*
 * tdat_has tells whether this library was built with a component. What needs one that
 * is not there fails with TDAT_E_UNSUPPORTED. May be called by any thread at any time.
 */
TDAT_API bool tdat_has(enum tdat_component component);

/* tdat_status_name returns a static name such as "damaged" for a status. */
TDAT_API const char *tdat_status_name(enum tdat_status status);

TDAT_END_DECLS
#endif
