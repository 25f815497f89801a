// SPDX-License-Identifier: GPL-2.0-or-later
// The table of events: rows are fetched as they are looked at, whatever their number.

import { byId, element, grouped, lineText, safeText } from './text.js';
import { recordingLabel } from './rows.js';
import { formatTime } from './time.js';
import { Scroller } from './scroller.js';

const CHUNK = 200;
const KEPT = 60;
/** Least and most letters of columns: number, time, CPU, task, event; the text has what is left. */
const LEAST_LETTERS = [8, 8, 4, 6, 6];
const MOST_LETTERS = [14, 30, 24, 32, 40];

export class EventList {
	#state;
	#source;
	#chunks = new Map();
	#asked = new Map();
	#version = 0;
	#scroller;
	#rows = [];
	#box = byId('list');
	#body = byId('list-rows');
	/** Letters of each column: as its contents need, until the user says. */
	#columns = [...LEAST_LETTERS];
	#fixed = new Set();
	total = 0;
	exact = false;
	current = -1;
	/** Called when the user has scrolled. */
	scrolled = () => {};
	/** Called for a click with Shift. If it returns false, the click chooses the event. */
	measured = () => false;
	#patience = 50;

	constructor(state, source, chosen) {
		this.#state = state;
		this.#source = source;
		this.chosen = chosen;
		this.#scroller = new Scroller(this.#box, byId('list-height'), (byUser) => {
			this.#draw();
			if (byUser) this.scrolled();
		});
		this.#body.addEventListener('click', (event) => {
			const row = event.target.closest('.event');
			const number = Number(row?.dataset.row);
			if (row && !(event.shiftKey && this.measured(this.row(number)))) this.select(number, true);
		});
		// A click with Shift would also select text.
		this.#body.addEventListener('mousedown', (event) => event.shiftKey && event.preventDefault());
		this.#box.addEventListener('keydown', (event) => this.#pressed(event));
		new ResizeObserver(() => this.#measure()).observe(this.#box);
		for (const [at, head] of [...byId('list-head').children].slice(0, -1).entries())
			this.#startGrip(head, at);
		state.on('listFilter clock', () => this.reload());
	}

	#measure() {
		const probe = element('div', { class: 'event' });
		this.#body.append(probe);
		const height = probe.offsetHeight;
		probe.remove();
		this.#scroller.resize(this.total, height || 20);
	}

	/** A grip at the right edge of a heading, that is dragged. */
	#startGrip(head, at) {
		const grip = element('i');
		head.append(grip);
		grip.addEventListener('pointerdown', (event) => {
			grip.setPointerCapture(event.pointerId);
			event.preventDefault();
		});
		grip.addEventListener('pointermove', (event) => {
			if (!grip.hasPointerCapture(event.pointerId)) return;
			this.#fixed.add(at);
			this.#columns[at] = Math.max(
				2,
				(event.clientX - head.getBoundingClientRect().left) / this.#letter()
			);
			this.#setColumns();
		});
	}

	/** The width of a letter of the list, in pixels. */
	#letter() {
		const probe = element('div', { class: 'event', text: '0'.repeat(100) });
		probe.style.cssText = 'display: block; position: absolute; visibility: hidden; padding: 0';
		this.#body.append(probe);
		const width = probe.getBoundingClientRect().width / 100;
		probe.remove();
		return width;
	}

	/** Makes columns as wide as these texts need; none becomes narrower. */
	#widen(texts) {
		let grown = false;
		for (const [at, least] of this.#columns.entries()) {
			const wanted = Math.min(MOST_LETTERS[at], String(texts[at] ?? '').length);
			if (wanted <= least || this.#fixed.has(at)) continue;
			this.#columns[at] = wanted;
			grown = true;
		}
		if (grown) this.#setColumns();
	}

	#setColumns() {
		const letter = this.#letter();
		byId('list-box').style.setProperty(
			'--columns',
			this.#columns.map((letters) => `${Math.ceil(letters * letter) + 1}px`).join(' ')
		);
	}

	/** Forgets all rows: the filter changed. Keeps the event or the time that was looked at. */
	async reload() {
		const version = ++this.#version;
		const { event } = this.#state;
		const at = this.row(Math.floor(this.#scroller.top))?.ts;
		this.#chunks.clear();
		this.#asked.clear();
		this.current = -1;
		this.total = 0;
		this.exact = false;
		this.#box.setAttribute('aria-busy', 'true');
		await this.#fetch(0);
		if (version !== this.#version) return;
		this.#box.setAttribute('aria-busy', 'false');
		this.#draw();
		if (event) await this.showEvent(event);
		else if (at !== undefined) await this.showTime(at);
	}

	/** The row of this number, if it is here. */
	row(number) {
		return this.#chunks.get(Math.floor(number / CHUNK))?.[number % CHUNK];
	}

	/** The row at the top, once it is here. */
	async firstInSight() {
		const number = Math.floor(this.#scroller.top);
		await this.#fetch(Math.floor(number / CHUNK));
		return this.row(number);
	}

	#fetch(chunk) {
		if (this.#chunks.has(chunk)) return Promise.resolve();
		if (this.#asked.has(chunk)) return this.#asked.get(chunk);
		const version = this.#version;
		const asked = this.#source
			.events({
				filter: this.#state.listFilter,
				row: chunk * CHUNK,
				count: CHUNK,
			})
			.then((answer) => {
				if (version === this.#version) this.#take(chunk, answer);
			})
			.catch((error) => this.#state.fail(error))
			.finally(() => {
				if (this.#asked.get(chunk) === asked) this.#asked.delete(chunk);
			});
		this.#asked.set(chunk, asked);
		return asked;
	}

	#take(chunk, answer) {
		if (answer.total === null) {
			this.#uncounted();
			return;
		}
		this.#patience = 50;
		if (answer.rows.length < Math.min(CHUNK, answer.total - chunk * CHUNK))
			this.#state.fail(
				new Error(
					'Events are missing: the file was truncated or changed after it was opened.'
				)
			);
		this.#chunks.delete(chunk);
		this.#chunks.set(chunk, answer.rows);
		for (const key of this.#chunks.keys()) {
			if (this.#chunks.size <= KEPT) break;
			this.#chunks.delete(key);
		}
		this.#resize(answer.total, true);
	}

	/** While rows are being counted, those of the start are shown, and the count is asked for again. */
	async #uncounted() {
		const version = this.#version;
		if (this.total === 0) {
			const rows = await this.#source
				.eventsAt({
					filter: this.#state.listFilter,
					ts: this.#state.trace.from,
					count: CHUNK,
				})
				.catch((error) => this.#state.fail(error));
			if (version === this.#version && rows && !this.exact) {
				this.#chunks.set(0, rows);
				this.#resize(rows.length, false);
			}
		}
		this.#patience = Math.min(1000, this.#patience * 1.5);
		await new Promise((done) => setTimeout(done, this.#patience));
		if (version !== this.#version || this.exact) return;
		this.#chunks.delete(0);
		await this.#fetch(0);
		if (
			version === this.#version &&
			this.exact &&
			this.#state.event &&
			this.current < 0
		)
			this.showEvent(this.#state.event);
	}

	#resize(total, exact) {
		const grown = total !== this.total || exact !== this.exact;
		this.exact = exact;
		if (grown) {
			this.total = total;
			this.#box.setAttribute('aria-rowcount', exact ? total : -1);
			this.#scroller.resize(total);
		} else {
			this.#draw();
		}
		this.said();
	}

	/** The status line says which rows are in sight. */
	said() {
		const first = Math.min(this.total, Math.floor(this.#scroller.top) + 1);
		const last = Math.min(
			this.total,
			Math.ceil(this.#scroller.top + this.#scroller.fit)
		);
		const total = `${this.exact ? '' : 'at least '}${grouped(this.total)}`;
		const none = this.exact ? 'No events' : '';
		const { live, resolution } = this.#source;
		// A report may have only the first events of its span.
		const cut = !live && resolution.total > resolution.events;
		const all = cut ? ` in this report, ${grouped(resolution.total)} in its span` : '';
		byId('list-said').textContent =
			this.total === 0
				? none
				: `Rows ${grouped(first)}\u2013${grouped(last)} of ${total}${all}`;
	}

	#draw() {
		const top = this.#scroller.top;
		const first = Math.floor(top);
		const wanted = Math.min(this.total - first, Math.ceil(this.#scroller.fit) + 1);
		while (this.#rows.length < wanted) this.#rows.push(this.#newRow());
		for (const [index, made] of this.#rows.entries()) {
			made.line.hidden = index >= wanted;
			if (index < wanted)
				this.#fill(
					made,
					first + index,
					(index - (top - first)) * this.#scroller.rowHeight
				);
		}
		for (
			let chunk = Math.floor(first / CHUNK);
			wanted > 0 && chunk <= Math.floor((first + wanted - 1) / CHUNK);
			chunk++
		)
			this.#fetchSoon(chunk);
		this.said();
	}

	/** Rows that are scrolled past at speed are not asked for. */
	#fetchSoon(chunk) {
		if (this.#chunks.has(chunk) || this.#asked.has(chunk)) return;
		clearTimeout(this.soon);
		this.soon = setTimeout(() => {
			const first = Math.floor(this.#scroller.top);
			const last = Math.min(
				this.total,
				first + Math.ceil(this.#scroller.fit) + 1
			);
			for (let at = Math.floor(first / CHUNK); at * CHUNK < last; at++)
				this.#fetch(at);
		}, 15);
	}

	#newRow() {
		const line = element('div', { class: 'event', role: 'row' });
		const cells = Array.from({ length: 6 }, () =>
			element('span', { role: 'gridcell' })
		);
		line.append(...cells);
		line.style.position = 'absolute';
		line.style.left = line.style.right = '0';
		this.#body.append(line);
		return { line, cells, shown: null };
	}

	/** The CPU, with its file where there are several, as rows name it. */
	#cpuOf({ rec, cpu }) {
		const { trace } = this.#state;
		return trace.files.length > 1 ? `${cpu} \u00b7 ${recordingLabel(trace, rec)}` : cpu;
	}

	#fill(made, number, y) {
		const row = this.row(number);
		made.line.style.top = `${y}px`;
		const selected = number === this.current;
		made.line.setAttribute('aria-selected', selected);
		made.line.id = selected ? 'event-current' : '';
		if (made.shown === row && row && Number(made.line.dataset.row) === number) return;
		made.shown = row;
		made.line.dataset.row = number;
		made.line.setAttribute('aria-rowindex', number + 1);
		made.line.classList.toggle('waiting', !row);
		made.line.classList.toggle('lost', Boolean(row?.lost));
		const texts = row
			? [
					grouped(number + 1),
					formatTime(row.ts, 1n, this.#state.inNs),
					this.#cpuOf(row),
					`${row.comm}-${row.pid}`,
					row.event,
					lineText(row.text),
				]
			: [grouped(number + 1), '\u2026', '', '', '', ''];
		if (row) this.#widen(texts);
		for (const [index, cell] of made.cells.entries())
			cell.textContent = safeText(texts[index]);
		made.line.title = row ? lineText(row.text) : '';
	}

	/** Makes a row the current one, and says so to the page when the user did it. */
	async select(number, byUser = false) {
		if (this.total === 0) return;
		this.current = Math.min(this.total - 1, Math.max(0, number));
		this.#box.setAttribute('aria-activedescendant', 'event-current');
		this.#scroller.show(this.current, !byUser);
		await this.#fetch(Math.floor(this.current / CHUNK));
		const row = this.row(this.current);
		this.#draw();
		if (row && byUser) this.chosen(row, this.current);
	}

	/** Selects this event, or shows where it would be if the filter leaves it out. */
	async showEvent(event) {
		const version = this.#version;
		const rows = await this.#rowsAt(event.ts);
		if (version !== this.#version || rows.length === 0) return;
		const found = rows.find((row) => row.key === event.key);
		if (found) {
			await this.select(found.row);
			return;
		}
		this.current = -1;
		this.#scroller.show(rows[0].row, true);
	}

	/** Shows the first row at or after a time: as the first one in sight if it is to be on top. */
	async showTime(ts, onTop = false) {
		const version = this.#version;
		const rows = await this.#rowsAt(ts);
		if (version !== this.#version || rows.length === 0) return;
		if (onTop) this.#scroller.to(rows[0].row);
		else this.#scroller.show(rows[0].row, true);
	}

	/** Rows from a time on; none while they are not counted, for then they have no numbers. */
	async #rowsAt(ts) {
		const rows =
			(await this.#source
				.eventsAt({ filter: this.#state.listFilter, ts, count: CHUNK })
				.catch((error) => this.#state.fail(error))) ?? [];
		return rows[0]?.row === undefined || rows[0].row === null ? [] : rows;
	}

	#pressed(event) {
		const page = Math.max(1, Math.floor(this.#scroller.fit) - 1);
		const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
		const to = { Home: 0, End: this.total - 1 }[event.key];
		if (event.ctrlKey || event.altKey || (by === undefined && to === undefined)) return;
		event.preventDefault();
		const from = this.current < 0 ? Math.floor(this.#scroller.top) - 1 : this.current;
		this.select(to ?? from + by, true);
	}
}
