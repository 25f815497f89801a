/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints NVMe commands as the kernel's nvme_trace_parse_*() and nvmet_trace_parse_*() do. The bytes
 * are dwords 10 to 15 of a command (NVM Express base and NVM, ZNS command sets), or the fields of
 * a fabrics command behind its type; they are little endian in every file.
 */
#include "bytes_text.h"
#include "func_tables.h"

#include "core/number.h"

/* Dwords 10 to 15 of a command: six of four bytes. */
enum { COMMAND_LEN = 24 };

/* Variants of a row: which of four command sets, host or target, admin or NVM. */
enum { NVM = 0, ADMIN = 1, TARGET = 2 };

static unsigned le16(const uint8_t *p)
{
	return tdat_load16(p, false);
}

static unsigned le32(const uint8_t *p)
{
	return tdat_load32(p, false);
}

static unsigned long long le64(const uint8_t *p)
{
	return tdat_load64(p, false);
}

/*
 * Prints "label=number", and from the kernel that added names on ":" and the name. names NULL: an
 * older kernel.
 */
static void named(struct tdat_build *out, const char *label, unsigned v, const char *const *names,
		  size_t count)
{
	tdat_build_printf(out, "%s=%u", label, v);
	if (names)
		tdat_build_printf(out, ":%s", kernel_name_of(names, count, v, "reserved"));
}

/* Prints the bytes of a command that this kernel did not decode. */
static void hex(struct tdat_build *out, const char *label, const uint8_t *p)
{
	tdat_build_str(out, label);
	bytes_put_hex((struct tdat_span){p, COMMAND_LEN}, ' ', out);
}

/* Prints Get Features and Set Features. Kernels before 5.12 wrote the first without commas. */
static void features(struct tdat_build *out, const uint8_t *c, bool set, uint32_t kernel)
{
	if (set)
		tdat_build_printf(out, "fid=0x%x, sv=0x%x, cdw11=0x%x", c[0], c[3] & 8,
				  le32(c + 4));
	else if (kernel_from(kernel, 5, 12))
		tdat_build_printf(out, "fid=0x%x, sel=0x%x, cdw11=0x%x", c[0], c[1] & 7,
				  le32(c + 4));
	else
		tdat_build_printf(out, "fid=0x%x sel=0x%x cdw11=0x%x", c[0], c[1] & 7, le32(c + 4));
}

/* Prints Format NVM. Linux 6.9 added the upper bits of the format's number. */
static void format_nvm(struct tdat_build *out, const uint8_t *c, uint32_t kernel)
{
	unsigned high = kernel_from(kernel, 6, 9) ? c[1] & 0x30 : 0;

	tdat_build_printf(out, "lbaf=%u, mset=%u, pi=%u, pil=%u, ses=%u", high | (c[0] & 0xf),
			  c[0] >> 4 & 1, c[0] >> 5, c[1] & 1, c[1] >> 1 & 7);
}

/* Prints Create I/O Completion Queue or Submission Queue. */
static void queue(struct tdat_build *out, const uint8_t *c, bool completion)
{
	tdat_build_printf(out,
			  completion ? "cqid=%u, qsize=%u, cq_flags=0x%x, irq_vector=%u"
				     : "sqid=%u, qsize=%u, sq_flags=0x%x, cqid=%u",
			  le16(c), le16(c + 2), le16(c + 4), le16(c + 6));
}

/*
 * Prints an admin command. False: this kernel had no text for the opcode. The host
 * (drivers/nvme/host/trace.c) and the target decode different opcodes, from different releases on.
 */
static bool admin(struct tdat_build *out, uint8_t opcode, const uint8_t *c, bool target,
		  uint32_t kernel)
{
	bool queues = !target && (kernel_from(kernel, 5, 4) || opcode == 0x01 || opcode == 0x05);

	if ((opcode == 0x00 || opcode == 0x04) && queues) {
		tdat_build_printf(out, opcode ? "cqid=%u" : "sqid=%u", le16(c));
	} else if ((opcode == 0x01 || opcode == 0x05) && queues) {
		queue(out, c, opcode == 0x05);
	} else if (opcode == 0x06) {
		tdat_build_printf(out, "cns=%u, ctrlid=%u", c[0], le16(c + 2));
	} else if (opcode == 0x09 && kernel_from(kernel, 5, 12)) {
		features(out, c, true, kernel);
	} else if (opcode == 0x0a && kernel_from(kernel, 5, 4)) {
		features(out, c, false, kernel);
	} else if (opcode == 0x80 && !target && kernel_from(kernel, 5, 12)) {
		format_nvm(out, c, kernel);
	} else if (opcode == 0x86 && kernel_from(kernel, 5, 4)) {
		tdat_build_printf(out, "slba=0x%llx, mndw=0x%x, rl=0x%x, atype=%u", le64(c),
				  le32(c + 8), le16(c + 12), c[15]);
	} else {
		return false;
	}
	return true;
}

static const char *const send_actions[] = {
	[0x01] = "close zone", [0x02] = "finish zone",	[0x03] = "open zone",
	[0x04] = "reset zone", [0x05] = "offline zone", [0x10] = "set zone descriptor extension",
};
static const char *const receive_filters[] = {
	[0x00] = "list all zones",
	[0x01] = "list the zones in the ZSE: Empty state",
	[0x02] = "list the zones in the ZSIO: Implicitly Opened state",
	[0x03] = "list the zones in the ZSEO: Explicitly Opened state",
	[0x04] = "list the zones in the ZSC: Closed state",
	[0x05] = "list the zones in the ZSF: Full state",
	[0x06] = "list the zones in the ZSRO: Read Only state",
	[0x07] = "list the zones in the ZSO: Offline state",
	[0x09] = "list the zones that have the zone attribute",
};

/* Prints Zone Management Send or Receive. */
static void zone(struct tdat_build *out, const uint8_t *c, bool receive, uint32_t kernel)
{
	bool names = kernel_from(kernel, 6, 9);

	/* All zone commands begin with the first block of the zone. */
	tdat_build_printf(out, "slba=%llu, ", le64(c));
	if (!receive) {
		named(out, "zsa", c[12], names ? send_actions : NULL, KERNEL_COUNT(send_actions));
		tdat_build_printf(out, ", all=%u", c[13]);
		return;
	}
	tdat_build_printf(out, "numd=%u, zra=%u, ", le32(c + 8), c[12]);
	named(out, "zrasf", c[13], names ? receive_filters : NULL, KERNEL_COUNT(receive_filters));
	tdat_build_printf(out, ", pr=%u", c[14]);
}

static const char *const register_actions[] = {"register", "unregister", "replace"};
static const char *const acquire_actions[] = {"acquire", "preempt", "preempt and abort"};
static const char *const release_actions[] = {"release", "clear"};
static const char *const reservation_types[] = {
	"reserved",
	"write exclusive",
	"exclusive access",
	"write exclusive registrants only",
	"exclusive access registrants only",
	"write exclusive all registrants",
	"exclusive access all registrants",
};

/* Prints Reservation Register (0x0d), Report (0x0e), Acquire (0x11) and Release (0x15). */
static void reservation(struct tdat_build *out, uint8_t opcode, const uint8_t *c, uint32_t kernel)
{
	bool names = kernel_from(kernel, 6, 13);
	unsigned what = c[0] & 7;
	unsigned ignore_key = c[0] >> 3 & 1;

	/* Report has no action. */
	if (opcode == 0x0e) {
		tdat_build_printf(out, "numd=%u, eds=%u", le32(c), c[4] & 1);
		return;
	}
	if (opcode == 0x0d)
		named(out, "rrega", what, names ? register_actions : NULL,
		      KERNEL_COUNT(register_actions));
	else if (opcode == 0x11)
		named(out, "racqa", what, names ? acquire_actions : NULL,
		      KERNEL_COUNT(acquire_actions));
	else
		named(out, "rrela", what, names ? release_actions : NULL,
		      KERNEL_COUNT(release_actions));
	tdat_build_printf(out, ", iekey=%u, ", ignore_key);
	if (opcode == 0x0d)
		tdat_build_printf(out, "ptpl=%u", c[3] >> 6);
	else
		named(out, "rtype", c[1], names ? reservation_types : NULL,
		      KERNEL_COUNT(reservation_types));
}

/* Prints a command of the NVM or ZNS set. False: this kernel had no text for the opcode. */
static bool nvm(struct tdat_build *out, uint8_t opcode, const uint8_t *c, bool target,
		uint32_t kernel)
{
	bool zones = kernel_from(kernel, 5, 12) && (!target || kernel_from(kernel, 6, 9));
	bool reservations = kernel_from(kernel, 6, 9) && (!target || kernel_from(kernel, 6, 13));

	switch (opcode) {
	case 0x7d: /* Zone Append */
		if (!zones)
			return false;
		/* fall through */
	case 0x01: /* Write, Read, Write Zeroes */
	case 0x02:
	case 0x08:
		tdat_build_printf(out, "slba=%llu, len=%u, ctrl=0x%x, dsmgmt=%u, reftag=%u",
				  le64(c), le16(c + 8), le16(c + 10), le32(c + 12), le32(c + 16));
		return true;
	/* Dataset Management. */
	case 0x09:
		tdat_build_printf(out, "nr=%u, attributes=%u", le32(c), le32(c + 4));
		return true;
	/* Zone Management Send and Receive. */
	case 0x79:
	case 0x7a:
		if (zones)
			zone(out, c, opcode == 0x7a, kernel);
		return zones;
	case 0x0d:
	case 0x0e:
	case 0x11:
	case 0x15:
		if (reservations)
			reservation(out, opcode, c, kernel);
		return reservations;
	default:
		return false;
	}
}

/* Prints a command by its opcode, the first argument, from the bytes of the second. */
static void command(const struct func_args *a, struct tdat_build *out)
{
	const bool target = a->func->variant & TARGET;
	uint8_t opcode = (uint8_t)a->v[0].num;
	uint8_t c[COMMAND_LEN];

	/* A short record is read as zeros, as if the rest of the command were empty. */
	kernel_bytes(c, sizeof(c), &a->v[1]);
	if (!(a->func->variant & ADMIN ? admin : nvm)(out, opcode, c, target, a->kernel))
		hex(out, "cdw10=", c);
}

/*
 * Prints a fabrics command by its type: Property Set, Connect, Property Get, Authentication Send
 * and Receive.
 */
static void fabrics(const struct func_args *a, struct tdat_build *out)
{
	uint8_t type = (uint8_t)a->v[0].num;
	uint8_t c[COMMAND_LEN];

	kernel_bytes(c, sizeof(c), &a->v[1]);
	/* Offsets are those of the command behind its type, as the kernel passes them. */
	if (type == 0x00)
		tdat_build_printf(out, "attrib=%u, ofst=0x%x, value=0x%llx", c[0], le32(c + 4),
				  le64(c + 8));
	else if (type == 0x01)
		tdat_build_printf(out, "recfmt=%u, qid=%u, sqsize=%u, cattr=%u, kato=%u", le16(c),
				  le16(c + 2), le16(c + 4), c[6], le32(c + 8));
	else if (type == 0x04)
		tdat_build_printf(out, "attrib=%u, ofst=0x%x", c[0], le32(c + 4));
	else if ((type == 0x05 || type == 0x06) && kernel_from(a->kernel, 6, 0))
		tdat_build_printf(out, "spsp0=%02x, spsp1=%02x, secp=%02x, %s=%u", c[1], c[2], c[3],
				  type == 0x05 ? "tl" : "al", le32(c + 4));
	else
		hex(out, "specific=", c);
}

/* A command without a namespace has no disk: nothing is printed. */
static void disk_name(const struct func_args *a, struct tdat_build *out)
{
	if (a->v[0].bytes.len) {
		tdat_build_str(out, "disk=");
		tdat_build_bytes(out, a->v[0].bytes.ptr, a->v[0].bytes.len);
		tdat_build_str(out, ", ");
	}
}

/* Controller 0 is one that is not connected yet, which the kernel prints as "_". */
static void controller(const struct func_args *a, struct tdat_build *out)
{
	uint16_t id = (uint16_t)a->v[0].num;

	if (id)
		tdat_number_u64(out, id);
	else
		tdat_build_u8(out, '_');
}

#define COMMANDS ".nb", 0, KERNEL_LAST

const struct print_func kernel_nvme_funcs[] = {
	{"nvme_trace_parse_admin_cmd", COMMANDS, .run = command, .variant = ADMIN},
	{"nvme_trace_parse_nvm_cmd", COMMANDS, .run = command, .variant = NVM},
	{"nvme_trace_parse_fabrics_cmd", COMMANDS, .run = fabrics},
	{"nvme_trace_disk_name", ".s", ALWAYS, .run = disk_name},
	{"nvmet_trace_parse_admin_cmd", COMMANDS, .run = command, .variant = TARGET | ADMIN},
	{"nvmet_trace_parse_nvm_cmd", COMMANDS, .run = command, .variant = TARGET | NVM},
	{"nvmet_trace_parse_fabrics_cmd", COMMANDS, .run = fabrics},
	{"nvmet_trace_disk_name", ".s", ALWAYS, .run = disk_name},
	{"nvmet_trace_ctrl_id", ".n", ALWAYS, .run = controller},
	{"nullb_trace_disk_name", ".s", ALWAYS, .run = disk_name},
	{.name = NULL},
};
