// SPDX-License-Identifier: GPL-2.0-or-later
// At close zoom: each event as a tick on the rows of its CPU and of the task that ran.

import { strokeOf } from './theme.js';
import { safeText } from './text.js';

/** Windows with as many events have no ticks: they would hide what the rows show. */
const MOST_TICKS = 1000;

/** Keys of rows that have an event. */
function rowsOfEvent({ rec, cpu, pid }) {
	return [`cpu:${rec}:${cpu}`, `task:${rec}:${pid}`];
}

/** The events of the window, asked for when it moves. */
export class Ticks {
	#state;
	#source;
	#changed;
	#asked = '';
	#rows = new Map();
	/** Nothing is under way. */
	settled = true;

	/** `changed()` is called when there are other events. */
	constructor(state, source, changed) {
		this.#state = state;
		this.#source = source;
		this.#changed = changed;
		state.on('progress', () => this.ask());
	}

	/** Asks for the events, unless the trace has so many that these are certainly too many. */
	async ask() {
		const { viewport, progress, trace } = this.#state;
		const { from, to } = viewport;
		const question = `${from} ${to} ${Boolean(progress)}`;
		if (question === this.#asked || !progress) return;
		this.#asked = question;
		const share = Number(to - from) / Math.max(1, Number(trace.to - trace.from));
		const many = progress.events * Math.min(1, share) > 100 * MOST_TICKS;
		this.settled = false;
		const events = many ? null : await this.#source.eventsIn(from, to, MOST_TICKS).catch(() => null);
		if (question !== this.#asked) return;
		this.settled = true;
		this.#rows = new Map();
		for (const event of events && events.length < MOST_TICKS ? events : []) {
			for (const key of rowsOfEvent(event)) {
				if (!this.#rows.has(key)) this.#rows.set(key, []);
				this.#rows.get(key).push(event);
			}
		}
		this.#changed();
	}

	/** The events of a row. */
	of(key) {
		return this.#rows.get(key) ?? [];
	}

	/** The event of a row that is nearest to a place, three pixels away at most; null: there is none. */
	at(key, x, width) {
		const { viewport } = this.#state;
		let best = null;
		let least = 3;
		for (const event of this.of(key)) {
			const away = Math.abs(viewport.x(event.ts, width) - x);
			if (away >= least) continue;
			best = event;
			least = away;
		}
		return best;
	}

	/** Draws those of a row into its box: short lines at its foot, in the color of the event's name. */
	draw(pen, key, { left, y, height }, width) {
		for (const event of this.of(key)) {
			const x = this.#state.viewport.x(event.ts, width);
			if (x < 0 || x > width) continue;
			pen.fillStyle = strokeOf(event.event);
			pen.fillRect(left + x - 0.5, y + height - 7, 1.25, 6);
		}
	}
}

/** The line of a tooltip. */
export function tickText({ event, comm, pid }) {
	return `event: ${safeText(event)} of ${safeText(comm)}-${pid}`;
}
