/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps what an import tells beside events, and makes trace.dat files without events of it, in
 * memory. A file cannot grow once it is opened: when more is told the next one is made of all.
 */
#ifndef CLI_FEED_META_H
#define CLI_FEED_META_H

#include <tdat/writer.h>

struct cli_feed_call; /* of a function of tdat_emit, with copies of its arguments */

struct cli_feed_meta {
	struct tdat_writer *writer; /* has taken all calls; NULL: the last one was made a file */
	struct cli_feed_call *calls;
	size_t count, cap;
	tdat_warn_fn warn; /* gets the writer's own warnings */
	void *warn_ctx;
};

/* A failure leaves m so that only cli_feed_meta_fini may be called. */
enum tdat_status cli_feed_meta_init(struct cli_feed_meta *m, tdat_warn_fn warn, void *warn_ctx,
				    struct tdat_error *err);
void cli_feed_meta_fini(struct cli_feed_meta *m);

/* These are the functions of tdat_emit. A format keeps its id in all files. */
enum tdat_status cli_feed_meta_info(struct cli_feed_meta *m, const struct tdat_emit_info *info,
				    struct tdat_error *err);
enum tdat_status cli_feed_meta_format(struct cli_feed_meta *m, const char *system, const char *text,
				      size_t len, uint16_t *id, struct tdat_error *err);
enum tdat_status cli_feed_meta_comm(struct cli_feed_meta *m, int32_t pid, const char *comm,
				    struct tdat_error *err);
enum tdat_status cli_feed_meta_kallsyms(struct cli_feed_meta *m, const char *text, size_t len,
					struct tdat_error *err);
enum tdat_status cli_feed_meta_printk(struct cli_feed_meta *m, const char *text, size_t len,
				      struct tdat_error *err);

/* Makes a file of all that was told so far; the caller closes it. */
enum tdat_status cli_feed_meta_open(struct cli_feed_meta *m, const struct tdat_limits *limits,
				    struct tdat_file **out, struct tdat_error *err);

#endif
