/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the commands and contexts of USB host controllers as the kernel's xhci_decode_*() do:
 * transfer request blocks, device contexts, port status and doorbells. Their layouts are those of
 * the xHCI specification. Kernels up to 5.4 pass the words alone; later ones pass a buffer before
 * them.
 */
#include "func_tables.h"

#include "core/number.h"

/* TRB types, by the number in bits 10 to 15 of the last word. */
static const char *const trb_types[] = {
	[1] = "Normal",
	[2] = "Setup Stage",
	[3] = "Data Stage",
	[4] = "Status Stage",
	[5] = "Isoch",
	[6] = "Link",
	[7] = "Event Data",
	[8] = "No-Op",
	[9] = "Enable Slot Command",
	[10] = "Disable Slot Command",
	[11] = "Address Device Command",
	[12] = "Configure Endpoint Command",
	[13] = "Evaluate Context Command",
	[14] = "Reset Endpoint Command",
	[15] = "Stop Ring Command",
	[16] = "Set TR Dequeue Pointer Command",
	[17] = "Reset Device Command",
	[18] = "Force Event Command",
	[19] = "Negotiate Bandwidth Command",
	[20] = "Set Latency Tolerance Value Command",
	[21] = "Get Port Bandwidth Command",
	[22] = "Force Header Command",
	[23] = "No-Op Command",
	[32] = "Transfer Event",
	[33] = "Command Completion Event",
	[34] = "Port Status Change Event",
	[35] = "Bandwidth Request Event",
	[36] = "Doorbell Event",
	[37] = "Host Controller Event",
	[38] = "Device Notification Event",
	[39] = "MFINDEX Wrap Event",
	[48] = "NEC Command Completion Event",
	[49] = "NET Get Firmware Revision Command",
};

/* Completion codes of events; drivers/usb/host/xhci.h has the same texts. */
static const char *const completions[] = {
	"Invalid",
	"Success",
	"Data Buffer Error",
	"Babble Detected",
	"USB Transaction Error",
	"TRB Error",
	"Stall Error",
	"Resource Error",
	"Bandwidth Error",
	"No Slots Available Error",
	"Invalid Stream Type Error",
	"Slot Not Enabled Error",
	"Endpoint Not Enabled Error",
	"Short Packet",
	"Ring Underrun",
	"Ring Overrun",
	"VF Event Ring Full Error",
	"Parameter Error",
	"Bandwidth Overrun Error",
	"Context State Error",
	"No Ping Response Error",
	"Event Ring Full Error",
	"Incompatible Device Error",
	"Missed Service Error",
	"Command Ring Stopped",
	"Command Aborted",
	"Stopped",
	"Stopped - Length Invalid",
	"Stopped - Short Packet",
	"Max Exit Latency Too Large Error",
	[31] = "Isoch Buffer Overrun",
	"Event Lost Error",
	"Undefined Error",
	"Invalid Stream ID Error",
	"Secondary Bandwidth Error",
	"Split Transaction Error",
};

/*
 * Texts of the TRB types: $ and a letter is a part, see part(). flags: pairs of a bit of the last
 * word (from '0' on) and a letter, which is upper case where the bit is set. Rows for one type come
 * before the row of its range.
 */
static const struct shape {
	uint8_t first, last; /* types */
	const char *text;
	const char *flags;
} shapes[] = {
	{2, 2, "$r length $l TD size $z intr $i type '$t'", "6I5I0C"},
	{3, 3, "Buffer $a length $l TD size $z intr $i type '$t'", "6I5I4C3S2I1E0C"},
	{4, 4, "Buffer $a length $l TD size $z intr $i type '$t'", "5I4C1E0C"},
	{6, 6, "LINK $a intr $i type '$t'", "5I4C1T0C"},
	/* Rows above for 2, 3, 4 and 6 are found before this range. */
	{1, 8, "Buffer $a length $l TD size $z intr $i type '$t'", "9B6I5I4C3S2I1E0C"},
	{9, 9, "$t:", "0C"},
	{10, 10, "$t: slot $s", "0C"},
	{11, 11, "$t: ctx $a slot $s", "9B0C"},
	{12, 12, "$t: ctx $a slot $s", "9D0C"},
	{13, 13, "$t: ctx $a slot $s", "0C"},
	{14, 14, "$t: ctx $a slot $s ep $e", "9T0C"},
	{15, 15, "$t: slot $s sp $u ep $e", "0C"},
	{16, 16, "$t: deq $a stream $x slot $s ep $e", "0C"},
	{17, 17, "$t: slot $s", "0C"},
	{18, 18, "$t: event $a vf intr $i vf id $v", "0C"},
	{19, 19, "$t: slot $s", "0C"},
	{20, 20, "$t: belt $b", "0C"},
	{21, 21, "$t: ctx $a slot $s speed $d", "0C"},
	{22, 22, "$t: info $h pkt type $y roothub port $s", "0C"},
	{23, 23, "$t:", "0C"},
	{32, 39, "TRB $a status '$c' len $n slot $s ep $e type '$t'", "2E0C"},
};

/* Isochronous TRBs in kernels that print their burst counts. */
static const struct shape isochronous = {
	5,
	5,
	"Buffer $a length $l TD size/TBC $z intr $i type '$t' TBC $B TLBPC $T frame_id $f",
	"\x1fS9B6I5I4C3S2I1E0C",
};
/* Reserved and vendor types: the words as they were recorded. */
static const struct shape unknown = {0, 0, "type '$t' -> raw $w", NULL};
/* Linux up to 4.20 did not print the flag of a Reset Endpoint Command. */
static const struct shape old_reset = {14, 14, "$t: ctx $a slot $s ep $e", "0C"};

/* Prints the setup packet that a Setup Stage TRB carries in its first two words. */
static void setup(struct tdat_build *out, const uint32_t *w)
{
	tdat_build_printf(out,
			  "bRequestType %02x bRequest %02x wValue %02x%02x wIndex %02x%02x "
			  "wLength %d",
			  w[0] & 0xff, w[0] >> 8 & 0xff, w[0] >> 24, w[0] >> 16 & 0xff,
			  w[1] >> 8 & 0xff, w[1] & 0xff, w[1] >> 16);
}

/*
 * Returns the number of a part: a bit field of the four words, little endian in the xHCI
 * specification and converted by the kernel.
 */
static uint32_t number(char part, const uint32_t *w)
{
	static const struct {
		char part;
		uint8_t word, shift;
		uint32_t mask;
	} parts[] = {{'l', 2, 0, 0x1ffff}, {'n', 2, 0, 0xffffff}, {'z', 2, 17, 0x1f},
		     {'i', 2, 22, 0x3ff},  {'s', 3, 24, 0xff},	  {'e', 3, 16, 0x1f},
		     {'u', 3, 23, 1},	   {'x', 2, 16, 0xffff},  {'v', 3, 16, 0xff},
		     {'b', 3, 16, 0xfff},  {'d', 3, 16, 0xf},	  {'y', 0, 0, 0x1f},
		     {'B', 3, 7, 3},	   {'T', 3, 16, 0xf},	  {'f', 3, 20, 0x7ff}};
	size_t i = 0;

	while (i < KERNEL_COUNT(parts) - 1 && parts[i].part != part)
		i++;
	return w[parts[i].word] >> parts[i].shift & parts[i].mask;
}

/* Prints the part of a letter; letters that are not listed here are numbers. */
static void part(struct tdat_build *out, char letter, const uint32_t *w)
{
	switch (letter) {
	case 'a':
		tdat_build_printf(out, "%08x%08x", w[1], w[0]);
		break;
	case 'c':
		tdat_build_str(out, KERNEL_NAME(completions, w[2] >> 24, "Unknown!!"));
		break;
	case 't':
		tdat_build_str(out, KERNEL_NAME(trb_types, w[3] >> 10 & 0x3f, "UNKNOWN"));
		break;
	case 'h':
		tdat_build_printf(out, "%08x%08x%08x", w[2], w[1], w[0] & 0xffffffe0);
		break;
	case 'r':
		setup(out, w);
		break;
	case 'w':
		tdat_build_printf(out, "%08x %08x %08x %08x", w[0], w[1], w[2], w[3]);
		break;
	default:
		tdat_number_u64(out, number(letter, w));
	}
}

/* Prints " flags i:C": letters in upper case for bits that are set. */
static void print_flags(struct tdat_build *out, const char *flags, uint32_t word)
{
	tdat_build_str(out, " flags ");
	for (const char *f = flags; *f; f += 2) {
		/* A byte below '0' is the bit itself: bit 31 is out of the digits' range. */
		unsigned bit = *f >= '0' ? (unsigned)(*f - '0') : (unsigned)*f;

		if (f > flags)
			tdat_build_u8(out, ':');
		tdat_build_u8(out, (uint8_t)(word >> bit & 1 ? f[1] : f[1] | 0x20));
	}
}

/* Returns how a kernel prints a type. The order matters: rows for old or new kernels come first. */
static const struct shape *shape_of(uint32_t type, uint32_t kernel)
{
	if (type == 5 && kernel_from(kernel, 6, 18))
		return &isochronous;
	if (type == 14 && !kernel_from(kernel, 5, 4))
		return &old_reset;
	for (size_t i = 0; i < KERNEL_COUNT(shapes); i++) {
		if (type >= shapes[i].first && type <= shapes[i].last)
			return &shapes[i];
	}
	return &unknown;
}

/* Prints a transfer request block from its four words. */
static void trb(const struct func_args *a, struct tdat_build *out)
{
	uint32_t w[4];
	const struct shape *shape;

	for (size_t i = 0; i < 4; i++)
		w[i] = (uint32_t)a->v[i].num;
	/* The type is in bits 10 to 15 of the last word of every TRB. */
	shape = shape_of(w[3] >> 10 & 0x3f, a->kernel);
	for (const char *p = shape->text; *p; p++) {
		if (*p == '$')
			part(out, *++p, w);
		else
			tdat_build_u8(out, (uint8_t)*p);
	}
	if (shape->flags)
		print_flags(out, shape->flags, w[3]);
}

/* Prints the endpoints of a mask: bit 2n is the OUT side of endpoint n, bit 2n + 1 its IN side. */
static void endpoints(struct tdat_build *out, uint32_t mask, unsigned from)
{
	for (unsigned bit = from; bit < 32; bit++) {
		if (mask >> bit & 1)
			tdat_build_printf(out, " %u%s", bit / 2, bit % 2 ? "in" : "out");
	}
}

/*
 * Prints the flags of the input control context: which contexts a command drops and which it adds.
 */
static void control(const struct func_args *a, struct tdat_build *out)
{
	uint32_t drop = (uint32_t)a->v[0].num;
	uint32_t add = (uint32_t)a->v[1].num;

	/* The kernel prints nothing for a mask that is 0. */
	if (drop) {
		tdat_build_str(out, "Drop:");
		endpoints(out, drop, 0);
		tdat_build_str(out, ", ");
	}
	if (add) {
		tdat_build_printf(out, "Add:%s%s", add & 1 ? " slot" : "", add & 2 ? " ep0" : "");
		endpoints(out, add, 2);
	}
}

static const char *const speeds[] = {
	NULL, "full-speed", "low-speed", "high-speed", "super-speed", "super-speed plus",
};
/* Slot states: the top five bits of the last word. */
static const char *const slot_states[] = {
	"enabled/disabled",
	"default",
	"addressed",
	"configured",
};

/* Prints a slot context: what the controller knows about a device. */
static void slot(const struct func_args *a, struct tdat_build *out)
{
	uint32_t info = (uint32_t)a->v[0].num;
	uint32_t info2 = (uint32_t)a->v[1].num;
	/* The transaction translator of a hub, for slower devices behind it. */
	uint32_t tt = (uint32_t)a->v[2].num;
	uint32_t state = (uint32_t)a->v[3].num;

	tdat_build_printf(out, "RS %05x %s%s%s Ctx Entries %u MEL %u us Port# %u/%u",
			  info & 0xfffff, KERNEL_NAME(speeds, info >> 20 & 0xf, "UNKNOWN speed"),
			  info >> 25 & 1 ? " multi-TT" : "", info >> 26 & 1 ? " Hub" : "",
			  info >> 27, info2 & 0xffff, info2 >> 16 & 0xff, info2 >> 24);
	tdat_build_printf(out, " [TT Slot %u Port# %u TTT %u Intr %u] Addr %u State %s", tt & 0xff,
			  tt >> 8 & 0xff, tt >> 16 & 3, tt >> 22, state & 0xff,
			  KERNEL_NAME(slot_states, state >> 27, "reserved"));
}

static const char *const endpoint_states[] = {"disabled", "running", "halted", "stopped", "error"};
static const char *const endpoint_types[] = {
	NULL, "Isoc OUT", "Bulk OUT", "Int OUT", "Ctrl", "Isoc IN", "Bulk IN", "Int IN",
};

/* Prints an endpoint context from info, info2, the dequeue pointer and tx_info. */
static void endpoint(const struct func_args *a, struct tdat_build *out)
{
	uint32_t info = (uint32_t)a->v[0].num;
	uint32_t info2 = (uint32_t)a->v[1].num;
	uint32_t tx = (uint32_t)a->v[3].num;
	/* An int in the kernel: an interval of 32 or more counts from 0 again on its processors. */
	uint32_t interval = (1u << (info >> 16 & 0x1f)) * 125;

	tdat_build_printf(out, "State %s mult %u max P. Streams %u %s",
			  KERNEL_NAME(endpoint_states, info & 7, "INVALID"), (info >> 8 & 3) + 1,
			  info >> 10 & 0x1f, info >> 15 & 1 ? "LSA " : "");
	tdat_build_printf(out, "interval %d us max ESIT payload %d CErr %u ", (int32_t)interval,
			  (int32_t)((info >> 24) << 16 | tx >> 16), info2 >> 1 & 3);
	tdat_build_printf(out, "Type %s %sburst %u maxp %u deq %016llx avg trb len %u",
			  KERNEL_NAME(endpoint_types, info2 >> 3 & 7, "INVALID"),
			  info2 >> 7 & 1 ? "HID" : "", info2 >> 8 & 0xff, info2 >> 16,
			  (unsigned long long)a->v[2].num, tx & 0xffff);
}

/* Link states of a port: bits 5 to 8 of its status word. */
static const char *const links[] = {
	"U0",
	"U1",
	"U2",
	"U3",
	"Disabled",
	"RxDetect",
	"Inactive",
	"Polling",
	"Recovery",
	"Hot Reset",
	"Compliance mode",
	"Test mode",
	[15] = "Resume",
};
/*
 * Change bits say what happened since software last cleared them; wake bits, what wakes the
 * machine.
 */
static const struct kernel_bit changes[] = {
	{1u << 17, "CSC "}, {1u << 18, "PEC "}, {1u << 19, "WRC "}, {1u << 20, "OCC "},
	{1u << 21, "PRC "}, {1u << 22, "PLC "}, {1u << 23, "CEC "}, {1u << 24, "CAS "},
};
static const struct kernel_bit wakes[] = {
	{1u << 25, "WCE "}, {1u << 26, "WDE "}, {1u << 27, "WOE "}};

/* Prints the names of the bits that are set. */
static void names(struct tdat_build *out, const struct kernel_bit *bits, size_t count, uint32_t v)
{
	for (size_t i = 0; i < count; i++) {
		if (v & bits[i].mask)
			tdat_build_str(out, bits[i].name);
	}
}

/* Prints the status word of a root hub port. Kernels from 6.12 on print it in hexadecimal first. */
static void port(const struct func_args *a, struct tdat_build *out)
{
	uint32_t v = (uint32_t)a->v[0].num;

	if (kernel_from(a->kernel, 6, 12)) {
		tdat_build_printf(out, "0x%08x ", v);
		/* All bits set: the controller is gone. */
		if (v == UINT32_MAX)
			return;
	}
	tdat_build_printf(out, "%s %s %s Link:%s ", v >> 9 & 1 ? "Powered" : "Powered-off",
			  v & 1 ? "Connected" : "Not-connected",
			  v >> 1 & 1 ? "Enabled" : "Disabled",
			  KERNEL_NAME(links, v >> 5 & 0xf, "Unknown"));
	if (kernel_from(a->kernel, 4, 20))
		tdat_build_printf(out, "PortSpeed:%u ", v >> 10 & 0xf);
	tdat_build_printf(out, "%s%sChange: ", v >> 3 & 1 ? "OverCurrent " : "",
			  v >> 4 & 1 ? "In-Reset " : "");
	/* Each name has its own blank, so the line ends with one. */
	names(out, changes, KERNEL_COUNT(changes), v);
	tdat_build_str(out, "Wake: ");
	names(out, wakes, KERNEL_COUNT(wakes), v);
}

/* Prints a doorbell: which endpoint of which slot has new work. Slot 0 is the command ring. */
static void doorbell(const struct func_args *a, struct tdat_build *out)
{
	uint32_t id = (uint32_t)a->v[0].num;
	uint32_t bell = (uint32_t)a->v[1].num;
	/* The target: an endpoint's index, 1 for the control endpoint. */
	uint32_t ep = bell & 0xff;
	size_t start = out->len;
	size_t second;

	if (!id) {
		tdat_build_printf(out, "Command Ring %d", (int32_t)bell);
		return;
	}
	tdat_build_printf(out, "Slot %d ", (int32_t)id);
	second = out->len;
	if (ep > 0 && ep < 32)
		tdat_build_printf(out, "ep%u%s", ep / 2, ep % 2 ? "in" : "out");
	else
		tdat_build_printf(out, "%s %u", ep < 248 ? "Reserved" : "Vendor Defined", ep);
	if (bell >> 16) {
		/* The kernel writes the stream as far from the start as the endpoint is long. */
		if (!out->failed && !out->full)
			out->len = start + (out->len - second);
		tdat_build_printf(out, " Stream %u", bell >> 16);
	}
}

/* By the kernel's enum xhci_ring_type. */
static const char *const rings[] = {"CTRL", "ISOC", "BULK", "INTR", "STREAM", "CMD", "EVENT"};

/* The ranges of kernels that were checked: 5.10 was the first long-term release with a buffer. */
#define OLD 0, MODEL_KERNEL(5, 4, 255)
#define NEW MODEL_KERNEL(5, 10, 0), KERNEL_LAST

const struct print_func kernel_xhci_funcs[] = {
	{"xhci_decode_trb", "nnnn", OLD, .run = trb},
	{"xhci_decode_trb", "..nnnn", NEW, .run = trb},
	{"xhci_decode_ctrl_ctx", "nn", OLD, .run = control},
	{"xhci_decode_ctrl_ctx", ".nn", NEW, .run = control},
	{"xhci_decode_slot_context", "nnnn", OLD, .run = slot},
	{"xhci_decode_slot_context", ".nnnn", NEW, .run = slot},
	{"xhci_decode_ep_context", "nnnn", OLD, .run = endpoint},
	{"xhci_decode_ep_context", ".nnnn", NEW, .run = endpoint},
	{"xhci_decode_portsc", "n", OLD, .run = port},
	{"xhci_decode_portsc", ".n", NEW, .run = port},
	{"xhci_decode_doorbell", ".nn", NEW, .run = doorbell},
	{"xhci_ring_type_string", "n", 0, KERNEL_LAST, NAMES(rings, "UNKNOWN")},
	{.name = NULL},
};
