/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares how addresses and bytes are written, which the kernel and libtraceevent agree on. */
#ifndef TDAT_MODEL_BYTES_TEXT_H
#define TDAT_MODEL_BYTES_TEXT_H

#include "core/build.h"

/* Two hexadecimal digits a byte; between: what stands between them, '\0': nothing. */
void bytes_put_hex(struct tdat_span s, char between, struct tdat_build *out);

/* Six bytes; reversed: the last one first. */
void mac_put(const uint8_t *p, char between, bool reversed, struct tdat_build *out);

/* 16 bytes; swapped: the first three parts are little endian. */
void uuid_put(const uint8_t *p, bool upper, bool swapped, struct tdat_build *out);

/* Four bytes with dots; zeros: three digits each; reverse: the last byte first. */
void ip_put4(const uint8_t *p, bool zeros, bool reverse, struct tdat_build *out);
/* 16 bytes by the letter I or i; compressed: I is as RFC 5952 has it. */
void ip_put6(const uint8_t *p, char letter, bool compressed, struct tdat_build *out);

/* What is printed of a socket address. */
struct sockaddr_how {
	char letter;
	bool port, flow, scope, compressed, reversed, big;
};

/* sockaddr_in: family, port, address; 8 bytes. */
void sockaddr_put4(const uint8_t *p, const struct sockaddr_how *how, struct tdat_build *out);
/* sockaddr_in6: family, port, flow, address; 24 bytes, 28 with the scope. */
void sockaddr_put6(const uint8_t *p, const struct sockaddr_how *how, struct tdat_build *out);

#endif
