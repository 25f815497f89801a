/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the lines that the kernel's error_log has for a refused trigger. An error has the text
 * of the kernel, the command, and a caret under the place. Older kernels keep only the first
 * 255 bytes of the command, which moves the caret. Below are the small text tools that all
 * parsers of this folder use.
 */
#include "refuse.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/nearest.h"
#include "core/text.h"

/* Older kernels keep this many bytes of a command. */
enum { CMD_KEPT = 255 };

void hist_refuse_begin(struct tdat_hist *h, const char *system, const char *event,
		       const char *prefix, const char *text)
{
	struct hist_refusal *r = &h->refusal;

	r->text.len = 0;
	r->ours = r->hint = NULL;
	r->system = system;
	r->event = event;
	/* cmd keeps the text as written. The parsers cut copies, so carets refer to it. */
	r->cmd = hist_text(h, "%s%s", prefix, text);
	if (r->cmd && h->kernel.cuts_cmd && strlen(r->cmd) > CMD_KEPT)
		r->cmd[CMD_KEPT] = '\0';
}

/*
 * Adds an error in the shape of error_log: who, text, command, and a caret below it. column: bytes.
 */
bool hist_refuse_at(struct tdat_hist *h, const char *who, const char *text, const char *cmd,
		    size_t column)
{
	struct tdat_build *b = &h->refusal.text;

	tdat_build_str(b, who);
	tdat_build_str(b, ": error: ");
	tdat_build_str(b, text);
	tdat_build_str(b, "\n  Command: ");
	tdat_build_str(b, cmd);
	tdat_build_str(b, "\n");
	tdat_build_fill(b, ' ', sizeof("  Command: ") - 1 + column);
	tdat_build_str(b, "^\n");
	h->nomem |= b->failed;
	return false;
}

bool hist_refuse(struct tdat_hist *h, const char *text, const char *word)
{
	const struct hist_refusal *r = &h->refusal;
	char who[256];
	const char *at;

	if (!r->cmd)
		return false;
	/*
	 * The first place of the word, even if another was meant: the kernel searches likewise
	 * (errpos()).
	 */
	at = word ? strstr(r->cmd, word) : NULL;
	snprintf(who, sizeof(who), "hist:%s:%s", r->system, r->event);
	return hist_refuse_at(h, who, text, r->cmd, at ? (size_t)(at - r->cmd) : 0);
}

void hist_hint_field(struct tdat_hist *h, const struct hist_event *e, const char *name)
{
	struct tdat_near near = {.word = name};

	for (size_t i = 0; i < e->field_count; i++)
		tdat_near_try(&near, e->fields[i].name);
	h->refusal.hint = hist_text(h, "%s", tdat_near_hint(&near, ""));
}

const char *tdat_hist_refusal(const struct tdat_hist *h)
{
	return h->refusal.text.len ? (const char *)h->refusal.text.ptr : "";
}

/* ---- small tools of all parts ---- */

char *hist_text(struct tdat_hist *h, const char *fmt, ...)
{
	va_list args;
	char *p;

	va_start(args, fmt);
	p = tdat_arena_vprintf(&h->arena, fmt, args);
	va_end(args);
	h->nomem |= !p;
	return p;
}

bool hist_parse_u64(const char *s, uint64_t *out)
{
	return tdat_kstrtou64(s, 0, out);
}

bool hist_parse_i64(const char *s, int64_t *out)
{
	bool negative = *s == '-';
	uint64_t v;

	if (!hist_parse_u64(s + negative, &v))
		return false;
	/* The most negative number has no positive counterpart. */
	if (negative ? v > (uint64_t)INT64_MAX + 1 : v > (uint64_t)INT64_MAX)
		return false;
	*out = (int64_t)(negative ? 0 - v : v);
	return true;
}

char *hist_strip(char *s)
{
	size_t len;

	while (tdat_is_space(*s))
		s++;
	len = strlen(s);
	while (len && tdat_is_space(s[len - 1]))
		s[--len] = '\0';
	return s;
}

/* The kernel's strsep(). */
char *hist_cut(char **s, const char *delims)
{
	char *start = *s, *end;

	if (!start)
		return NULL;
	end = start + strcspn(start, delims);
	*s = *end ? end + 1 : NULL;
	*end = '\0';
	return start;
}

bool hist_has_prefix(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}
