/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the events of a trace file: count_events FILE. */
#include <stdio.h>

#include <tdat/tdat.h>

int main(int argc, char **argv)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *event;
	struct tdat_iter *iter;
	unsigned long count = 0;

	tdat_iter_open(&iter, argc > 1 ? argv[1] : "trace.dat", NULL, &err);
	while (!err.status && !tdat_iter_next(iter, &event, &err) && event)
		count++;
	tdat_iter_free(iter);
	printf("%lu events\n%s", count, err.message);
	return err.status != TDAT_OK;
}
