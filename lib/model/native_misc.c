/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The plugins kmem, hrtimer, futex, tlb and mac80211. */
#include "native_tables.h"

#include <stdlib.h>
#include <string.h>

#include "native_util.h"
#include "put.h"

#define FUNC_LEN 127 /* the plugin prints through a buffer of 128 bytes */

struct call_site {
	struct model_native base;
	const struct model_env *env;
	struct native_field call_site;
};

/* A prefix only: print fmt follows. */
static bool call_site_run(const struct model_native *self, const struct model_event *event,
			  struct tdat_build *out)
{
	const struct call_site *c = (const struct call_site *)self;
	struct tdat_span name;
	uint64_t v, start;
	uint8_t *p;

	if (!native_num(&c->call_site, event->record, &v))
		return false;
	name = model_symbols_find(c->env->symbols, v, &start);
	if (!name.ptr)
		return false;
	p = tdat_build_room(out, name.len + 8 + MODEL_PUT_HEX);
	if (!p)
		return false;
	*p++ = '(';
	p = model_put_lit(model_put_span(p, name), "+0x");
	p = model_put_lit(model_put_hex(p, (uint32_t)(v - start)), ") ");
	out->len = (size_t)(p - out->ptr);
	return false;
}

static enum tdat_status call_site_init(struct model_native **out, const struct tdat_format *format,
				       const struct model_env *env, struct tdat_error *err)
{
	struct call_site *c = native_alloc(sizeof(*c), format, err);

	if (!c)
		return TDAT_E_NOMEM;
	c->base.run = call_site_run;
	c->env = env;
	c->call_site = native_field_find(format, "call_site");
	*out = &c->base;
	return TDAT_OK;
}

struct hrtimer {
	struct model_native base;
	const struct model_env *env;
	struct native_field timer; /* or "hrtimer" */
	struct native_field now, function, expires, softexpires;
};

static void print_u64(const struct native_field *f, struct tdat_span record, struct tdat_build *out)
{
	uint64_t v;

	if (native_num(f, record, &v))
		model_text_u64(out, v);
	else
		native_no_field(f, out);
}

static void print_timer(const struct hrtimer *h, struct tdat_span record, struct tdat_build *out)
{
	uint64_t v;

	native_lit(out, "hrtimer=");
	if (!native_num(&h->timer, record, &v)) {
		native_no_field(&h->timer, out);
		return;
	}
	native_lit(out, "0x");
	model_text_x64(out, v, 0);
}

/* " function=name/0x..." where the number is start minus address. */
static void print_function(const struct hrtimer *h, struct tdat_span record, struct tdat_build *out)
{
	struct tdat_span name;
	uint64_t v, start;
	size_t from;

	if (!native_num(&h->function, record, &v))
		return;
	native_lit(out, " function=");
	from = out->len;
	name = model_symbols_find(h->env->symbols, v, &start);
	if (!name.ptr) {
		native_lit(out, "0x");
		model_text_x64(out, v, 8);
		return;
	}
	native_text(out, name);
	native_lit(out, "/0x");
	model_text_x64(out, start - v, 0);
	if (out->len - from > FUNC_LEN)
		out->len = from + FUNC_LEN;
}

static bool hrtimer_expire_run(const struct model_native *self, const struct model_event *event,
			       struct tdat_build *out)
{
	const struct hrtimer *h = (const struct hrtimer *)self;

	print_timer(h, event->record, out);
	native_lit(out, " now=");
	print_u64(&h->now, event->record, out);
	print_function(h, event->record, out);
	return true;
}

static bool hrtimer_start_run(const struct model_native *self, const struct model_event *event,
			      struct tdat_build *out)
{
	const struct hrtimer *h = (const struct hrtimer *)self;

	print_timer(h, event->record, out);
	print_function(h, event->record, out);
	native_lit(out, " expires=");
	print_u64(&h->expires, event->record, out);
	native_lit(out, " softexpires=");
	print_u64(&h->softexpires, event->record, out);
	return true;
}

static enum tdat_status hrtimer_init(struct model_native **out, const struct tdat_format *format,
				     const struct model_env *env, struct tdat_error *err,
				     bool start)
{
	struct hrtimer *h = native_alloc(sizeof(*h), format, err);

	if (!h)
		return TDAT_E_NOMEM;
	h->base.run = start ? hrtimer_start_run : hrtimer_expire_run;
	h->env = env;
	h->timer = native_field_find(format, "timer");
	if (!h->timer.number)
		h->timer = native_field_find(format, "hrtimer");
	h->now = native_field_find(format, "now");
	h->function = native_field_find(format, "function");
	h->expires = native_field_find(format, "expires");
	h->softexpires = native_field_find(format, "softexpires");
	*out = &h->base;
	return TDAT_OK;
}

static enum tdat_status hrtimer_expire_init(struct model_native **out,
					    const struct tdat_format *format,
					    const struct model_env *env, struct tdat_error *err)
{
	return hrtimer_init(out, format, env, err, false);
}

static enum tdat_status hrtimer_start_init(struct model_native **out,
					   const struct tdat_format *format,
					   const struct model_env *env, struct tdat_error *err)
{
	return hrtimer_init(out, format, env, err, true);
}

enum futex_arg { FUTEX_NONE, FUTEX_DEC, FUTEX_HEX };

struct futex_op {
	const char *name;
	uint8_t val, utime, uaddr2, val3; /* enum futex_arg */
	bool val2;			  /* utime is a count, not a time */
};

static const struct futex_op futex_ops[] = {
	{"FUTEX_WAIT", FUTEX_HEX, FUTEX_HEX, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_WAKE", FUTEX_DEC, FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_FD", FUTEX_DEC, FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_REQUEUE", FUTEX_DEC, FUTEX_DEC, FUTEX_HEX, FUTEX_NONE, true},
	{"FUTEX_CMP_REQUEUE", FUTEX_DEC, FUTEX_DEC, FUTEX_HEX, FUTEX_HEX, true},
	{"FUTEX_WAKE_OP", FUTEX_DEC, FUTEX_DEC, FUTEX_HEX, FUTEX_HEX, true},
	{"FUTEX_LOCK_PI", FUTEX_NONE, FUTEX_HEX, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_UNLOCK_PI", FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_TRYLOCK_PI", FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, FUTEX_NONE, false},
	{"FUTEX_WAIT_BITSET", FUTEX_HEX, FUTEX_HEX, FUTEX_NONE, FUTEX_HEX, false},
	{"FUTEX_WAKE_BITSET", FUTEX_DEC, FUTEX_NONE, FUTEX_NONE, FUTEX_HEX, false},
	{"FUTEX_WAIT_REQUEUE_PI", FUTEX_HEX, FUTEX_HEX, FUTEX_HEX, FUTEX_HEX, false},
	{"FUTEX_CMP_REQUEUE_PI", FUTEX_DEC, FUTEX_DEC, FUTEX_HEX, FUTEX_HEX, true},
};

#define FUTEX_FLAG_PRIVATE 128u
#define FUTEX_FLAG_REALTIME 256u

enum { UADDR, OP, VAL, UTIME, UADDR2, VAL3, FUTEX_ARGS };

struct futex {
	struct model_native base;
	struct native_field args[FUTEX_ARGS];
};

static void futex_arg(const char *name, uint8_t kind, uint64_t v, struct tdat_build *out)
{
	if (kind == FUTEX_NONE)
		return;
	tdat_build_str(out, name);
	if (kind == FUTEX_DEC) {
		model_text_u64(out, v);
		return;
	}
	native_lit(out, "0x");
	model_text_x64(out, v, 8);
}

static bool futex_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct futex *f = (const struct futex *)self;
	const struct futex_op *op;
	uint64_t v[FUTEX_ARGS];
	uint64_t cmd;
	size_t i;

	for (i = 0; i < FUTEX_ARGS; i++)
		if (!native_get(&f->args[i], event->record, &v[i], out))
			return false;
	cmd = v[OP] & ~(uint64_t)(FUTEX_FLAG_PRIVATE | FUTEX_FLAG_REALTIME);
	if (cmd >= sizeof(futex_ops) / sizeof(futex_ops[0]))
		return false;
	op = &futex_ops[cmd];
	native_lit(out, "op=");
	tdat_build_str(out, op->name);
	if (v[OP] & FUTEX_FLAG_PRIVATE)
		native_lit(out, "|FUTEX_PRIVATE_FLAG");
	if (v[OP] & FUTEX_FLAG_REALTIME)
		native_lit(out, "|FUTEX_CLOCK_REALTIME");
	futex_arg(" uaddr=", FUTEX_HEX, v[UADDR], out);
	futex_arg(" val=", op->val, v[VAL], out);
	futex_arg(op->val2 ? " val2=" : " utime=", op->utime, v[UTIME], out);
	futex_arg(" uaddr2=", op->uaddr2, v[UADDR2], out);
	futex_arg(" val3=", op->val3, v[VAL3], out);
	return true;
}

static enum tdat_status futex_init(struct model_native **out, const struct tdat_format *format,
				   const struct model_env *env, struct tdat_error *err)
{
	static const char *const names[] = {"uaddr", "op", "val", "utime", "uaddr2", "val3"};
	struct futex *f = native_alloc(sizeof(*f), format, err);
	size_t i;

	(void)env;
	if (!f)
		return TDAT_E_NOMEM;
	f->base.run = futex_run;
	for (i = 0; i < FUTEX_ARGS; i++)
		f->args[i] = native_field_find(format, names[i]);
	*out = &f->base;
	return TDAT_OK;
}

struct tlb_flush {
	struct model_native base;
	struct native_field pages, reason;
};

static bool tlb_run(const struct model_native *self, const struct model_event *event,
		    struct tdat_build *out)
{
	static const char *const reasons[] = {"flush on task switch", "remote shootdown",
					      "local shootdown", "local mm shootdown"};
	const struct tlb_flush *t = (const struct tlb_flush *)self;
	uint64_t v;

	native_lit(out, "pages=");
	if (native_num(&t->pages, event->record, &v))
		model_text_i64(out, (int64_t)v);
	else
		native_no_field(&t->pages, out);
	if (!native_get(&t->reason, event->record, &v, out))
		return false;
	native_lit(out, " reason=");
	if (v < sizeof(reasons) / sizeof(reasons[0]))
		tdat_build_str(out, reasons[v]);
	native_lit(out, " (");
	model_text_i64(out, (int64_t)v);
	tdat_build_u8(out, ')');
	return true;
}

static enum tdat_status tlb_init(struct model_native **out, const struct tdat_format *format,
				 const struct model_env *env, struct tdat_error *err)
{
	struct tlb_flush *t = native_alloc(sizeof(*t), format, err);

	(void)env;
	if (!t)
		return TDAT_E_NOMEM;
	t->base.run = tlb_run;
	t->pages = native_field_find(format, "pages");
	t->reason = native_field_find(format, "reason");
	*out = &t->base;
	return TDAT_OK;
}

#define BSS_INDENT 65
#define BSS_NUMBERS 11

struct bss_info {
	struct model_native base;
	struct native_field wiphy_name, vif_name, vif_type;
	bool wiphy_loc, vif_loc; /* __data_loc */
	struct native_field numbers[BSS_NUMBERS];
};

/* Names of the numbers, what is hexadecimal, and after which a line ends. */
static const struct bss_number {
	const char *name;
	bool hex, space, newline;
} bss_numbers[BSS_NUMBERS] = {
	{"assoc", false, true, false},
	{"aid", false, true, false},
	{"cts", false, true, false},
	{"shortpre", false, true, false},
	{"shortslot", false, true, false},
	{"dtimper", false, true, true},
	{"bcnint", false, true, false},
	{"assoc_cap", true, true, false},
	{"basic_rates", true, true, false},
	{"enable_beacon", false, false, true},
	{"ht_operation_mode", false, false, false},
};

static void bss_string(const struct native_field *f, bool loc, struct tdat_span record,
		       struct tdat_build *out)
{
	size_t off = f->off, len = f->len;
	uint64_t v;

	if (!f->found) {
		native_lit(out, "NOTFOUND:");
		tdat_build_str(out, f->name);
		return;
	}
	if (loc) {
		if (!native_num(f, record, &v)) {
			native_lit(out, "invalid_data_loc");
			return;
		}
		off = v & 0xffff;
		len = (size_t)(v >> 16);
	}
	native_text(out, native_str(record, off, len));
}

static bool bss_run(const struct model_native *self, const struct model_event *event,
		    struct tdat_build *out)
{
	const struct bss_info *b = (const struct bss_info *)self;
	uint64_t v;
	size_t i;

	bss_string(&b->wiphy_name, b->wiphy_loc, event->record, out);
	native_lit(out, " vif:");
	bss_string(&b->vif_name, b->vif_loc, event->record, out);
	if (native_num(&b->vif_type, event->record, &v)) {
		tdat_build_u8(out, '(');
		model_text_i64(out, (int32_t)v);
		tdat_build_u8(out, ')');
	} else {
		native_no_field(&b->vif_type, out);
	}
	tdat_build_u8(out, '\n');
	tdat_build_fill(out, ' ', BSS_INDENT);
	for (i = 0; i < BSS_NUMBERS; i++) {
		const struct bss_number *n = &bss_numbers[i];

		if (native_num(&b->numbers[i], event->record, &v)) {
			tdat_build_str(out, n->name);
			tdat_build_u8(out, ':');
			if (n->hex && (uint32_t)v)
				native_lit(out, "0x");
			if (n->hex)
				model_text_x64(out, (uint32_t)v, 0);
			else
				model_text_i64(out, (int32_t)v);
		}
		if (n->space)
			tdat_build_u8(out, ' ');
		if (n->newline) {
			tdat_build_u8(out, '\n');
			tdat_build_fill(out, ' ', BSS_INDENT);
		}
	}
	return true;
}

static bool is_data_loc(const struct tdat_format *format, const char *name)
{
	const struct tdat_field *f = tdat_format_field(format, name);

	return f && !strncmp(f->type, "__data_loc", 10);
}

static enum tdat_status bss_init(struct model_native **out, const struct tdat_format *format,
				 const struct model_env *env, struct tdat_error *err)
{
	struct bss_info *b = native_alloc(sizeof(*b), format, err);
	size_t i;

	(void)env;
	if (!b)
		return TDAT_E_NOMEM;
	b->base.run = bss_run;
	b->wiphy_name = native_field_find(format, "wiphy_name");
	b->vif_name = native_field_find(format, "vif_name");
	b->vif_type = native_field_find(format, "vif_type");
	b->wiphy_loc = is_data_loc(format, "wiphy_name");
	b->vif_loc = is_data_loc(format, "vif_name");
	for (i = 0; i < BSS_NUMBERS; i++)
		b->numbers[i] = native_field_find(format, bss_numbers[i].name);
	*out = &b->base;
	return TDAT_OK;
}

const struct model_native_entry native_misc[] = {
	{"kmem", "kfree", false, call_site_init},
	{"kmem", "kmalloc", false, call_site_init},
	{"kmem", "kmalloc_node", false, call_site_init},
	{"kmem", "kmem_cache_alloc", false, call_site_init},
	{"kmem", "kmem_cache_alloc_node", false, call_site_init},
	{"kmem", "kmem_cache_free", false, call_site_init},
	{"timer", "hrtimer_expire_entry", false, hrtimer_expire_init},
	{"timer", "hrtimer_start", false, hrtimer_start_init},
	{"syscalls", "sys_enter_futex", false, futex_init},
	{"tlb", "tlb_flush", false, tlb_init},
	{"mac80211", "drv_bss_info_changed", false, bss_init},
	{NULL, NULL, false, NULL},
};
