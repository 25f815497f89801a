/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Guesses the layout and byte order that explain the most bytes: docs/formats/kmemtrace.md §6.
 * Each layout and byte order is scored on the first records of the files. Probing uses the same
 * code.
 */
#include <string.h>

#include "core/cursor.h"
#include "core/text.h"
#include "kmemtrace.h"

enum {
	LOOK_LEN = 16 * 1024, /* of each file */
	RECORD_BITS = 32,     /* checked in one record: ids and size, and more */
	BESIDE_BITS = 128     /* a file beside the records that only kmemtrace has */
};

/* Level of proof that a record must give. */
enum strictness {
	STRICT,	    /* everything of docs/formats/kmemtrace.md §6 */
	LOOSE_TAIL, /* relay whose features may be anything */
	SIZES_ONLY  /* only the chain of sizes */
};

/* True if the tail is a chain of features that ends exactly where the tail does. */
static bool tail_is_exact(struct tdat_span tail, bool big)
{
	struct kmem_feature feature;
	uint16_t size;
	enum kmem_feature_verdict v;

	do {
		v = kmem_next_feature(&tail, big, &feature, &size);
	} while (v == KMEM_FEATURE_OK);
	return v == KMEM_FEATURE_END;
}

struct score {
	uint64_t bytes;
	uint64_t records;
};

/* Length of a plausible record at the start of left; 0: it is not one. */
static size_t plausible(enum kmem_layout_id id, bool big, struct tdat_span left,
			enum strictness strictness)
{
	const struct kmem_layout *l = kmem_layout(id);
	struct kmem_record rec;
	struct kmem_head head;
	uint32_t least;

	if (left.len < l->free_len)
		return 0;
	head = kmem_read_head(l, left.ptr, big);
	least = kmem_least_len(l, head.event_id);
	if (strictness == SIZES_ONLY)
		least = l->free_len;
	else if (!least || head.type_id > 2)
		return 0;
	if (head.len < least || head.len > KMEM_RECORD_PLAUSIBLE || head.len > left.len)
		return 0;
	if (strictness != STRICT)
		return head.len;
	/* Layouts without sequence numbers have no features, so their lengths are fixed. */
	if (!l->has_seq && head.len != least)
		return 0;
	kmem_decode(l, big, (struct tdat_span){left.ptr, head.len}, &rec);
	if (l->has_cpu && rec.cpu > KMEM_FTRACE_CPU_MAX)
		return 0;
	/* NUMA nodes are few; -1 means any. */
	if (!l->has_seq && !l->has_cpu && !rec.is_free && (rec.node < -1 || rec.node > 1023))
		return 0;
	return tail_is_exact(rec.tail, big) ? head.len : 0;
}

/*
 * Sums the plausible records from the start. The first implausible one ends it: records follow
 * without gaps.
 */
static struct score score_span(enum kmem_layout_id id, bool big, struct tdat_span data,
			       enum strictness strictness)
{
	struct score score = {0, 0};

	for (;;) {
		size_t n = plausible(id, big, data, strictness);

		if (!n)
			return score;
		score.bytes += n;
		score.records++;
		data = tdat_span_from(data, n);
	}
}

typedef uint64_t score_table[KMEM_LAYOUT_COUNT][2];

/* Adds the score of one file for each layout and byte order. */
static void add_scores(score_table scores, const struct tdat_source *source,
		       enum strictness strictness)
{
	uint8_t buf[LOOK_LEN];
	struct tdat_span data = import_look(source, buf, sizeof(buf));

	for (unsigned int id = 0; id < KMEM_LAYOUT_COUNT; id++)
		for (unsigned int big = 0; big < 2; big++)
			scores[id][big] += score_span(id, big, data, strictness).bytes;
}

/*
 * Picks the best of the allowed candidates, over all files. Ties keep the earlier one. False: none
 * scored.
 */
static bool pick(struct kmem_setup *setup, size_t layout, int big, enum strictness strictness)
{
	const struct relay_files *files = &setup->files->data;
	score_table scores = {{0}};
	uint64_t best = 0;

	for (size_t i = 0; i < files->count; i++)
		add_scores(scores, files->files[i].source, strictness);
	for (unsigned int id = 0; id < KMEM_LAYOUT_COUNT; id++) {
		if (layout < KMEM_LAYOUT_COUNT && id != layout)
			continue;
		for (int order = 0; order < 2; order++) {
			if ((big >= 0 && order != big) || scores[id][order] <= best)
				continue;
			best = scores[id][order];
			setup->layout = kmem_layout(id);
			setup->big = order;
		}
	}
	return best > 0;
}

/*
 * Settles layout and byte order. Without any plausible record it is relay, so that damage can still
 * be reported.
 */
void kmem_detect(struct kmem_setup *setup, size_t layout, int big)
{
	const struct relay_files *files = &setup->files->data;

	setup->layout =
		kmem_layout(layout < KMEM_LAYOUT_COUNT ? (enum kmem_layout_id)layout : KMEM_RELAY);
	setup->big = big > 0;
	setup->known = layout < KMEM_LAYOUT_COUNT && big >= 0;
	for (size_t i = 0; i < files->count && !setup->known; i++)
		setup->known = tdat_source_len(files->files[i].source) > 0;
	if (pick(setup, layout, big, STRICT))
		return;
	/* Weaker proofs are for relay alone, unless the user named a layout. */
	if (layout >= KMEM_LAYOUT_COUNT)
		layout = KMEM_RELAY;
	if (pick(setup, layout, big, LOOSE_TAIL))
		return;
	pick(setup, layout, big, SIZES_ONLY);
}

/* Confidence in bits that the inputs are a kmemtrace capture. Empty files count by name only. */
uint32_t kmem_probe(const struct tdat_import_input *inputs, size_t input_count)
{
	score_table records = {{0}};
	uint64_t best = 0, named = 0, beside = 0;

	for (size_t i = 0; i < input_count; i++) {
		const struct tdat_import_input *in = &inputs[i];
		const bool empty = !tdat_source_len(in->source);
		uint8_t buf[LOOK_LEN];
		struct tdat_span data;
		uint32_t cpu;

		/* No other capture has these. */
		beside += !strcmp(in->name, "abi_version") || !strcmp(in->name, "total_overruns");
		if (!empty && kmem_is_text(in->source))
			continue;
		named += kmem_cpu_of_name(in->name, &cpu) && strstr(in->name, ".out");
		data = import_look(in->source, buf, sizeof(buf));
		for (unsigned int id = 0; id < KMEM_LAYOUT_COUNT && !empty; id++)
			for (unsigned int big = 0; big < 2; big++)
				records[id][big] += score_span(id, big, data, STRICT).records;
	}
	for (unsigned int id = 0; id < KMEM_LAYOUT_COUNT; id++)
		for (unsigned int big = 0; big < 2; big++)
			if (records[id][big] > best)
				best = records[id][big];
	best = best * RECORD_BITS + named * 8 + (best || named ? beside * BESIDE_BITS : 0);
	return best > UINT32_MAX ? UINT32_MAX : (uint32_t)best;
}
