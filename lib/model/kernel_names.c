/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names numbers as small functions of the kernel do: block operations, zone conditions,
 * severities of errors, yes and no. Each takes one number and returns a string. Each row of
 * the table has the function's name and its strings; func_tables.c finds it.
 */
#include "func_tables.h"

/* Hypercalls that libtraceevent's plugin does not know, or by an older name. */
static const char *const newer_hypercalls[] = {
	[7] = "(platform_op)",	   [27] = "(xsm_op)",	 [35] = "(sysctl)",
	[36] = "(domctl)",	   [37] = "(kexec_op)",	 [38] = "(tmem_op)",
	[39] = "(xc_reserved_op)", [40] = "(xenpmu_op)", [41] = "(dm_op)",
};

/* xen_hypercall_name(): "platform_op" was "dom0_op" before Linux 4.14. */
static void hypercall(const struct func_args *a, struct tdat_build *out)
{
	uint32_t op = (uint32_t)a->v[0].num;
	const char *name = KERNEL_NAME(newer_hypercalls, op, NULL);

	if (!name || (op == 7 && !kernel_from(a->kernel, 4, 14)))
		name = model_hypercall_name(op);
	tdat_build_str(out, name);
}

enum { NONE = -1 };

/*
 * blk_op_str() of block/blk-core.c. REQ_OP_ numbers changed when zones came, when the low bit of a
 * number came to mean data to the device, and once more behind that. The columns are kernels up
 * to 5.4, 5.10, 5.15, and from 6.1 on; a row's variant is its column.
 */
static const struct {
	const char *name;
	int8_t number[4];
} operations[] = {
	{"READ", {0, 0, 0, 0}},
	{"WRITE", {1, 1, 1, 1}},
	{"FLUSH", {2, 2, 2, 2}},
	{"DISCARD", {3, 3, 3, 3}},
	{"SECURE_ERASE", {5, 5, 5, 5}},
	{"WRITE_SAME", {7, 7, 7, NONE}},
	{"WRITE_ZEROES", {9, 9, 9, 9}},
	{"ZONE_APPEND", {NONE, 13, 21, 7}},
	{"ZONE_OPEN", {NONE, 10, 11, 11}},
	{"ZONE_CLOSE", {NONE, 11, 13, 13}},
	{"ZONE_FINISH", {NONE, 12, 15, 15}},
	{"ZONE_RESET", {6, 15, 17, 17}},
	{"ZONE_RESET_ALL", {8, 17, 19, 19}},
	{"SCSI_IN", {32, 32, NONE, NONE}},
	{"SCSI_OUT", {33, 33, NONE, NONE}},
	{"DRV_IN", {34, 34, 34, 34}},
	{"DRV_OUT", {35, 35, 35, 35}},
};

static void operation(const struct func_args *a, struct tdat_build *out)
{
	const char *name = "UNKNOWN";

	for (size_t i = 0; i < KERNEL_COUNT(operations); i++)
		if (operations[i].number[a->func->variant] != NONE &&
		    (uint64_t)operations[i].number[a->func->variant] == a->v[0].num)
			name = operations[i].name;
	tdat_build_str(out, name);
}

/* Zone conditions of ZBC and ZAC, whose numbers leave a gap. */
static const char *const conditions[] = {
	[0x0] = "NOT_WP", [0x1] = "EMPTY",    [0x2] = "IMP_OPEN", [0x3] = "EXP_OPEN",
	[0x4] = "CLOSED", [0xd] = "READONLY", [0xe] = "FULL",	  [0xf] = "OFFLINE",
};

/*
 * Severities of memory errors: mc_event_error_type() of include/linux/edac.h. Kernels of 4.4 and
 * before had no "Deferred".
 */
static const char *const severities[] = {"Corrected", "Uncorrected", "Deferred", "Fatal"};
static const char *const severities_4_4[] = {"Corrected", "Uncorrected", "Fatal"};
static const char *const cper_severities[] = {"recoverable", "fatal", "corrected", "info"};
/* Memory error types of UEFI's CPER records, spelled as the kernel spells them. */
static const char *const memory_errors[] = {
	"unknown",
	"no error",
	"single-bit ECC",
	"multi-bit ECC",
	"single-symbol chipkill ECC",
	"multi-symbol chipkill ECC",
	"master abort",
	"target abort",
	"parity error",
	"watchdog timeout",
	"invalid address",
	"mirror Broken",
	"memory sparing",
	"scrub corrected error",
	"scrub uncorrected error",
	"physical memory map-out event",
};
/* Types of USB endpoints, by the bits of bmAttributes. */
static const char *const endpoint_types[] = {"ctrl", "isoc", "bulk", "intr"};

/*
 * Commands of the dwc3 controller, in the low byte, and their results. These are for one endpoint:
 * DWC3_DEPCMD_ of drivers/usb/dwc3/core.h.
 */
static const char *const dwc3_endpoint[] = {
	NULL,
	"Set Endpoint Configuration",
	"Set Endpoint Transfer Resource",
	"Get Endpoint State",
	"Set Stall",
	"Clear Stall",
	"Start Transfer",
	"Update Transfer",
	"End Transfer",
	"Start New Configuration",
};
/* Commands of the whole device; gaps are reserved numbers. */
static const char *const dwc3_generic[] = {
	[0x01] = "Set LMP",
	[0x02] = "Set Periodic Parameters",
	[0x03] = "Transmit Function Wake Device Notification",
	[0x04] = "Set Scratchpad Buffer Array Address Lo",
	[0x05] = "Set Scratchpad Buffer Array Address Hi",
	[0x07] = "Device Notification",
	[0x09] = "Selected FIFO Flush",
	[0x0a] = "All FIFO Flush",
	[0x0c] = "Set Endpoint NRDY",
	[0x0d] = "Set Endpoint Prime",
	[0x10] = "Run SoC Bus Loopback Test",
};
/* Types of transfer request blocks, in bits 4 to 9 of the control word. */
static const char *const dwc3_trbs[] = {
	NULL, "normal", "setup", "status2", "status3", "data", "isoc-first", "isoc", "link",
};
/* Results of commands, by the status field of the register. */
static const char *const dwc3_endpoint_results[] = {"Successful", "No Resource", "Bus Expiry"};
static const char *const dwc3_generic_results[] = {"Successful", "Error"};
enum { DWC3_TIMED_OUT = -110 }; /* ETIMEDOUT of most architectures */

/* Commands are in the low byte. 7 of the whole device, the notification, came with 6.6. */
static void dwc3_command(const struct func_args *a, struct tdat_build *out)
{
	const uint32_t command = a->v[0].num & 0xff;

	kernel_put_name(a, command == a->func->variant ? 0 : command, out);
}

static void dwc3_trb(const struct func_args *a, struct tdat_build *out)
{
	kernel_put_name(a, (uint32_t)((int32_t)a->v[0].num >> 4), out);
}

static void dwc3_result(const struct func_args *a, struct tdat_build *out)
{
	const int32_t result = (int32_t)a->v[0].num;

	if (result == DWC3_TIMED_OUT)
		tdat_build_str(out, "Timed Out");
	else
		kernel_put_name(a, (uint32_t)result, out);
}

/* One of two words; include/linux/string_choices.h has most of these functions. */
#define CHOICE(yes, no)                                                                            \
	.run = kernel_named, .names = (const char *const[]){no}, .count = 1, .other = yes
#define DWC3 "n", MODEL_KERNEL(5, 10, 0), KERNEL_LAST
#define ALL "n", 0, KERNEL_LAST

const struct print_func kernel_name_funcs[] = {
	/* Kernels between these ranges were not read: there the function counts as unknown. */
	{"blk_op_str", "n", 0, MODEL_KERNEL(5, 4, 255), .run = operation, .variant = 0},
	{"blk_op_str", "n", MODEL_KERNEL(5, 10, 0), MODEL_KERNEL(5, 10, 255), .run = operation,
	 .variant = 1},
	{"blk_op_str", "n", MODEL_KERNEL(5, 15, 0), MODEL_KERNEL(5, 15, 255), .run = operation,
	 .variant = 2},
	{"blk_op_str", "n", MODEL_KERNEL(6, 1, 0), KERNEL_LAST, .run = operation, .variant = 3},
	{"blk_zone_cond_str", ALL, NAMES(conditions, "UNKNOWN")},
	{"cper_mem_err_type_str", ALL, NAMES(memory_errors, "unknown")},
	{"cper_severity_str", "n", ALWAYS, NAMES(cper_severities, "unknown")},
	{"mc_event_error_type", "n", 0, MODEL_KERNEL(4, 4, 255), NAMES(severities_4_4, "Info")},
	{"mc_event_error_type", "n", MODEL_KERNEL(4, 14, 0), KERNEL_LAST,
	 NAMES(severities, "Info")},
	{"dwc3_ep_cmd_status_string", DWC3,
	 NAMES_BY(dwc3_result, dwc3_endpoint_results, "UNKNOWN")},
	{"dwc3_gadget_ep_cmd_string", DWC3,
	 NAMES_BY(dwc3_command, dwc3_endpoint, "UNKNOWN command")},
	{"dwc3_gadget_generic_cmd_status_string", DWC3,
	 NAMES_BY(dwc3_result, dwc3_generic_results, "UNKNOWN")},
	{"dwc3_gadget_generic_cmd_string", "n", MODEL_KERNEL(5, 10, 0), MODEL_KERNEL(6, 1, 255),
	 NAMES_BY(dwc3_command, dwc3_generic, "UNKNOWN"), .variant = 7},
	{"dwc3_gadget_generic_cmd_string", "n", MODEL_KERNEL(6, 6, 0), KERNEL_LAST,
	 NAMES_BY(dwc3_command, dwc3_generic, "UNKNOWN")},
	{"dwc3_trb_type_string", DWC3, NAMES_BY(dwc3_trb, dwc3_trbs, "UNKNOWN")},
	{"onoff", "n", ALWAYS, CHOICE("on", "off")},
	{"snd_pcm_direction_name", "n", ALWAYS, CHOICE("Capture", "Playback")},
	{"str_enable_disable", "n", ALWAYS, CHOICE("enable", "disable")},
	{"str_enabled_disabled", "n", ALWAYS, CHOICE("enabled", "disabled")},
	{"str_high_low", "n", ALWAYS, CHOICE("high", "low")},
	{"str_on_off", "n", ALWAYS, CHOICE("on", "off")},
	{"str_read_write", "n", ALWAYS, CHOICE("read", "write")},
	{"str_true_false", "n", ALWAYS, CHOICE("true", "false")},
	{"str_up_down", "n", ALWAYS, CHOICE("up", "down")},
	{"str_yes_no", "n", ALWAYS, CHOICE("yes", "no")},
	{"usb_ep_type_string", "n", ALWAYS, NAMES(endpoint_types, "unknown")},
	{"xen_hypercall_name", ALL, .run = hypercall},
	{"yesno", "n", ALWAYS, CHOICE("yes", "no")},
	{.name = NULL},
};
