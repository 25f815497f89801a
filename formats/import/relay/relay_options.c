/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the options that all importers of relay channels have, and the meta file of a channel.
 * The order is option, then meta file, then a guess. An importer offers a subset, by its table
 * row.
 */
#include "relay.h"

#include <inttypes.h>
#include <string.h>

#include "core/text.h"
#include "import/importer_options.h"

/* SUB_MIN: a padding count and something behind it; LOOK_SLOTS: sub-buffers looked at. */
enum { SUB_MIN = 8, LOOK_SLOTS = 64 };

static const char *const paddings[] = {"none", "zero", "count", NULL};
static const char *const orders[] = {"little", "big", "auto", NULL};

/*
 * Reads the options that all relay importers share. What is not given stays for relay_meta_read().
 */
enum tdat_status relay_options_read(struct relay_options *o,
				    const struct tdat_import_request *request,
				    struct tdat_error *err)
{
	/* None of the names: not given. */
	size_t padding = 3;
	enum tdat_status st;

	*o = (struct relay_options){.order = RELAY_ORDER_UNKNOWN, .threads = request->threads};
	st = import_option_choice(request, "padding", paddings, &padding, TDAT_OK, err);
	st = import_option_choice(request, "endian", orders, &o->order, st, err);
	st = import_option_u64(request, "sub-size", SUB_MIN, RELAY_SUB_MAX, &o->geometry.sub_len,
			       st, err);
	st = import_option_u64(request, "subbufs-produced", 1, UINT64_MAX, &o->geometry.produced,
			       st, err);
	o->has_padding = padding < 3;
	if (o->has_padding)
		o->geometry.padding = (enum relay_padding)padding;
	o->uname = import_option_find(request, "uname");
	o->wall_clock = !import_option_flag(request, "no-wall-clock");
	o->mark_dropped = import_option_flag(request, "mark-dropped");
	return st;
}

enum tdat_status relay_sidecar_u64(const struct tdat_import_input *in, const struct tdat_emit *emit,
				   uint64_t *out, struct tdat_error *err)
{
	char line[64];

	if (!in)
		return TDAT_OK;
	relay_sidecar_line(in, line, sizeof(line));
	if (tdat_whole_size(line, out))
		return TDAT_OK;
	*out = 0;
	return tdat_emit_warnf(emit, in->name, 0, err, "it does not contain a number");
}

/*
 * Reads a number of meta between min and max. *out stays if the key is missing or, with a warning,
 * bad.
 */
enum tdat_status relay_meta_u64(const struct tdat_import_input *meta, const char *key, uint64_t min,
				uint64_t max, uint64_t *out, const struct tdat_emit *emit,
				struct tdat_error *err)
{
	char value[64];
	uint64_t v;

	if (!relay_meta_value(meta, key, value, sizeof(value)))
		return TDAT_OK;
	if (tdat_whole_size(value, &v) && v >= min && v <= max) {
		*out = v;
		return TDAT_OK;
	}
	return tdat_emit_warnf(emit, meta->name, TDAT_NO_OFFSET, err,
			       "%s is \"%s\", not a number from %" PRIu64 " to %" PRIu64
			       ", and is ignored",
			       key, value, min, max);
}

/*
 * Reads "key=name" of meta: *out becomes the name's index. It stays if the key is missing or, with
 * a warning, unknown.
 */
static enum tdat_status meta_choice(const struct tdat_import_input *meta, const char *key,
				    const char *const *names, size_t *out,
				    const struct tdat_emit *emit, struct tdat_error *err)
{
	char value[64];

	if (!relay_meta_value(meta, key, value, sizeof(value)) ||
	    import_find_name(names, value, out))
		return TDAT_OK;
	return tdat_emit_warnf(emit, meta->name, TDAT_NO_OFFSET, err,
			       "%s is \"%s\", which is unknown and is ignored", key, value);
}

/* Adds what the meta file says where no option does. meta may be NULL. */
enum tdat_status relay_meta_read(struct relay_options *o, const struct tdat_import_input *meta,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	size_t padding = o->geometry.padding;
	enum tdat_status st = TDAT_OK;

	if (!meta)
		return TDAT_OK;
	if (!o->geometry.sub_len)
		st = relay_meta_u64(meta, "sub_size", SUB_MIN, RELAY_SUB_MAX, &o->geometry.sub_len,
				    emit, err);
	if (st == TDAT_OK && !o->geometry.produced)
		st = relay_meta_u64(meta, "subbufs_produced", 0, UINT64_MAX, &o->geometry.produced,
				    emit, err);
	if (st == TDAT_OK && !o->has_padding)
		st = meta_choice(meta, "padding", paddings, &padding, emit, err);
	if (st == TDAT_OK && o->order == RELAY_ORDER_UNKNOWN)
		st = meta_choice(meta, "endian", orders, &o->order, emit, err);
	o->geometry.padding = (enum relay_padding)padding;
	return st;
}

/* Whether a file is whole sub-buffers, of which one ends with zeros. */
static bool looks_raw(const struct tdat_source *source, uint64_t sub_len, uint64_t count)
{
	const uint64_t len = tdat_source_len(source), slots = len / sub_len;
	uint8_t last = 1;

	if (!slots || len % sub_len || (count && slots > count))
		return false;
	for (uint64_t i = 1; last && i <= slots && i <= LOOK_SLOTS; i++)
		if (tdat_source_read(source, i * sub_len - 1, &last, 1, NULL) != TDAT_OK)
			return false;
	return !last;
}

/* A number of a control file that cannot be is as none. */
enum tdat_status relay_control_read(struct relay_options *o, const struct relay_files *f,
				    bool guess, const struct tdat_emit *emit,
				    struct tdat_error *err)
{
	struct relay_geometry *g = &o->geometry;
	const bool told = o->has_padding || g->padding != RELAY_PAD_NONE || g->produced;
	uint64_t sub_len = g->sub_len, count = 0;
	enum tdat_status st = TDAT_OK;
	bool raw = told || sub_len;

	if (!sub_len)
		st = relay_sidecar_u64(f->sub_size, emit, &sub_len, err);
	if (st == TDAT_OK)
		st = relay_sidecar_u64(f->nr_sub, emit, &count, err);
	if (st != TDAT_OK || sub_len < SUB_MIN || sub_len > RELAY_SUB_MAX)
		return st;
	for (size_t i = 0; i < f->count && guess && !raw; i++)
		raw = looks_raw(f->files[i].source, sub_len, count);
	if (!raw)
		return TDAT_OK;
	if (!told && !g->sub_len)
		g->padding = RELAY_PAD_ZERO;
	g->sub_len = sub_len;
	g->ring = count;
	for (size_t i = 0; i < f->count && st == TDAT_OK; i++) {
		const uint64_t have = tdat_source_len(f->files[i].source) / sub_len;

		if (have && have < count)
			st = tdat_emit_warnf(emit, f->files[i].name, have * sub_len, err,
					     "it has only %" PRIu64 " of the %" PRIu64
					     " sub-buffers that nr_sub counts",
					     have, count);
	}
	return st;
}
