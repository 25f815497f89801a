/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Does the work of a write to dynamic_events or to a file enable. Each line of dynamic_events is a
 * command of its own (ue_define()); a write stops at the first that fails. Returns the kernel's
 * errno. Used by write.c and by the recorder.
 */
#include <errno.h>
#include <string.h>

#include "state.h"

/* Takes away a comment and spaces at the end. */
static void trim(char *line)
{
	size_t len = strcspn(line, "#");

	while (len && line[len - 1] == ' ')
		len--;
	line[len] = '\0';
}

ssize_t ue_write_text(uint32_t entry, const char *data, size_t len)
{
	char line[UE_COMMAND_LEN + 64];
	size_t at = 0;

	/* Only the first character counts. */
	if (UE_FD_KIND(entry) == UE_ENABLE) {
		int rc = !len || (data[0] != '0' && data[0] != '1')
				 ? EINVAL
				 : ue_enable(UE_FD_NUMBER(entry), data[0] == '1');

		return rc ? ue_refuse(rc) : (ssize_t)len;
	}
	if (UE_FD_KIND(entry) != UE_DYNAMIC)
		return ue_refuse(EBADF);
	/* As in the kernel, lines before a wrong one keep their effect. */
	while (at < len) {
		const char *end = memchr(data + at, '\n', len - at);
		size_t n = end ? (size_t)(end - data) - at : len - at;
		int rc = 0;

		if (n >= sizeof(line))
			return ue_refuse(E2BIG);
		memcpy(line, data + at, n);
		line[n] = '\0';
		trim(line);
		if (*line)
			rc = ue_define(line);
		if (rc)
			return ue_refuse(rc);
		at += n + (end ? 1 : 0);
	}
	return (ssize_t)len;
}
