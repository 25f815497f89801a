/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a comparison as one page of HTML that needs nothing else: a table of the changes, and for
 * each of them the histograms of both sides as SVG. It has no script. Text of traces and of the
 * command line is escaped twice: bytes that nobody sees as on terminals, then what HTML reads.
 */
#include <stdio.h>
#include <string.h>

#include "commands/diff_out.h"
#include "terminal/safe_text.h"

/* A histogram in pixels, and its bars. */
enum { BARS = 40, BAR_WIDTH = 5, HEIGHT = 44, WIDTH = BARS * BAR_WIDTH };

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width\">\n<title>tdat "
	"diff</title>\n<style>\n"
	":root { color-scheme: light dark; --fg: #1b1b1f; --bg: #fff; --line: #d4d4dc;\n"
	"  --a: #6a7fb5; --b: #d9822b; --worse: #b3261e; --better: #1f7a3d; }\n"
	"@media (prefers-color-scheme: dark) { :root { --fg: #e6e6ea; --bg: #17171a;\n"
	"  --line: #3c3c44; --a: #8fa5de; --b: #f0a45a; --worse: #ff8a80; --better: #7fd699; } }\n"
	"body { font: 14px system-ui, sans-serif; color: var(--fg); background: var(--bg);\n"
	"  margin: 2em; }\n"
	"table { border-collapse: collapse; }\n"
	"th, td { padding: .3em .8em; border-bottom: 1px solid var(--line); text-align: right;\n"
	"  vertical-align: middle; white-space: nowrap; }\n"
	"th:nth-child(-n+2), td:nth-child(-n+2), th:last-child { text-align: left; }\n"
	"td { font-variant-numeric: tabular-nums; }\n"
	"td:nth-child(2) { white-space: normal; overflow-wrap: anywhere; }\n"
	".up { color: var(--worse); } .down { color: var(--better); }\n"
	"svg { display: inline-block; margin-right: 1em; border-bottom: 1px solid var(--line); }\n"
	".a { fill: var(--a); } .b { fill: var(--b); }\n"
	"</style>\n</head>\n<body>\n<h1>tdat diff</h1>\n";

/* All five characters with a meaning in HTML. */
static void put_html(const void *text, size_t len)
{
	const char *bytes = text;

	for (size_t i = 0; i < len; i++) {
		switch (bytes[i]) {
		case '&':
			fputs("&amp;", stdout);
			break;
		case '<':
			fputs("&lt;", stdout);
			break;
		case '>':
			fputs("&gt;", stdout);
			break;
		case '"':
			fputs("&quot;", stdout);
			break;
		case '\'':
			fputs("&#39;", stdout);
			break;
		default:
			putchar(bytes[i]);
		}
	}
}

/* Text of a trace. False: no memory. */
static bool put_text(const void *text, size_t len)
{
	struct tdat_build b;
	bool good;

	tdat_build_init(&b, false);
	cli_build_text(&b, text, len, "");
	good = !b.failed;
	put_html(b.ptr, b.len);
	tdat_build_fini(&b);
	return good;
}

/* What a function of diff_text.c makes, in an element. False: no memory. */
static bool put_cell(struct tdat_build *b, const char *class)
{
	const bool good = !b->failed;

	printf("<td%s>", class);
	put_html(b->ptr, b->len);
	fputs("</td>", stdout);
	b->len = 0;
	return good;
}

/* Bars between the same ends on both sides, and the ends as a title. */
static void put_histogram(const struct tdat_diff *d, size_t index, enum tdat_diff_side side,
			  struct tdat_build *b)
{
	static const char *const names[] = {"before", "after"};
	const struct tdat_diff_change *c = tdat_diff_change(d, index);
	double bins[BARS], other[BARS], least, most, top = 0;

	tdat_diff_histogram(d, index, side, bins, BARS, &least, &most);
	tdat_diff_histogram(d, index, side ? TDAT_DIFF_A : TDAT_DIFF_B, other, BARS, &least, &most);
	for (size_t i = 0; i < BARS; i++) {
		top = bins[i] > top ? bins[i] : top;
		top = other[i] > top ? other[i] : top;
	}
	printf("<svg width=\"%d\" height=\"%d\" role=\"img\"><title>%s: ", WIDTH, HEIGHT,
	       names[side]);
	if (most > 0) {
		diff_put_value(b, d, c, least, false);
		tdat_build_str(b, " to ");
		diff_put_value(b, d, c, most, false);
		put_html(b->ptr, b->len);
		b->len = 0;
	}
	fputs("</title>", stdout);
	for (size_t i = 0; i < BARS; i++) {
		const double height = top > 0 ? bins[i] / top * (HEIGHT - 2) : 0;

		if (height > 0)
			printf("<rect class=\"%c\" x=\"%zu\" y=\"%.1f\" width=\"%d\" "
			       "height=\"%.1f\"/>",
			       side ? 'b' : 'a', i * BAR_WIDTH, HEIGHT - height, BAR_WIDTH - 1,
			       height);
	}
	fputs("</svg>", stdout);
}

static bool put_row(const struct tdat_diff *d, size_t index, struct tdat_build *b)
{
	const struct tdat_diff_change *c = tdat_diff_change(d, index);
	bool good;

	fputs("<tr><td>", stdout);
	good = put_text(c->what, strlen(c->what));
	printf(".%s%s</td><td>", tdat_diff_metric_name(c->metric), c->per_cpu ? "/CPU" : "");
	good &= put_text(c->key.len ? (const char *)c->key.ptr : "-", c->key.len ? c->key.len : 1);
	fputs("</td>", stdout);
	diff_put_value(b, d, c, c->a, false);
	good &= put_cell(b, "");
	diff_put_value(b, d, c, c->b, false);
	good &= put_cell(b, "");
	diff_put_change(b, c);
	good &= put_cell(b, c->change > 0 ? " class=\"up\"" : " class=\"down\"");
	diff_put_interval(b, c);
	good &= put_cell(b, "");
	diff_put_p(b, c);
	good &= put_cell(b, "");
	fputs("<td>", stdout);
	put_histogram(d, index, TDAT_DIFF_A, b);
	put_histogram(d, index, TDAT_DIFF_B, b);
	fputs("</td></tr>\n", stdout);
	return good;
}

bool diff_html(const struct tdat_diff *d, const struct diff_names *names)
{
	static const char *const labels[] = {"before", "after"};
	struct tdat_build b;
	bool good = true;

	fputs(head, stdout);
	tdat_build_init(&b, false);
	for (size_t side = 0; side < TDAT_DIFF_SIDES; side++) {
		printf("<p><svg width=\"12\" height=\"12\"><rect class=\"%c\" width=\"12\" "
		       "height=\"12\"/></svg>%s: ",
		       side ? 'b' : 'a', labels[side]);
		good &= put_text(names->sides[side], strlen(names->sides[side]));
		diff_put_side(&b, d, (enum tdat_diff_side)side);
		fputs(": ", stdout);
		put_html(b.ptr, b.len);
		fputs("</p>\n", stdout);
		b.len = 0;
	}
	if (tdat_diff_change(d, 0))
		fputs("<table>\n"
		      "<tr><th>what</th><th>key</th><th>before</th><th>after</th><th>change</"
		      "th><th>95 % interval</th><th>p</th><th>values, or rates of 50 time blocks, "
		      "before and after (logarithmic scale, 0 at the left)</th></tr>\n",
		      stdout);
	for (size_t i = 0; tdat_diff_change(d, i); i++)
		good &= put_row(d, i, &b);
	if (tdat_diff_change(d, 0))
		fputs("</table>\n", stdout);
	diff_put_counts(&b, d);
	fputs("<pre>", stdout);
	good &= !b.failed;
	put_html(b.ptr, b.len);
	fputs("</pre>\n</body>\n</html>\n", stdout);
	tdat_build_fini(&b);
	return good;
}
