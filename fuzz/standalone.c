/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a fuzz target over files and folders of them, without a fuzzer. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static size_t ran;

static void run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t len = 0, n;

	if (!f) {
		perror(path);
		exit(1);
	}
	do {
		uint8_t *p = realloc(data, len + 65536);

		if (!p)
			abort();
		data = p;
		n = fread(data + len, 1, 65536, f);
		len += n;
	} while (n);
	fclose(f);
	/* Exactly as long as the input: a sanitizer sees a read past it. */
	data = realloc(data, len ? len : 1);
	LLVMFuzzerTestOneInput(data, len);
	free(data);
	ran++;
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void run_path(const char *path)
{
	struct dirent **list;
	int n = scandir(path, &list, visible, alphasort);

	if (n < 0) {
		run_file(path);
		return;
	}
	for (int i = 0; i < n; i++) {
		char sub[4096];

		snprintf(sub, sizeof(sub), "%s/%s", path, list[i]->d_name);
		run_path(sub);
		free(list[i]);
	}
	free(list);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		run_path(argv[i]);
	printf("%zu inputs\n", ran);
	return ran ? 0 : 1;
}
