// SPDX-License-Identifier: GPL-2.0-or-later
// The text of a latency tracer, which a file may have in place of events.

import { announce, byId, counted, element, grouped, linkTo, safeText } from './text.js';

/** Lines as they are, but for characters that are not seen. */
function lines(text) {
	return text
		.split('\n')
		.map((line) => safeText(line.replaceAll('\t', '        ')))
		.join('\n');
}

/** Parts of the page with the text of a file: its beginning, and a button for what follows. */
async function sectionsOf(source, { name }, file) {
	const title = element('h2', { text: `${name}: text of a latency tracer` });
	const shown = element('pre', { class: 'mono' });
	const more = linkTo('', () => next());
	let answer = { next: 0 };
	const next = async () => {
		answer = await source.text(file, answer.next);
		shown.append(lines(answer.text));
		more.hidden = answer.next === null;
		more.textContent = `Show more: ${grouped(answer.next ?? 0)} of ${grouped(answer.len)} bytes shown`;
	};
	await next();
	return [title, shown, more];
}

/**
 * Shows the texts of all files that have one: below the picture, or alone if there are no events. The page then has
 * nothing that needs events.
 */
export async function showFileTexts(trace, source, tabs) {
	const found = [...trace.files.entries()].filter(([, file]) => file.text_len > 0);
	const isAlone = trace.empty && found.length > 0;
	document.body.classList.toggle('text-only', isAlone);
	if (isAlone) tabs.open('trace', false);
	const bytes = found.reduce((sum, [, file]) => sum + file.text_len, 0);
	if (trace.empty)
		announce(`No events${isAlone ? `, ${counted(grouped(bytes), 'byte')} of text of a latency tracer` : ''}`);
	const parts = await Promise.all(found.map(([at, file]) => sectionsOf(source, file, at)));
	const box = byId('file-text');
	box.replaceChildren(...parts.flat());
	box.hidden = found.length === 0;
}
