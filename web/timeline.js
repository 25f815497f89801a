// SPDX-License-Identifier: GPL-2.0-or-later
// The timeline: asks for the picture of the window, draws it, and says what is at a pixel.

import { download } from './datatable.js';
import { startBar } from './panels.js';
import { byId } from './text.js';
import { arranged } from './arrange.js';
import { drawTimeline, placeOf, widthOfNames } from './draw.js';
import { canDraw, LANES_MOST, overlaysOf, parseKey, rememberRow, RowLayout } from './rows.js';
import { Ticks } from './ticks.js';
import { LANE, rowHeight } from './paint.js';
import { onTheme } from './theme.js';

/** Names get this width at most unless the user gives them more, in rem. */
const GUTTER_MOST = 18;

export class Timeline {
	#state;
	#source;
	#drawing = 0;
	#wanted = null;
	#asking = false;
	#lanes = new Map();
	#patience = 50;
	#again = 0;
	#question = '';
	#canvas = byId('timeline');
	#rail = byId('rows-scroll');
	layout = new RowLayout();
	picture = null;
	#drawn;
	/** Settles when the first picture was drawn, or could not be had. */
	drawn = new Promise((done) => {
		this.#drawn = done;
	});
	/** When the first picture was drawn, and the first of all rows of which nothing is pending. */
	firstAt = undefined;
	completeAt = undefined;

	/** Room for the names of rows, in rem: it grows with them until the user sets it. */
	#gutter = 11;
	#hasOwnGutter = false;

	constructor(state, source) {
		this.#state = state;
		this.#source = source;
		this.ticks = new Ticks(state, source, () => {
			this.draw();
			state.tell('ticks');
		});
		this.#measure();
		this.#startGutter();
		new ResizeObserver(() => this.#measure()).observe(byId('timeline-box'));
		this.#rail.addEventListener('scroll', () => this.scrollTo(this.#rail.scrollTop));
		// A page that is printed is not drawn again before it is.
		onTheme(() => (matchMedia('print').matches ? this.#paint() : this.draw()));
		state.on('rows pictureFilter pins folds group', () => this.#place());
		state.on('window rows pictureFilter pins folds group', () => this.ask());
		state.on('window rows pins folds group markA markB notes select event focusRow cursor why', () => this.draw());
	}

	/** The width of the part that shows time, in CSS pixels. */
	get width() {
		return this.view.width;
	}

	/** The bar between names and times: it is dragged, or moved by arrow keys. */
	#startGutter() {
		const bar = byId('gutter');
		const remAt = (event) =>
			(event.clientX - bar.parentElement.getBoundingClientRect().left) / this.view.rem;
		startBar(bar, remAt, { ArrowLeft: -1, ArrowRight: 1 }, (rem) => {
			this.#gutter = rem;
			this.#hasOwnGutter = true;
			this.#measure();
		});
	}

	/** Makes room for the names, up to a fifth of the picture. */
	#fitGutter() {
		const { rem } = this.view;
		const most = Math.min(GUTTER_MOST, byId('timeline-box').clientWidth / rem / 5);
		const wanted = Math.min(most, Math.ceil(widthOfNames(this.#canvas, this.view) / rem));
		if (this.#hasOwnGutter || wanted <= this.#gutter) return;
		this.#gutter = wanted;
		byId('gutter').setAttribute('aria-valuenow', Math.round(wanted));
		this.#measure();
	}

	#measure() {
		const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
		const box = byId('timeline-box');
		// Whole pixels: the columns of an answer are those of the screen.
		const gutter = Math.round(Math.min(this.#gutter * rem, box.clientWidth / 3));
		byId('gutter').style.left = `${gutter}px`;
		const rail = Math.round(0.8 * rem);
		this.view = {
			state: this.#state,
			rem,
			gutter,
			rail,
			ruler: 2 * rem,
			layout: this.layout,
			lanesOf: (key) => this.#lanes.get(key) ?? 1,
			width: Math.max(1, box.clientWidth - gutter - rail),
			height: box.clientHeight,
		};
		this.#place();
		this.ask();
		this.#state.tell('room');
	}

	/** Puts the rows where they belong, after their number or depth changed. */
	#place() {
		const { pictureFilter, folds } = this.#state;
		const shown = arranged(this.#state);
		if (pictureFilter && canDraw('hits')) {
			shown.keys.unshift('hits');
			shown.kept++;
		}
		const heightOf = (key) => {
			const lanes = folds.includes(key) ? 1 : (this.#lanes.get(key) ?? 1);
			return Math.round(rowHeight(parseKey(key).type, lanes) * this.view.rem);
		};
		// What is kept at the top leaves half of the room to what scrolls.
		this.layout.set(shown, heightOf, (this.view.height - this.view.ruler) / 2);
		byId('rows-height').style.height = `${this.layout.total}px`;
		this.#rail.hidden = this.layout.total <= this.view.height - this.view.ruler;
		this.scrollTo(this.layout.scroll);
	}

	/** Scrolls the rows to y pixels. */
	scrollTo(y) {
		const most = Math.max(0, this.layout.total - (this.view.height - this.view.ruler));
		const scroll = Math.min(most, Math.max(0, y));
		if (Math.abs(this.#rail.scrollTop - scroll) >= 1) this.#rail.scrollTop = scroll;
		if (scroll !== this.layout.scroll) {
			this.layout.scroll = scroll;
			this.ask();
		}
		this.draw();
	}

	get keysInSight() {
		return this.layout
			.visible(this.view.height - this.view.ruler)
			.map((index) => this.layout.keys[index]);
	}

	get scrolls() {
		return this.layout.total > this.view.height - this.view.ruler;
	}

	/** Scrolls so that a row is in sight. */
	showRow(key) {
		const index = this.layout.keys.indexOf(key);
		if (index < 0) return;
		const room = this.view.height - this.view.ruler;
		const top = this.layout.tops[index];
		if (index < this.layout.kept) return;
		if (top < this.layout.scroll + this.layout.top) this.scrollTo(top - this.layout.top);
		else if (top + this.layout.heights[index] > this.layout.scroll + room)
			this.scrollTo(top + this.layout.heights[index] - room);
	}

	/** Draws at the next frame. */
	draw() {
		if (this.#drawing || !this.#state.viewport) return;
		this.#drawing = requestAnimationFrame(() => {
			this.#drawing = 0;
			this.#paint();
			this.#note();
		});
	}

	#paint() {
		Object.assign(this.view, {
			viewport: this.#state.viewport,
			picture: this.picture,
			ticks: this.ticks,
		});
		drawTimeline(this.#canvas, this.view);
	}

	#note() {
		if (!this.picture) return;
		this.firstAt ??= performance.now();
		this.#drawn();
		if (this.settled && this.#state.roomFull)
			this.completeAt ??= performance.now();
	}

	/**
	 * Asks for the picture of the window: one question at a time, the latest one next. What is
	 * there or under way already is not asked for, unless `again`.
	 */
	ask(again = false) {
		const { viewport, trace, pictureFilter } = this.#state;
		if (!viewport || this.#state.held) return;
		this.ticks.ask();
		const seen = this.layout.visible(this.view.height - this.view.ruler);
		const margin = 4;
		const { kept } = this.layout;
		const first = Math.max(kept, (seen[kept] ?? kept) - margin);
		const last = (seen.at(-1) ?? -1) + margin + 1;
		const keys = this.layout.keys.filter((_, at) => at < kept || (at >= first && at < last));
		const over = keys.flatMap((key) => overlaysOf(key, trace, pictureFilter));
		const wanted = {
			from: viewport.from,
			to: viewport.to,
			width: Math.max(1, Math.round(this.width)),
			rows: [...new Set([...keys, ...over])]
				.filter((key) => canDraw(key))
				.slice(0, 256),
			filter: pictureFilter,
		};
		const question = Object.values(wanted).join('\n');
		if (question === this.#question && !again) return;
		clearTimeout(this.#again);
		this.#question = question;
		this.#wanted = wanted;
		this.#askNext();
	}

	async #askNext() {
		if (this.#asking || !this.#wanted) return;
		const wanted = this.#wanted;
		this.#wanted = null;
		this.#asking = true;
		try {
			this.#take(await this.#source.picture(wanted));
		} catch (error) {
			this.#question = '';
			this.#drawn();
			this.#state.fail(error);
		} finally {
			this.#asking = false;
			if (this.#wanted) this.#askNext();
		}
	}

	#take(picture) {
		this.picture = picture;
		this.#patience = picture.pending ? Math.min(1000, this.#patience * 1.5) : 50;
		if (picture.pending) this.#again = setTimeout(() => this.ask(true), this.#patience);
		let moved = false;
		for (const [key, row] of picture.rows) {
			rememberRow(row);
			// Rows only grow while one looks at them, so that nothing jumps.
			const lanes = Math.max(
				this.#lanes.get(key) ?? 1,
				Math.min(row.lanes ?? 1, LANES_MOST)
			);
			moved ||= lanes !== (this.#lanes.get(key) ?? 1);
			this.#lanes.set(key, lanes);
			// A slice is one lane high also in a window where no other one is nested in it.
			if (lanes > 1) row.lanes = lanes;
		}
		if (moved) this.#place();
		this.#fitGutter();
		this.draw();
		this.#state.tell('picture');
	}

	/** Gives the user the picture as it is drawn. */
	save() {
		const name = `${this.#state.trace.files[0]?.name ?? 'trace'}.png`;
		this.#canvas.toBlob((image) => image && download(name, 'image/png', image));
	}

	/** Nothing is under way, and what is drawn is the window. */
	get settled() {
		const { viewport } = this.#state;
		return (
			!this.#asking &&
			!this.#wanted &&
			!this.#drawing &&
			this.ticks.settled &&
			this.picture !== null &&
			!this.picture.pending &&
			(!this.#source.live ||
				(this.picture.from === viewport.from &&
					this.picture.to === viewport.to))
		);
	}

	/** What is at a point of the canvas: the area, the row, the time, and the cell there. */
	hit(x, y) {
		const { gutter, ruler, width } = this.view;
		const area = y < ruler ? 'ruler' : x < gutter ? 'names' : 'rows';
		const index = y < ruler ? -1 : this.layout.at(y - ruler);
		const key = index < 0 ? null : this.layout.keys[index];
		const ts = this.#state.viewport.at(Math.min(Math.max(0, x - gutter), width), width);
		const found = { area, key, ts, cell: null, row: null };
		if (area === 'rows' && key && this.picture) {
			found.row = this.picture.rows.get(key) ?? null;
			const inRow = y - ruler - this.layout.y(index);
			const isFolded = this.#state.folds.includes(key);
			const lane = isFolded ? 0 : Math.floor((inRow - 2) / (LANE * this.view.rem));
			found.cell = found.row ? this.#cellAt(found.row, x - gutter, lane) : null;
			if (found.cell?.n === 1 && found.cell.t0 >= 0)
				found.begin = this.picture.from + BigInt(Math.round(found.cell.t0));
			found.over = this.#overlaysAt(key, x - gutter);
			found.tick = this.ticks.at(key, x - gutter, width);
			found.damage = this.picture.rows.get(key.replace(/^cpu:/, 'lost:'))?.damage;
		}
		return found;
	}

	/** Cells of irqs, losses and hits that are drawn above the row of a CPU: [[row, cell], ...]. */
	#overlaysAt(key, x) {
		const { trace, pictureFilter } = this.#state;
		const found = [];
		for (const over of overlaysOf(key, trace, pictureFilter)) {
			const row = this.picture.rows.get(over);
			const cell = row && !row.error ? this.#cellAt(row, x, null) : null;
			if (cell) found.push([row, cell]);
		}
		return found;
	}

	/** The cell nearest to x among those that cover it, give or take two pixels. */
	#cellAt(row, x, lane) {
		const place = placeOf(this.picture, this.#state.viewport, this.width);
		let best = null;
		let least = 2.5;
		for (const cell of row.cells) {
			const elsewhere = cell.depth !== undefined && cell.depth !== lane;
			if (lane !== null && row.lanes > 1 && elsewhere) continue;
			const x0 = place.shift + cell.t0 * place.scale;
			const x1 = place.shift + cell.t1 * place.scale;
			if (x0 > x + 3) break;
			const away = x < x0 ? x0 - x : x > x1 ? x - x1 : 0;
			if (away < least || (away === 0 && least === 0)) {
				best = cell;
				least = away;
			}
		}
		return best;
	}
}
