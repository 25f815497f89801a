/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens packed inputs. A process of its own unpacks to one temporary file and reports the members
 * through a pipe; a member is a part of that file, so that names in archives are never names on
 * disk. The process enters the sandbox before it reads a byte of the input, and ends before the
 * command enters its own. Its report is checked as the bytes of a file are.
 */
#include "input/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <tdat/file.h>

#include "args/limits.h"
#include "core/checked.h"
#include "core/grow.h"
#include "core/temp_file.h"
#include "input/damage.h"
#include "safety/apart.h"
#include "safety/sandbox.h"
#include "terminal/message.h"

enum {
	PAGE = 4096,
	/* The window of xz -9 has 64 MiB, that of zstd --long and --ultra -22 128 MiB. */
	WINDOW_MAX = 128 * 1024 * 1024,
	MEMORY_MORE = 32 * 1024 * 1024 /* beside the window */
};

/* One input that is being unpacked. */
struct unpacking {
	struct cli_packed *out;
	const char *path, *member; /* for messages; member may be NULL */
	int fd;
	uint64_t at, most;
	bool archive; /* the input itself, not a member of it */
	struct cli_unpack job;
};

bool cli_is_trace_dat(const struct tdat_source *source)
{
	char head[TDAT_FILE_MAGIC_LEN];

	return tdat_source_len(source) >= sizeof(head) &&
	       tdat_source_read(source, 0, head, sizeof(head), NULL) == TDAT_OK &&
	       !memcmp(head, TDAT_FILE_MAGIC, sizeof(head));
}

enum tdat_packing cli_packing_of(const struct tdat_source *source)
{
	const uint64_t len = tdat_source_len(source);
	const size_t n = len < TDAT_PACKING_LOOK ? (size_t)len : TDAT_PACKING_LOOK;
	uint8_t head[TDAT_PACKING_LOOK];

	return tdat_source_read(source, 0, head, n, NULL) ? TDAT_PACKING_NONE
							  : tdat_packing(head, n);
}

char *cli_packed_name(const char *name)
{
	static const char *const ends[] = {".gz", ".xz", ".zst", ".bz2"};
	const size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const size_t n = strlen(ends[i]);

		if (len > n && !strcmp(name + len - n, ends[i]))
			return strndup(name, len - n);
	}
	return strdup(name);
}

/* ---- the process that unpacks ---- */

/* Limits what the decoders may ask for, beside what the process has already. */
static void limit_memory(uint64_t window)
{
#ifndef __SANITIZE_ADDRESS__
	unsigned long long pages = 0;
	struct rlimit limit;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%*u %*u %*u %*u %*u %llu", &pages) == 1) {
		limit.rlim_cur = limit.rlim_max =
			pages * (unsigned long long)sysconf(_SC_PAGESIZE) + window + MEMORY_MORE;
		setrlimit(RLIMIT_DATA, &limit);
	}
	if (f)
		fclose(f);
#else
	(void)window;
#endif
}

static void work(void *ctx, FILE *to)
{
	struct cli_unpack *job = &((struct unpacking *)ctx)->job;

	job->report = to;
	if (cli_unpack_load()) {
		limit_memory(job->window);
		cli_sandbox_enter(NULL, 0, CLI_SANDBOX_READING);
		cli_unpack_run(job);
	} else {
		const struct cli_unpack_record r = {.what = CLI_UNPACK_ABSENT};

		fwrite(&r, sizeof(r), 1, to);
	}
}

/* ---- its report ---- */

/* Makes a name relative, without empty parts. False: it leads out of the archive. */
static bool clean_name(char *name)
{
	char *to = name, *rest = name, *part;

	while ((part = strsep(&rest, "/"))) {
		const size_t len = strlen(part);

		if (!*part || !strcmp(part, "."))
			continue;
		if (!strcmp(part, ".."))
			return false;
		if (to > name)
			*to++ = '/';
		memmove(to, part, len + 1);
		to += len;
	}
	*to = '\0';
	return to > name;
}

/* As in folders, what begins with a dot is left out. */
static bool hidden(const char *name)
{
	return *name == '.' || strstr(name, "/.") != NULL;
}

static enum tdat_status add_member(struct unpacking *u, const struct cli_unpack_record *r,
				   const char *text, struct tdat_error *err)
{
	struct cli_packed *out = u->out;
	struct cli_member *m;

	if (!TDAT_GROW_ZERO(out->v, &out->room, out->count + 1))
		return tdat_error_no_memory(err, "the members of an archive");
	m = &out->v[out->count];
	*m = (struct cli_member){.off = r->off, .len = r->len, .number = out->count};
	m->hard_link = r->what == CLI_UNPACK_LINK;
	m->name = r->what == CLI_UNPACK_STREAM ? cli_packed_name(text) : strdup(text);
	if (!m->name)
		return tdat_error_no_memory(err, "the members of an archive");
	out->count++;
	if (r->what != CLI_UNPACK_STREAM && (!clean_name(m->name) || hidden(m->name))) {
		if (strstr(text, "..")) {
			cli_error(u->path, "%s: leads outside the archive; it was not opened",
				  text);
			out->left_out++;
		}
		free(m->name);
		out->count--;
		return TDAT_OK;
	}
	if (r->what == CLI_UNPACK_LINK || r->what == CLI_UNPACK_OTHER)
		m->len = UINT64_MAX; /* it has no source */
	return TDAT_OK;
}

/* Handles one record. *whole is set by the last one. */
static enum tdat_status take_record(struct unpacking *u, const struct cli_unpack_record *r,
				    const char *text, bool *whole, struct tdat_error *err)
{
	const char *slash = strrchr(u->path, '/');
	enum tdat_status st = TDAT_OK;

	switch (r->what) {
	case CLI_UNPACK_STREAM:
		text = u->member ? u->member : slash ? slash + 1 : u->path;
		__attribute__((fallthrough));
	case CLI_UNPACK_MEMBER:
	case CLI_UNPACK_LINK:
	case CLI_UNPACK_OTHER:
		u->out->archive |= r->what != CLI_UNPACK_STREAM;
		st = add_member(u, r, text, err);
		if (r->off + r->len > u->at)
			u->at = (r->off + r->len + PAGE - 1) / PAGE * PAGE;
		break;
	case CLI_UNPACK_DAMAGED:
		*whole = true;
		cli_input_doubted();
		if (u->out->count)
			cli_error(u->path,
				  "%s%sthe packed data is damaged: %s; only the data before the "
				  "damage is read",
				  u->member ? u->member : "", u->member ? ": " : "", text);
		else
			st = tdat_error_set(err, TDAT_E_DAMAGED, TDAT_NO_OFFSET,
					    "cannot unpack: %s", text);
		break;
	case CLI_UNPACK_ABSENT:
		st = tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				    "is packed, and reading it needs %s: unpack it first",
				    cli_unpack_needs ? cli_unpack_needs
						     : "a tdat built with TDAT_PACKED=ON");
		break;
	case CLI_UNPACK_DONE:
		*whole = true;
		break;
	default:
		st = tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET, "%s%s%s",
				    u->member ? u->member : "", u->member ? ": " : "", text);
	}
	return st;
}

/* Reads all records. A process that ended without the last one has crashed, or was killed. */
static enum tdat_status read_report(void *ctx, FILE *from, struct tdat_error *err)
{
	struct unpacking *u = ctx;
	char text[CLI_UNPACK_TEXT_MAX + 1];
	struct cli_unpack_record r;
	enum tdat_status st = TDAT_OK;
	bool whole = false;

	while (st == TDAT_OK && !whole && fread(&r, sizeof(r), 1, from) == 1) {
		if (r.text_len > CLI_UNPACK_TEXT_MAX || !tdat_range_ok(r.off, r.len, INT64_MAX) ||
		    u->out->count > CLI_UNPACK_MEMBERS_MAX ||
		    fread(text, 1, r.text_len, from) != r.text_len)
			break;
		text[r.text_len] = '\0';
		st = take_record(u, &r, text, &whole, err);
	}
	if (st != TDAT_OK || whole)
		return st;
	return tdat_error_set(err, TDAT_E_DAMAGED, TDAT_NO_OFFSET,
			      "the process that unpacked it ended without a report");
}

static enum tdat_status unpack(struct unpacking *u, const struct tdat_source *source,
			       enum tdat_packing packing, struct tdat_error *err)
{
	const uint64_t window = cli_unpack_limits()->window;

	u->job = (struct cli_unpack){
		source, packing, u->fd, u->at, u->most, window ? window : WINDOW_MAX, NULL};
	return cli_apart(work, read_report, u, "cannot unpack", err);
}

/* ---- members ---- */

static int by_name(const void *a, const void *b)
{
	const struct cli_member *x = a, *y = b;
	const int order = strcmp(x->name, y->name);

	return order ? order : x->number < y->number ? -1 : 1;
}

static void free_member(struct cli_member *m)
{
	tdat_source_close(m->source);
	free(m->name);
}

/* An archive to which files were added has older ones of the same name. */
static void sort_members(struct cli_packed *out)
{
	size_t kept = 0;

	if (out->count)
		qsort(out->v, out->count, sizeof(*out->v), by_name);
	for (size_t i = 0; i < out->count; i++) {
		if (i + 1 < out->count && !strcmp(out->v[i].name, out->v[i + 1].name))
			free_member(&out->v[i]);
		else
			out->v[kept++] = out->v[i];
	}
	out->count = kept;
}

static enum tdat_status open_member(const struct unpacking *u, struct cli_member *m,
				    struct tdat_error *err)
{
	char *name;
	enum tdat_status st;

	if (!u->archive)
		name = strdup(u->path);
	else if (asprintf(&name, "%s/%s", u->path, m->name) < 0)
		name = NULL;
	if (!name)
		return tdat_error_no_memory(err, "a name");
	st = tdat_source_open_part(&m->source, u->fd, m->len ? m->off : 0, m->len, name, err);
	free(name);
	return st;
}

/* Opens a member, and unpacks it if it is a compressed file: its content takes its place. */
static enum tdat_status finish_member(struct unpacking *u, struct cli_member *m,
				      struct tdat_error *err)
{
	enum tdat_status st = m->len == UINT64_MAX ? TDAT_OK : open_member(u, m, err);
	const enum tdat_packing packing = m->source ? cli_packing_of(m->source) : TDAT_PACKING_NONE;
	struct cli_packed inner = {.v = NULL};
	struct unpacking again = *u;

	if (!u->archive || packing == TDAT_PACKING_NONE || packing >= TDAT_PACKING_ZIP)
		return st;
	again.out = &inner;
	again.member = m->name;
	st = unpack(&again, m->source, packing, err);
	u->at = again.at;
	/* A broken member is no reason to read none. */
	if (st == TDAT_E_DAMAGED) {
		cli_error(u->path, "%s: %s", m->name, err->message);
		cli_input_doubted();
		st = TDAT_OK;
	}
	/* A tar within an archive is one level too deep; it stays packed. */
	if (st == TDAT_OK && !inner.archive && inner.count == 1) {
		free_member(m);
		*m = inner.v[0];
		inner.count = 0;
		st = open_member(u, m, err);
	}
	cli_packed_fini(&inner);
	return st;
}

/* Half of what is free there, unless the user says more. */
static uint64_t most_bytes(const char *dir)
{
	const uint64_t given = cli_unpack_limits()->unpacked;
	struct statvfs fs;

	if (given)
		return given;
	return statvfs(dir, &fs) ? TDAT_SPOOL_LEN : (uint64_t)fs.f_bavail * fs.f_frsize / 2;
}

enum tdat_status cli_packed_open(struct cli_packed *out, const struct tdat_source *source,
				 const char *path, const char *tmpdir, struct tdat_error *err)
{
	const char *dir = tmpdir ? tmpdir : tdat_temp_dir();
	struct unpacking u = {.out = out, .path = path, .fd = tdat_temp_open(dir)};
	enum tdat_status st;

	*out = (struct cli_packed){.v = NULL};
	if (u.fd < 0)
		return tdat_error_set_errno(err, errno, "cannot store the unpacked data in %s",
					    dir);
	u.most = most_bytes(dir);
	st = unpack(&u, source, cli_packing_of(source), err);
	u.archive = out->archive;
	sort_members(out);
	for (size_t i = 0; i < out->count && st == TDAT_OK; i++)
		st = finish_member(&u, &out->v[i], err);
	close(u.fd);
	return st;
}

void cli_packed_fini(struct cli_packed *packed)
{
	for (size_t i = 0; i < packed->count; i++)
		free_member(&packed->v[i]);
	free(packed->v);
	*packed = (struct cli_packed){.v = NULL};
}
