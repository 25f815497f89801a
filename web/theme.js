// SPDX-License-Identifier: GPL-2.0-or-later
// Light, dark, or black and white: the page's colours, and those of tasks and events.

import { byId, announce } from './text.js';

const THEME_KEY = 'tdat-theme';
const NAMES = {
	auto: 'as the system',
	light: 'light',
	dark: 'dark',
	mono: 'black and white',
};
/** Hatchings of names that have the same colour, in the order in which they were met. */
const HATCHINGS = [null, 'rising', 'dotted', 'crossed', 'falling'];

let chosen = 'auto';
let colours = {};
let fills = [];
let patterns = new Map();
/** The places of names in `fills`, with their hatching; and how many names each place has. */
const looks = new Map();
let taken = [];
const watchers = [];

function systemIsDark() {
	return matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Reads the colours of style.css, so that canvas and page have the same ones. */
function readColours() {
	const style = getComputedStyle(document.documentElement);
	const names = [
		'paper',
		'panel',
		'ink',
		'soft',
		'faint',
		'line',
		'accent',
		'warn',
		'mark-a',
		'mark-b',
		'select',
		'hit',
		'idle',
		'runnable',
		'blocked',
		'asleep',
	];
	colours = Object.fromEntries(
		names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])
	);
	fills = style.getPropertyValue('--names').trim().split(/\s+/);
}

function apply() {
	const isPrinted = matchMedia('print').matches;
	const dark = !isPrinted && (chosen === 'dark' || (chosen === 'auto' && systemIsDark()));
	document.documentElement.dataset.theme =
		chosen === 'mono' ? 'mono' : dark ? 'dark' : 'light';
	patterns = new Map();
	const count = fills.length;
	readColours();
	// Other colours of the same number leave names their places.
	if (fills.length !== count) {
		looks.clear();
		taken = [];
	}
	for (const watcher of watchers) watcher();
}

/** Storage may be forbidden, as for a page from disk; the choice then lasts as long as the page. */
function keep(value) {
	try {
		localStorage.setItem(THEME_KEY, value);
	} catch {
		return;
	}
}

function kept() {
	try {
		return localStorage.getItem(THEME_KEY);
	} catch {
		return null;
	}
}

/** The colours of the system, until restoreTheme() knows of a choice. */
export function startTheme() {
	const box = byId('theme');
	box.value = chosen;
	box.addEventListener('change', () => {
		chosen = box.value;
		keep(chosen);
		apply();
		announce(`Colors: ${NAMES[chosen]}`);
	});
	for (const query of ['(prefers-color-scheme: dark)', 'print']) matchMedia(query).addEventListener('change', apply);
	apply();
}

/**
 * Takes the colours that were chosen before. The browser takes some 0.1 s to open its storage, for
 * which the first picture does not wait.
 */
export function restoreTheme() {
	const before = kept();
	if (!(before in NAMES) || before === chosen) return;
	chosen = before;
	byId('theme').value = chosen;
	apply();
}

/** Calls `watcher` after each change of colours. */
export function onTheme(watcher) {
	watchers.push(watcher);
}

/** The next theme of the list, for the key that switches. */
export function nextTheme() {
	const box = byId('theme');
	box.selectedIndex = (box.selectedIndex + 1) % box.options.length;
	box.dispatchEvent(new Event('change'));
}

/** One of the page's colours. */
export function colour(name) {
	return colours[name];
}

export function isMono() {
	return chosen === 'mono';
}

/** A number that is always the same for a text: FNV-1a. */
export function hashOf(text) {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
	return (hash ^ (hash >>> 15)) >>> 0;
}

/** How a name looks: its colour by the name alone, its hatching by the names before it with the same colour. */
function lookOf(name) {
	const known = looks.get(name);
	if (known) return known;
	// Names come from the trace and may be very many.
	if (looks.size > 20000) looks.clear();
	const place = hashOf(name) % fills.length;
	const turn = taken[place] ?? 0;
	taken[place] = turn + 1;
	const look = { place, hatch: HATCHINGS[turn % HATCHINGS.length] };
	looks.set(name, look);
	return look;
}

/** The fill of a task, an event or another thing with a name; text on it has the colour of the paper. */
export function fillOf(name) {
	return fills[lookOf(name).place];
}

/** Some of the fills, which stand for all of them. */
export function someFills() {
	return fills.slice(0, 3);
}

/** The same name's colour for lines, ticks and edges: of the same hue, and lighter or darker than its fill. */
export function strokeOf(name) {
	const half = fills.length / 2;
	return isMono() ? colours.ink : fills[(lookOf(name).place + half) % fills.length];
}

/** A hatching in the colour of the ink, of one of four kinds; made once for each context. */
export function hatching(context, kind) {
	const key = kind;
	if (patterns.has(key)) return patterns.get(key);
	const tile = document.createElement('canvas');
	tile.width = tile.height = 6;
	const pen = tile.getContext('2d');
	pen.strokeStyle = pen.fillStyle = colours.ink;
	pen.globalAlpha = isMono() ? 0.8 : 0.55;
	pen.beginPath();
	if (kind === 'rising' || kind === 'crossed') {
		pen.moveTo(-1, 7);
		pen.lineTo(7, -1);
	}
	if (kind === 'falling' || kind === 'crossed') {
		pen.moveTo(-1, -1);
		pen.lineTo(7, 7);
	}
	pen.stroke();
	if (kind === 'dotted') pen.fillRect(1, 2, 2, 2);
	patterns.set(key, context.createPattern(tile, 'repeat'));
	return patterns.get(key);
}

/** The hatching that tells this name from others of its colour; null for a plain one. */
export function hatchingOf(context, name) {
	const { hatch } = lookOf(name);
	return hatch && hatching(context, hatch);
}

/** Whether the user asks for less motion. */
export function calm() {
	return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
