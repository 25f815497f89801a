/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes stacks as one SVG with its own script: a click zooms, a text can be searched. The file is
 * complete in itself, so it opens in any browser. Widths are the weights of nodes; text of the
 * trace is escaped.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands/flame_out.h"
#include "commands/summary_text.h"

/* Width and height of the picture, of a row, and of what is above the rows, in pixels. */
enum { WIDTH = 1200, ROW = 17, HEAD = 48, FOOT = 12 };

/*
 * The script keeps all coordinates as fractions of the whole: data-x and data-w of each frame.
 * Zooming only recomputes them. It uses no library and no network.
 */
static const char script[] =
	"<style>\n"
	"text { font: 12px monospace; fill: #000; pointer-events: none }\n"
	"rect { stroke: #fff; stroke-width: .5; cursor: pointer }\n"
	"rect:hover { stroke: #000 }\n"
	".b { fill: #eee; cursor: pointer }\n"
	".b:hover { fill: #ccc }\n"
	"</style>\n"
	"<script><![CDATA[\n"
	"var W = 1200, frames = [], shown = [0, 1], found = null;\n"
	"function start() {\n"
	"  document.querySelectorAll('g[data-x]').forEach(function (g) {\n"
	"    var f = { g: g, r: g.querySelector('rect'), t: g.querySelector('text'),\n"
	"      x: +g.dataset.x, w: +g.dataset.w, name: g.dataset.n };\n"
	"    f.fill = f.r.getAttribute('fill');\n"
	"    g.addEventListener('click', function () { shown = [f.x, f.w]; draw(); });\n"
	"    frames.push(f);\n"
	"  });\n"
	"  document.getElementById('reset').addEventListener('click', function () {\n"
	"    shown = [0, 1]; draw(); });\n"
	"  document.getElementById('search').addEventListener('click', function () {\n"
	"    var s = prompt('Find functions with this text (empty: none)');\n"
	"    if (s !== null) { found = s; draw(); } });\n"
	"  draw();\n"
	"}\n"
	"function draw() {\n"
	"  var sum = 0, end = -1, all = shown[1];\n"
	"  frames.forEach(function (f) {\n"
	"    var x = (f.x - shown[0]) / all * W, w = f.w / all * W;\n"
	"    var left = Math.max(x, 0), right = Math.min(x + w, W);\n"
	"    if (right - left < .1) { f.g.style.display = 'none'; return; }\n"
	"    f.g.style.display = '';\n"
	"    f.r.setAttribute('x', left); f.r.setAttribute('width', right - left);\n"
	"    f.t.setAttribute('x', left + 3);\n"
	"    var n = Math.floor((right - left - 6) / 7.3);\n"
	"    f.t.textContent = n < 3 ? '' : f.name.length <= n ? f.name : f.name.slice(0, n - 2) + "
	"'..';\n"
	"    var hit = found && f.name.indexOf(found) >= 0;\n"
	"    f.r.setAttribute('fill', hit ? '#d0f' : f.fill);\n"
	"    if (hit && f.x >= end) {\n"
	"      sum += Math.max(0, Math.min(f.x + f.w, shown[0] + all) - Math.max(f.x, shown[0]));\n"
	"      end = f.x + f.w; }\n"
	"  });\n"
	"  document.getElementById('found').textContent =\n"
	"    found ? (100 * sum / all).toFixed(2) + ' % has ' + found : '';\n"
	"}\n"
	"]]></script>\n";

/* Texts come from a trace: all five characters with a meaning in XML are escaped. */
static void put_xml(const char *text)
{
	for (; *text; text++) {
		switch (*text) {
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
			putchar(*text);
		}
	}
}

/*
 * A warm color that depends on the name only (FNV-1a), so a function has the same color in each
 * picture.
 */
static void name_color(char out[FLAME_COLOR], const char *name)
{
	uint32_t h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 16777619u;
	snprintf(out, FLAME_COLOR, "#%02x%02x%02x", 205 + (h >> 8) % 50, 80 + (h >> 16) % 130,
		 (h >> 24) % 60);
}

/*
 * Prints one frame: the script reads the data attributes, a viewer without scripts shows the
 * rectangle and its title.
 */
void flame_svg_frame(const struct flame_frame *f)
{
	const uint32_t y = f->height - FOOT - f->depth * ROW;

	printf("<g data-x=\"%.9f\" data-w=\"%.9f\" data-n=\"", f->x, f->width);
	put_xml(f->name);
	fputs("\"><title>", stdout);
	put_xml(f->name);
	printf(" (%s)</title><rect x=\"%.2f\" y=\"%" PRIu32
	       "\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/><text x=\"%.2f\" y=\"%" PRIu32
	       "\"></text></g>\n",
	       f->title, WIDTH * f->x, y, WIDTH * f->width, ROW - 1, f->color, WIDTH * f->x + 3,
	       y + 12);
}

static double part_of(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void put_node(const struct tdat_summary *s, uint32_t node, uint64_t start, uint32_t height)
{
	const struct tdat_flame *f = tdat_flame(s);
	const struct tdat_flame_node *n = &f->nodes[node];
	const uint64_t whole = f->nodes[0].total;
	struct flame_frame frame = {.name = tdat_flame_name(s, node),
				    .x = part_of(start, whole),
				    .width = part_of(n->total, whole),
				    .depth = n->depth,
				    .height = height};

	snprintf(frame.title, sizeof(frame.title), "%" PRIu64 " %s, %.2f %%", n->total, f->unit,
		 100 * frame.width);
	name_color(frame.color, frame.name);
	flame_svg_frame(&frame);
}

/* The depth decides the height of the picture. */
uint32_t flame_svg_height(const struct tdat_flame *f)
{
	uint32_t most = 0;

	for (size_t i = 0; i < f->node_count; i++)
		most = f->nodes[i].depth > most ? f->nodes[i].depth : most;
	return HEAD + FOOT + (most + 1) * ROW;
}

/*
 * Prints frames in depth-first order without recursion. A node's own weight is drawn as a gap
 * behind its children.
 */
static void put_frames(const struct tdat_summary *s, uint32_t height)
{
	const struct tdat_flame *f = tdat_flame(s);
	/* start is the weight of all that is to the left of the node. */
	uint64_t start = 0;
	uint32_t i = f->nodes[0].child;

	while (i) {
		const struct tdat_flame_node *n = &f->nodes[i];

		if (n->total)
			put_node(s, i, start, height);
		/* A node's children begin where it does, and its siblings where it ends. */
		if (n->child) {
			i = n->child;
			continue;
		}
		/* Climbs until a node has a sibling that was not drawn yet. */
		while (i && !f->nodes[i].next) {
			start += f->nodes[i].self;
			i = f->nodes[i].parent;
		}
		if (i) {
			start += f->nodes[i].self;
			i = f->nodes[i].next;
		}
	}
}

void flame_svg_begin(uint32_t height, const char *title, const char *what)
{
	printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %" PRIu32
	       "\" width=\"%d\" height=\"%" PRIu32 "\" onload=\"start()\">\n",
	       WIDTH, height, WIDTH, height);
	fputs(script, stdout);
	printf("<rect x=\"0\" y=\"0\" width=\"%d\" height=\"%" PRIu32 "\" fill=\"#fff\" "
	       "style=\"cursor: default\"/>\n<text x=\"6\" y=\"18\">",
	       WIDTH, height);
	put_xml(title);
	fputs(": ", stdout);
	put_xml(what);
	printf("</text>\n<g id=\"reset\"><rect class=\"b\" x=\"%d\" y=\"4\" width=\"70\" "
	       "height=\"20\"/><text x=\"%d\" y=\"18\">all</text></g>\n",
	       WIDTH - 160, WIDTH - 150);
	printf("<g id=\"search\"><rect class=\"b\" x=\"%d\" y=\"4\" width=\"70\" height=\"20\"/>"
	       "<text x=\"%d\" y=\"18\">search</text></g>\n",
	       WIDTH - 80, WIDTH - 70);
	printf("<text id=\"found\" x=\"6\" y=\"38\"></text>\n");
}

void flame_svg_end(void)
{
	fputs("</svg>\n", stdout);
}

/* The root is not drawn: its width is the whole picture. */
void flame_svg(const struct tdat_summary *s)
{
	const struct tdat_flame *f = tdat_flame(s);
	const uint32_t height = flame_svg_height(f);
	char what[64];

	snprintf(what, sizeof(what), "%" PRIu64 " %s", f->nodes[0].total, f->unit);
	flame_svg_begin(height, f->title, what);
	put_frames(s, height);
	flame_svg_end();
}
