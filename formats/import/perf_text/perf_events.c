/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes events of samples. Texts of tracepoints are those of their print fmt, but for two kinds:
 * perf prints some by plugins, of which sched_switch and sched_wakeup are turned into what the
 * print fmt gives, and the importer of the kernel's text knows system calls as the kernel prints
 * them. Other samples have the period and the instruction, as far as these are printed.
 */
#include "perf_events.h"

#include <inttypes.h>
#include <string.h>

#include "core/text.h"
#include "import/record.h"

enum { PID_LEN = 12 };

const struct perf_stack perf_stacks[] = {{"kernel_stack", "<stack trace>"},
					 {"user_stack", "<user stack trace>"}};

/* ---- texts of plugins ---- */

/* "comm:12 [120] rest" of the plugin for sched. */
struct plugin_task {
	struct tdat_span comm, pid, prio, rest;
};

static bool is_number(struct tdat_span s)
{
	struct ft_cursor c = {s.ptr, s.ptr + s.len};
	uint64_t v;

	ft_take(&c, "-");
	return s.len < PID_LEN && ft_number(&c, &v) && c.p == c.end;
}

/* The name may have all of these characters: the last ones are those of the plugin. */
static bool plugin_task(struct tdat_span s, struct plugin_task *out)
{
	const uint8_t *end = s.ptr + s.len;
	const uint8_t *open = s.len ? memrchr(s.ptr, '[', s.len) : NULL;
	const uint8_t *shut = open ? memchr(open, ']', (size_t)(end - open)) : NULL, *colon;

	if (!shut || open - s.ptr < 3 || open[-1] != ' ')
		return false;
	colon = memrchr(s.ptr, ':', (size_t)(open - s.ptr));
	if (!colon)
		return false;
	out->comm = (struct tdat_span){s.ptr, (size_t)(colon - s.ptr)};
	out->pid = (struct tdat_span){colon + 1, (size_t)(open - colon) - 2};
	out->prio = (struct tdat_span){open + 1, (size_t)(shut - open) - 1};
	out->rest = (struct tdat_span){shut + 1, (size_t)(end - shut) - 1};
	return is_number(out->pid) && is_number(out->prio);
}

static void put_task(struct tdat_build *b, const char *before, const struct plugin_task *t)
{
	tdat_build_printf(b, "%scomm=", before);
	tdat_build_bytes(b, t->comm.ptr, t->comm.len);
	tdat_build_printf(b, " %spid=", before);
	tdat_build_bytes(b, t->pid.ptr, t->pid.len);
	tdat_build_printf(b, " %sprio=", before);
	tdat_build_bytes(b, t->prio.ptr, t->prio.len);
}

/* " S" or " D|T": bits 0x10 to 0x80 have other letters in older plugins than in print fmt. */
static bool put_state(struct tdat_build *b, struct tdat_span s, bool kernel_states)
{
	static const char kernel[] = "RSDTtXZPI";
	const char *plugin = kernel_states ? kernel : "RSDTtZXxW";

	if (s.len < 2 || *s.ptr != ' ')
		return false;
	tdat_build_str(b, " prev_state=");
	for (size_t i = 1; i < s.len; i++) {
		const char *at = i % 2 && s.ptr[i] ? strchr(plugin, s.ptr[i]) : NULL;

		if (!at && s.ptr[i] != '|')
			return false;
		tdat_build_u8(b, at ? (uint8_t)kernel[at - plugin] : '|');
	}
	return true;
}

bool perf_kernel_state(const struct perf_line *l)
{
	return tdat_span_is(l->event, "sched:sched_switch") &&
	       (tdat_span_has(l->text, "] I ==> ") || tdat_span_has(l->text, "] P ==> "));
}

/* "a:1 [120] S ==> b:2 [120]" as its print fmt has it. */
static bool switch_text(struct tdat_span s, bool kernel_states, struct tdat_build *b)
{
	static const char arrow[] = " ==> ";
	const uint8_t *end = s.ptr + s.len, *p = s.ptr;
	struct plugin_task prev, next;

	while (p < end && (p = memmem(p, (size_t)(end - p), arrow, 5))) {
		b->len = 0;
		if (plugin_task((struct tdat_span){s.ptr, (size_t)(p - s.ptr)}, &prev) &&
		    plugin_task((struct tdat_span){p + 5, (size_t)(end - p) - 5}, &next) &&
		    !next.rest.len) {
			put_task(b, "prev_", &prev);
			if (!put_state(b, prev.rest, kernel_states))
				return false;
			tdat_build_str(b, arrow);
			put_task(b, "next_", &next);
			return true;
		}
		p++;
	}
	return false;
}

/* "a:1 [120] CPU:000" as its print fmt has it. */
static bool wakeup_text(struct tdat_span s, struct tdat_build *b)
{
	struct plugin_task task;

	if (!plugin_task(s, &task) || task.rest.len < 6 || memcmp(task.rest.ptr, " CPU:", 5))
		return false;
	b->len = 0;
	put_task(b, "", &task);
	tdat_build_str(b, " target_cpu=");
	tdat_build_bytes(b, task.rest.ptr + 5, task.rest.len - 5);
	return true;
}

/* ---- texts of system calls ---- */

/* One "name: 0x00000001" of print fmt; false: its digits are not those of print fmt. */
static bool put_argument(struct ft_cursor *c, struct tdat_build *b)
{
	const uint8_t *start = c->p;
	uint64_t v;

	while (c->p < c->end && *c->p != ':')
		c->p++;
	tdat_build_bytes(b, start, (size_t)(c->p - start));
	if (!ft_take(c, ": 0x"))
		return false;
	start = c->p;
	if (!perf_hex(c, &v) || c->p - start < 8 || (c->p - start > 8 && *start == '0'))
		return false;
	tdat_build_printf(b, ": %" PRIx64, v);
	return true;
}

/* "fd: 0x00000001, buf: 0x7ffe0" as "sys_write(fd: 1, buf: 7ffe0)", "0x1" as "sys_write -> 0x1". */
static bool call_text(struct tdat_span name, struct tdat_span s, struct tdat_build *b)
{
	static const char enter[] = "syscalls:sys_enter_", leave[] = "syscalls:sys_exit_";
	const bool is_enter = name.len > sizeof(enter) && !memcmp(name.ptr, enter, 19);
	const size_t skip = is_enter ? 19 : 18;
	struct ft_cursor c = {s.ptr, s.ptr + s.len};

	if (!is_enter && (name.len <= sizeof(leave) || memcmp(name.ptr, leave, 18) != 0))
		return false;
	b->len = 0;
	tdat_build_str(b, "sys_");
	tdat_build_bytes(b, name.ptr + skip, name.len - skip);
	if (!is_enter) {
		tdat_build_str(b, " -> ");
		tdat_build_bytes(b, s.ptr, s.len);
		return true;
	}
	tdat_build_str(b, "(");
	while (c.p < c.end) {
		if (!put_argument(&c, b) || (c.p < c.end && !ft_take(&c, ", ")))
			return false;
		tdat_build_str(b, c.p < c.end ? ", " : "");
	}
	tdat_build_str(b, ")");
	return true;
}

/* ---- samples ---- */

/* The text as the print fmt of that event, or the kernel, gives it; false: it may be so already. */
static bool other_text(struct tdat_span name, struct tdat_span text, struct perf_words *words)
{
	struct tdat_build *b = &words->text;

	if (tdat_span_is(name, "sched:sched_switch"))
		return switch_text(text, words->kernel_states, b);
	if (tdat_span_starts(name, "sched:sched_wakeup"))
		return wakeup_text(text, b);
	return call_text(name, text, b);
}

static enum tdat_status typed(struct ft_out *o, const struct ft_head *h, struct tdat_span name,
			      struct tdat_span text, struct perf_words *words, bool *done,
			      struct tdat_error *err)
{
	const bool other = other_text(name, text, words);

	return ft_out_typed(o, h, name,
			    other && !words->text.failed ? import_record_span(&words->text) : text,
			    done, err);
}

/* Where " ffffffff81000000 name+0x1 (dso)" starts at the end of a text; its length: nowhere. */
static size_t address_at(struct tdat_span text)
{
	size_t at = text.len;

	/* From the right: the text of the event may have numbers, too. */
	while (at-- > 1) {
		const struct tdat_span tail = {text.ptr + at, text.len - at};
		struct ft_cursor c = {tail.ptr + 1, text.ptr + text.len};
		uint64_t ip;

		if (*tail.ptr == ' ' && perf_hex(&c, &ip) && c.p - tail.ptr > 4 &&
		    (c.p == c.end || *c.p == ' ')) {
			/* perf fills it up with blanks. */
			for (ptrdiff_t n = c.p - tail.ptr;
			     n <= 16 && at > 1 && text.ptr[at - 1] == ' '; n++)
				at--;
			return at;
		}
		if (text.len - at > 4096)
			break;
	}
	return text.len;
}

int perf_address(const struct perf_line *l)
{
	struct tdat_span name;

	if (!perf_tracepoint(l->event, &name))
		return 0;
	return address_at(l->text) < l->text.len ? 1 : -1;
}

static enum tdat_status tracepoint(struct ft_out *o, const struct ft_head *h, struct tdat_span name,
				   struct tdat_span text, struct perf_words *words,
				   struct tdat_error *err)
{
	const size_t at = words->addresses ? address_at(text) : text.len;
	const struct tdat_span ip = ft_trimmed(text.ptr + at, text.ptr + text.len);
	const bool user = perf_is_user(ip);
	enum tdat_status st;
	bool done;

	st = typed(o, h, name, (struct tdat_span){text.ptr, at}, words, &done, err);
	if (st != TDAT_OK)
		return st;
	if (!done)
		return ft_out_text(o, h, name, text, err);
	if (at == text.len)
		return TDAT_OK;
	/* The instruction behind the text (-F ip without call chains) is a stack of one frame. */
	words->text.len = 0;
	tdat_build_printf(&words->text, "%s\n => ", perf_stacks[user].title);
	tdat_build_bytes(&words->text, ip.ptr, ip.len);
	return ft_out_text(o, h, tdat_span_of(perf_stacks[user].name),
			   import_record_span(&words->text), err);
}

/* "ffffffff81000000 name+0x1 (dso)" of the instruction that was interrupted. */
static bool instruction(struct tdat_span text, struct ft_part *ip, struct ft_part *symbol,
			struct ft_part *dso)
{
	const struct tdat_span s = ft_trimmed(text.ptr, text.ptr + text.len);
	struct ft_cursor c = {s.ptr, s.ptr + s.len};
	const uint8_t *open = NULL;

	if (!s.len || !perf_hex(&c, &ip->num) || (c.p < c.end && *c.p != ' '))
		return false;
	ft_blanks(&c);
	for (const uint8_t *p = c.p; p < c.end && c.end[-1] == ')'; p++)
		if (*p == '(' && (p == c.p || p[-1] == ' '))
			open = p;
	dso->text = (struct tdat_span){c.end, 0};
	if (open)
		dso->text = (struct tdat_span){open + 1, (size_t)(c.end - open) - 2};
	symbol->text = ft_trimmed(c.p, open ? open : c.end);
	return true;
}

/* Samples of counters and clocks; terms and modifiers of the name are in field event only. */
static enum tdat_status counter(struct ft_out *o, const struct perf_line *l, struct tdat_error *err)
{
	struct tdat_span name = {l->event.ptr, 0};
	struct ft_part period = {l->period, {NULL, 0}}, event = {0, l->event};
	struct ft_part ip = {0, {NULL, 0}}, symbol, dso, text;

	while (name.len < l->event.len && !memchr("/:", name.ptr[name.len], 2))
		name.len++;
	if (!name.len)
		name = l->event;
	memset(&symbol, 0, sizeof(symbol));
	memset(&dso, 0, sizeof(dso));
	if (instruction(l->text, &ip, &symbol, &dso)) {
		const struct ft_part parts[] = {period, ip, event, symbol, dso};

		return ft_out_parts(o, &l->head, l->has_period ? FORM_SAMPLE : FORM_SAMPLE_IP, name,
				    parts + !l->has_period, err);
	}
	text = (struct ft_part){0, ft_trimmed(l->text.ptr, l->text.ptr + l->text.len)};
	{
		const struct ft_part parts[] = {period, event, text};

		return ft_out_parts(o, &l->head,
				    l->has_period ? FORM_SAMPLE_PERIOD : FORM_SAMPLE_TEXT, name,
				    parts + !l->has_period, err);
	}
}

enum tdat_status perf_out_sample(struct ft_out *o, const struct perf_line *l,
				 struct perf_words *words, struct tdat_error *err)
{
	struct tdat_span name;
	enum tdat_status st = perf_tracepoint(l->event, &name)
				      ? tracepoint(o, &l->head, name, l->text, words, err)
				      : counter(o, l, err);

	return st == TDAT_OK && words->text.failed ? tdat_error_no_memory(err, "an event's text")
						   : st;
}
