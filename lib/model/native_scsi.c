/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints what a SCSI command descriptor block asks for: scsi_trace_parse_cdb() of print fmt. It
 * decodes read, write, unmap and service actions of the first bytes of a command, as the plugin
 * does; others print as a hexadecimal row. kernel_scsi.c adds what only the kernel knows.
 */
#include "native_scsi.h"
#include "func_tables.h"

#include "core/number.h"

/* Operation codes: the first byte of a command. */
enum {
	READ_6 = 0x08,
	WRITE_6 = 0x0a,
	READ_10 = 0x28,
	WRITE_10 = 0x2a,
	VERIFY_10 = 0x2f,
	WRITE_SAME_10 = 0x41,
	UNMAP = 0x42,
	VARIABLE_LENGTH = 0x7f,
	READ_16 = 0x88,
	WRITE_16 = 0x8a,
	VERIFY_16 = 0x8f,
	WRITE_SAME_16 = 0x93,
	SERVICE_ACTION_IN_16 = 0x9e,
	READ_12 = 0xa8,
	WRITE_12 = 0xaa,
	VERIFY_12 = 0xaf
};

/* Service actions, of a variable length command and of SERVICE_ACTION_IN_16. */
enum { READ_32 = 0x09, VERIFY_32 = 0x0a, WRITE_32 = 0x0b, WRITE_SAME_32 = 0x0d };
enum { READ_CAPACITY_16 = 0x10, GET_LBA_STATUS = 0x12 };

/* Prints a label and a number. */
static void number(struct tdat_build *out, const char *label, uint64_t v)
{
	tdat_build_str(out, label);
	tdat_number_u64(out, v);
}

/*
 * Returns 32 bits as a number of 64. The plugin makes an int of them first, and so did old kernels:
 * numbers from 2^31 on get a sign.
 */
static uint64_t join32(const uint8_t *p, enum model_scsi_numbers numbers)
{
	return numbers == MODEL_SCSI_SPREAD ? (uint64_t)(int64_t)(int32_t)tdat_load32(p, true)
					    : tdat_load32(p, true);
}

/* Returns a block address of 64 bits. */
static uint64_t lba64(const uint8_t *p, enum model_scsi_numbers numbers)
{
	return (uint64_t)tdat_load32(p, true) << 32 | join32(p + 4, numbers);
}

/* Prints a read or write: block, length in blocks, protection bits. */
static void rw(struct tdat_build *out, uint64_t lba, uint64_t txlen, uint8_t flags, bool same)
{
	number(out, "lba=", lba);
	number(out, " txlen=", txlen);
	number(out, " protect=", flags >> 5);
	if (same)
		number(out, " unmap=", flags >> 3 & 1);
}

/* Prints a 6-byte command, whose length 0 means 256 blocks in SBC; the plugin prints 0. */
static void rw6(struct tdat_build *out, const uint8_t *cdb, enum model_scsi_numbers numbers)
{
	number(out, "lba=", (uint32_t)(cdb[1] & 0x1f) << 16 | tdat_load16(cdb + 2, true));
	number(out, " txlen=", !cdb[4] && numbers == MODEL_SCSI_SBC ? 256 : cdb[4]);
}

/* Prints a command of variable length by its service action. */
static void rw32(struct tdat_build *out, const uint8_t *cdb, enum model_scsi_numbers numbers)
{
	static const char *const names[] = {[READ_32] = "READ",
					    [VERIFY_32] = "VERIFY",
					    [WRITE_32] = "WRITE",
					    [WRITE_SAME_32] = "WRITE_SAME"};
	uint32_t action = tdat_load16(cdb + 8, true);
	const char *name = KERNEL_NAME(names, action, NULL);

	if (!name) {
		tdat_build_u8(out, '-');
		return;
	}
	tdat_build_str(out, name);
	number(out, "_32 lba=", lba64(cdb + 12, numbers));
	number(out, " txlen=", join32(cdb + 28, numbers));
	number(out, " protect=", cdb[10] >> 5);
	number(out, " ei_lbrt=", tdat_load32(cdb + 20, true));
	if (action == WRITE_SAME_32)
		number(out, " unmap=", cdb[10] >> 3 & 1);
}

/* Prints READ CAPACITY (16) and GET LBA STATUS. */
static void service_action_in(struct tdat_build *out, const uint8_t *cdb,
			      enum model_scsi_numbers numbers)
{
	static const char *const names[] = {
		[READ_CAPACITY_16] = "READ_CAPACITY_16", [GET_LBA_STATUS] = "GET_LBA_STATUS"};
	const char *name = KERNEL_NAME(names, cdb[1] & 0x1f, NULL);

	tdat_build_str(out, name ? name : "UNKNOWN");
	if (!name)
		return;
	number(out, " lba=", lba64(cdb + 2, numbers));
	number(out, " alloc_len=", tdat_load32(cdb + 10, true));
}

/* Prints a command descriptor block by its operation code; "-" for others, as the plugin does. */
void model_scsi_cdb(struct tdat_build *out, const uint8_t cdb[MODEL_SCSI_CDB],
		    enum model_scsi_numbers numbers)
{
	switch (cdb[0]) {
	case READ_6:
	case WRITE_6:
		rw6(out, cdb, numbers);
		break;
	case READ_10:
	case VERIFY_10:
	case WRITE_10:
	case WRITE_SAME_10:
		rw(out, join32(cdb + 2, numbers), tdat_load16(cdb + 7, true), cdb[1],
		   cdb[0] == WRITE_SAME_10);
		break;
	case READ_12:
	case VERIFY_12:
	case WRITE_12:
		rw(out, join32(cdb + 2, numbers), join32(cdb + 6, numbers), cdb[1], false);
		break;
	case READ_16:
	case VERIFY_16:
	case WRITE_16:
	case WRITE_SAME_16:
		rw(out, lba64(cdb + 2, numbers), join32(cdb + 10, numbers), cdb[1],
		   cdb[0] == WRITE_SAME_16);
		break;
	case UNMAP:
		/* An UNMAP parameter list has a header of 8 bytes and 16 bytes a region. */
		number(out, "regions=", (tdat_load16(cdb + 7, true) - 8) / 16);
		break;
	case SERVICE_ACTION_IN_16:
		service_action_in(out, cdb, numbers);
		break;
	case VARIABLE_LENGTH:
		rw32(out, cdb, numbers);
		break;
	default:
		tdat_build_u8(out, '-');
	}
}

/* The function of print fmt. The block is read to its end, whatever length is given. */
static void parse_cdb(const struct func_args *a, struct tdat_build *out)
{
	uint8_t cdb[MODEL_SCSI_CDB];

	kernel_bytes(cdb, sizeof(cdb), &a->v[0]);
	model_scsi_cdb(out, cdb, MODEL_SCSI_SPREAD);
}

const struct print_func native_scsi_funcs[] = {
	{"scsi_trace_parse_cdb", ".b.", ALWAYS, .run = parse_cdb},
	{.name = NULL},
};
