/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what the files that take the payloads of options apart share with each other. */
#ifndef TDAT_READ_OPTION_PARTS_H
#define TDAT_READ_OPTION_PARTS_H

#include <tdat/file_option.h>

struct option_out {
	struct tdat_file_option_visitor v;
};

void option_number(struct option_out *o, const char *key, uint64_t value);
void option_hex(struct option_out *o, const char *key, uint64_t value);
void option_signed(struct option_out *o, const char *key, int64_t value);
void option_bytes(struct option_out *o, const char *key, struct tdat_span bytes);
void option_text(struct option_out *o, const char *key, struct tdat_span text);
void option_list(struct option_out *o, const char *key);
void option_list_end(struct option_out *o);
void option_group(struct option_out *o, const char *key);
void option_group_end(struct option_out *o);

/* These decode options whose payload is text; text has no NUL. */
void option_hook(struct option_out *o, struct tdat_span text);
void option_tgids(struct option_out *o, struct tdat_span text);
void option_procmaps(struct option_out *o, struct tdat_span text);
void option_last_boot(struct option_out *o, struct tdat_span text);

/* True if the payload of an option HOOK is sound up to its NUL: trace-cmd crashes on others. */
bool option_hook_sound(struct tdat_span data);

/* True if the payload of an option TRACECLOCK lists clocks, none of them in brackets. */
bool option_names_no_clock(struct tdat_span text);

/*
 * The bytes of an option that tdat_file_option_decode() gives nothing of, since they stand behind
 * the NUL of a text or behind all fields; empty when they are all 0. Lines of a table of thread
 * groups are not among them: stored_text.h checks those.
 */
struct tdat_span option_unread(const struct tdat_file *file, const struct tdat_file_option *option);

#endif
