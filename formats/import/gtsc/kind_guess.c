/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Guesses what kind of records the files hold, and how sure it is that they are a capture. It
 * looks at names and at the first bytes of each file and counts what fits each kind. It
 * allocates nothing, as probing must not.
 */
#include "gtsc.h"

#include <string.h>

#include "import/blktrace/blktrace.h"

enum {
	LOOK_LEN = 4096, /* bytes of a file that are checked */
	/* '[', "] " and digits between them */
	STAMP_BITS = 16, /* '[', "] ", and digits between */
	HEADER_BITS = 32
};

static bool is_stap_name(const char *name)
{
	return !strncmp(name, "stpd_cpu", 8);
}

/*
 * Records of SystemTap in the head; 0: they do not fill it. Text cannot pass: the high bytes of a
 * sequence number and a length are zero.
 */
static size_t stap_records(struct tdat_span head)
{
	size_t little, big, little_len, big_len;

	if (head.len < 8 || !memchr(head.ptr, 0, 8))
		return 0;
	little_len = gtsc_stap_score(head, false, &little);
	big_len = gtsc_stap_score(head, true, &big);
	if (little_len < head.len && big_len < head.len)
		return 0;
	return little_len >= big_len ? little : big;
}

/*
 * Counts timestamps at the start of lines, or of a sub-buffer behind its padding count of 4 bytes.
 */
static uint32_t count_stamps(struct tdat_span head)
{
	uint32_t count = 0;

	for (size_t i = 0; i < head.len; i++) {
		int64_t stamp;
		size_t len;

		if (head.ptr[i] != '[' || (i && i != 4 && head.ptr[i - 1] != '\n'))
			continue;
		count += gtsc_parse_stamp((struct tdat_span){head.ptr + i, head.len - i}, &stamp,
					  &len);
	}
	return count;
}

/*
 * Guesses the kind of all files: blktrace by magic or name wins, then SystemTap; text is the
 * default.
 */
const struct relay_kind *gtsc_guess_kind(const struct relay_files *files)
{
	const struct relay_kind *kind = &gtsc_text_kind;

	for (size_t i = 0; i < files->count; i++) {
		const struct relay_file *f = &files->files[i];
		uint8_t buf[LOOK_LEN];
		struct tdat_span head = import_look(f->source, buf, sizeof(buf));
		bool big;

		if (blk_version(head, &big) || strstr(f->name, ".blktrace."))
			return &blk_kind;
		if (is_stap_name(f->name) || (!count_stamps(head) && stap_records(head)))
			kind = &gtsc_stap_kind;
	}
	return kind;
}

/* Confidence in bits that an input is data of a channel. */
static uint32_t probe_data(const struct tdat_import_input *in)
{
	uint8_t buf[LOOK_LEN];
	struct tdat_span head = import_look(in->source, buf, sizeof(buf));
	uint32_t bits = count_stamps(head) * STAMP_BITS;
	bool text = gtsc_binary_percent(head) <= 30;

	if (is_stap_name(in->name) || (!bits && relay_is_data_name(in->name)))
		bits += (uint32_t)stap_records(head) * HEADER_BITS;
	if (relay_is_data_name(in->name) && (bits || text))
		bits += 8;
	return bits;
}

/*
 * Confidence in bits of a capture. Files without a telling name count only if all of them look
 * alike. 0 for block traces: their own importer takes them.
 */
uint32_t gtsc_probe(const struct tdat_import_input *inputs, size_t input_count)
{
	uint64_t named = 0, others = 0, sidecars = 0;
	bool strange = false;

	for (size_t i = 0; i < input_count; i++) {
		const char *name = inputs[i].name;
		uint8_t buf[16];
		uint32_t bits;
		bool big;

		if (strstr(name, ".blktrace.") ||
		    blk_version(import_look(inputs[i].source, buf, sizeof(buf)), &big))
			return 0;
		if (relay_is_sidecar(name)) {
			sidecars += strcmp(name, "meta") != 0;
			continue;
		}
		bits = probe_data(&inputs[i]);
		if (relay_is_data_name(name))
			named += bits;
		else
			others += bits;
		strange = strange || !bits;
	}
	if (!named && !strange)
		named = others;
	if (!named)
		return 0;
	named += sidecars * 8;
	return named > UINT32_MAX ? UINT32_MAX : (uint32_t)named;
}
