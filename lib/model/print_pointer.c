/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the %p family: function names, MAC and IP addresses, UUIDs, buffers. These are the
 * texts of trace-cmd; the kernel's are in kprint_pointer.c, which shares bytes_text.c. Addresses
 * are looked up in the file's symbols; bytes come from the record, bounded.
 */
#include "bytes_text.h"
#include "print_prog.h"

/* Returns the name of the function that addr lies in; cached by thread. */
struct tdat_span run_symbol(const struct run *r, uint64_t addr, uint64_t *start)
{
	return model_symbol_cache_find(&r->scratch->names, r->env->symbols, addr, start);
}

/*
 * Prints a function's name, with its offset for %pS. Without a name, or behind it in raw text, the
 * address.
 */
static void print_function(const struct run *r, const struct item *it, struct tdat_build *out)
{
	uint64_t addr = expr_eval(r, it->value), start = 0;
	struct tdat_span name = run_symbol(r, addr, &start);

	if (name.ptr) {
		if (name.len > r->most) /* and is cut there */
			name.len = r->most + 1;
		tdat_build_bytes(out, name.ptr, name.len);
		if (it->flag) {
			tdat_build_bytes(out, "+0x", 3);
			tdat_number_x64(out, addr - start, 0);
		}
		if (!it->flag2)
			return;
	}
	tdat_build_str(out, it->flag2 ? " (0x" : "0x");
	tdat_number_x64(out, addr, 0);
	if (it->flag2)
		tdat_build_u8(out, ')');
}

/* Prints a socket address. */
static void print_sockaddr(const struct run *r, const struct item *it, struct tdat_build *out)
{
	enum { INET = 2, INET6 = 10, INET_LEN = 16, INET6_LEN = 28 };
	const struct sockaddr_how how = {.letter = it->letter,
					 .port = it->flag,
					 .compressed = it->flag2,
					 .reversed = it->star_prec};
	uint64_t off = it->field->off, len = it->field->len;
	struct tdat_span s;
	uint16_t family;

	if (it->letter2 == 'd')
		run_dynamic(r, it->field, &off, &len);
	s = run_bytes(r, off, UINT64_MAX);
	/* libtraceevent reads the family in its own machine's order. */
	family = s.len >= 2 ? tdat_load16(s.ptr, false) : 0;
	if (family == INET && (len < INET_LEN || s.len < 8))
		tdat_build_str(out, "INVALIDIPv4");
	else if (family == INET)
		sockaddr_put4(s.ptr, &how, out);
	else if (family == INET6 && (len < INET6_LEN || s.len < 24))
		tdat_build_str(out, "INVALIDIPv6");
	else if (family == INET6)
		sockaddr_put6(s.ptr, &how, out);
}

/* Prints the bytes of a dynamic array; "*" is their number. */
static void print_buffer(const struct run *r, const struct item *it, struct tdat_build *out)
{
	int32_t want = it->star ? (int32_t)expr_eval(r, it->star) : 1;
	uint64_t off, len;

	run_dynamic(r, it->field, &off, &len);
	if (len < (uint32_t)want) /* a negative length is a large one here */
		want = (int32_t)len;
	bytes_put_hex(run_bytes(r, off, want > 0 ? (uint64_t)want : 0), it->letter, out);
}

/* The length of an address; a record that has fewer bytes of it prints nothing. */
static size_t address_len(const struct item *it)
{
	return it->op == I_MAC ? 6 : it->op == I_IP4 ? 4 : 16;
}

void item_print_pointer(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const struct tdat_span s = run_bytes(r, it->off, address_len(it));

	if (it->op == I_FUNCTION)
		print_function(r, it, out);
	else if (it->op == I_SOCKADDR)
		print_sockaddr(r, it, out);
	else if (it->op == I_BUFFER)
		print_buffer(r, it, out);
	else if (s.len < address_len(it))
		return;
	else if (it->op == I_MAC)
		mac_put(s.ptr, it->letter, it->flag, out);
	else if (it->op == I_IP4)
		ip_put4(s.ptr, it->letter == 'i', it->flag, out);
	else if (it->op == I_IP6)
		ip_put6(s.ptr, it->letter, it->flag, out);
	else
		uuid_put(s.ptr, it->flag, it->flag2, out);
}
