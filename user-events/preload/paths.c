/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Recognizes by its path the file of tracefs that a program means. The path is tidied without
 * touching the file system, and compared with the names of tracefs's files. It allocates nothing,
 * as it runs within calls of the program.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

/*
 * Writes the path without "//" and "/./". False: it is too long. ".." is left: programs do not use
 * it here.
 */
static bool tidy(char *out, size_t cap, const char *path)
{
	size_t len = 0;

	for (; *path; path++) {
		if (path[0] == '/' && path[1] == '/')
			continue;
		if (path[0] == '/' && path[1] == '.' && (path[2] == '/' || !path[2])) {
			path++;
			continue;
		}
		if (len + 1 >= cap)
			return false;
		out[len++] = *path;
	}
	out[len] = '\0';
	return true;
}

/* Makes a path absolute by the links of /proc. process: "self", or a pid for notified calls. */
static bool absolute(char *out, size_t cap, const char *process, int dirfd, const char *path)
{
	char link[64], joined[2 * PATH_MAX];
	ssize_t len;

	if (*path == '/')
		return tidy(out, cap, path);
	if (dirfd == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/%s/cwd", process);
	else
		snprintf(link, sizeof(link), "/proc/%s/fd/%d", process, dirfd);
	len = readlink(link, joined, PATH_MAX);
	if (len <= 0 || len >= PATH_MAX || strlen(path) >= PATH_MAX)
		return false;
	snprintf(joined + len, sizeof(joined) - (size_t)len, "/%s", path);
	return tidy(out, cap, joined);
}

/* rest: a path behind "events/". The last part is the file, the part before it the event. */
static struct ue_target event_file(const char *rest)
{
	struct ue_target t = {UE_NONE, UE_ALL};
	const char *slash = strchr(rest, '/'), *last = strrchr(rest, '/');
	char system[24], name[UE_NAME_LEN];

	if (!strcmp(rest, "user_events/enable"))
		return (struct ue_target){UE_ENABLE, UE_ALL};
	if (!slash || last == slash || (size_t)(slash - rest) >= sizeof(system) ||
	    (size_t)(last - slash) >= sizeof(name))
		return t;
	snprintf(system, sizeof(system), "%.*s", (int)(slash - rest), rest);
	snprintf(name, sizeof(name), "%.*s", (int)(last - slash - 1), slash + 1);
	/* Events with several formats are in a system of their own. */
	if (strcmp(system, "user_events") && strcmp(system, "user_events_multi"))
		return t;
	t.kind = !strcmp(last, "/enable")   ? UE_ENABLE
		 : !strcmp(last, "/format") ? UE_FORMAT
		 : !strcmp(last, "/id")	    ? UE_ID
					    : UE_NONE;
	if (t.kind != UE_NONE && ue_find(system, name, &t.number))
		t.kind = UE_NONE;
	return t;
}

struct ue_target ue_path_of(const char *process, int dirfd, const char *path)
{
	static const char *const roots[] = {"/sys/kernel/tracing/", "/sys/kernel/debug/tracing/"};
	struct ue_target none = {UE_NONE, 0};
	char full[2 * PATH_MAX];
	const char *rest = NULL;

	/* Most paths of a program fail here, by a search in the text. */
	if (!ue.shared || !path || (!strstr(path, "_event") && *path == '/'))
		return none;
	/* A relative path may be "enable" in the folder of an event. */
	if (!strstr(path, "_event") && !strstr(path, "enable") && !strstr(path, "format") &&
	    strcmp(path, "id"))
		return none;
	if (!absolute(full, sizeof(full), process, dirfd, path))
		return none;
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]) && !rest; i++)
		if (!strncmp(full, roots[i], strlen(roots[i])))
			rest = full + strlen(roots[i]);
	if (!rest)
		return none;
	if (!strcmp(rest, "user_events_data"))
		return (struct ue_target){UE_DATA, 0};
	if (!strcmp(rest, "user_events_status"))
		return (struct ue_target){UE_STATUS, 0};
	if (!strcmp(rest, "dynamic_events"))
		return (struct ue_target){UE_DYNAMIC, 0};
	return strncmp(rest, "events/", 7) ? none : event_file(rest + 7);
}
