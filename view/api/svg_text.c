/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the texts of a still picture: names in blocks, labels of rows, and times. Texts of the
 * trace are untrusted: markup is escaped, and what XML forbids or nobody sees is replaced. A text
 * that does not fit is drawn narrower, or cut. Called by the other svg files.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "core/utf8.h"
#include "svg_rows.h"

/* ---- texts and times ---- */

/*
 * Writes a text of the trace as XML. Markup is escaped; bytes that are not UTF-8, invisible
 * characters and those that XML forbids become U+FFFD.
 */
void svg_put_text(struct tdat_build *out, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		uint32_t code = 0;
		const size_t n = tdat_utf8_len(text, left, &code);

		if (!n || tdat_utf8_is_hidden(code) || code == 0xfffe || code == 0xffff)
			tdat_build_str(out, "\xef\xbf\xbd");
		else if (strchr("&<>\"'", (int)code) && code < 0x80)
			tdat_build_printf(out, "&#%" PRIu32 ";", code);
		else
			tdat_build_bytes(out, text, n);
		text += n ? n : 1;
		left -= n ? n : 1;
	}
}

/* Seconds with `digits` decimals, or ticks if the clock does not count nanoseconds. */
void svg_put_time(const struct svg *s, uint64_t ts, int digits)
{
	const uint64_t second = 1000000000;
	char part[16];

	if (!s->api->trace->ns) {
		tdat_build_printf(s->out, "%" PRIu64, ts);
		return;
	}
	snprintf(part, sizeof(part), "%09" PRIu64, ts % second);
	tdat_build_printf(s->out, "%" PRIu64 "%s%.*s", ts / second, digits ? "." : "", digits,
			  part);
}

/* Returns the x of a time in pixels; a time outside of the span is at its edge. */
double svg_x_of(const struct svg *s, uint64_t ts)
{
	const struct view_span *span = &s->span;
	const double len = span->to > span->from ? (double)(span->to - span->from) : 1;

	if (ts <= span->from)
		return SVG_GUTTER;
	if (ts >= span->to)
		return SVG_GUTTER + (double)s->width;
	return SVG_GUTTER + (double)(ts - span->from) / len * s->width;
}

/* Text is white on all fills but those of sleeping, dead and unknown. */
void svg_put_name(struct svg *s, const char *name, const char *fill, double x, uint32_t y,
		  double room)
{
	const size_t len = strlen(name);
	const bool dark = !strcmp(fill, SVG_SLEEPING) || !strcmp(fill, SVG_DEAD) ||
			  !strcmp(fill, SVG_UNKNOWN);

	if (!len || (double)(len * SVG_LETTER_LEAST) > room)
		return;
	tdat_build_printf(s->out, "<text class=\"name%s\" x=\"%.2f\" y=\"%" PRIu32 "\"",
			  dark ? "" : " on", x, y);
	if ((double)(len * SVG_LETTER) > room)
		tdat_build_printf(s->out, " textLength=\"%.2f\" lengthAdjust=\"spacingAndGlyphs\"",
				  room);
	tdat_build_str(s->out, ">");
	svg_put_text(s->out, name);
	tdat_build_str(s->out, "</text>\n");
}

/* ---- labels ---- */

/*
 * A label that does not fit is drawn narrower. In a longer one a part before the pid is left out,
 * or of one without a pid the middle: the end says which task and recording it is.
 */
void svg_put_label(struct svg *s, const char *label)
{
	const size_t len = strlen(label), most = (SVG_GUTTER - 8) / SVG_LETTER_LEAST;
	const char *pid = strrchr(label, '-');
	const size_t end = pid && strlen(pid) < most ? strlen(pid) : most / 2;
	char cut[SVG_GUTTER];

	tdat_build_printf(s->out, "<text x=\"4\" y=\"%" PRIu32 "\"", s->y + 11);
	if (len * SVG_LETTER > SVG_GUTTER - 8)
		tdat_build_printf(s->out, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"",
				  SVG_GUTTER - 8);
	tdat_build_str(s->out, ">");
	if (len > most) {
		snprintf(cut, sizeof(cut), "%.*s\xe2\x80\xa6%s", (int)(most - 1 - end), label,
			 label + len - end);
		label = cut;
	}
	svg_put_text(s->out, label);
	tdat_build_str(s->out, "</text>\n");
}

void svg_put_remark(struct svg *s, const char *remark)
{
	tdat_build_printf(s->out, "<text class=\"remark\" x=\"6\" y=\"%" PRIu32 "\"%s>", s->y + 21,
			  strlen(remark) > 30 ? " textLength=\"142\"" : "");
	svg_put_text(s->out, remark);
	tdat_build_str(s->out, "</text>\n");
}

void svg_put_busy(struct svg *s, double busy, double known)
{
	char remark[32];

	snprintf(remark, sizeof(remark), "busy %.1f%%", known > 0 ? 100 * busy / known : 0);
	svg_put_remark(s, known > 0 ? remark : "unknown");
}
