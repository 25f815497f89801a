/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Guesses the layout and byte order that the entries look most like: docs/formats/ktr.md §5.
 * Candidates are scored on samples of the entries, and one that cannot win any more is given up
 * early. If none is plausible, the capture is refused. Probing uses the same code.
 */
#include "ktr.h"

#include <string.h>

#include "import/window.h"
#include "elf_image.h"
#include "entry_layout.h"
#include "kernel_strings.h"

enum {
	LOOK_WINDOWS = 64, /* windows of a large file that are read */
	LOOK_WINDOW_LEN = 128 * 1024,
	LOOK_STEP = 16 * 1024, /* on the stack: a guess must not depend on memory */
	LOOK_ALL = LOOK_WINDOWS * LOOK_WINDOW_LEN,
	/* Head that probing reads. */
	PROBE_LEN = 16 * 1024,
	ENTRY_BITS = 48 /* line, CPU and equal high halves of two pointers */
};

static bool all_zero(const uint8_t *p, size_t len)
{
	while (len && !*p) {
		p++;
		len--;
	}
	return !len;
}

/* True if two pointers lead into one kernel image: their high bits agree. */
static bool same_region(const struct ktr_layout *l, const struct ktr_entry *e)
{
	unsigned int shift = l->word == 8 ? 32 : 24;

	return e->file && e->desc && e->file >> shift == e->desc >> shift;
}

/* True if a span is printable text; formats may also hold newlines and tabs. */
static bool is_text(struct tdat_span s)
{
	if (!s.ptr || !s.len)
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] >= 0x7f || (s.ptr[i] < 0x20 && s.ptr[i] != '\n' && s.ptr[i] != '\t'))
			return false;
	return true;
}

/* Less than the points of any file, and far from where sums overflow. */
#define NO_POINTS (INT64_MIN / 2)

enum { MARKS = 5, MARKS_WITH_STRINGS = 4 }; /* marks of an entry that is right in all respects */

struct score {
	int64_t points;
	uint64_t seen; /* entries looked at that are not all zero */
	uint64_t plausible;
};

/*
 * Score of one candidate. Points are weighted by bytes, so that layouts of different lengths
 * compare.
 */
struct scorer {
	const struct ktr_setup *setup;
	/* NULL: no strings or images, so pointers are judged by their shape. */
	struct ktr_strings *strings;
	uint64_t last_ts;
	struct score score;
	int64_t best; /* points of the best candidate so far */
	int64_t left; /* bytes still to be scored, at most */
};

/* True if the score can no longer exceed the best: each byte left earns at most MARKS points. */
static bool is_beaten(const struct scorer *s)
{
	return s->score.points <= s->best - s->left * (s->strings ? MARKS_WITH_STRINGS : MARKS);
}

/*
 * Adds the marks of one entry. A wrong layout gets about random marks, and each miss costs points.
 */
static void score_entry(struct scorer *s, const uint8_t *p)
{
	const struct ktr_layout *l = s->setup->layout;
	bool line_ok, cpu_ok, region;
	struct ktr_entry e;
	int good, all;

	/* Unused slots fit any layout. */
	if (all_zero(p, l->len))
		return;
	ktr_decode(s->setup, p, &e);
	line_ok = e.line < KTR_LINE_MAX;
	cpu_ok = !e.bad_cpu;
	region = same_region(l, &e);
	good = line_ok + cpu_ok;
	/* With strings the pointers can be checked: both must lead to text. */
	if (s->strings) {
		good += is_text(ktr_strings_find(s->strings, e.file));
		good += !e.desc || is_text(ktr_strings_find(s->strings, e.desc));
		all = MARKS_WITH_STRINGS;
	} else {
		good += (e.desc != 0) + region + (e.ts >= s->last_ts);
		all = MARKS;
	}
	s->last_ts = e.ts;
	s->score.seen++;
	s->score.plausible += good >= all - (s->strings ? 1 : 0) || (line_ok && cpu_ok && region);
	s->score.points += (int64_t)l->len * (good == all ? all : good - all);
}

/* Scores entries from off to end. It ends early when beaten or where the file cannot be read. */
static void score_range(struct scorer *s, const struct tdat_source *source, uint64_t off,
			uint64_t end)
{
	size_t len = s->setup->layout->len;
	uint8_t room[LOOK_STEP];
	struct import_window w;

	import_window_init(&w, source, sizeof(room));
	import_window_lend(&w, room, sizeof(room));
	for (; end - off >= len && !is_beaten(s); off += len) {
		const uint8_t *p = import_window_get(&w, off, len, NULL);

		if (!p)
			break;
		score_entry(s, p);
		s->left -= (int64_t)len;
	}
	import_window_fini(&w);
}

/* Bytes of a file that are scored, at most. */
static uint64_t look_len(const struct tdat_source *source)
{
	const uint64_t total = tdat_source_len(source);

	return total < LOOK_ALL ? total : LOOK_ALL;
}

/*
 * Scores the whole file, or windows evenly spread over a large one. It ends early where the score
 * is beaten, which does not change the choice.
 */
static void score_source(struct scorer *s, const struct tdat_source *source)
{
	uint64_t total = tdat_source_len(source), entry = s->setup->layout->len;

	/* One point breaks ties: the right layout divides the file's length. */
	if (total % entry == 0 && total)
		s->score.points++;
	if (total <= LOOK_ALL) {
		score_range(s, source, 0, total);
		return;
	}
	/* Windows begin at a whole entry, or each one would be scored out of step. */
	for (uint64_t i = 0; i < LOOK_WINDOWS && !is_beaten(s); i++) {
		uint64_t off = total / LOOK_WINDOWS * i / entry * entry;

		score_range(s, source, off, off + LOOK_WINDOW_LEN);
	}
}

/*
 * Scores the head of a file as ktr_detect() does, without memory: probing must not fail for lack of
 * it.
 */
static struct score score_head(size_t id, bool big, const uint8_t *p, size_t len)
{
	struct ktr_setup setup = {.layout = ktr_layout(id), .big = big};
	struct scorer s = {.setup = &setup};

	for (size_t n = setup.layout->len; len >= n; p += n, len -= n)
		score_entry(&s, p);
	return s.score;
}

/* Refuses a capture with the best guess named, so that a user can confirm or correct it. */
static enum tdat_status refuse(const struct tdat_import_input *in, const struct score *best,
			       const struct ktr_setup *setup, struct tdat_error *err)
{
	if (!setup->layout)
		return tdat_error_set(err, TDAT_E_FORMAT, 0,
				      "%s does not look like KTR entries: specify their layout "
				      "with --layout and --endian",
				      in->path);
	return tdat_error_set(err, TDAT_E_FORMAT, 0,
			      "only %llu of %llu entries of %s look like %s, %s endian: specify "
			      "their layout with --layout and --endian",
			      (unsigned long long)best->plausible, (unsigned long long)best->seen,
			      in->path, setup->layout->name, setup->big ? "big" : "little");
}

/*
 * Chooses the layout and byte order that fit best among the candidates. Sets setup->layout to NULL
 * if all files are empty.
 */
enum tdat_status ktr_detect(struct ktr_setup *setup, const struct ktr_candidates *candidates,
			    const struct tdat_import_input *const *data, size_t data_count,
			    struct ktr_strings *strings, struct tdat_error *err)
{
	struct score best = {NO_POINTS, 0, 0};
	uint64_t total = 0;

	setup->layout = NULL;
	/* A point is given for a file as a whole; more bytes than there can be do no harm. */
	for (size_t i = 0; i < data_count; i++)
		total += look_len(data[i]->source) + (tdat_source_len(data[i]->source) > 0);
	if (!total)
		return TDAT_OK;
	for (size_t id = 0; id < KTR_SCORED; id++) {
		for (int big = 0; big < 2; big++) {
			struct ktr_setup trial = {.layout = ktr_layout(id), .big = big};
			struct scorer s = {
				.setup = &trial, .best = best.points, .left = (int64_t)total};

			if (!candidates->allowed[id][big])
				continue;
			s.strings = ktr_strings_any(strings) ? strings : NULL;
			for (size_t i = 0; i < data_count; i++)
				score_source(&s, data[i]->source);
			/* Ties keep the earlier candidate, so the order of the table decides. */
			if (s.score.points <= best.points)
				continue;
			best = s.score;
			setup->layout = trial.layout;
			setup->big = big;
		}
	}
	/* Where there is only one kind to choose, files that hold no entry need not prove it. */
	if (setup->layout && !best.seen)
		return TDAT_OK;
	if (!setup->layout || best.plausible * 2 < best.seen)
		return refuse(data[0], &best, setup, err);
	return TDAT_OK;
}

/* True if an entry of a known layout looks right in this byte order. */
static bool order_fits(const struct ktr_setup *setup, const struct ktr_entry *e,
		       struct ktr_strings *strings)
{
	unsigned int top = setup->layout->word * 8 - 1;

	if (e->unused)
		return false;
	if (e->has_text)
		return e->line < KTR_LINE_MAX && !e->bad_cpu;
	if (strings)
		return is_text(ktr_strings_find(strings, e->desc));
	return e->desc >> top; /* kernels are in the upper half */
}

/*
 * Chooses the byte order where the layout is known: both are tried on each file's head. Ties are
 * little endian.
 */
bool ktr_detect_big(const struct ktr_setup *setup, const struct tdat_import_input *const *data,
		    size_t data_count, struct ktr_strings *strings)
{
	uint64_t fits[2] = {0, 0};

	for (size_t i = 0; i < 2 * data_count; i++) {
		struct ktr_setup trial = *setup;
		size_t len = setup->layout->len;
		struct import_window w;
		struct ktr_entry e = {0};
		uint8_t room[LOOK_STEP];
		const uint8_t *p;

		/* Even turns are little endian, odd ones big endian. */
		trial.big = i & 1;
		import_window_init(&w, data[i / 2]->source, sizeof(room));
		import_window_lend(&w, room, sizeof(room));
		for (uint64_t off = 0; off < LOOK_WINDOW_LEN; off += len) {
			p = import_window_get(&w, off, len, NULL);
			if (!p)
				break;
			ktr_decode(&trial, p, &e);
			fits[i & 1] += order_fits(&trial, &e, strings);
		}
		import_window_fini(&w);
	}
	return fits[1] > fits[0];
}

/* Confidence in bits that a file holds binary entries; 0: it does not look so. */
static uint32_t probe_binary(const struct tdat_import_input *in)
{
	uint8_t buf[PROBE_LEN];
	const struct tdat_span head = import_look(in->source, buf, sizeof(buf));
	uint64_t best = 0;

	for (size_t id = 0; id < KTR_SCORED; id++) {
		for (int big = 0; big < 2; big++) {
			struct score s = score_head(id, big, head.ptr, head.len);

			/* Half of the entries must be plausible: random data rarely is. */
			if (s.points > 0 && s.plausible * 2 >= s.seen && s.plausible > best)
				best = s.plausible;
		}
	}
	return (uint32_t)(best * ENTRY_BITS);
}

/* True if the first 4 KB of a file hold the key. */
static bool has_key(const struct tdat_source *source, const char *key)
{
	uint8_t buf[4096];
	const struct tdat_span head = import_look(source, buf, sizeof(buf));

	return memmem(head.ptr, head.len, key, strlen(key)) != NULL;
}

/* Confidence in bits that the inputs are a KTR capture; the importer with most bits is chosen. */
uint32_t ktr_probe(const struct tdat_import_input *inputs, size_t input_count)
{
	uint32_t bits = 0, cpu;

	for (size_t i = 0; i < input_count; i++) {
		const struct tdat_import_input *in = &inputs[i];

		if (!strcmp(in->name, "meta")) {
			if (has_key(in->source, "ktr_") || has_key(in->source, "layout=bsdos"))
				bits += 64;
			continue;
		}
		/* A telling name is worth its bits of text. */
		if (!strcmp(in->name, "ktr.out") || ktr_ring_cpu(in->name, &cpu))
			bits += 8 * (uint32_t)strlen(in->name);
		if (!tdat_source_len(in->source) || ktr_is_elf(in->source) ||
		    ktr_is_strings_name(in->name))
			continue;
		bits += ktr_text_probe(in->source);
		if (!ktr_text_is(in->source))
			bits += probe_binary(in);
	}
	return bits;
}
