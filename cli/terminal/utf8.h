/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_UTF8_H
#define CLI_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * cli_utf8_len tells how many bytes the character at p takes (1..4, never more
 * than len) and sets *code to it, or returns 0 when the bytes are not UTF-8:
 * overlong forms, surrogates and codes above U+10FFFF are not. len > 0.
 */
size_t cli_utf8_len(const char *p, size_t len, uint32_t *code);

#endif
