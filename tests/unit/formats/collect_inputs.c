/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the inputs of an importer for a test: files, memory and directories. */
#include "collect.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../common/asserts.h"

static void add_source(struct collect_inputs *in, const char *path, struct tdat_source *source)
{
	const char *slash = strrchr(path, '/');
	struct tdat_import_input *p = realloc(in->inputs, (in->count + 1) * sizeof(*p));

	EXPECT(p, "no memory");
	in->inputs = p;
	p[in->count++] = (struct tdat_import_input){
		.name = strdup(slash ? slash + 1 : path), .path = strdup(path), .source = source};
}

void collect_add_file(struct collect_inputs *in, const char *path, enum tdat_access access)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_source *source;

	EXPECT(tdat_source_open_path(&source, path, access, &err) == TDAT_OK, "%s", err.message);
	add_source(in, path, source);
}

void collect_add_memory(struct collect_inputs *in, const char *name, const void *data, size_t len)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_source *source;

	EXPECT(tdat_source_open_memory(&source, data, len, name, &err) == TDAT_OK, "%s",
	       err.message);
	add_source(in, name, source);
}

static int is_plain(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

void collect_open_dir(struct collect_inputs *in, const char *dir, enum tdat_access access)
{
	struct dirent **list;
	int n = scandir(dir, &list, is_plain, alphasort);

	memset(in, 0, sizeof(*in));
	EXPECT(n >= 0, "cannot list %s", dir);
	for (int i = 0; i < n; i++) {
		char path[4096];
		struct stat sb;

		snprintf(path, sizeof(path), "%s/%s", dir, list[i]->d_name);
		if (!stat(path, &sb) && S_ISREG(sb.st_mode))
			collect_add_file(in, path, access);
		free(list[i]);
	}
	free(list);
}

void collect_close(struct collect_inputs *in)
{
	for (size_t i = 0; i < in->count; i++) {
		tdat_source_close((struct tdat_source *)in->inputs[i].source);
		free((char *)in->inputs[i].name);
		free((char *)in->inputs[i].path);
	}
	free(in->inputs);
	memset(in, 0, sizeof(*in));
}

enum tdat_status collect_run(struct collect *c, const char *importer,
			     const struct collect_inputs *in, const char *const *options,
			     struct tdat_error *err)
{
	const struct tdat_importer *im = tdat_importer_find(importer);
	struct tdat_keyed_option opts[16];
	char *copies[16];
	struct tdat_import_request request = {.size = sizeof(request),
					      .inputs = in->inputs,
					      .input_count = in->count,
					      .options = opts};
	enum tdat_status st;

	EXPECT(im, "there is no importer %s", importer);
	for (; options && options[request.option_count]; request.option_count++) {
		size_t i = request.option_count;
		char *equals;

		EXPECT(i < 16, "too many options");
		copies[i] = strdup(options[i]);
		equals = strchr(copies[i], '=');
		if (equals)
			*equals++ = '\0';
		opts[i] = (struct tdat_keyed_option){copies[i], equals ? equals : ""};
	}
	request.strict = c->strict;
	st = tdat_importer_run(im, &request, &c->emit, err);
	for (size_t i = 0; i < request.option_count; i++)
		free(copies[i]);
	return st;
}

char *collect_read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *data = NULL;
	size_t used = 0, n;

	EXPECT(f, "cannot open %s", path);
	do {
		data = realloc(data, used + 65537);
		EXPECT(data, "no memory");
		n = fread(data + used, 1, 65536, f);
		used += n;
	} while (n);
	fclose(f);
	data[used] = '\0';
	if (len)
		*len = used;
	return data;
}

static size_t each_in(const char *base, void (*fn)(const char *dir, void *ctx), void *ctx)
{
	struct dirent **list;
	int n = scandir(base, &list, is_plain, alphasort);
	size_t count = 0;

	if (n < 0)
		return 0;
	for (int i = 0; i < n; i++) {
		char path[4096];
		struct stat sb;

		snprintf(path, sizeof(path), "%s/%s", base, list[i]->d_name);
		if (!stat(path, &sb) && S_ISDIR(sb.st_mode)) {
			fn(path, ctx);
			count++;
		}
		free(list[i]);
	}
	free(list);
	printf("%s: %zu samples\n", base, count);
	return count;
}

size_t collect_each_fixture(const char *name, void (*fn)(const char *dir, void *ctx), void *ctx)
{
	const char *fixtures = getenv("TDAT_FIXTURES");
	char base[4096];
	size_t count;

	EXPECT(fixtures, "TDAT_FIXTURES is not set");
	snprintf(base, sizeof(base), "%s/foreign/%s", fixtures, name);
	count = each_in(base, fn, ctx);
	EXPECT(count, "no samples in %s", base);
	return count;
}

size_t collect_each_sample(const char *name, void (*fn)(const char *dir, void *ctx), void *ctx)
{
	const char *shared = getenv("TDAT_SHARED");
	size_t count = collect_each_fixture(name, fn, ctx);
	char base[4096];

	if (shared)
		snprintf(base, sizeof(base), "%s/samples/%s", shared, name);
	else
		snprintf(base, sizeof(base), "%s/../../../shared/samples/%s",
			 getenv("TDAT_FIXTURES"), name);
	return count + each_in(base, fn, ctx);
}
