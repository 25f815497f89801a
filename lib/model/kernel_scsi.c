/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints SCSI command descriptor blocks as the kernel's scsi_trace_parse_cdb() does. Commands that
 * libtraceevent's plugin prints as well are in native_scsi.c; here are those that only the kernel
 * knows (SPC, SBC and ZBC), and where the texts differ.
 */
#include "func_tables.h"
#include "native_scsi.h"

/* Service actions of MAINTENANCE IN and OUT, and of the zone commands, by number. */
static const char *const maintenance_in[] = {
	[0x05] = "REPORT_IDENTIFYING_INFORMATION",
	[0x0a] = "REPORT_TARGET_PORT_GROUPS",
	[0x0b] = "REPORT_ALIASES",
	[0x0c] = "REPORT_SUPPORTED_OPERATION_CODES",
	[0x0d] = "REPORT_SUPPORTED_TASK_MANAGEMENT_FUNCTIONS",
	[0x0e] = "REPORT_PRIORITY",
	[0x0f] = "REPORT_TIMESTAMP",
	[0x10] = "MANAGEMENT_PROTOCOL_IN",
};
static const char *const maintenance_out[] = {
	[0x06] = "SET_IDENTIFYING_INFORMATION",
	[0x0a] = "SET_TARGET_PORT_GROUPS",
	[0x0b] = "CHANGE_ALIASES",
	[0x0e] = "SET_PRIORITY",
	[0x0f] = "SET_TIMESTAMP",
	[0x10] = "MANAGEMENT_PROTOCOL_OUT",
};
static const char *const zone_in[] = {[0x00] = "REPORT_ZONES"};
static const char *const zone_out[] = {
	[0x01] = "CLOSE_ZONE",
	[0x02] = "FINISH_ZONE",
	[0x03] = "OPEN_ZONE",
	[0x04] = "RESET_WRITE_POINTER",
};

/*
 * Prints the name of the service action. False, with "UNKNOWN" printed: it has none, and the kernel
 * prints no arguments then.
 */
static bool action(struct tdat_build *out, const char *const *names, size_t count,
		   const uint8_t *cdb)
{
	const char *name = kernel_name_of(names, count, cdb[1] & 0x1f, NULL);

	tdat_build_str(out, name ? name : "UNKNOWN");
	return name;
}

/* Prints a command that kernels decode and the plugin does not. False: another one. */
static bool kernel_only(struct tdat_build *out, const uint8_t *cdb, uint32_t kernel)
{
	if (cdb[0] == 0x9c) { /* WRITE ATOMIC (16) */
		if (!kernel_from(kernel, 6, 11))
			return false;
		tdat_build_printf(out, "lba=%llu txlen=%u boundary_size=%u",
				  (unsigned long long)tdat_load64(cdb + 2, true),
				  tdat_load16(cdb + 12, true), tdat_load16(cdb + 10, true));
		return true;
	}
	/* Older kernels print all other commands as the plugin does. */
	if (!kernel_from(kernel, 4, 14))
		return false;
	/* MAINTENANCE IN and OUT, ZONE IN and OUT. */
	switch (cdb[0]) {
	case 0xa3:
		if (action(out, maintenance_in, KERNEL_COUNT(maintenance_in), cdb))
			tdat_build_printf(out, " alloc_len=%u", tdat_load32(cdb + 6, true));
		return true;
	case 0xa4:
		if (action(out, maintenance_out, KERNEL_COUNT(maintenance_out), cdb))
			tdat_build_printf(out, " alloc_len=%u", tdat_load32(cdb + 6, true));
		return true;
	case 0x95:
		if (action(out, zone_in, KERNEL_COUNT(zone_in), cdb))
			tdat_build_printf(out, " zone=%llu alloc_len=%u options=%u partial=%u",
					  (unsigned long long)tdat_load64(cdb + 2, true),
					  tdat_load32(cdb + 10, true), cdb[14] & 0x3f,
					  cdb[14] >> 7);
		return true;
	case 0x94:
		if (action(out, zone_out, KERNEL_COUNT(zone_out), cdb))
			tdat_build_printf(out, " zone=%llu all=%u",
					  (unsigned long long)tdat_load64(cdb + 2, true),
					  cdb[14] & 1);
		return true;
	default:
		return false;
	}
}

static void parse_cdb(const struct func_args *a, struct tdat_build *out)
{
	/* Before 5.5 a kernel joined four bytes in an int, as the plugin does today. */
	bool newer = kernel_from(a->kernel, 5, 5);
	uint8_t cdb[MODEL_SCSI_CDB];

	kernel_bytes(cdb, sizeof(cdb), &a->v[0]);
	if (!kernel_only(out, cdb, a->kernel))
		model_scsi_cdb(out, cdb, newer ? MODEL_SCSI_SBC : MODEL_SCSI_SPREAD);
}

const struct print_func kernel_scsi_funcs[] = {
	{"scsi_trace_parse_cdb", ".b.", ALWAYS, .run = parse_cdb},
	{.name = NULL},
};
