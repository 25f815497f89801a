// SPDX-License-Identifier: GPL-2.0-or-later
// How the cells of one row are drawn: tasks, states, slices by depth, ticks, plots and losses.

import { colour, fillOf, hatching, hatchingOf, strokeOf } from './theme.js';
import { grouped, safeText } from './text.js';
import { fillNameOf, formatValue } from './rows.js';
import { hasShares, shareOut, SHARES } from './shares.js';

/** Heights of rows in rem; slices have one lane for each depth. */
export const LANE = 1.05;
const HEIGHTS = {
	cpu: 2.2,
	cpus: 2.2,
	task: 1.75,
	process: 1.7,
	counter: 2.6,
	field: 2.9,
	latency: 2.6,
	lost: 1,
	slices: 1.5,
	syscalls: 1.5,
	functions: 1.5,
	kvm: 1.5,
	block: 1.5,
	sql: 1.5,
};

export function rowHeight(type, lanes) {
	return lanes > 1 ? LANE * lanes + 0.4 : (HEIGHTS[type] ?? 1.4);
}

/** Room above and below the states of a row: for irqs on CPUs, and for marks of losses and hits. */
const ABOVE = { cpu: 6, cpus: 2, states: 2 };
const BELOW = 5;

/** How a state of a thread looks: colour, hatching in wide blocks, and its letter. */
const STATES = {
	running: { letter: 'R' },
	runnable: { letter: 'w', tint: 'runnable', hatch: 'rising' },
	preempted: { letter: 'p', tint: 'runnable', hatch: 'crossed' },
	uninterruptible: { letter: 'D', tint: 'blocked', hatch: 'dotted' },
	sleeping: { letter: 'S', tint: 'asleep' },
	dead: { letter: '', tint: 'paper' },
};
const OTHER_STATE = { letter: '', tint: 'asleep' };
/** The same in the order of SHARES; what is running has the colour of its task. */
const TINTS = ['', 'runnable', 'blocked', 'asleep'];

/** Where the states of a row lie in its box. */
export function sharesBox(row, place) {
	const above = ABOVE[row.kind];
	return { y: place.y + above, full: place.height - above - (row.kind === 'states' ? 2 : BELOW + 1) };
}

/** Draws the cells of a row into a box: `shift` and `scale` make pixels of offsets in time. */
export class Painter {
	constructor(context, rem) {
		this.context = context;
		this.rem = rem;
		context.textBaseline = 'middle';
		this.font = `${0.75 * rem}px system-ui, sans-serif`;
	}

	/** `over`: the row of irqs or losses of a CPU, drawn above what ran there. */
	row(row, place, over = false) {
		const alone = {
			process: this.#share,
			slices: this.#slice,
			ticks: this.#tick,
			lost: this.#lost,
		};
		const above = { slices: this.#strip, ticks: this.#hit, lost: this.#lostMark };
		const draw = (over ? above : alone)[row.kind];
		this.context.font = this.font;
		if (row.error)
			this.#label(row.error, place.left, place.right, place.y, place.height, 'ink');
		else if (row.kind === 'plot') this.#plot(row, place);
		place.fill = row.kind === 'cpu' ? '' : fillNameOf(row.kind === 'cpus' ? 'hits' : row.key);
		if (hasShares(row) && !over && !row.error) this.#shares(row, place);
		if (!draw) return;
		const drawn = { pixel: -1, name: null, depth: 0 };
		for (const cell of row.cells) {
			const x0 = place.shift + cell.t0 * place.scale;
			const x1 = place.shift + cell.t1 * place.scale;
			if (x0 > place.right) break;
			if (x1 >= place.left - 3 && !this.#covers(drawn, cell, x0, x1))
				draw.call(
					this,
					cell,
					Math.max(x0, place.left - 2),
					Math.min(x1, place.right + 2),
					place,
					row
				);
		}
	}

	/** A row that a report does not have: it must not look like an idle CPU. */
	absent(text, place) {
		if (!text) return;
		this.context.font = this.font;
		this.context.fillStyle = colour('panel');
		this.context.fillRect(place.left, place.y, place.right - place.left, place.height - 1);
		this.#label(text, place.left, place.right, place.y, place.height, 'ink');
	}

	/** Whether a cell far narrower than a pixel looks as the one that was drawn right before it. */
	#covers(drawn, cell, x0, x1) {
		const pixel = cell.n === 1 && x1 - x0 < 0.3 ? Math.floor(x0 * 2) : -1;
		const name = cell.state ?? cell.name;
		const same =
			pixel >= 0 &&
			pixel === drawn.pixel &&
			name === drawn.name &&
			cell.depth === drawn.depth;
		drawn.pixel = pixel;
		drawn.name = name;
		drawn.depth = cell.depth;
		return same;
	}

	#block(x, y, width, height, name) {
		const pen = this.context;
		pen.fillStyle = fillOf(name);
		pen.fillRect(x, y, width, height);
		const hatch = hatchingOf(pen, name);
		if (hatch) {
			pen.fillStyle = hatch;
			pen.fillRect(x, y, width, height);
		}
	}

	/** A cell for many: a dark foot, the higher the more it stands for. */
	#foot(cell, x, y, width, height) {
		if (cell.n <= 1) return;
		const pen = this.context;
		const tall = Math.min(height * 0.5, 1.5 + (Math.log2(cell.n) * height) / 28);
		pen.fillStyle = colour('ink');
		pen.globalAlpha = 0.45;
		pen.fillRect(x, y + height - tall, width, tall);
		pen.globalAlpha = 1;
	}

	/** `ink` is the colour of a text: on fills it is that of the paper. */
	#label(text, x0, x1, y, height, ink = 'paper') {
		const pen = this.context;
		const room = x1 - x0 - 6;
		if (room < this.rem * 0.9) return;
		let shown = safeText(text);
		if (pen.measureText(shown).width > room) {
			const letters = Math.floor(room / (this.rem * 0.38));
			shown = letters < 2 ? '' : `${shown.slice(0, letters - 1)}\u2026`;
		}
		if (!shown || pen.measureText(shown).width > room) return;
		pen.fillStyle = colour(ink);
		pen.fillText(shown, x0 + 3, y + height / 2 + 0.5);
	}

	/**
	 * States of a CPU or a task: blocks where an interval fills pixels, else the shares of each
	 * pixel on each other. What no cell covers is unknown.
	 */
	#shares(row, place) {
		const pen = this.context;
		const { y, full } = sharesBox(row, place);
		const { blocks, columns } = shareOut(row, place);
		for (const { cell, x, width } of blocks)
			this.#state(cell, { x, width, y, full }, place, row);
		for (const column of columns) {
			let foot = y + full;
			for (let at = 0; at < SHARES.length; at++) {
				const height = full * column.shares[at];
				foot -= height;
				if (height === 0 || (row.kind !== 'states' && at > 0)) continue;
				// Hatchings of names need more room: here they would look as if the state was unknown.
				pen.fillStyle = at === 0 ? fillOf(column.name || place.fill) : colour(TINTS[at]);
				pen.fillRect(column.x, foot, column.width, height);
			}
			// Only times on a CPU are known of a row that is being made.
			if (foot - y < 0.02 * full || row.partial || row.pending) continue;
			pen.fillStyle = hatching(pen, 'falling');
			pen.fillRect(column.x, y, column.width, foot - y);
		}
		if (row.kind === 'states') return;
		pen.fillStyle = colour('line');
		pen.fillRect(place.left, y + full, place.right - place.left, 1);
		if (row.kind === 'cpus') this.#losses(row, place, y + full + 1);
	}

	/** Where CPUs of a row of several lost events: a pixel below the shares. */
	#losses(row, place, y) {
		this.context.fillStyle = colour('warn');
		for (const { t0, lost } of row.cells)
			if (lost > 0)
				this.context.fillRect(place.shift + t0 * place.scale, y, 1, BELOW - 1);
	}

	/** An interval that fills pixels. */
	#state(cell, box, place, row) {
		const pen = this.context;
		const { x, width, y, full } = box;
		if (row.kind === 'cpu') {
			if (cell.pid === 0) return;
			this.#block(x, y, width, full, cell.name);
			if (cell.pid > 0) this.#label(cell.name, x, x + width, y, full);
			return;
		}
		const look = STATES[cell.state] ?? OTHER_STATE;
		if (look.tint) {
			pen.fillStyle = colour(look.tint);
			pen.fillRect(x, y, width, full);
			if (look.hatch) {
				pen.fillStyle = hatching(pen, look.hatch);
				pen.fillRect(x, y, width, full);
			}
		} else {
			this.#block(x, y, width, full, place.fill);
		}
		const named = !look.tint || width > 4 * this.rem;
		const text = named ? `${look.letter} ${cell.state}`.trim() : look.letter;
		this.#label(text, x, x + width, y, full, ['asleep', 'paper'].includes(look.tint) ? 'ink' : 'paper');
	}

	/** Irqs, and exits of a virtual CPU, on the row of a CPU: a strip at its upper edge. */
	#strip(cell, x0, x1, place, row) {
		const pen = this.context;
		const share =
			cell.n > 1 ? Math.min(1, cell.time / Math.max(1, cell.t1 - cell.t0)) : 1;
		pen.fillStyle = colour({ irq: 'warn', kvm: 'faint' }[row.type] ?? 'hit');
		pen.globalAlpha = 0.25 + 0.75 * share;
		pen.fillRect(
			x0,
			place.y + (row.type === 'irq' ? 0.5 : 3),
			Math.max(1, x1 - x0),
			2.5
		);
		pen.globalAlpha = 1;
	}

	/** An event that the filter leaves, on the row of its CPU: a tick at the lower edge. */
	#hit(cell, x0, x1, place) {
		const pen = this.context;
		const tall = cell.n > 1 ? 5 : 3.5;
		pen.fillStyle = colour('hit');
		pen.fillRect(x0, place.y + place.height - tall - 1, Math.max(1.2, x1 - x0), tall);
	}

	/** How much of a process ran: a column as high as its time, of one CPU's. */
	#share(cell, x0, x1, place) {
		const full = place.height - 4;
		const height = full * Math.min(1, cell.time / Math.max(1, cell.t1 - cell.t0));
		this.#block(
			x0,
			place.y + 2 + full - height,
			Math.max(0.6, x1 - x0),
			height,
			place.fill
		);
		this.#foot(cell, x0, place.y + 2, Math.max(0.6, x1 - x0), full);
	}

	#slice(cell, x0, x1, place, row) {
		if (place.folded && cell.depth > 0) return;
		const lane = row.lanes > 1 && !place.folded ? LANE * this.rem : place.height - 4;
		const y = place.y + 2 + (cell.depth ?? 0) * lane;
		const width = Math.max(x1 - x0, 1);
		this.#block(x0, y, width, lane - 1.5, cell.name);
		this.context.fillStyle = strokeOf(cell.name);
		this.context.fillRect(x0, y, Math.min(width, 1.5), lane - 1.5);
		this.#foot(cell, x0, y, width, lane - 1.5);
		this.#label(cell.name, x0 + 1, x1, y, lane - 1.5);
	}

	/** Ticks: one event is a thin line, many are a column as tall as their number's logarithm. */
	#tick(cell, x0, x1, place, row) {
		const pen = this.context;
		const full = place.height - 3;
		const tall =
			cell.n > 1
				? Math.min(full, full * (0.45 + Math.log2(cell.n) / 20))
				: full * 0.4;
		pen.fillStyle = row.key === 'hits' ? colour('hit') : strokeOf(row.key);
		pen.globalAlpha = cell.n > 1 ? 0.8 : 1;
		pen.fillRect(x0, place.y + 1 + full - tall, Math.max(1.2, x1 - x0), tall);
		pen.globalAlpha = 1;
	}

	/** A loss on a row of its own. */
	#lost(cell, x0, x1, place, row) {
		const box = { y: place.y, height: place.height, mark: 2, at: place.y, right: place.right };
		this.#gap(cell, x0, x1, box, row);
	}

	/** A loss on the row of a CPU: a mark below its states, and a gap as wide as it took. */
	#lostMark(cell, x0, x1, place, row) {
		const { y, full } = sharesBox({ kind: 'cpu' }, place);
		const box = { y, height: full, mark: BELOW - 1, at: y + full + 1, right: place.right };
		this.#gap(cell, x0, x1, box, row);
	}

	/** Damage has a mark of its own: the ink, where losses have the colour of warnings. */
	#gap(cell, x0, x1, { y, height, mark, at, right }, row) {
		const pen = this.context;
		const missing = row.damage ? 'damaged' : 'lost';
		const text = cell.count >= 0 ? `${grouped(cell.count)} lost` : missing;
		pen.fillStyle = colour(text === 'damaged' ? 'ink' : 'warn');
		pen.fillRect(Math.min(x0, right - 1), at, Math.max(1, x1 - x0), mark);
		pen.fillStyle = colour('warn');
		if (x1 - x0 < 1) return;
		pen.globalAlpha = 0.25;
		pen.fillRect(x0, y, x1 - x0, height);
		pen.globalAlpha = 1;
		pen.fillStyle = hatching(pen, 'crossed');
		pen.fillRect(x0, y, x1 - x0, height);
		// Its text stands beside the hatching, not on it.
		const room = pen.measureText(text).width + 6;
		if (x1 - x0 < room) return;
		pen.fillStyle = colour('paper');
		pen.fillRect(x0, y + 1, room, height - 2);
		this.#label(text, x0, x1, y, height, 'ink');
	}

	/** A plot: for each cell the range of its values; a counter's value holds until the next one. */
	#plot(row, place) {
		const pen = this.context;
		const steps = row.type === 'counter';
		const span = row.max - row.min || 1;
		const full = place.height - 7;
		const yOf = (value) => place.y + 3 + full - ((value - row.min) / span) * full;
		pen.strokeStyle = pen.fillStyle = strokeOf(row.key);
		pen.lineWidth = 1.25;
		pen.beginPath();
		let before = null;
		for (const cell of row.cells) {
			const x0 = place.shift + cell.t0 * place.scale;
			const x1 = place.shift + cell.t1 * place.scale;
			if (x0 > place.right + 2) break;
			if (steps) {
				if (before === null) pen.moveTo(x0, yOf(cell.last));
				else pen.lineTo(x0, yOf(before));
				pen.lineTo(x0, yOf(cell.last));
				before = cell.last;
			}
			if (cell.n > 1) {
				pen.globalAlpha = 0.55;
				pen.fillRect(
					x0,
					yOf(cell.max),
					Math.max(1, x1 - x0),
					Math.max(1.5, yOf(cell.min) - yOf(cell.max))
				);
				pen.globalAlpha = 1;
			} else if (!steps) {
				pen.fillRect(x0 - 1, yOf(cell.last) - 1, 2.5, 2.5);
			}
		}
		if (before !== null) {
			pen.lineTo(place.right, yOf(before));
			pen.stroke();
		}
		this.#range(row, place);
	}

	/** The greatest and the least value of what is in sight, at the right of a plot. */
	#range(row, place) {
		const pen = this.context;
		if (row.cells.length === 0) return;
		pen.textAlign = 'right';
		const ends = [
			[row.max, place.y + this.rem * 0.5],
			[row.min, place.y + place.height - this.rem * 0.5],
		];
		// Where all values are the same there is one label, above the line.
		for (const [value, y] of row.max === row.min ? ends.slice(0, 1) : ends) {
			const text = formatValue(row.key, value);
			pen.fillStyle = colour('paper');
			pen.globalAlpha = 0.8;
			pen.fillRect(
				place.right - 8 - pen.measureText(text).width,
				y - this.rem * 0.45,
				1e4,
				this.rem * 0.9
			);
			pen.globalAlpha = 1;
			pen.fillStyle = colour('soft');
			pen.fillText(text, place.right - 5, y);
		}
		pen.textAlign = 'left';
	}
}
