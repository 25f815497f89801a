// SPDX-License-Identifier: GPL-2.0-or-later
// A field for filters: completions from the server, and its error under the text, where it is.

import { byId, element, safeText } from './text.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Offsets of the server count bytes of UTF-8, those of a text field UTF-16 units. */
export function bytesBefore(text, index) {
	return encoder.encode(text.slice(0, index)).length;
}

export function indexOfByte(text, byte) {
	return decoder.decode(encoder.encode(text).slice(0, byte)).length;
}

/** The field `id` with its list `id`-offers and its error `id`-error. */
export class FilterField {
	#input;
	#list;
	#error;
	#source;
	#answer = null;
	#chosen = -1;
	#asked = null;
	#timer = 0;

	constructor(id, source) {
		this.#input = byId(id);
		this.#list = byId(`${id}-offers`);
		this.#error = byId(`${id}-error`);
		this.#source = source;
		this.#input.addEventListener('input', () => this.#soon());
		this.#input.addEventListener('keydown', (event) => this.#pressed(event));
		this.#input.addEventListener('blur', () => this.#close());
		this.#list.addEventListener('pointerdown', (event) => {
			const item = event.target.closest('li');
			event.preventDefault();
			if (item) this.#accept(Number(item.dataset.index));
		});
	}

	get text() {
		return this.#input.value.trim();
	}

	set text(value) {
		this.#input.value = value;
		this.clearError();
	}

	focus() {
		this.#input.focus();
		this.#input.select();
	}

	#soon() {
		this.clearError();
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#ask(), 80);
	}

	async #ask() {
		const text = this.#input.value;
		const pos = bytesBefore(text, this.#input.selectionStart);
		const behind = text.length - this.#input.selectionStart;
		this.#asked?.abort();
		this.#asked = new AbortController();
		const { signal } = this.#asked;
		try {
			const answer = await this.#source.complete(text, pos, signal);
			if (signal.aborted || text !== this.#input.value || document.activeElement !== this.#input)
				return;
			const chosen = this.#answer?.offered?.[this.#chosen];
			this.#answer = { ...answer, pos, behind };
			this.#show();
			// Who has chosen while the answer was on its way keeps the choice.
			if (this.#answer.offered.includes(chosen))
				this.#choose(this.#answer.offered.indexOf(chosen));
			// While a word can still be completed, a text that is not complete is no error yet.
			if (!answer.ok && text.trim() !== '' && answer.candidates.length === 0)
				this.showError(answer.error, answer.at);
		} catch (error) {
			if (error.name === 'AbortError') return;
			this.#close();
		}
	}

	#show() {
		const word = this.#input.value.slice(
			indexOfByte(this.#input.value, this.#answer.from),
			indexOfByte(this.#input.value, this.#answer.pos)
		);
		const offered = this.#answer.candidates
			.filter((candidate) => candidate !== word)
			.slice(0, 60);
		this.#answer.offered = offered;
		this.#chosen = -1;
		this.#list.replaceChildren(
			...offered.map((text, index) =>
				element('li', {
					text,
					role: 'option',
					id: `${this.#input.id}-offer-${index}`,
					'data-index': index,
					'aria-selected': 'false',
				})
			)
		);
		this.#list.hidden = offered.length === 0;
		this.#input.setAttribute('aria-expanded', offered.length > 0);
		this.#input.removeAttribute('aria-activedescendant');
	}

	/** Closes the list, also for an answer that is on its way. */
	#close() {
		clearTimeout(this.#timer);
		this.#asked?.abort();
		this.#list.hidden = true;
		this.#chosen = -1;
		this.#input.setAttribute('aria-expanded', 'false');
		this.#input.removeAttribute('aria-activedescendant');
	}

	#choose(index) {
		const items = [...this.#list.children];
		this.#chosen = (index + items.length) % items.length;
		for (const [at, item] of items.entries())
			item.setAttribute('aria-selected', at === this.#chosen);
		items[this.#chosen].scrollIntoView({ block: 'nearest' });
		this.#input.setAttribute('aria-activedescendant', items[this.#chosen].id);
	}

	#accept(index) {
		const text = this.#input.value;
		const from = indexOfByte(text, this.#answer.from);
		// More may have been typed since the answer.
		const end = text.length - this.#answer.behind;
		const put = this.#answer.offered[index];
		this.#input.value = text.slice(0, from) + put + text.slice(end);
		this.#input.setSelectionRange(from + put.length, from + put.length);
		this.#close();
	}

	#pressed(event) {
		if (this.#list.hidden) {
			if (event.key === 'ArrowDown' || (event.key === ' ' && event.ctrlKey)) {
				event.preventDefault();
				this.#ask();
			} else if (event.key === 'Enter') {
				this.#close();
			}
			return;
		}
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by) {
			event.preventDefault();
			this.#choose(this.#chosen < 0 && by < 0 ? -1 : this.#chosen + by);
		} else if (
			(event.key === 'Tab' && !event.shiftKey) ||
			(event.key === 'Enter' && this.#chosen >= 0)
		) {
			event.preventDefault();
			this.#accept(Math.max(0, this.#chosen));
		} else if (event.key === 'Escape') {
			event.preventDefault();
			event.stopPropagation();
			this.#close();
		} else if (event.key === 'Enter') {
			this.#close();
		}
	}

	/** Shows a sentence under the text, with a mark at the byte where it is meant. */
	showError(sentence, at) {
		const text = this.#input.value;
		const column = at === undefined || at === null ? null : indexOfByte(text, at);
		const shift = column ?? 0;
		// A long text is scrolled in its field; so is the mark below it.
		this.#error.style.textIndent = `${-this.#input.scrollLeft}px`;
		this.#error.textContent =
			column === null
				? safeText(sentence)
				: `${' '.repeat(shift)}\u2303\n${safeText(sentence)}`;
		this.#error.hidden = false;
		this.#input.setAttribute('aria-invalid', 'true');
	}

	clearError() {
		this.#error.hidden = true;
		this.#error.textContent = '';
		this.#input.setAttribute('aria-invalid', 'false');
	}
}
