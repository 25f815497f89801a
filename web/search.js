// SPDX-License-Identifier: GPL-2.0-or-later
// The search: next and previous hit of an expression, and their number, also on the overview.

import { announce, byId, counted, grouped } from './text.js';
import { FilterField } from './offers.js';
import { formatTime } from './time.js';

export class Search {
	#state;
	#source;
	#overview;
	#field;
	#counted = '';

	/** `found(event)` is called with a hit. */
	constructor(state, source, overview, found) {
		this.#state = state;
		this.#source = source;
		this.#overview = overview;
		this.found = found;
		this.#field = new FilterField('search', source);
		byId('search-form').addEventListener('submit', (event) => {
			event.preventDefault();
			this.go('next');
		});
		byId('search-prev').addEventListener('click', () => this.go('prev'));
	}

	focus() {
		this.#field.focus();
	}

	/** Puts a text in the field and shows its hits, without going to one. */
	async use(text) {
		this.#field.text = text;
		await this.#use(text);
	}

	async #use(text) {
		this.#state.set({ search: text });
		if (text === this.#counted) return;
		this.#counted = text;
		const box = byId('search-count');
		box.textContent = text && this.#source.live ? '\u2026' : '';
		const count = await this.#overview.showHits(text);
		if (count !== null && text === this.#counted)
			box.textContent = counted(grouped(count), 'hit');
	}

	async go(dir) {
		const text = this.#field.text;
		if (text === '') {
			this.#use('');
			return;
		}
		this.#field.clearError();
		const { event, viewport } = this.#state;
		const from = dir === 'next' ? viewport.from : viewport.to;
		try {
			const hit = await this.#source.search({
				filter: text,
				dir,
				...(event ? { after: event.key } : { from }),
			});
			this.#use(text).catch((error) => this.#state.fail(error));
			if (hit) {
				announce(
					`Hit at ${formatTime(hit.ts, 1n, this.#state.inNs)}: ${hit.event} ${hit.text}`
				);
				await this.found(hit);
			} else {
				announce(
					dir === 'next' ? 'No hit after this' : 'No hit before this'
				);
			}
		} catch (error) {
			this.#field.showError(error.message, error.at);
		}
	}
}
