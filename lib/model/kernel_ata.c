/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints ATA registers and states as the kernel's libata_trace_parse_*() do: status and bus
 * master bits of the ATA standard, and libata's masks of actions, errors and flags. Rows of its
 * table are found by func_tables.c. Text is appended to the caller's buffer; arguments are
 * numbers and bytes of the record.
 */
#include "func_tables.h"

#include "core/number.h"

/* Bits of the status register. drivers/ata/libata-trace.c prints them from the highest down. */
static const struct kernel_bit status_bits[] = {
	{0x80, "BUSY"}, {0x40, "DRDY"}, {0x20, "DF"},	 {0x10, "DSC"},
	{0x08, "DRQ"},	{0x04, "CORR"}, {0x02, "SENSE"}, {0x01, "ERR"},
};
/* Bits of the status register of the bus master. */
static const struct kernel_bit host_bits[] = {{0x04, "INTR"}, {0x02, "ERR"}, {0x01, "ACTIVE"}};
/* ATA_EH_ bits. The kernel tests for either reset first, and never tells them apart. */
static const struct kernel_bit action_bits[] = {
	{0x01, "REVALIDATE"}, {0x06, "RESET"}, {0x08, "ENABLE_LINK"}, {0x20, "PARK"}};
/* AC_ERR_ masks of include/linux/libata.h, ATA_QCFLAG_ below, and ATA_TFLAG_ after these. */
static const struct kernel_bit error_bits[] = {
	{1u << 0, "DEV"},     {1u << 1, "HSM"},	       {1u << 2, "TIMEOUT"}, {1u << 3, "MEDIA"},
	{1u << 4, "ATA_BUS"}, {1u << 5, "HOST_BUS"},   {1u << 6, "SYSTEM"},  {1u << 7, "INVALID"},
	{1u << 8, "OTHER"},   {1u << 9, "NODEV_HINT"}, {1u << 10, "NCQ"},
};
static const struct kernel_bit command_bits[] = {
	{1u << 0, "ACTIVE"},	    {1u << 1, "DMAMAP"},     {1u << 3, "IO"},
	{1u << 4, "RESULT_TF"},	    {1u << 5, "CLEAR_EXCL"}, {1u << 6, "QUIET"},
	{1u << 7, "RETRY"},	    {1u << 16, "FAILED"},    {1u << 17, "SENSE_VALID"},
	{1u << 18, "EH_SCHEDULED"},
};
static const struct kernel_bit taskfile_bits[] = {
	{1u << 0, "LBA48"}, {1u << 1, "ISADDR"}, {1u << 2, "DEV"},  {1u << 3, "WRITE"},
	{1u << 4, "LBA"},   {1u << 5, "FUA"},	 {1u << 6, "POLL"},
};

/* Prints the value in hexadecimal, and the names of its bits unless it is 0. */
static void value_and_bits(struct tdat_build *out, const struct kernel_bit *bits, size_t count,
			   uint64_t value)
{
	tdat_number_x64(out, (uint32_t)value, 0);
	if ((uint32_t)value)
		kernel_bits_text(out, bits, count, value);
}

/* Defines a run function that prints the mask of its argument with these names. */
#define BITS(function, bits, text)                                                                 \
	static void function(const struct func_args *a, struct tdat_build *out)                    \
	{                                                                                          \
		text(out, bits, KERNEL_COUNT(bits), a->v[0].num);                                  \
	}

BITS(status, status_bits, kernel_bits_text)
BITS(host_status, host_bits, kernel_bits_text)
BITS(action, action_bits, value_and_bits)
BITS(error_mask, error_bits, value_and_bits)
BITS(command_flags, command_bits, value_and_bits)
BITS(taskfile_flags, taskfile_bits, value_and_bits)

/* Subcommands by command and by the register that holds them. */
static const struct subcommand {
	uint8_t command;
	uint8_t number;
	const char *name;
} subcommands[] = {
	{0x4a, 0x00, " REPORT_ZONES"}, /* ZAC MANAGEMENT IN */
	{0x63, 0x00, " ABORT_QUEUE"},  /* NCQ NON-DATA */
	{0x63, 0x05, " SET_FEATURES"},
	{0x63, 0x06, " ZERO_EXT"},
	{0x63, 0x07, " ZAC_MGMT_OUT"},
	{0x64, 0x00, " DATASET_MANAGEMENT"}, /* SEND FPDMA QUEUED */
	{0x64, 0x02, " WRITE_LOG_DMA_EXT"},
	{0x65, 0x01, " READ_LOG_DMA_EXT"}, /* RECEIVE FPDMA QUEUED */
	{0x65, 0x02, " ZAC_MGMT_IN"},
	{0x9f, 0x01, " CLOSE_ZONE"}, /* ZAC MANAGEMENT OUT */
	{0x9f, 0x02, " FINISH_ZONE"},
	{0x9f, 0x03, " OPEN_ZONE"},
	{0x9f, 0x04, " RESET_WRITE_POINTER"},
};

/* The FPDMA commands have the subcommand in the upper count register, others in the feature. */
static void subcommand(const struct func_args *a, struct tdat_build *out)
{
	uint8_t command = (uint8_t)a->v[0].num;
	bool fpdma = command == 0x64 || command == 0x65;
	uint8_t number = fpdma ? a->v[2].num & 0x5f : (uint8_t)a->v[1].num;

	for (size_t i = 0; i < KERNEL_COUNT(subcommands); i++) {
		if (subcommands[i].command == command && subcommands[i].number == number)
			tdat_build_str(out, subcommands[i].name);
	}
}

const struct print_func kernel_ata_funcs[] = {
	{"libata_trace_parse_status", ".n", ALWAYS, .run = status},
	{"libata_trace_parse_host_stat", ".n", ALWAYS, .run = host_status},
	{"libata_trace_parse_eh_action", ".n", ALWAYS, .run = action},
	{"libata_trace_parse_eh_err_mask", ".n", ALWAYS, .run = error_mask},
	{"libata_trace_parse_qc_flags", ".n", ALWAYS, .run = command_flags},
	{"libata_trace_parse_tf_flags", ".n", ALWAYS, .run = taskfile_flags},
	{"libata_trace_parse_subcmd", ".nnn", ALWAYS, .run = subcommand},
	{.name = NULL},
};
