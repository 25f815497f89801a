// SPDX-License-Identifier: GPL-2.0-or-later
// Draws the timeline: ruler, names of rows, their cells, arrows, markers and the selection.

import { Painter } from './paint.js';
import { colour, fillOf } from './theme.js';
import { counted, safeText } from './text.js';
import { formatSpan, formatTime, rulerMarks } from './time.js';
import { isWall, wallDay } from './wall.js';
import { isGroup, isOpen } from './cpus.js';
import { canDraw, fillNameOf, labelOf, overlaysOf, parseKey, vcpuOf } from './rows.js';
import { drawWhy } from './why.js';

/** Fits a canvas to its box and the screen's pixels; gives the context and the size in CSS pixels. */
export function fitCanvas(canvas) {
	const width = canvas.clientWidth;
	const height = canvas.clientHeight;
	const ratio = window.devicePixelRatio || 1;
	const wide = Math.max(1, Math.round(width * ratio));
	const tall = Math.max(1, Math.round(height * ratio));
	if (canvas.width !== wide || canvas.height !== tall) {
		canvas.width = wide;
		canvas.height = tall;
	}
	const context = canvas.getContext('2d');
	context.setTransform(wide / Math.max(1, width), 0, 0, tall / Math.max(1, height), 0, 0);
	context.clearRect(0, 0, width, height);
	return { context, width, height };
}

/** Where the picture's times lie in the window as it is now: it may have moved since. */
export function placeOf(picture, viewport, width) {
	const scale = width / Number(viewport.span);
	return { shift: Number(picture.from - viewport.from) * scale, scale };
}

function drawRuler(pen, view) {
	const { viewport, gutter, width, ruler, rem, state } = view;
	const { step, marks } = rulerMarks(viewport.from, viewport.to, width, 7 * rem, state.inNs);
	pen.fillStyle = colour('panel');
	pen.fillRect(0, 0, gutter + width, ruler);
	pen.font = `${0.75 * rem}px system-ui, sans-serif`;
	pen.fillStyle = colour('soft');
	const day = isWall() ? `${wallDay(viewport.from)}  ` : '';
	pen.fillText(day + formatSpan(viewport.span, state.inNs), 0.75 * rem, ruler / 2);
	for (const ts of marks) {
		const x = gutter + viewport.x(ts, width);
		pen.fillStyle = colour('line');
		pen.fillRect(Math.round(x), ruler - 0.4 * rem, 1, view.height);
		pen.fillStyle = colour('soft');
		const said = formatTime(ts, step, state.inNs);
		// A label that would be cut at the edge is left out; its line stays.
		if (x + 4 + pen.measureText(said).width <= gutter + width)
			pen.fillText(said, x + 4, ruler / 2);
	}
	pen.fillStyle = colour('line');
	pen.fillRect(0, ruler - 1, gutter + width, 1);
}

/** Calls `draw` with the rows that scroll, which end below the others, and with those that are kept at the top. */
function inParts(pen, view, [left, width], indexes, draw) {
	const { layout, ruler, height } = view;
	const parts = [
		[layout.top, height, indexes.filter((index) => index >= layout.kept)],
		[0, layout.top, indexes.filter((index) => index < layout.kept)],
	];
	for (const [from, to, some] of parts) {
		pen.save();
		pen.beginPath();
		pen.rect(left, ruler + from, width, to - from);
		pen.clip();
		draw(some);
		pen.restore();
	}
	if (layout.top === 0) return;
	pen.fillStyle = colour('faint');
	pen.fillRect(left, ruler + layout.top - 1, width, 1);
}

/** Whether a row opens and closes: one of several CPUs, the head of a group, one with several lanes. */
export function foldOf(key, { layout, state, lanesOf, picture }) {
	if (isGroup(key)) return isOpen(picture?.rows.get(key)?.opens ?? [], state.rows) ? 'open' : 'closed';
	if (layout.groups.get(key)?.length > 0 || lanesOf(key) > 1)
		return state.folds.includes(key) ? 'closed' : 'open';
	return '';
}

/** Where the pin of a row is: this much before the end of the names, in rem. */
export const PIN_ROOM = 1.5;

/** A pin at the end of a name: filled where the row is kept at the top. */
function drawPin(pen, x, y, isKept) {
	pen.strokeStyle = pen.fillStyle = colour(isKept ? 'accent' : 'faint');
	pen.lineWidth = 1.25;
	pen.beginPath();
	pen.arc(x, y - 2, 3.2, 0, 2 * Math.PI);
	if (isKept) pen.fill();
	else pen.stroke();
	pen.beginPath();
	pen.moveTo(x, y + 1.2);
	pen.lineTo(x, y + 6);
	pen.stroke();
}

function drawNames(pen, view, indexes) {
	const { layout, gutter, rem, drop } = view;
	pen.fillStyle = colour('panel');
	pen.fillRect(0, view.ruler, gutter - 1, view.height);
	pen.fillStyle = colour('line');
	pen.fillRect(gutter - 1, 0, 1, view.height);
	inParts(pen, view, [0, gutter], indexes, (some) => {
		pen.font = nameFont(rem);
		for (const index of some) drawName(pen, view, index);
	});
	if (drop === undefined) return;
	pen.fillStyle = colour('accent');
	const y = drop < layout.keys.length ? layout.y(drop) : layout.total - layout.scroll;
	pen.fillRect(0, view.ruler + y - 1.5, gutter, 3);
}

/** The name of a row, and where it begins. */
function nameOf(key, view) {
	const { layout, rem, state, picture } = view;
	const fold = foldOf(key, view);
	const members = layout.groups.get(key)?.length ?? 0;
	let text = safeText(labelOf(key, state.trace));
	if (picture?.rows.get(key)?.cut) text = `cut, ${text}`;
	if (members > 0) text += ` (${counted(members, 'row')})`;
	if (fold) text = `${fold === 'open' ? '\u25be' : '\u25b8'} ${text}`;
	return { text, left: (layout.isMember(key) ? 1.5 : 0.75) * rem };
}

function nameFont(rem) {
	return `${0.8125 * rem}px system-ui, sans-serif`;
}

/** How wide the names are, in pixels. */
export function widthOfNames(canvas, view) {
	const pen = canvas.getContext('2d');
	pen.font = nameFont(view.rem);
	const widths = view.layout.keys.map((key) => {
		const { text, left } = nameOf(key, view);
		return left + pen.measureText(text).width;
	});
	return Math.max(0, ...widths) + PIN_ROOM * view.rem;
}

function drawName(pen, view, index) {
	const { layout, ruler, gutter, rem, state } = view;
	const y = ruler + layout.y(index);
	const focused = layout.keys[index] === state.focusRow;
	if (focused) {
		pen.fillStyle = colour('select');
		pen.fillRect(0, y, gutter, layout.heights[index]);
		pen.fillStyle = colour('accent');
		pen.fillRect(0, y, 3, layout.heights[index]);
	}
	const key = layout.keys[index];
	const { text: name, left } = nameOf(key, view);
	let text = name;
	const isKept = state.pins.includes(key);
	const hasPin = isKept || focused || view.hover === key;
	while (text.length > 4 && pen.measureText(text).width > gutter - left - (hasPin ? PIN_ROOM : 0.65) * rem)
		text = `${text.slice(0, Math.floor(text.length * 0.9) - 1)}\u2026`;
	const middle = y + Math.min(layout.heights[index] / 2, 0.9 * rem);
	pen.fillStyle = colour('ink');
	pen.fillText(text, left, middle);
	if (['task', 'process'].includes(parseKey(key).type)) {
		pen.fillStyle = fillOf(fillNameOf(key));
		pen.fillRect(gutter - 5, y + 2, 3, layout.heights[index] - 4);
	}
	if (hasPin && state.rows.includes(key)) drawPin(pen, gutter - 0.75 * rem, middle, isKept);
	pen.fillStyle = colour('line');
	pen.fillRect(0, y + layout.heights[index] - 0.5, gutter, 0.5);
}

/** The middle of a row in sight; null for another one. */
function middleOf(view, key, seen) {
	const index = view.layout.keys.indexOf(key);
	return seen.has(index)
		? view.ruler +
				view.layout.y(index) +
				view.layout.heights[index] / 2
		: null;
}

export function drawArrow(pen, x0, y0, x1, y1) {
	const turn = y1 > y0 ? -1 : 1;
	pen.beginPath();
	pen.moveTo(x0, y0);
	pen.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1 + turn * 4);
	pen.stroke();
	pen.beginPath();
	pen.moveTo(x1, y1);
	pen.lineTo(x1 - 3, y1 + turn * 6);
	pen.lineTo(x1 + 3, y1 + turn * 6);
	pen.fill();
}

/** Wakeups are drawn as arrows where they are not so dense that arrows would hide the rest. */
export function arrowsFit(picture, width) {
	return picture.wakeups.length > 0 && picture.wakeups.length <= width / 14;
}

/**
 * Wakeups of the tasks in sight: a box from the waking until the task got its CPU, and an arrow
 * from the waker's row (its task, else its CPU).
 */
function drawWakeups(pen, view, place, indexes) {
	const { picture, layout, gutter } = view;
	const seen = new Set(indexes);
	const arrows = arrowsFit(picture, view.width);
	for (const wakeup of picture.wakeups) {
		const row = `task:${wakeup.rec}:${wakeup.pid}`;
		const y1 = middleOf(view, row, seen);
		const start = wakeup.waking ?? wakeup.wakeup;
		if (y1 === null || start === null) continue;
		const x0 = gutter + place.shift + start * place.scale;
		const x1 = gutter + place.shift + (wakeup.t1 ?? start) * place.scale;
		const half = layout.heights[layout.keys.indexOf(row)] / 2 - 2.5;
		pen.lineWidth = 1.25;
		pen.strokeStyle = colour('warn');
		if (x1 - x0 >= 3) pen.strokeRect(x0 + 0.5, y1 - half, x1 - x0 - 1, half * 2);
		if (!arrows) continue;
		const y0 =
			middleOf(view, `task:${wakeup.rec}:${wakeup.waker_pid}`, seen) ??
			middleOf(view, `cpu:${wakeup.rec}:${wakeup.waker_cpu}`, seen);
		pen.lineWidth = 1;
		pen.strokeStyle = pen.fillStyle = colour('faint');
		if (y0 !== null && y0 !== y1)
			drawArrow(pen, x0, y0, x0, y1 + (y1 > y0 ? -half : half));
	}
}

/**
 * Joins the row of a guest's CPU to that of the host's task which stands right below it: a line down where the
 * guest was left, a line up where it was entered again, and a shade between while the host worked.
 */
function drawVcpus(pen, view, place, indexes) {
	const { picture, layout, gutter, ruler, state } = view;
	for (const index of indexes) {
		const vcpu = vcpuOf(layout.keys[index], state.trace);
		if (!vcpu || layout.keys[index + 1] !== `task:${vcpu.host}:${vcpu.pid}`) continue;
		const y = ruler + layout.y(index);
		const height = layout.heights[index] + 4;
		for (const { t0, t1, n } of picture.rows.get(`kvm:${vcpu.host}:${vcpu.pid}`)?.cells ?? []) {
			const x0 = gutter + place.shift + t0 * place.scale;
			const width = (t1 - t0) * place.scale;
			if (n > 1 || width < 2) continue;
			pen.globalAlpha = 0.14;
			pen.fillStyle = colour('ink');
			pen.fillRect(x0, y, width, height);
			pen.globalAlpha = 1;
			pen.fillStyle = colour('soft');
			pen.fillRect(x0, y, 1, height);
			pen.fillRect(x0 + width - 1, y, 1, height);
		}
	}
}

/** The cell that the keyboard is at. */
function drawCursor(pen, view) {
	const { state, layout, viewport, ruler, gutter, width } = view;
	const index = layout.keys.indexOf(state.cursor?.key);
	if (index < 0) return;
	const x0 = Math.max(-2, viewport.x(state.cursor.t0, width));
	const x1 = Math.min(width + 2, viewport.x(state.cursor.t1, width));
	const y = ruler + layout.y(index);
	pen.strokeStyle = colour('accent');
	pen.lineWidth = 2;
	pen.strokeRect(gutter + x0 - 1, y + 1, Math.max(4, x1 - x0 + 2), layout.heights[index] - 2);
}

function drawMarkers(pen, view) {
	const { state, viewport, gutter, width, ruler, rem } = view;
	if (state.select) {
		const x0 = Math.max(0, viewport.x(state.select[0], width));
		const x1 = Math.min(width, viewport.x(state.select[1], width));
		if (x1 > x0) {
			pen.fillStyle = colour('select');
			pen.fillRect(gutter + x0, 0, x1 - x0, view.height);
			pen.fillStyle = colour('accent');
			pen.fillRect(gutter + x0, 0, x1 - x0, 2);
			const said = formatSpan(state.select[1] - state.select[0], state.inNs);
			const room = pen.measureText(said).width;
			const left = gutter + (x0 + x1 - room) / 2;
			if (room < x1 - x0 - 8) {
				pen.fillStyle = colour('paper');
				pen.fillRect(left - 4, ruler, room + 8, 1.3 * rem);
				pen.fillStyle = colour('accent');
				pen.fillText(said, left, ruler + 0.7 * rem);
			}
		}
	}
	pen.fillStyle = colour('hit');
	for (const [at, { ts, text }] of state.notes.entries()) {
		if (ts < viewport.from || ts > viewport.to) continue;
		const x = Math.round(gutter + viewport.x(ts, width));
		const next = state.notes[at + 1]?.ts ?? viewport.to;
		pen.fillRect(x, 0, 1, view.height);
		pen.fillRect(x, 0, 5, 5);
		const said = safeText(text);
		// A text that would reach the next note is left to the panel.
		if (pen.measureText(said).width + 10 < viewport.x(next, width) - viewport.x(ts, width))
			pen.fillText(said, x + 7, 0.5 * rem);
	}
	const lines = [
		[state.markA, 'A', 'mark-a', []],
		[state.markB, 'B', 'mark-b', []],
		[state.event?.ts ?? null, '', 'accent', [3, 2]],
	];
	for (const [ts, name, ink, dashes] of lines) {
		if (ts === null || ts < viewport.from || ts > viewport.to) continue;
		const x = Math.round(gutter + viewport.x(ts, width)) + 0.5;
		pen.strokeStyle = pen.fillStyle = colour(ink);
		pen.lineWidth = 1.5;
		pen.setLineDash(dashes);
		pen.beginPath();
		pen.moveTo(x, 0);
		pen.lineTo(x, view.height);
		pen.stroke();
		pen.setLineDash([]);
		if (name) {
			pen.fillRect(x, 0, 1.1 * rem, 1.1 * rem);
			pen.fillStyle = colour('paper');
			pen.fillText(name, x + 0.3 * rem, 0.58 * rem);
		}
	}
}

/** Draws all of it. `view` has state, viewport, layout, picture, and the sizes. */
export function drawTimeline(canvas, view) {
	const { context: pen, width: all, height } = fitCanvas(canvas);
	view.height = height;
	view.width = Math.max(1, all - view.gutter - view.rail);
	pen.textBaseline = 'middle';
	const { layout, ruler, gutter, width } = view;
	const indexes = layout.visible(height - ruler);
	pen.fillStyle = colour('paper');
	pen.fillRect(0, 0, all, height);
	drawRuler(pen, view);
	pen.save();
	pen.beginPath();
	pen.rect(gutter, ruler, width, height - ruler);
	pen.clip();
	for (const index of indexes) {
		pen.fillStyle = colour('line');
		pen.fillRect(
			gutter,
			ruler + layout.y(index) + layout.heights[index] - 0.5,
			width,
			0.5
		);
	}
	if (view.picture) {
		const place = placeOf(view.picture, view.viewport, width);
		const painter = new Painter(pen, view.rem);
		inParts(pen, view, [gutter, width], indexes, (some) => {
			for (const index of some) {
				const key = layout.keys[index];
				const box = {
					folded: foldOf(key, view) === 'closed',
					shift: gutter + place.shift,
					scale: place.scale,
					left: gutter,
					right: gutter + width,
					y: ruler + layout.y(index),
					height: layout.heights[index],
				};
				for (const drawn of [
					key,
					...overlaysOf(key, view.state.trace, view.state.pictureFilter),
				]) {
					const row = view.picture.rows.get(drawn);
					if (row) painter.row(row, box, drawn !== key);
					else if (drawn === key && canDraw(key)) painter.absent(view.state.absent, box);
					// Marks of losses and hits stand before events.
					if (drawn === key) view.ticks.draw(pen, key, box, width);
				}
			}
		});
		drawVcpus(pen, view, place, indexes);
		drawWakeups(pen, view, place, indexes);
	}
	pen.restore();
	drawNames(pen, view, indexes);
	pen.save();
	pen.beginPath();
	pen.rect(gutter, 0, width, height);
	pen.clip();
	drawWhy(pen, view);
	drawCursor(pen, view);
	drawMarkers(pen, view);
	pen.restore();
}
