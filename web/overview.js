// SPDX-License-Identifier: GPL-2.0-or-later
// The strip above: all of the trace, the window in it, hits, markers, and how far its index is.

import { byId, grouped } from './text.js';
import { fitCanvas } from './draw.js';
import { colour, onTheme } from './theme.js';
import { formatSpan, formatTime } from './time.js';
import { canDraw } from './rows.js';

export class Overview {
	#state;
	#source;
	#canvas = byId('overview');
	#counts = null;
	#hits = null;
	#busy = false;
	#drawing = 0;
	#drag = null;

	constructor(state, source) {
		this.#state = state;
		this.#source = source;
		new ResizeObserver(() => this.draw()).observe(this.#canvas);
		// A page that is printed is not drawn again before it is.
		onTheme(() => (matchMedia('print').matches ? this.#paint() : this.draw()));
		state.on('window markA markB select event', () => this.draw());
		this.#canvas.addEventListener('pointerdown', (event) => this.#down(event));
		this.#canvas.addEventListener('pointermove', (event) => this.#move(event));
		this.#canvas.addEventListener('pointerup', () => {
			this.#drag = null;
		});
		this.#canvas.addEventListener('wheel', (event) => this.#wheel(event), {
			passive: false,
		});
		this.#canvas.addEventListener('keydown', (event) => this.#pressed(event));
	}

	get #width() {
		return Math.max(1, this.#canvas.clientWidth);
	}

	get #all() {
		const { first, last } = this.#state.viewport;
		return { first, last, span: Number(last - first) };
	}

	#x(ts) {
		const { first, span } = this.#all;
		return (Number(ts - first) / span) * this.#width;
	}

	#at(x) {
		const { first, span } = this.#all;
		return first + BigInt(Math.round(Math.min(1, Math.max(0, x / this.#width)) * span));
	}

	/** When the strip was first drawn from a complete index, as timeline.completeAt. */
	completeAt = undefined;

	/** Fetches the counts, and again until the index is complete. */
	async load() {
		const { viewport } = this.#state;
		for (let patience = 50; ; patience = Math.min(500, patience * 1.5)) {
			const [progress, picture] = await Promise.all([
				this.#source.progress(),
				this.#picture(),
			]);
			this.#counts = this.#columns(
				[...picture.rows.values()]
			);
			this.#progress(progress);
			this.draw();
			if (progress.ready && !picture.pending) {
				this.completeAt ??= performance.now();
				return progress;
			}
			await new Promise((done) => setTimeout(done, patience));
			if (viewport !== this.#state.viewport) return progress;
		}
	}

	#picture() {
		const { first, last } = this.#state.viewport;
		return this.#source.picture({
			from: first,
			to: last,
			width: Math.round(this.#width),
			rows: ['events'],
		});
	}

	/** Sums rows into one number of events for each pixel. */
	#columns(rows) {
		const width = Math.round(this.#width);
		const sums = new Float64Array(width);
		const scale = width / this.#all.span;
		for (const row of rows) {
			for (const cell of row.cells) {
				const x0 = Math.min(
					width - 1,
					Math.max(0, Math.floor(cell.t0 * scale))
				);
				const x1 = Math.min(
					width - 1,
					Math.max(x0, Math.ceil(cell.t1 * scale) - 1)
				);
				const share = cell.n / (x1 - x0 + 1);
				for (let x = x0; x <= x1; x++) sums[x] += share;
			}
		}
		return sums;
	}

	#progress(progress) {
		const box = byId('progress');
		const done = Math.round(progress.done * 100);
		box.hidden = progress.ready;
		box.setAttribute('aria-valuenow', done);
		byId('progress-bar').style.width = `${done}%`;
		byId('progress-text').textContent =
			`Reading: ${done} %, ${grouped(progress.events)} events`;
		this.#state.set({ progress });
	}

	/** Shows the hits of a search, { filter } or { contains }; null takes them away. Gives their number. */
	async showHits(meaning) {
		const { search } = this.#state;
		this.#hits = null;
		this.draw();
		if (!meaning || !this.#source.live || !canDraw('hits')) return null;
		const { first, last } = this.#state.viewport;
		for (let patience = 50; ; patience = Math.min(500, patience * 2)) {
			const picture = await this.#source.picture({
				from: first,
				to: last,
				width: Math.round(this.#width),
				rows: ['hits'],
				...meaning,
			});
			if (search !== this.#state.search) return null;
			const row = picture.rows.get('hits');
			this.#hits = this.#columns([row]);
			this.draw();
			if (!picture.pending)
				return (
					row.total ??
					row.cells.reduce((sum, cell) => sum + cell.n, 0)
				);
			await new Promise((done) => setTimeout(done, patience));
		}
	}

	draw() {
		if (this.#drawing || !this.#state.viewport) return;
		this.#drawing = requestAnimationFrame(() => {
			this.#drawing = 0;
			this.#paint();
		});
	}

	#paint() {
		const { context: pen, width, height } = fitCanvas(this.#canvas);
		const { viewport, markA, markB, select, event, inNs } = this.#state;
		pen.fillStyle = colour('paper');
		pen.fillRect(0, 0, width, height);
		if (this.#counts)
			this.#bars(pen, this.#counts, colour('faint'), width, height - 4, height);
		if (this.#hits)
			this.#bars(
				pen,
				this.#hits,
				colour('hit'),
				width,
				height * 0.35,
				height * 0.35
			);
		const x0 = this.#x(viewport.from);
		const x1 = Math.max(x0 + 2, this.#x(viewport.to));
		pen.fillStyle = colour('paper');
		pen.globalAlpha = 0.6;
		pen.fillRect(0, 0, x0, height);
		pen.fillRect(x1, 0, width - x1, height);
		pen.globalAlpha = 1;
		if (select) {
			pen.fillStyle = colour('select');
			pen.fillRect(
				this.#x(select[0]),
				0,
				Math.max(1, this.#x(select[1]) - this.#x(select[0])),
				height
			);
		}
		pen.strokeStyle = colour('accent');
		pen.lineWidth = 1.5;
		pen.strokeRect(
			Math.max(0.75, x0),
			0.75,
			Math.min(width - 1.5, x1) - Math.max(0.75, x0),
			height - 1.5
		);
		for (const [ts, ink] of [
			[markA, 'mark-a'],
			[markB, 'mark-b'],
			[event?.ts ?? null, 'accent'],
		]) {
			if (ts !== null) {
				pen.fillStyle = colour(ink);
				pen.fillRect(this.#x(ts) - 0.75, 0, 1.5, height);
			}
		}
		const { first, last } = this.#all;
		const all = Number(last - first);
		this.#canvas.setAttribute(
			'aria-valuenow',
			Math.round((Number(viewport.from - first) / all) * 100)
		);
		this.#canvas.setAttribute(
			'aria-valuetext',
			`${formatTime(viewport.from, 1n, inNs)} to ` +
				`${formatTime(viewport.to, 1n, inNs)}, ${formatSpan(viewport.span, inNs)}`
		);
	}

	#bars(pen, counts, ink, width, tall, foot) {
		let most = 0;
		for (const count of counts) most = Math.max(most, count);
		if (most === 0) return;
		pen.fillStyle = ink;
		const scale = width / counts.length;
		for (let x = 0; x < counts.length; x++) {
			if (counts[x] > 0) {
				const height = Math.max(1.5, (counts[x] / most) * tall);
				pen.fillRect(x * scale, foot - height, Math.max(1, scale), height);
			}
		}
	}

	/** A press within the window moves it; outside it brings it there; with Shift a new one is drawn. */
	#down(event) {
		this.#canvas.setPointerCapture(event.pointerId);
		const ts = this.#at(event.offsetX);
		const { viewport } = this.#state;
		const inside =
			ts >= viewport.from &&
			ts <= viewport.to &&
			viewport.span < this.#all.last - this.#all.first;
		const whole = viewport.span >= this.#all.last - this.#all.first;
		if (event.shiftKey || whole) {
			this.#drag = { draws: true, ts };
			return;
		}
		if (!inside) this.#show(ts - viewport.span / 2n);
		this.#drag = { draws: false, apart: ts - viewport.from };
	}

	#move(event) {
		if (!this.#drag) return;
		const ts = this.#at(event.offsetX);
		if (!this.#drag.draws) {
			this.#show(ts - this.#drag.apart);
		} else if (ts !== this.#drag.ts) {
			const [from, to] =
				ts < this.#drag.ts ? [ts, this.#drag.ts] : [this.#drag.ts, ts];
			if (this.#state.viewport.set(from, to)) this.#state.tell('window');
		}
	}

	#show(from) {
		const { viewport } = this.#state;
		if (viewport.set(from, from + viewport.span)) this.#state.tell('window');
	}

	#wheel(event) {
		event.preventDefault();
		const { viewport } = this.#state;
		const ts = this.#at(event.offsetX);
		const fraction = Math.min(1, Math.max(0, viewport.x(ts, 1)));
		if (
			viewport.zoom(
				2 ** (Math.max(-240, Math.min(240, event.deltaY)) / 240),
				fraction
			)
		)
			this.#state.tell('window');
	}

	#pressed(event) {
		const by = { ArrowLeft: -0.2, ArrowRight: 0.2, PageUp: -0.9, PageDown: 0.9 }[
			event.key
		];
		if (by === undefined || event.ctrlKey || event.altKey) return;
		event.preventDefault();
		if (this.#state.viewport.pan(by)) this.#state.tell('window');
	}
}
