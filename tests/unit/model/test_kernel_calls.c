/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's functions of print fmts. Texts marked with a recording of corpus/truth are those
 * that the kernel printed there; others follow from the sources of the kernel named.
 */
#include <check.h>
#include <string.h>

#include "../common/run.h"
#include "model/kernel_consts.h"
#include "model/print_func.h"

#define K612 MODEL_KERNEL(6, 12, 117)
#define K61 MODEL_KERNEL(6, 1, 0)
#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

static const struct {
	const char *name;
	uint32_t kernel;
	uint64_t nums[7]; /* by place of the argument */
	const uint8_t *bytes;
	size_t len; /* of the argument that is bytes or text */
	const char *text;
} cases[] = {
	/* x64-612-block: ata_qc_complete_done, _failed, _internal. */
	{"libata_trace_parse_status", K612, {0, 0x50}, NULL, 0, "{ DRDY DSC }"},
	{"libata_trace_parse_status", K612, {0, 0x41}, NULL, 0, "{ DRDY ERR }"},
	{"libata_trace_parse_status", K612, {0, 0x58}, NULL, 0, "{ DRDY DSC DRQ }"},
	{"libata_trace_parse_qc_flags", K612, {0, 0xf}, NULL, 0, "f{ ACTIVE DMAMAP IO }"},
	{"libata_trace_parse_qc_flags",
	 K612,
	 {0, 0x10057},
	 NULL,
	 0,
	 "10057{ ACTIVE DMAMAP RESULT_TF QUIET FAILED }"},
	/* x64-612-block: ata_eh_about_to_do, ata_eh_link_autopsy. */
	{"libata_trace_parse_eh_action", K612, {0, 6}, NULL, 0, "6{ RESET }"},
	{"libata_trace_parse_eh_action", K612, {0, 1}, NULL, 0, "1{ REVALIDATE }"},
	{"libata_trace_parse_eh_action", K612, {0, 0}, NULL, 0, "0"},
	{"libata_trace_parse_eh_err_mask", K612, {0, 1}, NULL, 0, "1{ DEV }"},
	/* x64-612-block: ata_qc_issue of a command without subcommands; Linux 6.12. */
	{"libata_trace_parse_subcmd", K612, {0, 0x60, 0, 0}, NULL, 0, ""},
	{"libata_trace_parse_subcmd", K612, {0, 0x64, 9, 0xa2}, NULL, 0, " WRITE_LOG_DMA_EXT"},
	{"libata_trace_parse_subcmd", K612, {0, 0x9f, 4, 1}, NULL, 0, " RESET_WRITE_POINTER"},
	/* x64-612-block: nvme_setup_cmd. */
	{"nvme_trace_parse_nvm_cmd",
	 K612,
	 {0, 2},
	 BYTES(0, 1, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0x80, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
	 "slba=256, len=255, ctrl=0x8000, dsmgmt=7, reftag=0"},
	{"nvme_trace_parse_nvm_cmd", K612, {0, 9}, BYTES(0, 0, 0, 0, 4), "nr=0, attributes=4"},
	{"nvme_trace_parse_admin_cmd", K612, {0, 0}, BYTES(1), "sqid=1"},
	{"nvme_trace_parse_admin_cmd",
	 K612,
	 {0, 5},
	 BYTES(2, 0, 0xff, 3, 3, 0, 2, 0),
	 "cqid=2, qsize=1023, cq_flags=0x3, irq_vector=2"},
	{"nvme_trace_parse_admin_cmd",
	 K612,
	 {0, 9},
	 BYTES(0x0b, 0, 0, 0, 0, 1),
	 "fid=0xb, sv=0x0, cdw11=0x100"},
	{"nvme_trace_parse_admin_cmd",
	 K612,
	 {0, 2},
	 BYTES(1, 0, 0x0f),
	 "cdw10=01 00 0f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
	{"nvme_trace_disk_name",
	 K612,
	 {0},
	 BYTES('n', 'v', 'm', 'e', '0', 'n', '1'),
	 "disk=nvme0n1, "},
	{"nvme_trace_disk_name", K612, {0}, NULL, 0, ""},
	/* Linux 6.1, 6.12, 6.18: names came with time. */
	{"nvme_trace_parse_nvm_cmd",
	 K61,
	 {0, 0x79},
	 BYTES(0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1),
	 "slba=65536, zsa=4, all=1"},
	{"nvme_trace_parse_nvm_cmd",
	 K612,
	 {0, 0x79},
	 BYTES(0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1),
	 "slba=65536, zsa=4:reset zone, all=1"},
	{"nvme_trace_parse_nvm_cmd",
	 K612,
	 {0, 0x0d},
	 BYTES(9, 0, 0, 0xc0),
	 "rrega=1, iekey=1, ptpl=3"},
	{"nvme_trace_parse_nvm_cmd",
	 MODEL_KERNEL(6, 18, 0),
	 {0, 0x0d},
	 BYTES(9, 0, 0, 0xc0),
	 "rrega=1:unregister, iekey=1, ptpl=3"},
	{"nvme_trace_parse_nvm_cmd",
	 K61,
	 {0, 0x0d},
	 BYTES(9, 0, 0, 0xc0),
	 "cdw10=09 00 00 c0 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
	{"nvme_trace_parse_admin_cmd", K612, {0, 6}, BYTES(2, 0, 1, 1), "cns=2, ctrlid=257"},
	{"nvmet_trace_parse_admin_cmd",
	 K612,
	 {0, 4},
	 BYTES(1),
	 "cdw10=01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
	{"nvme_trace_parse_fabrics_cmd",
	 K612,
	 {0, 4},
	 BYTES(1, 0, 0, 0, 0x1c),
	 "attrib=1, ofst=0x1c"},
	/* x64-612-block: scsi_dispatch_cmd_start, scsi_dispatch_cmd_timeout (ATA_16). */
	{"scsi_trace_parse_cdb",
	 K612,
	 {0, 0, 10},
	 BYTES(0x28, 0, 0, 0, 1, 0, 0, 1, 0, 0),
	 "lba=256 txlen=256 protect=0"},
	{"scsi_trace_parse_cdb",
	 K612,
	 {0, 0, 16},
	 BYTES(0x85, 9, 0x0e, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xe0, 0x2f, 0),
	 "-"},
	/* Linux 5.4 and 5.10: lengths of 0, numbers with the highest bit. */
	{"scsi_trace_parse_cdb",
	 MODEL_KERNEL(5, 4, 0),
	 {0},
	 BYTES(0x08, 0, 0, 1, 0),
	 "lba=1 txlen=0"},
	{"scsi_trace_parse_cdb",
	 MODEL_KERNEL(5, 10, 0),
	 {0},
	 BYTES(0x08, 0, 0, 1, 0),
	 "lba=1 txlen=256"},
	{"scsi_trace_parse_cdb",
	 MODEL_KERNEL(5, 4, 0),
	 {0},
	 BYTES(0x28, 0, 0x80, 0, 0, 0),
	 "lba=18446744071562067968 txlen=0 protect=0"},
	{"scsi_trace_parse_cdb",
	 MODEL_KERNEL(5, 10, 0),
	 {0},
	 BYTES(0x28, 0, 0x80, 0, 0, 0),
	 "lba=2147483648 txlen=0 protect=0"},
	{"scsi_trace_parse_cdb",
	 K612,
	 {0},
	 BYTES(0xa3, 0x0c, 0, 0, 0, 0, 0, 0, 2, 0),
	 "REPORT_SUPPORTED_OPERATION_CODES alloc_len=512"},
	{"scsi_trace_parse_cdb",
	 K612,
	 {0},
	 BYTES(0x94, 4, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1),
	 "RESET_WRITE_POINTER zone=524288 all=1"},
	/* x64-61-f2fs: f2fs_submit_write_bio of WRITE. */
	{"blk_op_str", K61, {1}, NULL, 0, "WRITE"},
	{"blk_op_str", K61, {7}, NULL, 0, "ZONE_APPEND"},
	{"blk_op_str", MODEL_KERNEL(5, 4, 0), {7}, NULL, 0, "WRITE_SAME"},
	{"blk_op_str", K61, {99}, NULL, 0, "UNKNOWN"},
	{"xen_hypercall_name", K61, {1}, NULL, 0, "(mmu_update)"},
	{"xen_hypercall_name", K61, {27}, NULL, 0, "(xsm_op)"},
	/* Linux 6.12 and its predecessors: words of the xHCI specification. */
	{"xhci_decode_trb",
	 K612,
	 {0, 0, 0x1000, 1, 0x400008, 0},
	 NULL,
	 0,
	 "type 'UNKNOWN' -> raw 00001000 00000001 00400008 00000000"},
	{"xhci_decode_trb",
	 K612,
	 {0, 0, 0x01000680, 0x00120000, 8, 0x30841},
	 NULL,
	 0,
	 "bRequestType 80 bRequest 06 wValue 0100 wIndex 0000 wLength 18 length 8 TD size 0 "
	 "intr 0 type 'Setup Stage' flags I:i:C"},
	{"xhci_decode_trb",
	 K612,
	 {0, 0, 0x2000, 1, 0x0d000010, 0x01058001},
	 NULL,
	 0,
	 "TRB 0000000100002000 status 'Short Packet' len 16 slot 1 ep 5 type 'Transfer Event' "
	 "flags e:C"},
	{"xhci_decode_trb",
	 K612,
	 {0, 0, 0x2000, 0, 0, 0x01002e01},
	 NULL,
	 0,
	 "Address Device Command: ctx 0000000000002000 slot 1 flags B:C"},
	{"xhci_decode_trb",
	 MODEL_KERNEL(6, 18, 0),
	 {0, 0, 0x2000, 0, 64, 0x80101401},
	 NULL,
	 0,
	 "Buffer 0000000000002000 length 64 TD size/TBC 0 intr 0 type 'Isoch' TBC 0 TLBPC 0 "
	 "frame_id 1 flags S:b:i:i:c:s:i:e:C"},
	{"xhci_decode_trb",
	 MODEL_KERNEL(5, 4, 0),
	 {0, 0, 0, 0x2401},
	 NULL,
	 0,
	 "Enable Slot Command: flags C"},
	{"xhci_ring_type_string", K612, {5}, NULL, 0, "CMD"},
	{"xhci_decode_portsc",
	 K612,
	 {0, 0x2a0},
	 NULL,
	 0,
	 "0x000002a0 Powered Not-connected Disabled Link:RxDetect PortSpeed:0 Change: Wake: "},
	{"xhci_decode_portsc",
	 K61,
	 {0, 0x0e0206e1},
	 NULL,
	 0,
	 "Powered Connected Disabled Link:Polling PortSpeed:1 Change: CSC Wake: WCE WDE WOE "},
	{"xhci_decode_portsc", K612, {0, UINT32_MAX}, NULL, 0, "0xffffffff "},
	{"xhci_decode_doorbell", K612, {0, 0, 0}, NULL, 0, "Command Ring 0"},
	{"xhci_decode_doorbell", K612, {0, 1, 5}, NULL, 0, "Slot 1 ep2in"},
	{"xhci_decode_doorbell", K612, {0, 1, 0x30005}, NULL, 0, "Slot  Stream 3"},
	{"xhci_decode_ctrl_ctx", K612, {0, 8, 7}, NULL, 0, "Drop: 1in, Add: slot ep0 1out"},
	{"xhci_decode_slot_context",
	 K612,
	 {0, 0x0830000f, 0x03010000, 0, 0x18000004},
	 NULL,
	 0,
	 "RS 0000f high-speed Ctx Entries 1 MEL 0 us Port# 1/3 [TT Slot 0 Port# 0 TTT 0 Intr 0] "
	 "Addr 4 State configured"},
	{"xhci_decode_ep_context",
	 K612,
	 {0, 1, 0x00400026, 0x1001, 8},
	 NULL,
	 0,
	 "State running mult 1 max P. Streams 0 interval 125 us max ESIT payload 0 CErr 3 "
	 "Type Ctrl burst 0 maxp 64 deq 0000000000001001 avg trb len 8"},
	{"usb_decode_ctrl",
	 K612,
	 {0, 0, 0x80, 6, 0x0100, 0, 18},
	 NULL,
	 0,
	 "Get Device Descriptor(Index = 0, Length = 18)"},
	{"usb_decode_ctrl",
	 K612,
	 {0, 0, 0x02, 1, 0, 0x81, 0},
	 NULL,
	 0,
	 "Clear Endpoint Feature(Halt ep1in)"},
	{"usb_decode_ctrl",
	 K612,
	 {0, 0, 0xa1, 0xfe, 0, 0, 1},
	 NULL,
	 0,
	 "Type=Class Recipient=Interface Dir=IN bRequest=254 wValue=0 wIndex=0 wLength=1"},
	{"decode_prq_descriptor",
	 K612,
	 {0, 0, 0x0010000500180201, 0x7f003, 1, 2},
	 NULL,
	 0,
	 "rid=0x18 addr=0x7f rwx-- pasid=0x5 index=0x0 private=0x1/0x2\n"},
	{"dwc3_ep_cmd_status_string", K612, {(uint64_t)-110}, NULL, 0, "Timed Out"},
	{"dwc3_gadget_ep_cmd_string", K612, {0x406}, NULL, 0, "Start Transfer"},
	{"dwc3_gadget_generic_cmd_string", K612, {7}, NULL, 0, "Device Notification"},
	{"dwc3_gadget_generic_cmd_string", K61, {7}, NULL, 0, "UNKNOWN"},
	{"dwc3_gadget_generic_cmd_string", K61, {0x10}, NULL, 0, "Run SoC Bus Loopback Test"},
	{"str_yes_no", K61, {2}, NULL, 0, "yes"},
};

START_TEST(test_texts)
{
	const char *name = cases[_i].name;
	const struct print_func *func = kernel_func_find(name, strlen(name), cases[_i].kernel);
	struct func_args args = {.func = func, .kernel = cases[_i].kernel};
	struct func_arg *arg = args.v;
	struct tdat_build out;

	ck_assert_msg(func, "%s is unknown", name);
	for (size_t i = 0; func->args[i]; i++) {
		if (func->args[i] == 'n')
			arg++->num = cases[_i].nums[i];
		else if (func->args[i] != '.')
			arg++->bytes = (struct tdat_span){cases[_i].bytes, cases[_i].len};
	}
	tdat_build_init(&out, false);
	func->run(&args, &out);
	tdat_build_u8(&out, 0);
	ck_assert(!out.failed);
	ck_assert_str_eq((const char *)out.ptr, cases[_i].text);
	tdat_build_fini(&out);
}
END_TEST

START_TEST(test_ranges)
{
	/* Linux 5.11 to 5.14 numbered block operations in a way that nobody looked up. */
	ck_assert_ptr_null(kernel_func_find("blk_op_str", 10, MODEL_KERNEL(5, 12, 0)));
	ck_assert_ptr_nonnull(kernel_func_find("blk_op_str", 10, 0));
	ck_assert_ptr_null(kernel_func_find("blk_op_st", 9, 0));
	ck_assert_ptr_null(kernel_func_find("page_to_pfn", 11, K612));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kernel_calls");
	TCase *tcase = tcase_create("kernel_calls");

	tcase_add_loop_test(tcase, test_texts, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tcase, test_ranges);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
