/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints events of kvm as the plugin kvm of libtraceevent does without symbols of guests. Exit
 * reasons of Intel and AMD are tables below; the field isa says which one holds. Instructions
 * are printed as bytes, since there is no disassembler here.
 */
#include "native_tables.h"

#include <stdlib.h>

#include "native_util.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Why a guest returned to the host: the processor's number and the name that is printed. */
struct exit_reason {
	int32_t code;
	const char *name;
};

/* Those that the plugin does not know. */
static const struct exit_reason vmx_more[] = {
	{3, "INIT_SIGNAL"},
	{4, "SIPI_SIGNAL"},
	{33, "INVALID_STATE"},
	{34, "MSR_LOAD_FAIL"},
	{37, "MONITOR_TRAP_FLAG"},
	{46, "GDTR_IDTR"},
	{47, "LDTR_TR"},
	{51, "RDTSCP"},
	{53, "INVVPID"},
	{57, "RDRAND"},
	{59, "VMFUNC"},
	{60, "ENCLS"},
	{61, "RDSEED"},
	{67, "UMWAIT"},
	{68, "TPAUSE"},
	{74, "BUS_LOCK"},
	{75, "NOTIFY"},
};

/* Intel VMX: the basic exit reasons. */
static const struct exit_reason vmx_reasons[] = {
	{0, "EXCEPTION_NMI"},
	{1, "EXTERNAL_INTERRUPT"},
	{2, "TRIPLE_FAULT"},
	{7, "PENDING_INTERRUPT"},
	{8, "NMI_WINDOW"},
	{9, "TASK_SWITCH"},
	{10, "CPUID"},
	{12, "HLT"},
	{13, "INVD"},
	{14, "INVLPG"},
	{15, "RDPMC"},
	{16, "RDTSC"},
	{18, "VMCALL"},
	{19, "VMCLEAR"},
	{20, "VMLAUNCH"},
	{21, "VMPTRLD"},
	{22, "VMPTRST"},
	{23, "VMREAD"},
	{24, "VMRESUME"},
	{25, "VMWRITE"},
	{26, "VMOFF"},
	{27, "VMON"},
	{28, "CR_ACCESS"},
	{29, "DR_ACCESS"},
	{30, "IO_INSTRUCTION"},
	{31, "MSR_READ"},
	{32, "MSR_WRITE"},
	{36, "MWAIT_INSTRUCTION"},
	{39, "MONITOR_INSTRUCTION"},
	{40, "PAUSE_INSTRUCTION"},
	{41, "MCE_DURING_VMENTRY"},
	{43, "TPR_BELOW_THRESHOLD"},
	{44, "APIC_ACCESS"},
	{45, "EOI_INDUCED"},
	{48, "EPT_VIOLATION"},
	{49, "EPT_MISCONFIG"},
	{50, "INVEPT"},
	{52, "PREEMPTION_TIMER"},
	{54, "WBINVD"},
	{55, "XSETBV"},
	{56, "APIC_WRITE"},
	{58, "INVPCID"},
	{62, "PML_FULL"},
	{63, "XSAVES"},
	{64, "XRSTORS"},
};

/* AMD SVM: the intercept codes. */
static const struct exit_reason svm_reasons[] = {
	{0, "EXIT_READ_CR0"},
	{3, "EXIT_READ_CR3"},
	{4, "EXIT_READ_CR4"},
	{8, "EXIT_READ_CR8"},
	{0x10, "EXIT_WRITE_CR0"},
	{0x13, "EXIT_WRITE_CR3"},
	{0x14, "EXIT_WRITE_CR4"},
	{0x18, "EXIT_WRITE_CR8"},
	{0x20, "EXIT_READ_DR0"},
	{0x21, "EXIT_READ_DR1"},
	{0x22, "EXIT_READ_DR2"},
	{0x23, "EXIT_READ_DR3"},
	{0x24, "EXIT_READ_DR4"},
	{0x25, "EXIT_READ_DR5"},
	{0x26, "EXIT_READ_DR6"},
	{0x27, "EXIT_READ_DR7"},
	{0x30, "EXIT_WRITE_DR0"},
	{0x31, "EXIT_WRITE_DR1"},
	{0x32, "EXIT_WRITE_DR2"},
	{0x33, "EXIT_WRITE_DR3"},
	{0x34, "EXIT_WRITE_DR4"},
	{0x35, "EXIT_WRITE_DR5"},
	{0x36, "EXIT_WRITE_DR6"},
	{0x37, "EXIT_WRITE_DR7"},
	{0x40, "EXIT_EXCP_DE"},
	{0x41, "EXIT_EXCP_DB"},
	{0x43, "EXIT_EXCP_BP"},
	{0x44, "EXIT_EXCP_OF"},
	{0x45, "EXIT_EXCP_BR"},
	{0x46, "EXIT_EXCP_UD"},
	{0x47, "EXIT_EXCP_NM"},
	{0x48, "EXIT_EXCP_DF"},
	{0x4a, "EXIT_EXCP_TS"},
	{0x4b, "EXIT_EXCP_NP"},
	{0x4c, "EXIT_EXCP_SS"},
	{0x4d, "EXIT_EXCP_GP"},
	{0x4e, "EXIT_EXCP_PF"},
	{0x50, "EXIT_EXCP_MF"},
	{0x51, "EXIT_EXCP_AC"},
	{0x52, "EXIT_EXCP_MC"},
	{0x53, "EXIT_EXCP_XF"},
	{0x60, "EXIT_INTR"},
	{0x61, "EXIT_NMI"},
	{0x62, "EXIT_SMI"},
	{0x63, "EXIT_INIT"},
	{0x64, "EXIT_VINTR"},
	{0x65, "EXIT_CR0_SEL_WRITE"},
	{0x66, "EXIT_IDTR_READ"},
	{0x67, "EXIT_GDTR_READ"},
	{0x68, "EXIT_LDTR_READ"},
	{0x69, "EXIT_TR_READ"},
	{0x6a, "EXIT_IDTR_WRITE"},
	{0x6b, "EXIT_GDTR_WRITE"},
	{0x6c, "EXIT_LDTR_WRITE"},
	{0x6d, "EXIT_TR_WRITE"},
	{0x6e, "EXIT_RDTSC"},
	{0x6f, "EXIT_RDPMC"},
	{0x70, "EXIT_PUSHF"},
	{0x71, "EXIT_POPF"},
	{0x72, "EXIT_CPUID"},
	{0x73, "EXIT_RSM"},
	{0x74, "EXIT_IRET"},
	{0x75, "EXIT_SWINT"},
	{0x76, "EXIT_INVD"},
	{0x77, "EXIT_PAUSE"},
	{0x78, "EXIT_HLT"},
	{0x79, "EXIT_INVLPG"},
	{0x7a, "EXIT_INVLPGA"},
	{0x7b, "EXIT_IOIO"},
	{0x7c, "EXIT_MSR"},
	{0x7d, "EXIT_TASK_SWITCH"},
	{0x7e, "EXIT_FERR_FREEZE"},
	{0x7f, "EXIT_SHUTDOWN"},
	{0x80, "EXIT_VMRUN"},
	{0x81, "EXIT_VMMCALL"},
	{0x82, "EXIT_VMLOAD"},
	{0x83, "EXIT_VMSAVE"},
	{0x84, "EXIT_STGI"},
	{0x85, "EXIT_CLGI"},
	{0x86, "EXIT_SKINIT"},
	{0x87, "EXIT_RDTSCP"},
	{0x88, "EXIT_ICEBP"},
	{0x89, "EXIT_WBINVD"},
	{0x8a, "EXIT_MONITOR"},
	{0x8b, "EXIT_MWAIT"},
	{0x8c, "EXIT_MWAIT_COND"},
	{0x8d, "EXIT_XSETBV"},
	{0x400, "EXIT_NPF"},
	{0x401, "EXIT_AVIC_INCOMPLETE_IPI"},
	{0x402, "EXIT_AVIC_UNACCELERATED_ACCESS"},
	{-1, "EXIT_ERR"},
};

#define INSN_MAX 15 /* bytes of an x86 instruction */

/* Fields, of which each event has some; nested ones name some of them differently. */
enum { RIP, REASON, ISA, INFO1, INFO2, INT_INFO, INT_INFO_ERR, VCPU_ID };

/*
 * Values of the field isa. VMX_BASIC: the basic reason within exit_reason; bit VMX_FAILED_ENTRY is
 * set if the guest could not be entered.
 */
enum { ISA_VMX = 1, ISA_SVM, VMX_BASIC = 0xffff, VMX_FAILED_ENTRY = 31 };

/* Returns the name of a code in a table of n rows, or NULL. */
static const char *find_in(const struct exit_reason *r, size_t n, int32_t code)
{
	for (; n; n--, r++)
		if (r->code == code)
			return r->name;
	return NULL;
}

/*
 * Returns the name of an exit reason; NULL: it has none. Names that only kernels know are left out
 * of text for trace-cmd.
 */
static const char *find_reason(uint64_t isa, int32_t code, bool kernel)
{
	const char *name;

	if (isa == ISA_SVM)
		return find_in(svm_reasons, COUNT(svm_reasons), code);
	if (isa != ISA_VMX)
		return "UNKNOWN-ISA";
	name = find_in(vmx_reasons, COUNT(vmx_reasons), code);
	return name || !kernel ? name : find_in(vmx_more, COUNT(vmx_more), code);
}

/* Prints "reason NAME". False: the field is missing. */
static bool print_reason(const struct model_native *n, struct tdat_span record,
			 struct tdat_build *out)
{
	const char *name;
	bool failed = false;
	uint64_t v, isa;

	if (!native_get(&n->f[REASON], record, &v, out))
		return false;
	if (!native_num(&n->f[ISA], record, &isa))
		/* The plugin takes a missing field for Intel. */
		isa = 1;
	if (n->env->kernel && isa == ISA_VMX) { /* bits above the basic reason say more about it */
		failed = v >> VMX_FAILED_ENTRY & 1;
		v &= VMX_BASIC;
	}
	name = find_reason((uint32_t)isa, (int32_t)v, n->env->kernel);
	native_lit(out, "reason ");
	if (name) {
		tdat_build_str(out, name);
	} else {
		native_lit(out, "UNKNOWN (");
		tdat_number_u64(out, v);
		tdat_build_u8(out, ')');
	}
	if (failed)
		native_lit(out, "|FAILED_VMENTRY");
	return true;
}

/* Prints a label and a number in hexadecimal, or that the field is missing. */
static void print_hex(const char *label, const struct native_field *f, struct tdat_span record,
		      struct tdat_build *out)
{
	uint64_t v;

	if (!native_num(f, record, &v)) {
		native_no_field(f, out);
		return;
	}
	tdat_build_str(out, label);
	tdat_number_x64(out, v, 0);
}

/* Prints kvm_exit: reason, guest address, and the processor's further facts. */
static bool exit_run(const struct model_native *n, const struct model_event *event,
		     struct tdat_build *out)
{
	struct tdat_span record = event->record;
	uint64_t v, info1, info2;

	if (!print_reason(n, record, out) || !native_get(&n->f[RIP], record, &v, out))
		return false;
	native_lit(out, " rip 0x");
	tdat_number_x64(out, v, 0);
	/* Older kernels did not trace these: they are left out then. */
	if (native_num(&n->f[INFO1], record, &info1) && native_num(&n->f[INFO2], record, &info2)) {
		native_lit(out, " info ");
		tdat_number_x64(out, info1, 0);
		tdat_build_u8(out, ' ');
		tdat_number_x64(out, info2, 0);
	}
	return true;
}

/* Prints kvm_entry: which virtual CPU continues, and where. */
static bool entry_run(const struct model_native *n, const struct model_event *event,
		      struct tdat_build *out)
{
	uint64_t v;

	if (native_num(&n->f[VCPU_ID], event->record, &v)) {
		native_lit(out, " vcpu ");
		tdat_number_u64(out, (uint32_t)v);
	} else {
		native_no_field(&n->f[VCPU_ID], out);
	}
	if (!native_get(&n->f[RIP], event->record, &v, out))
		return false;
	native_lit(out, " rip 0x");
	tdat_number_x64(out, v, 0);
	return true;
}

/* Prints a nested exit that is passed on to the guest's hypervisor. */
static bool inject_run(const struct model_native *n, const struct model_event *event,
		       struct tdat_build *out)
{
	if (!print_reason(n, event->record, out))
		return false;
	print_hex(" info1 ", &n->f[INFO1], event->record, out);
	print_hex(" info2 ", &n->f[INFO2], event->record, out);
	print_hex(" int_info ", &n->f[INT_INFO], event->record, out);
	print_hex(" int_info_err ", &n->f[INT_INFO_ERR], event->record, out);
	return true;
}

/* Prints kvm_nested_vmexit: an exit of a guest within a guest. */
static bool vmexit_run(const struct model_native *n, const struct model_event *event,
		       struct tdat_build *out)
{
	uint64_t v;

	if (!native_get(&n->f[RIP], event->record, &v, out))
		return false;
	native_lit(out, " rip ");
	tdat_number_x64(out, v, 0);
	return inject_run(n, event, out);
}

/* On other machines than x86 the events of these names have other fields. */
static bool is_x86(struct model_native *n)
{
	return !n->env->kernel || ((n->f[RIP].number || n->run == inject_run) &&
				   (n->f[REASON].number || n->f[VCPU_ID].number));
}

/* Fields of kvm_emulate_insn: numbers, and the bytes. */
enum { INSN_RIP, CSBASE, LEN, FLAGS, FAILED, INSN_ARGS, INSN = INSN_ARGS };

/*
 * Prints the bytes of an instruction. The plugin's table ends after 15 and libtraceevent writes
 * past it; here 15 are printed.
 */
static void print_insn(const struct model_native *n, struct tdat_span record, uint64_t len,
		       struct tdat_build *out)
{
	const struct native_field *f = &n->f[INSN];
	const struct tdat_field *field = tdat_event_format_field(n->format, "insn");
	size_t off = f->off;
	size_t i;

	/* An array in old formats; the lower half of a __data_loc in newer ones is the offset. */
	if (field->flags & TDAT_FIELD_DYNAMIC && f->number)
		off = native_load(record, off, f->len, f->big) & 0xffff;
	for (i = 0; i < len && i < INSN_MAX; i++) {
		if (i)
			tdat_build_u8(out, ' ');
		tdat_number_x64(out, native_load(record, off + i, 1, false), 2);
	}
}

/*
 * Prints kvm_emulate_insn: code segment, address and bytes. False: print fmt follows a missing
 * field.
 */
static bool insn_run(const struct model_native *n, const struct model_event *event,
		     struct tdat_build *out)
{
	uint64_t v[INSN_ARGS];
	size_t i;

	for (i = 0; i < INSN_ARGS; i++)
		if (!native_get(&n->f[i], event->record, &v[i], out))
			return false;
	if (!n->f[INSN].found) {
		native_no_val(&n->f[INSN], out);
		return false;
	}
	tdat_number_x64(out, v[CSBASE], 0);
	tdat_build_u8(out, ':');
	tdat_number_x64(out, v[INSN_RIP], 0);
	native_lit(out, ": ");
	print_insn(n, event->record, v[LEN], out);
	if (v[FAILED])
		native_lit(out, " FAIL");
	return true;
}

#define FIELDS(rip)                                                                                \
	.fields = {rip,                                                                            \
		   "exit_reason",                                                                  \
		   "isa",                                                                          \
		   "info1",                                                                        \
		   "info2",                                                                        \
		   "exit_int_info",                                                                \
		   "exit_int_info_err",                                                            \
		   "vcpu_id"}
#define NESTED                                                                                     \
	.fields = {"rip",	    "exit_code",	 "isa",	   "exit_info1", "exit_info2",     \
		   "exit_int_info", "exit_int_info_err", "vcpu_id"}

const struct model_native_entry native_kvm[] = {
	{"kvm", "kvm_exit", exit_run, FIELDS("guest_rip"), .init = is_x86},
	{"kvm", "kvm_entry", entry_run, FIELDS("rip"), .init = is_x86},
	{"kvm", "kvm_emulate_insn", insn_run,
	 .fields = {"rip", "csbase", "len", "flags", "failed", "@insn"}},
	{"kvm", "kvm_nested_vmexit", vmexit_run, NESTED, .init = is_x86},
	{"kvm", "kvm_nested_vmexit_inject", inject_run, NESTED, .init = is_x86},
	{.name = NULL},
};
