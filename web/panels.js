// SPDX-License-Identifier: GPL-2.0-or-later
// The details: their tabs, and whether they are open; and the bars between the parts of the page.

import { byId } from './text.js';

/** The tab list: one pane is shown; arrow keys go through the tabs. */
export class Tabs {
	#tabs = [...document.querySelectorAll('[role="tab"]')];

	/** `changed` gets { pane } when another tab is shown, and { details } when the details are opened or closed. */
	constructor(changed) {
		this.changed = changed;
		byId('side-open').addEventListener('click', () => this.toggle());
		byId('side-close').addEventListener('click', () => {
			this.toggle(false);
			byId('side-open').focus();
		});
		for (const tab of this.#tabs) {
			tab.addEventListener('click', () => this.open(tab.id.slice(4)));
			tab.addEventListener('keydown', (event) => this.#pressed(event));
		}
	}

	get names() {
		return this.#tabs.map((tab) => tab.id.slice(4));
	}

	get current() {
		return this.#tabs
			.find((tab) => tab.getAttribute('aria-selected') === 'true')
			.id.slice(4);
	}

	/** Opens the details, which take no space before there is something in them, or closes them. */
	toggle(open = !byId('side').parentElement.hasAttribute('data-side')) {
		byId('side').parentElement.toggleAttribute('data-side', open);
		byId('side-open').setAttribute('aria-expanded', open);
		this.changed({ details: open });
	}

	/** Shows the pane of this name; without `opens` only when the details are opened. */
	open(name, opens = true) {
		if (opens) this.toggle(true);
		for (const tab of this.#tabs) {
			const chosen = tab.id === `tab-${name}`;
			tab.setAttribute('aria-selected', chosen);
			tab.tabIndex = chosen ? 0 : -1;
			byId(tab.getAttribute('aria-controls')).hidden = !chosen;
		}
		this.changed({ pane: name });
	}

	#pressed(event) {
		const at = this.#tabs.indexOf(event.currentTarget);
		const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
		if (to === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		const next = this.#tabs.at(to % this.#tabs.length);
		this.open(next.id.slice(4));
		next.focus();
	}
}

/**
 * A bar that is dragged, or moved by arrow keys: `valueAt(event)` is what a pointer means, `steps` what keys
 * add. `changed` gets each new value, between those that the bar says.
 */
export function startBar(bar, valueAt, steps, changed) {
	const set = (wanted) => {
		const value = Math.min(Number(bar.ariaValueMax), Math.max(Number(bar.ariaValueMin), wanted));
		bar.setAttribute('aria-valuenow', Math.round(value));
		changed(value);
	};
	bar.addEventListener('pointerdown', (event) => {
		bar.setPointerCapture(event.pointerId);
		event.preventDefault();
	});
	bar.addEventListener('pointermove', (event) => {
		if (bar.hasPointerCapture(event.pointerId)) set(valueAt(event));
	});
	bar.addEventListener('keydown', (event) => {
		const by = steps[event.key];
		if (!by) return;
		event.preventDefault();
		event.stopPropagation();
		set(Number(bar.ariaValueNow) + by);
	});
}

/** A bar that sets the size, in percent, of what is behind it. */
function startSplit(id, property, isUpright) {
	const bar = byId(id);
	const main = bar.parentElement;
	const percentAt = (event) => {
		const box = main.getBoundingClientRect();
		return isUpright()
			? ((box.right - event.clientX) / box.width) * 100
			: ((box.bottom - event.clientY) / box.height) * 100;
	};
	const steps = { ArrowLeft: 2, ArrowUp: 2, ArrowRight: -2, ArrowDown: -2 };
	startBar(bar, percentAt, steps, (percent) => main.style.setProperty(property, `${percent}%`));
}

export function startBars() {
	const narrow = matchMedia('(max-width: 60rem)');
	startSplit('split-side', '--side', () => !narrow.matches);
	startSplit('split-list', '--list', () => false);
}
