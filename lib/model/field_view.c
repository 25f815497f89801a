/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the conversions of a print format that depend on one field, and runs them singly. "%s" of
 * __print_flags(REC->flags, ...) needs nothing but flags: it becomes a view, by which tables have a
 * name for each number, printed once for each value. A conversion that reads two fields is not a
 * view. Views are immutable and shared by threads. Used by lib/table and lib/analysis.
 */
#include "field_view.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "print_prog.h"
#include "record_part.h"

/* All views of one event format, and the compiled print fmt that they are parts of. */
struct model_views {
	struct print_prog prog;
	struct prog_env env;
	/*
	 * view->item indexes both this array and prog.items. text_len is 0 here, so a view prints
	 * its value without the words of print fmt around it.
	 */
	struct item *items; /* copies of the program's, without the literals before them */
	const struct tdat_event_format *format;
	/* A field's index is its distance from this first one (place_of). */
	const struct tdat_field *fields; /* of the format */
	struct model_view *list;
	uint32_t *by_field; /* for each field and kind: place in the list + 1; 0: none */
	size_t count, cap;
};

/* The fields that a conversion depends on: none yet, one, or several. */
struct uses {
	const struct tdat_event_format *format;
	const struct tdat_field *one;
	bool several;
};

/* Notes one more use. A missing field counts as several: its value depends on something unknown. */
static void use_field(struct uses *u, const struct tdat_field *f)
{
	if (!f || (u->one && u->one != f))
		u->several = true;
	u->one = f;
}

/*
 * Notes a number that is loaded from the fixed part of the record at off. Loads are compiled to
 * offsets, so the field is found by its range.
 */
static void use_offset(struct uses *u, uint32_t off)
{
	for (size_t i = 0; i < u->format->field_count; i++) {
		const struct tdat_field *f = &u->format->fields[i];

		if (off >= f->off && off - f->off < f->len) {
			use_field(u, f);
			return;
		}
	}
	u->several = true;
}

/* Expressions are as deep as print fmt may be nested, which its parser bounds. */
static void use_expr(struct uses *u, const struct expr *x)
{
	if (!x || u->several)
		return;
	switch (x->op) {
	case X_CONST:
		return;
	case X_U8:
	case X_U16:
	case X_U32:
	case X_U64:
	case X_S8:
	case X_S16:
	case X_S32:
		use_offset(u, x->off);
		return;
	case X_INDEX:
		use_offset(u, x->off);
		break;
	case X_DYN_INDEX:
	case X_DYN_LEN:
	case X_DYN_OFF:
		use_field(u, x->field);
		break;
	/* Functions and reads at a computed offset may depend on any byte of the record. */
	case X_CALL:
	case X_AT:
		u->several = true;
		return;
	default:
		break;
	}
	use_expr(u, x->a);
	use_expr(u, x->b);
	use_expr(u, x->c);
}

/* Notes all that one conversion reads: its value, width, precision and both arms of a choice. */
static void use_item(struct uses *u, const struct item *it)
{
	if (!it || u->several)
		return;
	if (it->call)
		u->several = true;
	if (it->field)
		use_field(u, it->field);
	/* These addresses are read from a fixed offset, without an expression that says so. */
	else if (it->op == I_MAC || it->op == I_IP4 || it->op == I_IP6 || it->op == I_UUID)
		use_offset(u, it->off);
	use_expr(u, it->star);
	if (it->k) {
		use_expr(u, it->k->width);
		use_expr(u, it->k->prec);
	}
	use_expr(u, it->value);
	use_expr(u, it->value2);
	use_item(u, it->yes);
	use_item(u, it->no);
}

/* True if the item can only print names that print fmt itself spells out. */
static bool is_name(const struct item *it)
{
	switch (it->op) {
	case I_FLAGS:
	case I_SYMBOL:
	case I_TEXT:
	case K_FLAGS:
	case K_SYMBOL:
	case K_TEXT:
		return true;
	case K_CHOICE:
	case I_CHOICE:
		return it->yes && it->no && is_name(it->yes) && is_name(it->no);
	default:
		return false;
	}
}

/*
 * Returns the kind of view that the conversion makes; false: none. A literal alone (I_TEXT, K_TEXT)
 * is not a view: it prints the same for every value.
 */
static bool kind_of(const struct item *it, enum model_view_kind *kind)
{
	switch (it->op) {
	case I_FUNCTION:
	case K_FUNCTION:
	case K_STACK:
		*kind = MODEL_VIEW_ADDRESS;
		return true;
	case I_MAC:
	case I_IP4:
	case I_IP6:
	case I_SOCKADDR:
	case I_UUID:
		*kind = MODEL_VIEW_TEXT;
		return true;
	case K_BYTES:
		*kind = MODEL_VIEW_TEXT;
		/* MAC and IP addresses and UUIDs only; other letters of %p print bytes as bytes. */
		return strchr("MmIiU", it->k->conv.letters[0]);
	default:
		*kind = MODEL_VIEW_NAME;
		return it->op != I_TEXT && it->op != K_TEXT && is_name(it);
	}
}

/*
 * True for a single integer. Names belong to numbers: a name for a string or an array has no
 * column.
 */
static bool is_number(const struct tdat_field *f)
{
	return !(f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE)) &&
	       model_is_number_len(f->len);
}

/* Returns the slot of a field and kind in by_field. */
static uint32_t *place_of(const struct model_views *v, const struct tdat_field *f,
			  enum model_view_kind kind)
{
	return &v->by_field[(size_t)(f - v->fields) * MODEL_VIEW_KINDS + kind];
}

/*
 * True if the field has a view of that kind already: only the first is kept. A conversion that
 * follows it without a literal between them belongs to it: "%s%s" prints "R+" of a task's state.
 */
static bool has_view(struct model_views *v, const struct model_view *view)
{
	const uint32_t at = *place_of(v, view->field, view->kind);
	struct model_view *had;

	if (!at)
		return false;
	had = &v->list[at - 1];
	if (had->item + had->count == view->item && !v->prog.items[view->item].text_len)
		had->count++;
	return true;
}

/*
 * Adds item i to the list if it depends on one field of the event. Common fields get no views.
 * False: no memory.
 */
static bool add_view(struct model_views *v, const struct tdat_event_format *format, uint32_t i)
{
	const struct item *it = &v->prog.items[i];
	struct uses u = {.format = format};
	struct model_view view = {.item = i, .count = 1};

	if (!kind_of(it, &view.kind))
		return true;
	use_item(&u, it);
	view.field = u.one;
	if (u.several || !u.one || (u.one->flags & TDAT_FIELD_COMMON) || has_view(v, &view))
		return true;
	if (view.kind == MODEL_VIEW_NAME && !is_number(u.one))
		return true;
	if (!TDAT_GROW(v->list, &v->cap, v->count + 1))
		return false;
	v->list[v->count++] = view;
	*place_of(v, view.field, view.kind) = (uint32_t)v->count;
	return true;
}

/* Fills items, by_field and list from the compiled program. False: no memory. */
static bool find_views(struct model_views *v, const struct tdat_event_format *format)
{
	v->items = calloc(v->prog.count + 1, sizeof(*v->items));
	v->fields = format->fields;
	v->by_field = calloc(format->field_count + 1, MODEL_VIEW_KINDS * sizeof(*v->by_field));
	if (!v->items || !v->by_field)
		return false;
	for (uint32_t i = 0; i < v->prog.count; i++) {
		v->items[i] = v->prog.items[i];
		v->items[i].text_len = 0;
		if (!add_view(v, format, i))
			return false;
	}
	return true;
}

enum tdat_status model_views_new(struct model_views **out, const struct tdat_event_format *format,
				 const struct model_env *env, struct tdat_error *err)
{
	struct model_views *v = calloc(1, sizeof(*v));
	enum prog_result r = PROG_NOMEM;
	char why[128];

	*out = NULL;
	if (v)
		/* Plugins are left out: they print a whole event, not one conversion of it. */
		r = prog_compile(&v->prog, format, env, MODEL_PRINT_NO_PLUGINS, why, sizeof(why));
	if (r == PROG_NOMEM || (r == PROG_OK && !find_views(v, format))) {
		model_views_free(v);
		return tdat_error_no_memory(err, tdat_event_format_name(format));
	}
	v->env = prog_env_of(env, format);
	v->format = format;
	*out = v;
	return TDAT_OK;
}

void model_views_free(struct model_views *v)
{
	if (!v)
		return;
	prog_fini(&v->prog);
	free(v->items);
	free(v->list);
	free(v->by_field);
	free(v);
}

const struct model_view *model_views_find(const struct model_views *v, const struct tdat_field *f,
					  enum model_view_kind kind)
{
	const uint32_t at = v->count ? *place_of(v, f, kind) : 0;

	return at ? &v->list[at - 1] : NULL;
}

/* Runs view->count items of the program, as if print fmt consisted of them alone. */
void model_view_run(const struct model_views *v, const struct model_view *view,
		    struct tdat_span record, struct model_scratch *scratch, struct tdat_build *out)
{
	struct print_prog one = v->prog;
	/* The limit of the whole event's text (--max print_len) holds for the part, too. */
	const size_t most = prog_text_most(&one, record.len);
	const size_t most_len = out->len + most;

	one.items = &v->items[view->item];
	one.count = view->count;
	if (!tdat_build_hold(out, most + one.room + MODEL_TEXT_ROOM))
		return;
	prog_run(&one, &v->env, record, scratch, out);
	tdat_build_let_go(out);
	if (out->len > most_len)
		out->len = most_len;
}

/* Appends a value that has no field of its own, such as the arguments of trace_printk(). */
bool model_views_part(const struct model_views *v, const struct record_part *part,
		      struct tdat_span record, struct model_scratch *scratch,
		      struct tdat_build *out)
{
	const struct record_part_in in = {.part = part,
					  .format = v->format,
					  .env = &v->env,
					  .record = record,
					  .scratch = scratch,
					  .text_most = prog_text_most(&v->prog, record.len)};
	const size_t most_len = out->len + in.text_most;
	bool there;

	/* Half a JSON value is not JSON: the functions that make it check the limit themselves. */
	if (part->type != RECORD_PART_TEXT)
		return part->put(&in, out);
	if (!tdat_build_hold(out, in.text_most + MODEL_TEXT_ROOM))
		return true;
	there = part->put(&in, out);
	tdat_build_let_go(out);
	if (out->len > most_len)
		out->len = most_len;
	return there;
}
