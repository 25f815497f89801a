// SPDX-License-Identifier: GPL-2.0-or-later
// The view as facts: in the address behind #, and in a JSON file that is saved and loaded.

import { download } from './datatable.js';
import { MOST_NOTES } from './markers.js';
import { askedText } from './why.js';
import { announce, byId } from './text.js';
import { parseInteger } from './time.js';

const TIMES = ['from', 'to', 'a', 'b', 'select-from', 'select-to', 'compare-from', 'compare-to', 'event-ts'];
const TEXTS = [
	...['filter', 'filter-for', 'search', 'event', 'pane', 'details', 'why'],
	...['focus', 'group', 'clock', 'follow'],
];
/** Lists of keys of rows, with their names in an address. */
const KEYS = { rows: 'row', pins: 'pin', folds: 'fold' };

/** The facts of the view, as texts; those that are as at first are left out. */
export function viewFacts(state, standardRows) {
	const {
		viewport,
		rows,
		filter,
		filterFor,
		search,
		markA,
		markB,
		select,
		compareA,
		event,
		pane,
		details,
		asked,
		focusRow,
		notes,
		group,
		clock,
		follow,
	} = state;
	const facts = {
		from: viewport.from,
		to: viewport.to,
		filter,
		'filter-for': filter ? filterFor : '',
		search,
		a: markA,
		b: markB,
		'select-from': select?.[0],
		'select-to': select?.[1],
		'compare-from': compareA?.[0],
		'compare-to': compareA?.[1],
		event: event?.key,
		'event-ts': event?.ts,
		pane: pane === 'event' ? '' : pane,
		// They are open where there is something in them, unless the view says more.
		details: details === (event !== null || pane !== 'event') ? '' : details ? 'open' : 'closed',
		why: asked && askedText(asked),
		focus: focusRow,
		group,
		clock: clock === 'trace' ? '' : clock,
		follow,
	};
	const kept = {};
	for (const [name, value] of Object.entries(facts)) {
		if (value !== null && value !== undefined && value !== '')
			kept[name] = String(value);
	}
	if (notes.length > 0) kept.notes = notes.map(({ ts, text }) => `${ts}:${text}`);
	for (const name of ['pins', 'folds']) if (state[name].length > 0) kept[name] = state[name];
	// Beside closed rows, others would fit: the rows are kept as they are.
	if (state.folds.length > 0 || rows.join('\n') !== standardRows.join('\n')) kept.rows = rows;
	return kept;
}

/** Facts from outside: only known names, times that are times, rows that are texts. */
export function checkedFacts(facts) {
	const checked = {};
	for (const name of TIMES) {
		const ts = parseInteger(facts[name] ?? '');
		if (ts !== null) checked[name] = ts;
	}
	for (const name of ['select', 'compare']) {
		const span = [checked[`${name}-from`], checked[`${name}-to`]];
		if (!span.includes(undefined)) checked[name] = span;
	}
	for (const name of TEXTS) {
		if (typeof facts[name] === 'string' && facts[name].length <= 16384)
			checked[name] = facts[name];
	}
	for (const name of Object.keys(KEYS)) {
		if (Array.isArray(facts[name]))
			checked[name] = facts[name]
				.filter((key) => typeof key === 'string' && /^[a-z]+:./.test(key))
				.slice(0, 1000);
	}
	if (Array.isArray(facts.notes))
		checked.notes = facts.notes
			.map((one) => /^(-?\d+):(.{0,200})$/s.exec(one))
			.filter((found) => found && parseInteger(found[1]) !== null)
			.slice(0, MOST_NOTES)
			.map(([, ts, text]) => ({ ts: parseInteger(ts), text }));
	return checked;
}

/** A sentence if a saved view may be of another trace, or an empty text. */
function doubtOf(files, { from, to }, trace) {
	const names = trace.files.map(({ name }) => name).join(', ');
	const saved = Array.isArray(files) ? files.join(', ') : names;
	if (to < trace.from || from > trace.to)
		return `has a window outside this trace; it was saved for ${saved}`;
	return saved === names ? '' : `was saved for ${saved}: its rows and times may differ here`;
}

function toHash(facts) {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(facts)) {
		// No rows is a choice, too: one row without a name.
		for (const one of [value].flat().length > 0 ? [value].flat() : [''])
			query.append({ ...KEYS, notes: 'note' }[name] ?? name, one);
	}
	return query.toString().replaceAll('%3A', ':').replaceAll('%2F', '/');
}

function fromHash(hash) {
	const query = new URLSearchParams(hash.replace(/^#/, ''));
	const facts = Object.fromEntries(query);
	for (const [name, key] of Object.entries(KEYS)) if (query.has(key)) facts[name] = query.getAll(key);
	if (query.has('note')) facts.notes = query.getAll('note');
	return checkedFacts(facts);
}

/** The command that writes a report of this view. */
export function reportCommand(state) {
	const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
	const files = state.trace.files.map(({ path }) => quoted(path)).join(' ');
	return `tdat view -o report.html --view ${quoted(`#${toHash(viewFacts(state, []))}`)} ${files}`;
}

export class Session {
	#state;
	#standardRows;
	#timer = 0;
	#written = '';
	#first;

	/** `apply(facts)` brings the page to such a view. `first`: the view of an address that has none. */
	constructor(state, standardRows, apply, first = '') {
		this.#state = state;
		this.#first = first;
		this.#standardRows = standardRows;
		this.apply = apply;
		const facts = 'window filter filterFor search markA markB notes select compareA event pane details asked';
		state.on(`${facts} focusRow follow rows pins folds group clock`, () => this.#soon());
		window.addEventListener('hashchange', () => {
			if (location.hash !== this.#written) this.restore();
		});
		byId('session-save').addEventListener('click', () => this.save());
		byId('session-load').addEventListener('click', () => byId('session-file').click());
		byId('session-file').addEventListener('change', () => this.#load());
	}

	/** Applies what the address says. */
	restore() {
		return this.apply(fromHash(location.hash.length > 1 ? location.hash : this.#first));
	}

	#soon() {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			this.#written = `#${toHash(viewFacts(this.#state, this.#standardRows))}`;
			history.replaceState(null, '', this.#written);
		}, 150);
	}

	save() {
		const { trace } = this.#state;
		const saved = {
			tdat_view: 1,
			files: trace.files.map((file) => file.name),
			view: { ...viewFacts(this.#state, []), rows: this.#state.rows },
		};
		const name = `${trace.files[0]?.name ?? 'trace'}.view.json`;
		download(name, 'application/json', `${JSON.stringify(saved, null, 1)}\n`);
		announce('View saved');
	}

	async #load() {
		const box = byId('session-file');
		const file = box.files[0];
		box.value = '';
		if (!file) return;
		try {
			if (file.size > 1 << 20)
				throw new Error('it is too large for a saved view');
			const saved = JSON.parse(await file.text());
			if (
				saved?.tdat_view !== 1 ||
				typeof saved.view !== 'object' ||
				saved.view === null
			)
				throw new Error('it is not a view saved by this page');
			const facts = checkedFacts(saved.view);
			await this.apply(facts);
			announce('View loaded');
			const doubt = doubtOf(saved.files, facts, this.#state.trace);
			if (doubt) this.#state.fail(new Error(`${file.name} ${doubt}`));
		} catch (error) {
			this.#state.fail(
				new Error(`${file.name} cannot be loaded: ${error.message}`)
			);
		}
	}
}
