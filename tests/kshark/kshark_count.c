/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many entries KernelShark's library loads of each file: kshark_count FILE... */
#include <stdio.h>
#include <stdlib.h>

#include <libkshark.h>

/* Entries of the top buffer, missed events among them; -1: it cannot be opened. */
static ssize_t count_entries(struct kshark_context *ctx, const char *path)
{
	struct kshark_entry **rows = NULL;
	int sd = kshark_open(ctx, path);
	ssize_t n;

	if (sd < 0)
		return -1;
	n = kshark_load_entries(ctx, sd, &rows);
	for (ssize_t i = 0; i < n; i++)
		free(rows[i]);
	free(rows);
	kshark_close(ctx, sd);
	return n;
}

int main(int argc, char **argv)
{
	struct kshark_context *ctx = NULL;

	if (!kshark_instance(&ctx))
		return 1;
	for (int i = 1; i < argc; i++)
		printf("%zd %s\n", count_entries(ctx, argv[i]), argv[i]);
	kshark_free(ctx);
	return 0;
}
