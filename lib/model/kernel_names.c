/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names numbers as small functions of the kernel do: block operations, zone conditions,
 * severities of errors, yes and no. Each takes one number and returns a string, or a number.
 * Each row of the table has the function's name and its strings; kernel_calls.c finds it.
 */
#include "kernel_call_tables.h"
#include "native_tables.h"

#include "core/number.h"

/* Defines a function that prints names[argument], or other where there is none. */
#define NAMES(function, names, other)                                                              \
	static uint64_t function(const struct kernel_arg *args, bool big, uint32_t kernel,         \
				 struct tdat_build *out)                                           \
	{                                                                                          \
		(void)big;                                                                         \
		(void)kernel;                                                                      \
		tdat_build_str(out,                                                                \
			       kernel_name_of(names, KERNEL_COUNT(names), args[0].num, other));    \
		return 0;                                                                          \
	}
/*
 * Defines a function that prints one of two words; include/linux/string_choices.h has most of them.
 */
#define CHOICE(function, yes, no)                                                                  \
	static uint64_t function(const struct kernel_arg *args, bool big, uint32_t kernel,         \
				 struct tdat_build *out)                                           \
	{                                                                                          \
		(void)big;                                                                         \
		(void)kernel;                                                                      \
		tdat_build_str(out, args[0].num ? (yes) : (no));                                   \
		return 0;                                                                          \
	}

/* The names on the left are used by the table at the end of the file. */
CHOICE(yes_no, "yes", "no")
CHOICE(on_off, "on", "off")
CHOICE(read_write, "read", "write")
CHOICE(enable_disable, "enable", "disable")
CHOICE(enabled_disabled, "enabled", "disabled")
CHOICE(high_low, "high", "low")
CHOICE(true_false, "true", "false")
CHOICE(up_down, "up", "down")
CHOICE(direction, "Capture", "Playback")

/* Hypercalls that libtraceevent's plugin does not know, or by an older name. */
static const char *const newer_hypercalls[] = {
	[7] = "(platform_op)",	   [27] = "(xsm_op)",	 [35] = "(sysctl)",
	[36] = "(domctl)",	   [37] = "(kexec_op)",	 [38] = "(tmem_op)",
	[39] = "(xc_reserved_op)", [40] = "(xenpmu_op)", [41] = "(dm_op)",
};

/* xen_hypercall_name(): "platform_op" was "dom0_op" before Linux 4.14. */
static uint64_t hypercall(const struct kernel_arg *args, bool big, uint32_t kernel,
			  struct tdat_build *out)
{
	uint32_t op = (uint32_t)args[0].num;
	const char *name =
		kernel_name_of(newer_hypercalls, KERNEL_COUNT(newer_hypercalls), op, NULL);

	(void)big;
	if (!name || (op == 7 && !kernel_from(kernel, 4, 14)))
		name = model_hypercall_name(op);
	tdat_build_str(out, name);
	return 0;
}

/*
 * blk_op_str() of block/blk-core.c: REQ_OP_ numbers changed when zones came, and once more in 5.11.
 * Each array holds for the kernels that its row below names.
 */
static const char *const operations_5_4[] = {
	"READ",		  "WRITE",	"FLUSH",      "DISCARD",	NULL,
	"SECURE_ERASE",	  "ZONE_RESET", "WRITE_SAME", "ZONE_RESET_ALL", "WRITE_ZEROES",
	[32] = "SCSI_IN", "SCSI_OUT",	"DRV_IN",     "DRV_OUT",
};
/* Each new set of zone operations moved the numbers behind it. */
static const char *const operations_5_10[] = {
	"READ",
	"WRITE",
	"FLUSH",
	"DISCARD",
	NULL,
	"SECURE_ERASE",
	NULL,
	"WRITE_SAME",
	NULL,
	"WRITE_ZEROES",
	"ZONE_OPEN",
	"ZONE_CLOSE",
	"ZONE_FINISH",
	"ZONE_APPEND",
	NULL,
	"ZONE_RESET",
	NULL,
	"ZONE_RESET_ALL",
	[32] = "SCSI_IN",
	"SCSI_OUT",
	"DRV_IN",
	"DRV_OUT",
};
/* All zone operations are odd here: the low bit of a REQ_OP_ means data to the device. */
static const char *const operations_5_15[] = {
	"READ",
	"WRITE",
	"FLUSH",
	"DISCARD",
	NULL,
	"SECURE_ERASE",
	NULL,
	"WRITE_SAME",
	NULL,
	"WRITE_ZEROES",
	NULL,
	"ZONE_OPEN",
	NULL,
	"ZONE_CLOSE",
	NULL,
	"ZONE_FINISH",
	NULL,
	"ZONE_RESET",
	NULL,
	"ZONE_RESET_ALL",
	NULL,
	"ZONE_APPEND",
	[34] = "DRV_IN",
	"DRV_OUT",
};
static const char *const operations[] = {
	"READ",
	"WRITE",
	"FLUSH",
	"DISCARD",
	NULL,
	"SECURE_ERASE",
	NULL,
	"ZONE_APPEND",
	NULL,
	"WRITE_ZEROES",
	NULL,
	"ZONE_OPEN",
	NULL,
	"ZONE_CLOSE",
	NULL,
	"ZONE_FINISH",
	NULL,
	"ZONE_RESET",
	NULL,
	"ZONE_RESET_ALL",
	[34] = "DRV_IN",
	"DRV_OUT",
};
NAMES(operation_5_4, operations_5_4, "UNKNOWN")
NAMES(operation_5_10, operations_5_10, "UNKNOWN")
NAMES(operation_5_15, operations_5_15, "UNKNOWN")
NAMES(operation, operations, "UNKNOWN")

/* Zone conditions of ZBC and ZAC, whose numbers leave a gap. */
static const char *const conditions[] = {
	[0x0] = "NOT_WP", [0x1] = "EMPTY",    [0x2] = "IMP_OPEN", [0x3] = "EXP_OPEN",
	[0x4] = "CLOSED", [0xd] = "READONLY", [0xe] = "FULL",	  [0xf] = "OFFLINE",
};
NAMES(condition, conditions, "UNKNOWN")

/*
 * Severities of memory errors: mc_event_error_type() of include/linux/edac.h. Kernels of 4.4 and
 * before had no "Deferred".
 */
static const char *const severities[] = {"Corrected", "Uncorrected", "Deferred", "Fatal"};
NAMES(severity, severities, "Info")
static const char *const severities_4_4[] = {"Corrected", "Uncorrected", "Fatal"};
NAMES(severity_4_4, severities_4_4, "Info")
static const char *const cper_severities[] = {"recoverable", "fatal", "corrected", "info"};
NAMES(cper_severity, cper_severities, "unknown")
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
NAMES(memory_error, memory_errors, "unknown")
/* Types of USB endpoints, by the bits of bmAttributes. */
static const char *const endpoint_types[] = {"ctrl", "isoc", "bulk", "intr"};
NAMES(endpoint_type, endpoint_types, "unknown")

#define ROW(name, since, until, run)                                                               \
	{                                                                                          \
		name, 1, {NUM}, true, 0, false, since, until, run                                  \
	}
/* Page table entries as numbers; a kernel's pte_val() may look them up in Xen's tables instead. */
static uint64_t same(const struct kernel_arg *args, bool big, uint32_t kernel,
		     struct tdat_build *out)
{
	(void)big;
	(void)kernel;
	(void)out;
	return args[0].num;
}

/* is_writable_pte(): bit 1 of an x86 page table entry. */
static uint64_t writable(const struct kernel_arg *args, bool big, uint32_t kernel,
			 struct tdat_build *out)
{
	(void)big;
	(void)kernel;
	(void)out;
	return args[0].num & 2;
}

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

/*
 * Defines a function that names index, a part of the argument; with timeout, -ETIMEDOUT has a name
 * of its own.
 */
#define DWC3(function, names, index, timeout, other)                                               \
	static uint64_t function(const struct kernel_arg *args, bool big, uint32_t kernel,         \
				 struct tdat_build *out)                                           \
	{                                                                                          \
		int32_t value = (int32_t)args[0].num;                                              \
                                                                                                   \
		(void)big;                                                                         \
		(void)kernel;                                                                      \
		tdat_build_str(out, (timeout) && value == DWC3_TIMED_OUT                           \
					    ? "Timed Out"                                          \
					    : kernel_name_of(names, KERNEL_COUNT(names),           \
							     (uint32_t)(index), other));           \
		return 0;                                                                          \
	}
DWC3(dwc3_endpoint_name, dwc3_endpoint, value & 0xff, false, "UNKNOWN command")
DWC3(dwc3_generic_name, dwc3_generic, value & 0xff, false, "UNKNOWN")
/* Without the notification of 6.6. */
DWC3(dwc3_generic_name_6_1, dwc3_generic, (value & 0xff) == 7 ? 0 : value & 0xff, false, "UNKNOWN")
DWC3(dwc3_trb_name, dwc3_trbs, value >> 4, false, "UNKNOWN")
DWC3(dwc3_endpoint_result, dwc3_endpoint_results, value, true, "UNKNOWN")
DWC3(dwc3_generic_result, dwc3_generic_results, value, true, "UNKNOWN")

/* A row of a function that returns a number of that many bits. */
#define NUMBER(name, bits, is_signed, run)                                                         \
	{                                                                                          \
		name, 1, {NUM}, false, bits, is_signed, 0, MODEL_KERNEL_ANY, run                   \
	}
#define ALWAYS(name, run) ROW(name, 0, MODEL_KERNEL_ANY, run)

const struct kernel_call kernel_name_calls[] = {
	/* Kernels between these ranges were not read: there the function counts as unknown. */
	ROW("blk_op_str", 0, MODEL_KERNEL(5, 4, 255), operation_5_4),
	ROW("blk_op_str", MODEL_KERNEL(5, 10, 0), MODEL_KERNEL(5, 10, 255), operation_5_10),
	ROW("blk_op_str", MODEL_KERNEL(5, 15, 0), MODEL_KERNEL(5, 15, 255), operation_5_15),
	ROW("blk_op_str", MODEL_KERNEL(6, 1, 0), KERNEL_LAST, operation),
	ROW("blk_zone_cond_str", 0, KERNEL_LAST, condition),
	ROW("cper_mem_err_type_str", 0, KERNEL_LAST, memory_error),
	ALWAYS("cper_severity_str", cper_severity),
	ROW("mc_event_error_type", 0, MODEL_KERNEL(4, 4, 255), severity_4_4),
	ROW("mc_event_error_type", MODEL_KERNEL(4, 14, 0), KERNEL_LAST, severity),
	ROW("dwc3_ep_cmd_status_string", MODEL_KERNEL(5, 10, 0), KERNEL_LAST, dwc3_endpoint_result),
	ROW("dwc3_gadget_ep_cmd_string", MODEL_KERNEL(5, 10, 0), KERNEL_LAST, dwc3_endpoint_name),
	ROW("dwc3_gadget_generic_cmd_status_string", MODEL_KERNEL(5, 10, 0), KERNEL_LAST,
	    dwc3_generic_result),
	ROW("dwc3_gadget_generic_cmd_string", MODEL_KERNEL(5, 10, 0), MODEL_KERNEL(6, 1, 255),
	    dwc3_generic_name_6_1),
	ROW("dwc3_gadget_generic_cmd_string", MODEL_KERNEL(6, 6, 0), KERNEL_LAST,
	    dwc3_generic_name),
	ROW("dwc3_trb_type_string", MODEL_KERNEL(5, 10, 0), KERNEL_LAST, dwc3_trb_name),
	NUMBER("is_writable_pte", 32, true, writable),
	NUMBER("native_make_p4d", 64, false, same),
	NUMBER("native_make_pgd", 64, false, same),
	NUMBER("native_make_pmd", 64, false, same),
	NUMBER("native_make_pte", 64, false, same),
	NUMBER("native_make_pud", 64, false, same),
	NUMBER("native_p4d_val", 64, false, same),
	NUMBER("native_pgd_val", 64, false, same),
	NUMBER("native_pmd_val", 64, false, same),
	NUMBER("native_pte_val", 64, false, same),
	NUMBER("native_pud_val", 64, false, same),
	ALWAYS("onoff", on_off),
	ALWAYS("snd_pcm_direction_name", direction),
	ALWAYS("str_enable_disable", enable_disable),
	ALWAYS("str_enabled_disabled", enabled_disabled),
	ALWAYS("str_high_low", high_low),
	ALWAYS("str_on_off", on_off),
	ALWAYS("str_read_write", read_write),
	ALWAYS("str_true_false", true_false),
	ALWAYS("str_up_down", up_down),
	ALWAYS("str_yes_no", yes_no),
	ALWAYS("usb_ep_type_string", endpoint_type),
	ROW("xen_hypercall_name", 0, KERNEL_LAST, hypercall),
	ALWAYS("yesno", yes_no),
	{NULL, 0, {0}, false, 0, false, 0, 0, NULL},
};
