/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of columns of a data set, in words: "int64", "list<text>", "dictionary". They are made
 * of Arrow formats, and widened where two files differ. lake_schema.c plans columns by them,
 * lake_shape.c makes arrays of them.
 */
#include "output/lake_type.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *word, *format;
	uint8_t int_len;
	bool is_signed;
} types[] = {
	{"bool", "b", 0, false},
	{"int8", "c", 1, true},
	{"uint8", "C", 1, false},
	{"int16", "s", 2, true},
	{"uint16", "S", 2, false},
	{"int32", "i", 4, true},
	{"uint32", "I", 4, false},
	{"int64", "l", 8, true},
	{"uint64", "L", 8, false},
	{"double", "g", 0, false},
	{"text", "u", 0, false},
	{"binary", "z", 0, false},
	{"duration", "tDn", 0, false},
	{"timestamp", "tsn:UTC", 0, false},
	/* The exporter makes decimals of uint64. */
	{"decimal(20,0)", "d", 0, false},
};
enum { TYPES = sizeof(types) / sizeof(types[0]) };

bool lake_type_of(const struct ArrowSchema *column, bool as_signed, char type[LAKE_TYPE_LEN])
{
	static const char unsigned_formats[] = "CSIL", wider[] = "sild";
	const bool list = !strcmp(column->format, "+l");
	const char *format = list ? column->children[0]->format : column->format;
	char one[2] = "";

	if (column->dictionary) {
		snprintf(type, LAKE_TYPE_LEN, "dictionary");
		return true;
	}
	if (as_signed && format[0] && !format[1] && strchr(unsigned_formats, *format)) {
		one[0] = wider[strchr(unsigned_formats, *format) - unsigned_formats];
		format = one;
	}
	for (size_t i = 0; i < TYPES; i++) {
		if (strcmp(types[i].format, format) != 0)
			continue;
		snprintf(type, LAKE_TYPE_LEN, list ? "list<%s>" : "%s", types[i].word);
		return true;
	}
	return false;
}

/* The row of a type, or of a list's items; TYPES: there is none. */
static size_t row_of(const char *type, bool *list)
{
	const size_t skip = strncmp(type, "list<", 5) ? 0 : 5, n = strcspn(type + skip, ">");
	size_t i;

	*list = skip != 0;
	for (i = 0; i < TYPES; i++)
		if (strlen(types[i].word) == n && !strncmp(types[i].word, type + skip, n))
			break;
	return i;
}

const char *lake_type_format(const char *type, bool *list)
{
	const size_t i = row_of(type, list);

	/* Indices of a dictionary are int32. */
	return i < TYPES ? types[i].format : strcmp(type, "dictionary") ? NULL : "i";
}

unsigned lake_int_len(const char *type, bool *is_signed)
{
	bool list;
	const size_t i = row_of(type, &list);

	*is_signed = i < TYPES && types[i].is_signed;
	return i < TYPES ? types[i].int_len : 0;
}

bool lake_type_holds(const char *type, const char *other)
{
	bool is_signed, other_signed;
	const unsigned len = lake_int_len(type, &is_signed);
	const unsigned other_len = lake_int_len(other, &other_signed);

	if (!strcmp(type, other))
		return true;
	if (!len || !other_len || (*type == 'l') != (*other == 'l'))
		return false;
	return is_signed == other_signed ? len >= other_len : is_signed && len > other_len;
}

bool lake_type_widen(char type[LAKE_TYPE_LEN], const char *other)
{
	for (size_t i = 0; i < TYPES; i++) {
		char wide[LAKE_TYPE_LEN];

		if (!types[i].int_len)
			continue;
		snprintf(wide, sizeof(wide), *type == 'l' ? "list<%s>" : "%s", types[i].word);
		if (!lake_type_holds(wide, type) || !lake_type_holds(wide, other))
			continue;
		memcpy(type, wide, sizeof(wide));
		return true;
	}
	return lake_type_holds(type, other);
}
