/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares how IP addresses are written, which the kernel and libtraceevent agree on. */
#ifndef TDAT_MODEL_IP_TEXT_H
#define TDAT_MODEL_IP_TEXT_H

#include "core/build.h"

/* Four bytes with dots; zeros: three digits each; reverse: the last byte first. */
void ip_put4(const uint8_t *p, bool zeros, bool reverse, struct tdat_build *out);
/* 16 bytes as RFC 5952 has them, and as all eight words. */
void ip_put6_short(const uint8_t *p, struct tdat_build *out);
void ip_put6_long(const uint8_t *p, bool colons, struct tdat_build *out);

#endif
