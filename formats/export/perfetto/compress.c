/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts packets, compressed, into packets. Perfetto asks for less than 512 KiB in each; how many
 * packets go into one depends on their lengths only. It is the last part of the pack step. zlib
 * and zstd are offered as the options say.
 */
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "numbers.h"
#include "proto.h"
#include "state.h"

/* Bytes of packets that are compressed together. */
enum { GROUP_LEN = 256 * 1024 };

/*
 * Bytes of the packet at p, with its tag of one byte and its length, a varint. The len bytes hold
 * whole packets.
 */
static size_t packet_len(const uint8_t *p, size_t len)
{
	size_t at = 1, n = 0;
	unsigned int shift = 0;

	while (at < len && p[at] & 0x80 && shift < 28) { /* a packet has less than 512 MiB */
		n |= (size_t)(p[at++] & 0x7f) << shift;
		shift += 7;
	}
	if (at < len)
		n |= (size_t)p[at++] << shift;
	return n < len - at ? at + n : len;
}

static enum tdat_status failed(struct tdat_error *err, const char *why)
{
	return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET, "cannot compress packets: %s",
			      why);
}

static enum tdat_status put_zlib(const struct tdat_span plain, struct tdat_build *out,
				 struct tdat_error *err)
{
	uLongf len = compressBound((uLong)plain.len);
	uint8_t *room = tdat_build_room(out, len);

	if (!room)
		return tdat_error_no_memory(err, "an export");
	if (compress2(room, &len, plain.ptr, (uLong)plain.len, Z_DEFAULT_COMPRESSION) != Z_OK)
		return failed(err, "zlib");
	out->len += len;
	return TDAT_OK;
}

static enum tdat_status put_zstd(const struct tdat_span plain, struct tdat_build *out,
				 struct tdat_error *err)
{
	const size_t most = ZSTD_compressBound(plain.len);
	uint8_t *room = tdat_build_room(out, most);
	size_t len;

	if (!room)
		return tdat_error_no_memory(err, "an export");
	len = ZSTD_compress(room, most, plain.ptr, plain.len, ZSTD_CLEVEL_DEFAULT);
	if (ZSTD_isError(len))
		return failed(err, ZSTD_getErrorName(len));
	out->len += len;
	return TDAT_OK;
}

/* Writes one group as a packet that holds compressed packets. */
static enum tdat_status put_group(enum pf_compression compression, struct tdat_span plain,
				  struct tdat_build *out, struct tdat_error *err)
{
	const size_t packet = pf_packet_begin(out);
	const bool zlib = compression == PF_ZLIB;
	const size_t at = proto_open(out, zlib ? PF_PACKET_COMPRESSED_PACKETS
					       : PF_PACKET_ZSTD_COMPRESSED_PACKETS);
	const enum tdat_status st = zlib ? put_zlib(plain, out, err) : put_zstd(plain, out, err);

	proto_close(out, at);
	proto_close(out, packet);
	return st;
}

/*
 * Compresses the packets in s->plain that make up full groups; all: the rest, too. The others stay
 * for the next call.
 */
enum tdat_status pf_compress(struct pf_state *s, bool all, struct tdat_build *out,
			     struct tdat_error *err)
{
	struct tdat_build *plain = &s->plain;
	enum tdat_status st = TDAT_OK;
	size_t start = 0, at = 0;

	if (plain->failed)
		return tdat_error_no_memory(err, "an export");
	while (st == TDAT_OK && at < plain->len) {
		at += packet_len(plain->ptr + at, plain->len - at);
		if (at - start < GROUP_LEN && !(all && at == plain->len))
			continue;
		st = put_group(s->compression, (struct tdat_span){plain->ptr + start, at - start},
			       out, err);
		start = at;
	}
	if (start)
		memmove(plain->ptr, plain->ptr + start, plain->len - start);
	plain->len -= start;
	return st;
}
