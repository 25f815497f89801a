// SPDX-License-Identifier: GPL-2.0-or-later
// The filter: in tdat's grammar, for the list, the picture or both.

import { announce, byId } from './text.js';
import { FilterField } from './offers.js';

const NO_FILTER = 'A report cannot filter events; run tdat view FILE.';

export class Filter {
	#state;
	#source;
	#field;
	#for = byId('filter-for');

	constructor(state, source) {
		this.#state = state;
		this.#source = source;
		this.#field = new FilterField('filter', source);
		byId('filter-form').addEventListener('submit', (event) => {
			event.preventDefault();
			this.apply(this.#field.text);
		});
		this.#for.addEventListener('change', () => this.#spread());
		if (source.live) return;
		byId('filter').placeholder = '';
		for (const control of [byId('filter'), this.#for]) Object.assign(control, { disabled: true, title: NO_FILTER });
	}

	focus() {
		this.#field.focus();
	}

	/** Uses a filter, if the server can read it; else its error is shown. Says whether it is used. */
	async apply(text, where = this.#for.value) {
		this.#field.text = text;
		this.#for.value = where;
		if (text !== '' && this.#source.live) {
			try {
				await this.#source.events({ filter: text, row: 0, count: 1 });
			} catch (error) {
				this.#field.showError(error.message, error.at);
				return false;
			}
		} else if (text !== '') {
			this.#field.showError(NO_FILTER);
			return false;
		}
		const before = this.#state.filter;
		this.#state.set({ filter: text });
		this.#spread();
		if (text !== before) announce(text === '' ? 'No filter' : `Filter: ${text}`);
		return true;
	}

	#spread() {
		const { filter } = this.#state;
		const where = this.#for.value;
		this.#state.set({
			filterFor: where,
			listFilter: where === 'picture' ? '' : filter,
			pictureFilter: where === 'list' ? '' : filter,
		});
	}
}
