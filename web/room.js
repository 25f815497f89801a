// SPDX-License-Identifier: GPL-2.0-or-later
// The rows that are shown unless the user chooses others: the first ones, and further ones that fit below them.

import { rowHeight } from './paint.js';
import { busiest, canDraw, parseKey, rememberRow, rememberTask, ROWS_MOST } from './rows.js';
import { byId } from './text.js';

/** The height of the lowest row that is added, in rem. */
const LOWEST = 1.4;
/** Lanes of rows of which none was drawn yet; more are added once it is known. */
const LANES = { functions: 5, slices: 2, block: 3 };

/** Rows of several kinds in turn: the first of each kind, then the second of each. */
function inTurn(keys) {
	const ranks = new Map();
	const ranked = keys.map((key) => {
		const { type } = parseKey(key);
		ranks.set(type, (ranks.get(type) ?? 0) + 1);
		return { key, rank: ranks.get(type) };
	});
	return ranked.sort((a, b) => a.rank - b.rank).map(({ key }) => key);
}

export class Room {
	#state;
	#source;
	#timeline;
	#offered = [];
	#asked = 0;
	#isBusy = true;
	#full;
	/** The rows that are shown unless the user chooses others. */
	rows;
	/** Settles when all rows that fit were drawn for the first time. */
	full = new Promise((done) => {
		this.#full = done;
	});

	constructor(state, source, timeline) {
		this.#state = state;
		this.#source = source;
		this.#timeline = timeline;
		this.rows = [...state.rows];
		state.on('picture room', () => this.#fill().catch(state.fail));
	}

	get isShown() {
		return this.#state.rows.join('\n') === this.rows.join('\n');
	}

	/** Begins with these rows, and adds those that fit. */
	async start(first) {
		const { rows } = this.#state;
		const { isShown } = this;
		this.rows.splice(0, Infinity, ...first);
		await this.#timeline.drawn;
		if (isShown) await this.#add().catch(this.#state.fail);
		if (isShown && rows === this.#state.rows) this.#state.set({ rows: [...this.rows] });
		this.#isBusy = false;
		await this.#fill();
	}

	/** Adds rows after each picture, which tells how high the rows are, and after the room has grown. */
	async #fill() {
		if (this.#isBusy) return;
		const { rows, live } = this.#state;
		const { picture, keysInSight } = this.#timeline;
		const isDrawn = !picture?.pending && keysInSight.every((key) => !canDraw(key) || this.#isDrawn(key));
		this.#isBusy = true;
		try {
			const isMore = this.isShown && (await this.#add());
			if (isMore && rows === this.#state.rows) this.#state.set({ rows: [...this.rows] });
			else if (isDrawn || !live) this.#full();
		} finally {
			this.#isBusy = false;
		}
	}

	#isDrawn(key) {
		const row = this.#timeline.picture?.rows.get(key);
		return row && !row.pending && !row.partial;
	}

	/** A row that was not drawn yet is as high as the highest of its kind. */
	#heightOf(key) {
		const { lanesOf, rem } = this.#timeline.view;
		const { type } = parseKey(key);
		const drawn = this.#isDrawn(key)
			? [key]
			: this.rows.filter((one) => one.startsWith(`${type}:`) && this.#isDrawn(one));
		const lanes = drawn.length > 0 ? Math.max(...drawn.map(lanesOf)) : (LANES[type] ?? 1);
		return Math.ceil(rowHeight(type, lanes) * rem);
	}

	async #offer(most) {
		const [{ tasks }, { rows }] = await Promise.all([
			this.#source.firstTasks(most + 1),
			this.#source.kinds('usual', most),
		]);
		for (const { rec, pid, comm } of tasks) rememberTask(rec, pid, comm);
		rows.forEach(rememberRow);
		this.#offered = inTurn([...busiest(tasks), ...rows.map(({ key }) => key).filter(canDraw)]);
		this.#asked = most;
	}

	/** Adds the rows that fit, each behind those of its kind. False: there are none. */
	async #add() {
		const { folds, pictureFilter } = this.#state;
		const { view } = this.#timeline;
		// The first picture has a legend, which takes room that the view may not know of yet.
		const height = byId('timeline-box').clientHeight;
		const all = pictureFilter ? ['hits', ...this.rows] : this.rows;
		let left = all.reduce((room, key) => room - this.#heightOf(key), height - view.ruler);
		if (folds.length > 0 || left < LOWEST * view.rem) return false;
		const most = Math.min(ROWS_MOST, Math.ceil(height / (LOWEST * view.rem)));
		if (most > this.#asked) await this.#offer(most);
		const before = this.rows.length;
		const addThose = (keys) => {
			for (const key of keys.filter((one) => !this.rows.includes(one))) {
				const height = this.#heightOf(key);
				if (height > left || this.rows.length >= ROWS_MOST) continue;
				const behind = this.rows.findLastIndex((one) => parseKey(one).type === parseKey(key).type);
				this.rows.splice(behind < 0 ? this.rows.length : behind + 1, 0, key);
				left -= height;
			}
		};
		addThose(this.#offered);
		// The events of CPUs are last.
		if (this.#offered.every((key) => this.rows.includes(key)))
			addThose(
				this.rows
					.filter((key) => key.startsWith('cpu:'))
					.map((key) => key.replace(/^cpu:/, 'events:'))
					.filter((key) => this.#source.has(key))
			);
		return this.rows.length > before;
	}
}
