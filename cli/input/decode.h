/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decoders of gzip, xz, zstd and bzip2, which give what they decoded before data is cut or broken.
 */
#ifndef CLI_DECODE_H
#define CLI_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/packed.h"

/* What is left of the input and of the room for output; each step moves both. */
struct cli_decoding {
	const uint8_t *in;
	uint8_t *out;
	size_t in_len, out_len;
	uint64_t window; /* bytes of output that a stream may refer back to */
};

enum cli_decoded {
	CLI_DECODED_SOME,
	CLI_DECODED_ALL, /* the stream has ended */
	CLI_DECODED_BROKEN,
	CLI_DECODED_WINDOW, /* it needs a larger window */
	CLI_DECODED_NO_MEMORY
};

/* A decoder of one compression. */
struct cli_decoder {
	const char *name;
	const char *first; /* bytes with which a further stream may begin */
	void *(*start)(const struct cli_decoding *d); /* NULL: no memory */
	enum cli_decoded (*step)(void *state, struct cli_decoding *d);
	void (*end)(void *state);
};

/* cli_decoder_load does what the sandbox forbids. False: a library is not there. */
bool cli_decoder_load(void);

/* cli_decoder_of gives the decoder of a compression; NULL: it is an archive. */
const struct cli_decoder *cli_decoder_of(enum tdat_packing packing);

#endif
