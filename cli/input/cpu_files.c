/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files of raw pages that a recorder keeps beside its output; repair reads the ones that a
 * killed trace-cmd leaves. Their names tell CPU and buffer: the shortest name gives the recording's
 * name, and the rest of the others the buffer. The caller closes all with cli_cpu_files_close().
 */
#include "input/cpu_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/input_list.h"
#include "input/packed.h"
#include "terminal/message.h"

#include "core/text.h"

enum { CPU_MOST = 65535 };

/*
 * True if path has the magic of a trace.dat, or is packed. A pipe, or a file that cannot be opened,
 * counts as one.
 */
bool cli_cpu_files_is_dat(const char *path)
{
	struct tdat_source *src;
	struct stat sb;
	bool is;

	/* A pipe can be read only once, so it is not looked into. */
	if (!strcmp(path, "-") || stat(path, &sb) || !S_ISREG(sb.st_mode))
		return true;
	if (tdat_source_open_path(&src, path, TDAT_ACCESS_READ, NULL))
		return true; /* opening it again reports why */
	is = cli_is_trace_dat(src) || cli_packing_of(src) != TDAT_PACKING_NONE;
	tdat_source_close(src);
	return is;
}

/* Returns the length of the name before ".cpuN", and N; 0 if the name does not end so. */
static size_t stem_len(const char *path, uint32_t *cpu)
{
	const char *dot = strrchr(path, '.');
	const char *end;
	uint64_t n;

	if (!dot || strncmp(dot, ".cpu", 4))
		return 0;
	end = dot + 4;
	if (!tdat_read_u64(&end, NULL, 10, &n) || *end || n > CPU_MOST)
		return 0;
	*cpu = (uint32_t)n;
	return (size_t)(dot - path);
}

/*
 * Returns the length of the shortest stem, which is the recording's name; others have ".BUFFER"
 * behind it.
 */
static size_t shortest(char *const *paths, size_t count, const char **name)
{
	size_t best = 0;
	uint32_t cpu;

	for (size_t i = 0; i < count; i++) {
		size_t n = stem_len(paths[i], &cpu);

		if (n && (!best || n < best)) {
			best = n;
			*name = paths[i];
		}
	}
	return best;
}

/* True if a name ends like that of a CPU's file, but with a number that is not a CPU's. */
static bool has_wrong_cpu(const char *path)
{
	const char *dot = strrchr(path, '.');
	uint32_t cpu;

	return dot && !strncmp(dot, ".cpu", 4) && dot[4 + (dot[4] == '-')] >= '0' &&
	       dot[4 + (dot[4] == '-')] <= '9' && !stem_len(path, &cpu);
}

/* A file without ".cpuN" gets the next number as its CPU, in the order of the command line. */
static int open_one(struct cli_cpu_files *f, const char *path, const char *base, size_t base_len)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_source *src;
	size_t i = f->count, stem;
	const char *buffer = "";
	uint32_t cpu = (uint32_t)i;

	if (has_wrong_cpu(path)) {
		cli_error(path, "its name does not end with a CPU number from 0 to %d", CPU_MOST);
		return CLI_USAGE;
	}
	stem = stem_len(path, &cpu);
	if (stem > base_len + 1 && !memcmp(path, base, base_len) && path[base_len] == '.')
		buffer = path + base_len + 1;
	f->names[i] = *buffer ? strndup(buffer, stem - base_len - 1) : strdup("");
	if (!f->names[i])
		return cli_nomem();
	if (tdat_source_open_path(&src, path, TDAT_ACCESS_READ, &err)) {
		free(f->names[i]);
		return cli_fail(path, &err);
	}
	f->v[i] = (struct tdat_repair_pages){f->names[i], cpu, src};
	f->count++;
	return CLI_OK;
}

/* The files that were opened before a failure are closed by cli_cpu_files_close(). */
int cli_cpu_files_open(struct cli_cpu_files *f, char *const *paths, size_t count)
{
	const char *base = "";
	size_t base_len = shortest(paths, count, &base);
	int rc = CLI_OK;

	if (!count)
		return CLI_OK;
	f->v = calloc(count, sizeof(*f->v));
	f->names = calloc(count, sizeof(*f->names));
	if (!f->v || !f->names)
		return cli_nomem();
	for (size_t i = 0; rc == CLI_OK && i < count; i++)
		rc = open_one(f, paths[i], base, base_len);
	return rc;
}

void cli_cpu_files_close(struct cli_cpu_files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		tdat_source_close((struct tdat_source *)f->v[i].source);
		free(f->names[i]);
	}
	free(f->v);
	free(f->names);
	*f = (struct cli_cpu_files){NULL, 0, NULL};
}
