/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers in a file: for each a struct head, and its text. */
#include "answers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/endian.h"

enum { HEAD_LEN = 16 }; /* key, length: little-endian numbers of 8 bytes */

static struct kept {
	uint8_t *bytes;
	size_t len;
	uint64_t *slots;   /* offset of an answer + 1; 0: free */
	size_t slot_count; /* a power of two */
	bool loaded;
} kept;

static void fail(const char *what)
{
	fprintf(stderr, "answers: %s: %s\n", what, strerror(errno));
	exit(2);
}

static const char *path_in(const char *variable, char *path, size_t room)
{
	const char *dir = getenv(variable);

	if (!dir || !*dir)
		return NULL;
	snprintf(path, room, "%s/%s", dir, program_invocation_short_name);
	return path;
}

bool answers_kept(void)
{
	return getenv("TDAT_ANSWERS_IN") != NULL;
}

bool answers_usable(void)
{
	return answers_kept() || (!TDAT_HOST_BIG && sizeof(long) == 8 && CHAR_MIN < 0);
}

/* FNV-1a. */
uint64_t answers_key(uint64_t key, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	key ^= UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < len; i++)
		key = (key ^ p[i]) * UINT64_C(0x100000001b3);
	return key;
}

/* One write for each: tests may write from several processes. */
void answers_put(uint64_t key, const void *text, size_t len)
{
	static int fd = -1;
	char path[4096];
	uint8_t *record;

	if (fd < 0 && !path_in("TDAT_ANSWERS_OUT", path, sizeof(path)))
		return;
	if (fd < 0)
		fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	record = fd < 0 ? NULL : malloc(HEAD_LEN + len);
	if (!record)
		fail(path);
	tdat_store64(record, key, false);
	tdat_store64(record + 8, len, false);
	if (len)
		memcpy(record + HEAD_LEN, text, len);
	if (write(fd, record, HEAD_LEN + len) != (ssize_t)(HEAD_LEN + len))
		fail("write");
	free(record);
}

static size_t slot_of(const struct kept *k, uint64_t key)
{
	size_t at = (size_t)(key ^ key >> 32) & (k->slot_count - 1);

	while (k->slots[at] && tdat_load64(k->bytes + k->slots[at] - 1, false) != key)
		at = (at + 1) & (k->slot_count - 1);
	return at;
}

static void add_all(struct kept *k, bool count_only, size_t *count)
{
	uint64_t off = 0, len;

	for (*count = 0; k->len - off >= HEAD_LEN; off += HEAD_LEN + len, ++*count) {
		len = tdat_load64(k->bytes + off + 8, false);
		if (len > k->len - off - HEAD_LEN)
			fail("a cut answer");
		if (!count_only)
			k->slots[slot_of(k, tdat_load64(k->bytes + off, false))] = off + 1;
	}
}

static void load(struct kept *k)
{
	char path[4096];
	struct stat sb;
	size_t count;
	FILE *f = fopen(path_in("TDAT_ANSWERS_IN", path, sizeof(path)), "rb");

	if (!f || fstat(fileno(f), &sb))
		fail(path);
	k->len = (size_t)sb.st_size;
	k->bytes = malloc(k->len + 1);
	if (!k->bytes || fread(k->bytes, 1, k->len, f) != k->len)
		fail(path);
	fclose(f);
	add_all(k, true, &count);
	for (k->slot_count = 64; k->slot_count < 2 * count;)
		k->slot_count *= 2;
	k->slots = calloc(k->slot_count, sizeof(*k->slots));
	if (!k->slots)
		fail("memory");
	add_all(k, false, &count);
	k->loaded = true;
}

bool answers_get(uint64_t key, struct tdat_build *out)
{
	const uint8_t *record;
	size_t at;

	if (!kept.loaded)
		load(&kept);
	at = slot_of(&kept, key);
	if (!kept.slots[at])
		return false;
	record = kept.bytes + kept.slots[at] - 1;
	tdat_build_bytes(out, record + HEAD_LEN, (size_t)tdat_load64(record + 8, false));
	return true;
}
