// SPDX-License-Identifier: GPL-2.0-or-later
// Light, dark, or black and white: the page's colours, and those of tasks and events.

import { byId, announce } from './text.js';

const THEME_KEY = 'tdat-theme';
const NAMES = {
	auto: 'as the system has it',
	light: 'light',
	dark: 'dark',
	mono: 'black and white',
};
const HUES = [212, 28, 152, 276, 4, 186, 54, 322, 96, 244, 16, 168];

let chosen = 'auto';
let dark = false;
let colours = {};
let patterns = new Map();
let fills = new Map();
let strokes = new Map();
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
}

function apply() {
	dark = chosen === 'dark' || (chosen === 'auto' && systemIsDark());
	document.documentElement.dataset.theme =
		chosen === 'mono' ? 'mono' : dark ? 'dark' : 'light';
	patterns = new Map();
	fills = new Map();
	strokes = new Map();
	readColours();
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
		announce(`Colours: ${NAMES[chosen]}`);
	});
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
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

/** What `make` gives for a name, made once; names come from the trace and may be very many. */
function remembered(known, name, make) {
	let made = known.get(name);
	if (made === undefined) {
		made = make(name);
		if (known.size > 20000) known.clear();
		known.set(name, made);
	}
	return made;
}

/** The fill of a task, an event or another thing with a name: a calm colour of its own. */
export function fillOf(name) {
	return remembered(fills, name, makeFill);
}

function makeFill(name) {
	const hash = hashOf(name);
	if (isMono()) return `hsl(0 0% ${94 - (hash % 5) * 8}%)`;
	const hue = HUES[hash % HUES.length] + ((hash >>> 8) % 9) - 4;
	const shade = (hash >>> 16) % 3;
	return dark
		? `hsl(${hue} ${38 + shade * 6}% ${34 + shade * 4}%)`
		: `hsl(${hue} ${42 + shade * 7}% ${78 - shade * 5}%)`;
}

/** The same name's colour for lines and ticks, which need more contrast. */
export function strokeOf(name) {
	return remembered(strokes, name, makeStroke);
}

function makeStroke(name) {
	const hash = hashOf(name);
	if (isMono()) return colours.ink;
	return `hsl(${HUES[hash % HUES.length]} 55% ${dark ? 66 : 38}%)`;
}

/** A hatching in the colour of the ink, of one of four kinds; made once for each context. */
export function hatching(context, kind) {
	const key = kind;
	if (patterns.has(key)) return patterns.get(key);
	const tile = document.createElement('canvas');
	tile.width = tile.height = 6;
	const pen = tile.getContext('2d');
	pen.strokeStyle = pen.fillStyle = colours.ink;
	pen.globalAlpha = isMono() ? 0.8 : 0.35;
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

/** In black and white, the hatching that tells this name from others; null for a plain one. */
export function hatchingOf(context, name) {
	const kinds = [null, 'rising', 'falling', 'dotted', 'crossed'];
	const kind = kinds[(hashOf(name) >>> 4) % kinds.length];
	return isMono() && kind ? hatching(context, kind) : null;
}

/** Whether the user asks for less motion. */
export function calm() {
	return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
