// SPDX-License-Identifier: GPL-2.0-or-later
// Text of a trace, which nobody vouches for, made fit to be shown.

// Control characters, marks that turn the direction of text round or are not seen, line
// separators, and halves of surrogate pairs.
const UNSAFE = new RegExp(
	'[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u180e' +
		'\\u200b-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb]' +
		'|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]',
	'g'
);

/** Returns the text with each such character written as \xNN or \u{NNNN}. */
export function safeText(text) {
	return String(text ?? '').replace(UNSAFE, (c) => {
		const code = c.charCodeAt(0);
		return code < 256
			? `\\x${code.toString(16).padStart(2, '0')}`
			: `\\u{${code.toString(16)}}`;
	});
}

/** The text of an event in one line: some have tabs inside and line feeds at their end. */
export function lineText(text) {
	return safeText(String(text ?? '').trimEnd().replaceAll('\t', ' '));
}

/** Makes an element: its class, its text (a trace's text is safe here), its attributes. */
export function element(tag, options = {}, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(options)) {
		if (name === 'text') made.textContent = safeText(value);
		else if (name === 'class') made.className = value;
		else if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
		else if (value !== undefined && value !== null && value !== false)
			made.setAttribute(name, value === true ? '' : safeText(value));
	}
	made.append(...children.filter((child) => child !== null && child !== undefined));
	return made;
}

/** A list of names with their descriptions: [[name, description], ...]. */
export function facts(rows) {
	return element(
		'dl',
		{},
		...rows.flatMap(([name, value]) => [element('dt', { text: name }), element('dd', { text: value })])
	);
}

/** A button that looks like a link. */
export function linkTo(text, onclick, more = {}) {
	return element('button', { type: 'button', class: 'link', text, onclick, ...more });
}

/** A count with a blank between each three digits: 6 025 441. */
export function grouped(count) {
	return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');
}

/** "1 event", "3 events". */
export function counted(count, noun) {
	return `${grouped(count)} ${noun}${String(count) === '1' ? '' : noun.endsWith('s') ? 'es' : 's'}`;
}

/** The element with this id, which the page always has. */
export function byId(id) {
	return document.getElementById(id);
}

/** Says a sentence to screen readers, and shows it in the status line. */
export function announce(sentence) {
	byId('said').textContent = safeText(sentence);
}
