/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints USB control requests as the kernel's usb_decode_ctrl() does: standard requests of
 * chapter 9 of the USB specification by name, others by their fields. Arguments are the fields
 * of a setup packet; text is appended to the caller's buffer. kernel_xhci.c uses it for setup
 * stages.
 */
#include "func_tables.h"

/* Parts of bmRequestType; DIRECTION_IN is also the top bit of an endpoint's address. */
enum { DIRECTION_IN = 0x80, TYPES = 0x60, RECIPIENTS = 0x1f };
enum recipient { DEVICE, INTERFACE, ENDPOINT };

/* A setup packet (USB 2.0, 9.3). */
struct request {
	uint8_t type; /* bmRequestType */
	uint8_t code; /* bRequest */
	uint16_t value;
	uint16_t index;
	uint16_t length;
};

/* Names by descriptor type; the texts are those of drivers/usb/common/debug.c. */
static const char *const descriptors[] = {
	[0x01] = "Device",
	[0x02] = "Configuration",
	[0x03] = "String",
	[0x04] = "Interface",
	[0x05] = "Endpoint",
	[0x06] = "Device Qualifier",
	[0x07] = "Other Speed Config",
	[0x08] = "Interface Power",
	[0x09] = "OTG",
	[0x0a] = "Debug",
	[0x0b] = "Interface Association",
	[0x0f] = "BOS",
	[0x10] = "Device Capability",
	[0x24] = "Pipe Usage",
	[0x30] = "SS Endpoint Companion",
	[0x31] = "SSP Isochronous Endpoint Companion",
};
/* Feature selectors of a device; those from 48 on are of USB 3. */
static const char *const device_features[] = {
	[0] = "Self Powered", [1] = "Remote Wakeup", [2] = "Test Mode",
	[48] = "U1 Enable",   [49] = "U2 Enable",    [50] = "LTM Enable",
};
/* Test Mode selectors, which stand in the index of SET_FEATURE. */
static const char *const test_modes[] = {
	NULL, ": TEST_J", ": TEST_K", ": TEST_SE0_NAK", ": TEST_PACKET", ": TEST_FORCE_EN",
};
static const char *const types[] = {"Standard", "Class", "Vendor"};
static const char *const recipients[] = {"Device", "Interface", "Endpoint"};

/* Returns the direction of an endpoint address, seen from the host. */
static const char *direction(uint16_t index)
{
	return index & DIRECTION_IN ? "in" : "out";
}

/* Returns the number of an endpoint address. */
static int endpoint(uint16_t index)
{
	return index & ~DIRECTION_IN;
}

/*
 * Prints GET_STATUS. For other recipients the kernel leaves its buffer alone, which prints nothing
 * here.
 */
static void get_status(struct tdat_build *out, const struct request *r)
{
	switch (r->type & RECIPIENTS) {
	case DEVICE:
		tdat_build_printf(out, "Get Device Status(Length = %d)", r->length);
		break;
	case INTERFACE:
		tdat_build_printf(out, "Get Interface Status(Intf = %d, Length = %d)", r->index,
				  r->length);
		break;
	case ENDPOINT:
		tdat_build_printf(out, "Get Endpoint Status(ep%d%s)", endpoint(r->index),
				  direction(r->index));
		break;
	default:
		break;
	}
}

/* Prints CLEAR_FEATURE and SET_FEATURE. Test Mode (2) has its number in the index. */
static void feature(struct tdat_build *out, const struct request *r)
{
	const char *verb = r->code == 1 ? "Clear" : "Set";

	switch (r->type & RECIPIENTS) {
	case DEVICE:
		tdat_build_printf(out, "%s Device Feature(%s%s)", verb,
				  KERNEL_NAME(device_features, r->value, "UNKNOWN"),
				  r->value == 2 ? KERNEL_NAME(test_modes, r->index, ": UNKNOWN")
						: "");
		break;
	/* Function Suspend is the only feature of an interface (USB 3). */
	case INTERFACE:
		tdat_build_printf(out, "%s Interface Feature(%s)", verb,
				  r->value ? "UNKNOWN" : "Function Suspend");
		break;
	case ENDPOINT:
		tdat_build_printf(out, "%s Endpoint Feature(%s ep%d%s)", verb,
				  r->value ? "UNKNOWN" : "Halt", endpoint(r->index),
				  direction(r->index));
		break;
	default:
		break;
	}
}

/* Prints a request that is not a standard one, or that the kernel does not know. */
static void fields(struct tdat_build *out, const struct request *r)
{
	tdat_build_printf(
		out, "Type=%s Recipient=%s Dir=%s bRequest=%u wValue=%u wIndex=%u wLength=%u",
		KERNEL_NAME(types, (r->type & TYPES) >> 5, "Unknown"),
		KERNEL_NAME(recipients, r->type & RECIPIENTS, "Unknown"),
		r->type & DIRECTION_IN ? "IN" : "OUT", r->code, r->value, r->index, r->length);
}

/* Prints a standard request by its code (USB 2.0, table 9-4; USB 3 added 0x30 and 0x31). */
static void standard(struct tdat_build *out, const struct request *r)
{
	switch (r->code) {
	case 0x00:
		get_status(out, r);
		break;
	/* CLEAR_FEATURE and SET_FEATURE. */
	case 0x01:
	case 0x03:
		feature(out, r);
		break;
	case 0x05:
		tdat_build_printf(out, "Set Address(Addr = %02x)", r->value);
		break;
	/* GET_DESCRIPTOR and SET_DESCRIPTOR: type and index share the value. */
	case 0x06:
	case 0x07:
		tdat_build_printf(out, "%s %s Descriptor(Index = %d, Length = %d)",
				  r->code == 0x06 ? "Get" : "Set",
				  KERNEL_NAME(descriptors, r->value >> 8, "UNKNOWN"),
				  r->value & 0xff, r->length);
		break;
	case 0x08:
		tdat_build_printf(out, "Get Configuration(Length = %d)", r->length);
		break;
	case 0x09:
		tdat_build_printf(out, "Set Configuration(Config = %d)", r->value & 0xff);
		break;
	case 0x0a:
		tdat_build_printf(out, "Get Interface(Intf = %d, Length = %d)", r->index,
				  r->length);
		break;
	case 0x0b:
		tdat_build_printf(out, "Set Interface(Intf = %d, Alt.Setting = %d)", r->index,
				  r->value & 0xff);
		break;
	case 0x0c:
		tdat_build_printf(out, "Synch Frame(Endpoint = %d, Length = %d)", r->index,
				  r->length);
		break;
	/* SET_SEL: system exit latencies. */
	case 0x30:
		tdat_build_printf(out, "Set SEL(Length = %d)", r->length);
		break;
	case 0x31:
		tdat_build_printf(out, "Set Isochronous Delay(Delay = %d ns)", r->value & 0xff);
		break;
	default:
		fields(out, r);
	}
}

/* The kernel's buffer and its size, which come first, are not passed. */
static void decode(const struct func_args *a, struct tdat_build *out)
{
	struct request r = {(uint8_t)a->v[0].num, (uint8_t)a->v[1].num, (uint16_t)a->v[2].num,
			    (uint16_t)a->v[3].num, (uint16_t)a->v[4].num};

	/* Class and vendor requests have no names that the kernel knows. */
	if (r.type & TYPES)
		fields(out, &r);
	else
		standard(out, &r);
}

const struct print_func kernel_usb_funcs[] = {
	{"usb_decode_ctrl", "..nnnnn", MODEL_KERNEL(5, 10, 0), KERNEL_LAST, .run = decode},
	{.name = NULL},
};
