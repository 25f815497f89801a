/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what an import tells beside events, and makes trace.dat files of it in memory. */
#include "input/feed_meta.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

enum call_kind { CALL_INFO, CALL_FORMAT, CALL_COMM, CALL_KALLSYMS, CALL_PRINTK };

struct cli_feed_call {
	enum call_kind kind;
	struct tdat_emit_info info; /* its strings are copies */
	char *name;		    /* system of a format */
	char *text;
	size_t len;
	int32_t pid;
	uint16_t id;
};

static enum tdat_status new_writer(struct cli_feed_meta *m, struct tdat_error *err)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;

	opts.compression = "none";
	opts.memory = true;
	return tdat_writer_new(&m->writer, "formats of the capture", &opts, err);
}

enum tdat_status cli_feed_meta_init(struct cli_feed_meta *m, tdat_warn_fn warn, void *warn_ctx,
				    struct tdat_error *err)
{
	enum tdat_status st;

	*m = (struct cli_feed_meta){.warn = warn, .warn_ctx = warn_ctx};
	st = new_writer(m, err);
	if (st == TDAT_OK)
		tdat_writer_on_warn(m->writer, warn, warn_ctx);
	return st;
}

static void call_fini(struct cli_feed_call *c)
{
	free((char *)c->info.clock);
	free((char *)c->info.uname);
	free((char *)c->info.version);
	free(c->name);
	free(c->text);
}

void cli_feed_meta_fini(struct cli_feed_meta *m)
{
	for (size_t i = 0; i < m->count; i++)
		call_fini(&m->calls[i]);
	free(m->calls);
	tdat_writer_free(m->writer);
	*m = (struct cli_feed_meta){.writer = NULL};
}

/* Makes a call of the writer; that of a format must give the id that it gave before. */
static enum tdat_status make_call(const struct cli_feed_meta *m, const struct cli_feed_call *c,
				  struct tdat_error *err)
{
	const struct tdat_emit *to = tdat_writer_emit(m->writer);
	enum tdat_status st = TDAT_OK;
	uint16_t id = 0;

	switch (c->kind) {
	case CALL_INFO:
		return to->ops->info(to->ctx, &c->info, err);
	case CALL_FORMAT:
		st = to->ops->format(to->ctx, c->name, c->text, c->len, &id, err);
		if (st == TDAT_OK && id != c->id)
			st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					    "a format of %s has the id %u, not %u", c->name, id,
					    c->id);
		return st;
	case CALL_COMM:
		return to->ops->comm(to->ctx, c->pid, c->text, err);
	case CALL_KALLSYMS:
		return to->ops->kallsyms(to->ctx, c->text, c->len, err);
	case CALL_PRINTK:
		return to->ops->printk(to->ctx, c->text, c->len, err);
	}
	return st;
}

/* Readies a writer that has taken all calls so far. */
static enum tdat_status ready(struct cli_feed_meta *m, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (m->writer)
		return TDAT_OK;
	st = new_writer(m, err);
	for (size_t i = 0; i < m->count && st == TDAT_OK; i++)
		st = make_call(m, &m->calls[i], err);
	/* What it warned of now was warned of before. */
	if (st == TDAT_OK)
		tdat_writer_on_warn(m->writer, m->warn, m->warn_ctx);
	return st;
}

/* Copies len bytes and a NUL; NULL without memory. */
static char *copy_text(const char *text, size_t len)
{
	char *copy = malloc(len + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

/* Keeps a call, which belongs to m from here on, also after a failure. */
static enum tdat_status keep(struct cli_feed_meta *m, struct cli_feed_call *c, bool copied,
			     struct tdat_error *err)
{
	struct cli_feed_call *list =
		copied ? tdat_grown(m->calls, &m->cap, m->count + 1, sizeof(*list)) : NULL;

	if (!list) {
		call_fini(c);
		return tdat_error_no_memory(err, "what is told of a capture");
	}
	m->calls = list;
	list[m->count++] = *c;
	return TDAT_OK;
}

static bool copy_string(const char **s)
{
	const bool given = *s != NULL;

	*s = given ? strdup(*s) : NULL;
	return !given || *s;
}

enum tdat_status cli_feed_meta_info(struct cli_feed_meta *m, const struct tdat_emit_info *info,
				    struct tdat_error *err)
{
	struct cli_feed_call c = {.kind = CALL_INFO, .info = *info};
	enum tdat_status st = ready(m, err);
	const bool clock = copy_string(&c.info.clock), uname = copy_string(&c.info.uname),
		   version = copy_string(&c.info.version);

	if (st == TDAT_OK)
		st = make_call(m, &c, err);
	if (st == TDAT_OK)
		return keep(m, &c, clock && uname && version, err);
	call_fini(&c);
	return st;
}

enum tdat_status cli_feed_meta_format(struct cli_feed_meta *m, const char *system, const char *text,
				      size_t len, uint16_t *id, struct tdat_error *err)
{
	struct cli_feed_call c = {.kind = CALL_FORMAT, .len = len};
	enum tdat_status st = ready(m, err);
	const struct tdat_emit *to;

	if (st != TDAT_OK)
		return st;
	to = tdat_writer_emit(m->writer);
	st = to->ops->format(to->ctx, system, text, len, id, err);
	if (st != TDAT_OK)
		return st;
	c.id = *id;
	c.name = strdup(system);
	c.text = copy_text(text, len);
	return keep(m, &c, c.name && c.text, err);
}

/* The calls that have a text and nothing that is told back. */
static enum tdat_status tell(struct cli_feed_meta *m, enum call_kind kind, int32_t pid,
			     const char *text, size_t len, struct tdat_error *err)
{
	struct cli_feed_call c = {.kind = kind, .pid = pid, .len = len};
	enum tdat_status st = ready(m, err);

	if (st != TDAT_OK)
		return st;
	c.text = copy_text(text, len);
	if (c.text)
		st = make_call(m, &c, err);
	if (st == TDAT_OK)
		return keep(m, &c, c.text != NULL, err);
	call_fini(&c);
	return st;
}

enum tdat_status cli_feed_meta_comm(struct cli_feed_meta *m, int32_t pid, const char *comm,
				    struct tdat_error *err)
{
	return tell(m, CALL_COMM, pid, comm, strlen(comm), err);
}

enum tdat_status cli_feed_meta_kallsyms(struct cli_feed_meta *m, const char *text, size_t len,
					struct tdat_error *err)
{
	return tell(m, CALL_KALLSYMS, 0, text, len, err);
}

enum tdat_status cli_feed_meta_printk(struct cli_feed_meta *m, const char *text, size_t len,
				      struct tdat_error *err)
{
	return tell(m, CALL_PRINTK, 0, text, len, err);
}

enum tdat_status cli_feed_meta_open(struct cli_feed_meta *m, const struct tdat_limits *limits,
				    struct tdat_file **out, struct tdat_error *err)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_source *source = NULL;
	enum tdat_status st = ready(m, err);

	*out = NULL;
	opts.limits = *limits;
	if (st == TDAT_OK)
		st = tdat_writer_finish(m->writer, err);
	if (st == TDAT_OK)
		st = tdat_writer_source(m->writer, &source, err);
	if (st == TDAT_OK)
		st = tdat_file_open_source(out, source, &opts, err);
	if (st != TDAT_OK)
		tdat_source_close(source);
	tdat_writer_free(m->writer);
	m->writer = NULL;
	return st;
}
