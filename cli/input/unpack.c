/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unpacks compressed files, by the decoders of decode.c, and archives, by libarchive, in the
 * process that packed.c makes for it. Input is a source, output are the bytes of a file and records
 * about its members, whose names are never names on disk. libarchive is loaded only here, because
 * it and the libraries behind it would cost each run of any command time.
 */
#include "input/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/temp_file.h"
#include "input/decode.h"

/* The functions of libarchive, with the types of its header. */
#define CALLS(X)                                                                                   \
	X(archive_read_new)                                                                        \
	X(archive_read_support_format_empty)                                                       \
	X(archive_read_support_format_raw)                                                         \
	X(archive_read_support_format_tar)                                                         \
	X(archive_read_support_format_zip)                                                         \
	X(archive_read_set_read_callback)                                                          \
	X(archive_read_set_seek_callback)                                                          \
	X(archive_read_set_callback_data)                                                          \
	X(archive_read_open1)                                                                      \
	X(archive_read_next_header)                                                                \
	X(archive_read_data_block)                                                                 \
	X(archive_read_free)                                                                       \
	X(archive_error_string)                                                                    \
	X(archive_format)                                                                          \
	X(archive_entry_pathname)                                                                  \
	X(archive_entry_filetype)                                                                  \
	X(archive_entry_size)                                                                      \
	X(archive_entry_hardlink)

/* Set once, before the sandbox is entered. */
static struct {
#define X(name) __typeof__(name) *name;
	CALLS(X)
#undef X
} lib;

enum { STEP = 256 * 1024 };

/* One pass over the input. */
struct pass {
	const struct cli_unpack *job;
	struct archive *archive;
	uint64_t in_off;  /* where the input is read next */
	uint64_t out_off; /* where the next member goes */
	uint64_t members;
	const struct cli_decoder *decoder; /* NULL: the input is an archive */
	void *stream;			   /* of the decoder; NULL: it is between streams */
	struct cli_decoding d;
	bool failed;	  /* the report has said why */
	char trouble[64]; /* of the decoder; empty: none, or libarchive knows it */
	uint8_t in[STEP], out[STEP];
};

const char *const cli_unpack_needs = "libarchive (in Debian libarchive13)";

bool cli_unpack_load(void)
{
#ifdef TDAT_PACKED_LINKED
	if (!cli_decoder_load())
		return false;
#define X(name) lib.name = name;
#else
	void *function, *handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		handle = dlopen("libarchive.so", RTLD_NOW | RTLD_LOCAL);
	if (!handle || !cli_decoder_load())
		return false;
#define X(name)                                                                                    \
	function = dlsym(handle, #name);                                                           \
	if (!function)                                                                             \
		return false;                                                                      \
	memcpy(&lib.name, &function, sizeof(function));
#endif
	CALLS(X)
#undef X
	return true;
}

static void tell(const struct cli_unpack *job, enum cli_unpack_what what, const char *text,
		 uint64_t off, uint64_t len)
{
	const size_t all = strlen(text);
	const size_t text_len = all < CLI_UNPACK_TEXT_MAX ? all : CLI_UNPACK_TEXT_MAX;
	const struct cli_unpack_record r = {what, (uint32_t)text_len, off, len};

	fwrite(&r, sizeof(r), 1, job->report);
	fwrite(text, 1, text_len, job->report);
}

static void fail(struct pass *p, const char *why)
{
	p->failed = true;
	tell(p->job, CLI_UNPACK_FAILED, why, 0, 0);
}

/* A limit that --max sets is passed. */
static void fail_limit(struct pass *p, const char *does, const char *limit, uint64_t value)
{
	char text[160];

	snprintf(text, sizeof(text),
		 "%s more than %llu bytes, the limit %s: raise it with --max %s=SIZE", does,
		 (unsigned long long)value, limit, limit);
	fail(p, text);
}

/* ---- input ---- */

/* Reads the next bytes of the source into p->in. 0: its end; -1: it cannot be read. */
static ssize_t read_packed(struct pass *p)
{
	const uint64_t left = tdat_source_len(p->job->packed) - p->in_off;
	const size_t n = left < STEP ? (size_t)left : STEP;
	struct tdat_error err = TDAT_ERROR_INIT;

	if (tdat_source_read(p->job->packed, p->in_off, p->in, n, &err)) {
		fail(p, err.message);
		return -1;
	}
	p->in_off += n;
	return (ssize_t)n;
}

/* Gives the decoder more input. False: there is none. */
static bool feed(struct pass *p)
{
	const ssize_t n = p->d.in_len ? 0 : read_packed(p);

	if (n > 0) {
		p->d.in = p->in;
		p->d.in_len = (size_t)n;
	}
	return p->d.in_len > 0;
}

/* Begins with the next stream. False: what follows, such as zeros of a tape, is no content. */
static bool next_stream(struct pass *p)
{
	while (feed(p) && !*p->d.in) {
		p->d.in++;
		p->d.in_len--;
	}
	if (!p->d.in_len || !strchr(p->decoder->first, *p->d.in))
		return false;
	p->stream = p->decoder->start(&p->d);
	if (!p->stream)
		fail(p, "no memory to unpack it");
	return p->stream != NULL;
}

static void end_stream(struct pass *p)
{
	if (p->stream)
		p->decoder->end(p->stream);
	p->stream = NULL;
}

/* One step; at the end of the input the decoder may still have output. */
static void decode(struct pass *p)
{
	const bool more = feed(p);
	const size_t in = p->d.in_len, out = p->d.out_len;
	enum cli_decoded rc = p->decoder->step(p->stream, &p->d);
	const char *why = "invalid data or checksum";

	if (rc == CLI_DECODED_SOME && p->d.in_len == in && p->d.out_len == out) {
		rc = CLI_DECODED_BROKEN;
		why = more ? why : "is truncated";
	}
	if (rc == CLI_DECODED_ALL)
		end_stream(p);
	else if (rc == CLI_DECODED_WINDOW)
		fail_limit(p, "needs a window of", "window", p->d.window);
	else if (rc == CLI_DECODED_NO_MEMORY)
		fail(p, "no memory to unpack it");
	else if (rc == CLI_DECODED_BROKEN)
		snprintf(p->trouble, sizeof(p->trouble), "%s: %s", p->decoder->name, why);
}

/* Decodes up to STEP bytes, over the ends of streams. 0: the end; -1: damage, or a failure. */
static ssize_t read_decoded(struct pass *p)
{
	p->d.out = p->out;
	p->d.out_len = STEP;
	while (p->d.out_len && !*p->trouble && !p->failed && (p->stream || next_stream(p)))
		decode(p);
	if (p->failed || (*p->trouble && p->d.out_len == STEP))
		return -1;
	return STEP - (ssize_t)p->d.out_len;
}

static la_ssize_t on_read(struct archive *a, void *ctx, const void **at)
{
	struct pass *p = ctx;

	(void)a;
	*at = p->decoder ? p->out : p->in;
	return p->decoder ? read_decoded(p) : read_packed(p);
}

/* For zip, whose directory is at its end. */
static la_int64_t on_seek(struct archive *a, void *ctx, la_int64_t off, int whence)
{
	struct pass *p = ctx;
	const la_int64_t len = (la_int64_t)tdat_source_len(p->job->packed);

	(void)a;
	if (whence != SEEK_SET)
		off += whence == SEEK_CUR ? (la_int64_t)p->in_off : len;
	if (off < 0 || off > len)
		return ARCHIVE_FATAL;
	p->in_off = (uint64_t)off;
	return off;
}

/* ---- output ---- */

/* Whether the member may have len bytes. */
static bool fits(struct pass *p, uint64_t len)
{
	if (len <= p->job->most && p->out_off <= p->job->most - len)
		return true;
	fail_limit(p, "unpacks to", "unpacked", p->job->most);
	return false;
}

/* Stores the content of one member; holes stay holes. *whole is false if it is damaged. */
static uint64_t store(struct pass *p, la_int64_t size, bool *whole)
{
	uint64_t len = 0;
	const void *block;
	la_int64_t off;
	size_t n;
	int rc;

	while ((rc = lib.archive_read_data_block(p->archive, &block, &n, &off)) == ARCHIVE_OK ||
	       rc == ARCHIVE_WARN) {
		if (off < 0 || !fits(p, (uint64_t)off) || !fits(p, (uint64_t)off + n))
			return len;
		if (tdat_fd_write_at(p->job->fd, p->out_off + (uint64_t)off, block, n) != n) {
			char text[160];

			snprintf(text, sizeof(text), "cannot store the unpacked data: %s",
				 strerror(errno));
			fail(p, text);
			return len;
		}
		if (len < (uint64_t)off + n)
			len = (uint64_t)off + n;
	}
	*whole = rc == ARCHIVE_EOF;
	/* A file may end with a hole. */
	if (*whole && size > 0 && (uint64_t)size > len && fits(p, (uint64_t)size)) {
		len = (uint64_t)size;
		*whole = !ftruncate(p->job->fd, (off_t)(p->out_off + len));
	}
	return len;
}

static const char *trouble(const struct pass *p)
{
	const char *text = *p->trouble ? p->trouble : lib.archive_error_string(p->archive);

	return text ? text : "its end is missing";
}

/* Takes one member. False: nothing behind it can be read. */
static bool take(struct pass *p, struct archive_entry *entry)
{
	const bool raw = lib.archive_format(p->archive) == ARCHIVE_FORMAT_RAW;
	const char *name = raw ? "" : lib.archive_entry_pathname(entry);
	const unsigned type = raw ? AE_IFREG : lib.archive_entry_filetype(entry);
	bool whole = true;
	uint64_t len;

	if (++p->members > CLI_UNPACK_MEMBERS_MAX) {
		fail(p, "is an archive with more than a million files");
		return false;
	}
	if (!name)
		name = "a name that is not UTF-8";
	if (!raw && lib.archive_entry_hardlink(entry)) {
		tell(p->job, CLI_UNPACK_LINK, name, 0, 0);
		return true;
	}
	if (type != AE_IFREG) {
		if (type != AE_IFDIR)
			tell(p->job, CLI_UNPACK_OTHER, name, 0, 0);
		return true;
	}
	len = store(p, raw ? 0 : lib.archive_entry_size(entry), &whole);
	if (p->failed)
		return false;
	if (len || whole)
		tell(p->job, raw ? CLI_UNPACK_STREAM : CLI_UNPACK_MEMBER, name, p->out_off, len);
	/* The part of a file that follows begins with a page, so that it can be read in pages. */
	p->out_off = (p->out_off + len + 4095) & ~(uint64_t)4095;
	if (!whole)
		tell(p->job, CLI_UNPACK_DAMAGED, trouble(p), 0, 0);
	return whole;
}

/* Sets up libarchive; a format of which it has no decoder is then unknown to it. */
static int open_archive(struct pass *p, bool only_raw)
{
	struct archive *a = p->archive = lib.archive_read_new();

	if (!a)
		return ARCHIVE_FATAL;
	if (!only_raw) {
		lib.archive_read_support_format_tar(a);
		lib.archive_read_support_format_zip(a);
	}
	if (p->decoder) {
		lib.archive_read_support_format_empty(a);
		lib.archive_read_support_format_raw(a);
	}
	lib.archive_read_set_read_callback(a, on_read);
	if (!p->decoder)
		lib.archive_read_set_seek_callback(a, on_seek);
	lib.archive_read_set_callback_data(a, p);
	return lib.archive_read_open1(a);
}

/* True if the input is not an archive after all: the beginning of zeros is one without members. */
static bool run_pass(struct pass *p, bool only_raw)
{
	struct archive_entry *entry;
	bool go_on = true;
	int rc = open_archive(p, only_raw);

	while (rc == ARCHIVE_OK && go_on && !p->failed) {
		rc = lib.archive_read_next_header(p->archive, &entry);
		if (rc == ARCHIVE_WARN)
			rc = ARCHIVE_OK;
		if (rc == ARCHIVE_OK)
			go_on = take(p, entry);
	}
	if (p->failed)
		return false;
	/* An empty file. */
	if (rc == ARCHIVE_EOF && lib.archive_format(p->archive) == ARCHIVE_FORMAT_EMPTY)
		tell(p->job, CLI_UNPACK_STREAM, "", p->out_off, 0);
	else if (rc == ARCHIVE_EOF && !p->members && !only_raw && p->decoder)
		return true;
	if (rc == ARCHIVE_EOF)
		tell(p->job, CLI_UNPACK_DONE, "", 0, 0);
	else if (go_on)
		tell(p->job, CLI_UNPACK_DAMAGED, trouble(p), 0, 0);
	return false;
}

void cli_unpack_run(const struct cli_unpack *job)
{
	static struct pass p; /* of this process */
	bool again = true;

	for (int i = 0; i < 2 && again; i++) {
		memset(&p, 0, sizeof(p));
		p.job = job;
		p.out_off = job->at;
		p.decoder = cli_decoder_of(job->packing);
		p.d.window = job->window;
		again = run_pass(&p, i > 0);
		if (p.archive)
			lib.archive_read_free(p.archive);
		end_stream(&p);
	}
}
