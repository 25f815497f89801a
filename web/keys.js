// SPDX-License-Identifier: GPL-2.0-or-later
// The keyboard: which key does what, and the page that shows them.

import { byId, element } from './text.js';

/** Keys of a page that has the text of a latency tracer and no events: tab Trace, colors, help. */
const OF_TEXT = new Set(['5', 't', '?']);

/** Whether a key belongs to what has the focus: text is typed there, or a list is moved through. */
function isTyping(target) {
	return target.closest?.('input, textarea, select, [contenteditable]') !== null;
}

/**
 * Keys of the whole page. `groups` is [[title, [[keys, what, action], ...]], ...]; a key is
 * KeyboardEvent.key, with Shift+, Ctrl+ or Alt+ before it where that matters.
 */
export class Keys {
	#groups;
	#actions = new Map();

	constructor(groups) {
		this.#groups = groups;
		for (const [, rows] of groups) {
			for (const [keys, , action] of rows) {
				for (const key of action ? keys : [])
					this.#actions.set(key, action);
			}
		}
		document.addEventListener('keydown', (event) => this.#pressed(event));
		byId('help-open').addEventListener('click', () => this.show());
		byId('help-close').addEventListener('click', () => byId('help').close());
	}

	#pressed(event) {
		if (
			event.defaultPrevented ||
			event.metaKey ||
			document.querySelector('dialog[open]')
		)
			return;
		if (isTyping(event.target)) {
			// What had the focus may be hidden next, so the picture gets it.
			if (event.key !== 'Escape') return;
			event.target.blur();
			byId('timeline').focus();
			return;
		}
		const name =
			event.key.length === 1 && !event.shiftKey
				? event.key.toLowerCase()
				: event.key;
		const full = `${event.ctrlKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${name}`;
		const action = this.#actions.get(full);
		if (document.body.classList.contains('text-only') && !OF_TEXT.has(full)) return;
		if (!action || (name === 'Enter' && event.target.closest('button, a, summary')))
			return;
		event.preventDefault();
		action(event);
	}

	/** Opens the page of keys. */
	show() {
		const body = byId('help-keys');
		if (!body.firstChild) {
			for (const [title, rows] of this.#groups) {
				const list = element('dl', {});
				for (const [keys, what] of rows.filter(
					([, text]) => text !== null
				)) {
					const names = element('dt', {});
					for (const key of keys)
						names.append(
							element('kbd', { text: shown(key) }),
							' '
						);
					list.append(names, element('dd', { text: what }));
				}
				body.append(
					element('section', {}, element('h3', { text: title }), list)
				);
			}
		}
		byId('help').showModal();
	}
}

function shown(key) {
	return (
		{
			ArrowLeft: '\u2190',
			ArrowRight: '\u2192',
			ArrowUp: '\u2191',
			ArrowDown: '\u2193',
			' ': 'Space',
			Escape: 'Esc',
		}[key] ??
		(/^[A-Z]$/.test(key)
			? `Shift ${key}`
			: key.replace(/^Alt (.+)/, (_, other) => `Alt ${shown(other)}`))
	);
}
