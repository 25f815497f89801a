/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reduces repeated options to one (the last, or the sum); rejects options that would be truncated.
 * Tools that add to a file leave several options of one id. Where readers use the last one, that
 * one is copied; where they add up (DATE, OFFSET), the sum is made. Options that a new file would
 * cut are refused, so that no byte is lost unseen. Called by copy.c, lib/merge and lib/repair.
 */
#include "copy_once.h"

#include <inttypes.h>

#include "dat/option_table.h"
#include "file/clock_facts.h"
#include "file/file.h"
#include "file/option_parts.h"

/* Writes the sum as trace-cmd writes these numbers; a negative one in decimal, for strtoll(). */
static void put_sum(struct tdat_build *text, int64_t sum)
{
	if (sum < 0)
		tdat_build_printf(text, "%" PRId64, sum);
	else
		tdat_build_printf(text, "0x%" PRIx64, (uint64_t)sum);
	tdat_build_u8(text, 0);
}

/*
 * Sets *out to the option that a copy gets for option index. False: a later option takes its place.
 * The search is linear to the next option of the id: options x ids that should be there once.
 */
bool copy_option_once(const struct tdat_file *file, size_t index, struct tdat_build *text,
		      struct tdat_file_option *out)
{
	size_t count;
	const struct tdat_file_option *list = tdat_file_options(file, &count);
	const struct dat_option_def *def = dat_option_def(list[index].id);
	bool several = false;
	int64_t sum = 0;

	*out = list[index];
	for (size_t i = index + 1; def->once && i < count; i++)
		if (list[i].id == out->id)
			return false;
	/* An option that no clock can use is not copied. */
	if (!def->summed)
		return clock_option_check(out, file->ix.big, NULL) == TDAT_OK;
	/* The sum stands at the last of them: earlier ones returned false above. */
	for (size_t i = 0; i <= index; i++)
		if (list[i].id == out->id) {
			several |= i < index;
			sum = clock_wrap_add(sum, clock_number(list[i].data));
		}
	if (!several)
		return clock_option_check(out, file->ix.big, NULL) == TDAT_OK;
	text->len = 0;
	put_sum(text, sum);
	out->data = (struct tdat_span){text->ptr, text->len};
	return true;
}

/* Refuses an option with bytes that no reader uses: a copy would lose them without a word. */
enum tdat_status copy_option_whole(const struct tdat_file *file,
				   const struct tdat_file_option *option, bool swaps,
				   struct tdat_error *err)
{
	const struct dat_option_def *def = dat_option_def(option->id);
	size_t rest_len;

	/* Options that are copied byte by byte lose nothing. */
	if (!dat_option_is_own(option->id) && !def->once && !(swaps && def->nul == DAT_NUL_NONE))
		return TDAT_OK;
	rest_len = option_unread(file, option).len;
	if (!rest_len)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_DAMAGED, option->off,
			      "option %s at offset %llu of %s has %zu unread bytes, which a copy "
			      "would lose: repair the file first",
			      def->name, (unsigned long long)option->off,
			      tdat_file_info(file)->name, rest_len);
}
