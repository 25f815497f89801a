// SPDX-License-Identifier: GPL-2.0-or-later
// What the page is at: one object of facts, and those who want to know when some of them change.

/** Facts by name; set() tells the listeners of each name that changed, once each. */
export class Store {
	#listeners = new Map();

	constructor(facts) {
		Object.assign(this, facts);
	}

	/** Calls `listener` after a change of any of these names. */
	on(names, listener) {
		for (const name of names.split(' ')) {
			if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
			this.#listeners.get(name).add(listener);
		}
	}

	/** Changes facts, and tells those who asked for them. */
	set(facts) {
		const changed = Object.keys(facts).filter((name) => this[name] !== facts[name]);
		Object.assign(this, facts);
		this.tell(...changed);
	}

	/** Tells the listeners of these names that something within changed. */
	tell(...names) {
		const called = new Set();
		for (const name of names) {
			for (const listener of this.#listeners.get(name) ?? []) {
				if (!called.has(listener)) called.add(listener);
			}
		}
		for (const listener of called) listener(this);
	}
}
