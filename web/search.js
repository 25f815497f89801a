// SPDX-License-Identifier: GPL-2.0-or-later
// The search: next and previous hit of a text, or of a filter, and their number, also on the overview.

import { announce, byId, counted, grouped } from './text.js';
import { bytesBefore, FilterField } from './offers.js';
import { formatTime } from './time.js';

/** Offers what a filter can go on with, and names of tasks. Nothing is an error: it is a text then. */
function offersOf(source) {
	return {
		async complete(text, pos, signal) {
			const isWord = /^[^:]{2,}$/.test(text.trim());
			const [answer, { tasks }] = await Promise.all([
				source.complete(text, pos, signal),
				isWord ? source.tasks(text.trim(), 8) : { tasks: [] },
			]);
			const names = answer.from === 0 ? tasks.map(({ comm }) => comm) : [];
			return { ...answer, ok: true, candidates: [...new Set([...names, ...answer.candidates])] };
		},
	};
}

/** A text with a colon that is a filter is searched as one; any other one in all columns of the list. */
async function meaningOf(text, source) {
	if (!source.live || !text.includes(':')) return { contains: text };
	const { ok } = await source.complete(text, bytesBefore(text, text.length));
	return ok ? { filter: text } : { contains: text };
}

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
		this.#field = new FilterField('search', offersOf(source));
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
		box.textContent = text && this.#source.live ? 'counting\u2026' : '';
		const meaning = text ? await meaningOf(text, this.#source) : null;
		box.title = !meaning
			? ''
			: meaning.filter
				? 'Events that match the filter'
				: 'Events with this text in their time, CPU, task, name or text';
		const count = await this.#overview.showHits(meaning);
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
			const asked = this.#source.search({
				...(await meaningOf(text, this.#source)),
				dir,
				...(event ? { after: event.key } : { from }),
			});
			this.#use(text).catch((error) => this.#state.fail(error));
			const hit = await asked;
			if (hit) {
				announce(
					`Hit at ${formatTime(hit.ts, 1n, this.#state.inNs)}: ${hit.event} ${hit.text}`
				);
				await this.found(hit);
			} else {
				const which = dir === 'next' ? 'No further hits' : 'No earlier hits';
				announce(which + (this.#source.searched?.(text) ?? ''));
			}
		} catch (error) {
			this.#field.showError(error.message, error.at);
		}
	}
}
