/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes and compares the secret part of addresses, and checks Host headers. The comparison takes
 * the same time for each wrong guess. Random numbers come from the kernel.
 */
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "server.h"

/*
 * 32 hexadecimal digits hold 128 random bits. getrandom(2), for which the C library has had a
 * function since glibc 2.25, may block only early at boot.
 */
bool view_token_make(char token[VIEW_TOKEN_LEN + 1])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[VIEW_TOKEN_LEN / 2];

	if (syscall(SYS_getrandom, bytes, sizeof(bytes), 0) != (long)sizeof(bytes))
		return false;
	for (size_t i = 0; i < sizeof(bytes); i++) {
		token[2 * i] = digits[bytes[i] >> 4];
		token[2 * i + 1] = digits[bytes[i] & 15];
	}
	token[VIEW_TOKEN_LEN] = 0;
	return true;
}

/* Compares all digits, so that the time does not tell how many of a guess are right. */
const char *view_token_path(const char *token, const char *path)
{
	unsigned differ = 0;

	if (*path != '/' || strnlen(path + 1, VIEW_TOKEN_LEN) < VIEW_TOKEN_LEN)
		return NULL;
	for (size_t i = 0; i < VIEW_TOKEN_LEN; i++)
		differ |= (unsigned char)token[i] ^ (unsigned char)path[1 + i];
	return !differ && path[1 + VIEW_TOKEN_LEN] == '/' ? path + 2 + VIEW_TOKEN_LEN : NULL;
}

static bool is_name(const char *host, size_t len, const char *name)
{
	return name && strlen(name) == len && !strncasecmp(host, name, len);
}

/*
 * A page of another site could reach this server by a name that it points to 127.0.0.1 (DNS
 * rebinding); its Host header is that name.
 */
bool view_host_ok(const char *host, const char *own)
{
	const char *port = host ? strrchr(host, ':') : NULL;
	size_t len;

	if (!host)
		return false;
	/* The colons in the brackets of "[::1]:80" begin no port. */
	if (port && strchr(port, ']'))
		port = NULL;
	if (port && strspn(port + 1, "0123456789") != strlen(port + 1))
		return false;
	len = port ? (size_t)(port - host) : strlen(host);
	return is_name(host, len, "127.0.0.1") || is_name(host, len, "localhost") ||
	       is_name(host, len, "[::1]") || is_name(host, len, own);
}
