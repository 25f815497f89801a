// SPDX-License-Identifier: GPL-2.0-or-later
// How the page looks: contrasts of colours measured from style.css and from what the canvas gets.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { placeOf, show } from './harness.mjs';

const SCHED = 's390x-61-v6-sched';

/** The relative luminance of #rgb, #rrggbb or [r, g, b], as WCAG 2 defines it. */
function luminance(color) {
	const digits = typeof color === 'string' ? color.slice(1).replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3') : '';
	const parts = digits ? [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16)) : color;
	const [r, g, b] = parts.map((part) => {
		const c = part / 255;
		return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
	const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
}

/** The variables of each theme; a dark or black and white one has those of the light one that it does not set. */
function themes(css) {
	const blocks = [...css.matchAll(/^:root(?:\[data-theme="(\w+)"\])? \{([^}]*)\}/gm)];
	const read = (text) => Object.fromEntries([...text.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((one) => one.slice(1)));
	const light = read(blocks[0][2]);
	return Object.fromEntries(blocks.map(([, name, text]) => [name ?? 'light', { ...light, ...read(text) }]));
}

/** Notes what the timeline gets: rectangles with their fill, and the contrast of each text with the pixel beside it. */
function noteDrawing() {
	const hatchings = new Map();
	const proto = CanvasRenderingContext2D.prototype;
	const { fillRect, fillText } = proto;
	proto.fillRect = function (x, y, width, height) {
		if (window.drawn && this.canvas.id === 'timeline') {
			const fill = this.fillStyle;
			if (typeof fill !== 'string' && !hatchings.has(fill)) hatchings.set(fill, `hatching ${hatchings.size}`);
			window.drawn.push([x, y, width, height, hatchings.get(fill) ?? fill]);
		}
		return fillRect.call(this, x, y, width, height);
	};
	proto.fillText = function (text, x, y) {
		if (window.texts && this.canvas.id === 'timeline') {
			const { e, f } = this.getTransform();
			const at = this.textAlign === 'right' ? x + 2 : x - 1;
			const under = [...this.getImageData(Math.round(at + e), Math.round(y + f), 1, 1).data].slice(0, 3);
			window.texts.push([text, this.fillStyle, under]);
		}
		return fillText.call(this, text, x, y);
	};
}

async function drawnAgain(page) {
	return page.evaluate(async () => {
		window.drawn = [];
		window.texts = [];
		window.tdat.timeline.draw();
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		const { drawn, texts } = window;
		window.drawn = window.texts = undefined;
		const { layout, view } = window.tdat.timeline;
		const rows = layout.keys.map((key, at) => [key, view.ruler + layout.y(at), layout.heights[at]]);
		return { drawn, texts, rows };
	});
}

export const lookCases = {
	/** Graphics differ from what is beside them by 3:1, texts from what is below them by 4.5:1. */
	async contrast(harness) {
		const all = themes(readFileSync(`${harness.source}/web/style.css`, 'utf8'));
		assert.deepEqual(Object.keys(all), ['light', 'dark', 'mono']);
		// Still pictures have the same colours.
		const svg = readFileSync(`${harness.source}/view/api/svg_frame.c`, 'utf8');
		const fillsOfSvg = /colours\[\] = \{([^}]*)\}/.exec(svg)[1].match(/#\w{6}/g);
		assert.deepEqual(fillsOfSvg, all.light.names.trim().split(/\s+/));
		for (const [theme, colors] of Object.entries(all)) {
			const names = colors.names.trim().split(/\s+/);
			const check = (tints, grounds, least) => {
				for (const tint of tints)
					for (const ground of grounds) {
						const found = contrast(tint, colors[ground]);
						assert.ok(found >= least, `${theme}: ${tint} on --${ground}: ${found.toFixed(2)}:1`);
					}
			};
			const tints = (...some) => some.map((name) => colors[name]);
			const fills = [...names, ...tints('runnable', 'blocked')];
			assert.equal(new Set(fills).size, fills.length);
			assert.ok(theme === 'mono' || names.length > 12);
			check(fills, ['paper', 'asleep'], 3);
			check(fills, ['paper'], 4.5);
			check(tints('warn', 'accent', 'faint', 'mark-a', 'mark-b', 'hit'), ['paper'], 3);
			check(tints('ink'), ['paper', 'panel', 'idle', 'asleep'], 4.5);
			check(tints('soft', 'accent', 'warn', 'hit'), ['paper', 'panel'], 4.5);
		}
	},

	/** Texts on the canvas, measured. Tasks of the same color have different hatchings. */
	async apart(harness) {
		for (const name of [SCHED, 'ppc64el-61-lost', 'i386-61-fgraph']) {
			const { address } = await harness.serve(harness.fixture(name));
			for (const colorScheme of ['light', 'dark']) {
				const page = await harness.page({ colorScheme, viewport: { width: 1440, height: 1500 } });
				await page.addInitScript(noteDrawing);
				await page.goto(address);
				await harness.settled(page);
				const { drawn, texts, rows } = await drawnAgain(page);
				assert.ok(texts.length > 10);
				for (const [text, ink, under] of texts) {
					const found = contrast(ink, under);
					assert.ok(found >= 4.5, `${name} ${colorScheme}: '${text}' ${ink} on ${under}: ${found.toFixed(2)}:1`);
				}
				if (name !== SCHED) continue;
				const fills = await page.evaluate(() =>
					getComputedStyle(document.documentElement).getPropertyValue('--names').trim().split(/\s+/)
				);
				const looks = new Map();
				for (const [key, y, height] of rows.filter(([one]) => one.startsWith('task:'))) {
					const at = drawn.findIndex(
						([, top, width, tall, fill]) => top > y && top + tall < y + height && width > 3 && fills.includes(fill)
					);
					if (at < 0 || drawn[at][0] < 170) continue;
					const over = drawn[at + 1];
					const hatch = over.slice(0, 4).join() === drawn[at].slice(0, 4).join() ? over[4] : '';
					looks.set(key, `${drawn[at][4]} ${hatch}`);
				}
				assert.ok(looks.size > 12, `${looks.size} tasks`);
				assert.equal(new Set(looks.values()).size, looks.size, JSON.stringify([...looks]));
			}
		}
	},

	/** The legend has what the rows in sight show. */
	async legend(harness) {
		const wordsOf = (page) => page.$$eval('#legend li', (items) => items.map((item) => item.textContent));
		const sched = await harness.open((await harness.serve(harness.fixture(SCHED))).address);
		const words = await wordsOf(sched);
		for (const word of ['idle', 'runnable', 'preempted', 'blocked', 'sleeping', 'dead', 'unknown', 'irq'])
			assert.ok(words.includes(word), `${word} in ${words}`);
		assert.ok(!words.includes('events lost') && !words.includes('an event'));
		await show(harness, sched, 25400000000n, 25402000000n);
		await sched.waitForFunction(() => document.getElementById('legend').textContent.includes('an event'));
		assert.ok((await wordsOf(sched)).includes('from the task that woke it'), String(await wordsOf(sched)));
		await sched.fill('#filter', 'sched_switch');
		await sched.keyboard.press('Enter');
		await sched.waitForFunction(() => document.getElementById('legend').textContent.includes('matches the filter'));
		const lost = await harness.open((await harness.serve(harness.fixture('x64-lab612-lost-v6'))).address);
		await lost.waitForFunction(() => document.getElementById('legend').textContent.includes('events lost'));
	},

	/** The controls are one line at 1440 px and wrap on narrow windows; nothing is cut, and each says what it is. */
	async toolbar(harness) {
		const { address } = await harness.serve(harness.fixture(SCHED));
		for (const width of [1920, 1440, 1200, 800]) {
			const page = await harness.open(address, { viewport: { width, height: 900 } });
			await page.fill('#search', 'sched');
			await page.keyboard.press('Enter');
			await page.waitForFunction(() => document.getElementById('search-count').textContent !== '');
			const found = await page.evaluate(() => {
				const pen = document.createElement('canvas').getContext('2d');
				const seen = [...document.querySelectorAll('header *, footer *')].filter(
					(one) => one.offsetParent && !one.closest('.heard, .offers, .error')
				);
				const boxes = seen.map((one) => [one.id || one.textContent.trim(), one.getBoundingClientRect()]);
				const inputs = [...document.querySelectorAll('header input[placeholder]')].map((input) => {
					const style = getComputedStyle(input);
					pen.font = style.font;
					const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
					return [input.id, pen.measureText(input.placeholder).width, room];
				});
				return {
					outside: boxes.filter(([, box]) => box.right > innerWidth || box.left < 0).map(([name]) => name),
					cut: inputs.filter(([, wanted, room]) => wanted > room),
					covered: [...document.querySelectorAll('header form')].flatMap((form) => {
						const next = form.nextElementSibling.getBoundingClientRect();
						const isBeside = (box) => box.bottom > next.top && box.top < next.bottom && box.left < next.left;
						return [...form.children]
							.filter((one) => one.offsetParent && !one.matches('.heard'))
							.filter((one) => isBeside(one.getBoundingClientRect()) && one.getBoundingClientRect().right > next.left)
							.map((one) => one.id || one.textContent.trim());
					}),
					height: document.querySelector('header').clientHeight,
					scrolls: document.documentElement.scrollWidth > innerWidth,
					nameless: [...document.querySelectorAll('header :is(button, select, input:not([hidden]))')]
						.filter((one) => !one.labels?.length && !one.ariaLabel && one.textContent.trim().length < 3)
						.map((one) => one.id),
					torn: [...document.querySelectorAll('header label:not(.heard)')]
						.filter((label) => {
							const [a, b] = [label, label.control].map((one) => one.getBoundingClientRect());
							return Math.abs(a.top + a.height / 2 - b.top - b.height / 2) > 6;
						})
						.map((label) => label.textContent),
				};
			});
			const at = `${width}: ${JSON.stringify(found)}`;
			assert.deepEqual(
				[found.outside, found.cut, found.nameless, found.torn, found.covered, found.scrolls],
				[[], [], [], [], [], false],
				at
			);
			if (width >= 1440) assert.ok(found.height < 48, at);
		}
	},

	/** Behind a field its comparisons are offered, behind a value what can follow it. */
	async operators(harness) {
		const { address } = await harness.serve(harness.fixture(SCHED));
		const page = await harness.open(address);
		const asked = (text) =>
			page.evaluate(async (one) => {
				const answer = await fetch(`api/filter?text=${encodeURIComponent(one)}`);
				return (await answer.json()).candidates;
			}, text);
		assert.deepEqual(await asked('sched_switch: next_pid == 5 '), ['&&', '||']);
		assert.deepEqual(await asked('sched_switch: (next_pid == 5 '), ['&&', '||', ')']);
		assert.deepEqual(await asked('sched_switch: (next_pid == 5) '), ['&&', '||']);
		assert.deepEqual(await asked('sched_switch: next_comm == "a (b"'), ['&&', '||']);
		assert.deepEqual(await asked('sched_switch: next_pid '), ['!=', '!~', '&', '<', '<=', '==', '=~', '>', '>=']);
		assert.ok((await asked('sched_switch: next_pid == 5 && ')).includes('prev_comm'));
		await page.focus('#filter');
		await page.keyboard.type('sched_switch: next_pid == 5 ');
		await page.waitForFunction(() =>
			[...document.querySelectorAll('#filter-offers li')].some((item) => item.textContent === '&&')
		);
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		assert.equal(await page.inputValue('#filter'), 'sched_switch: next_pid == 5 &&');
	},

	/** Keys of the page are left to the control that has the focus. */
	async focus(harness) {
		const { address } = await harness.serve(harness.fixture(SCHED));
		const page = await harness.open(address);
		const viewOf = () =>
			page.evaluate(() => {
				const { viewport, markA, rows, notes } = window.tdat.state;
				return [viewport.from, viewport.to, markA, rows.length, notes.length].join(' ');
			});
		const before = await viewOf();
		for (const id of ['filter-for', 'theme', 'follow', 'filter', 'search', 'goto']) {
			await page.focus(`#${id}`);
			for (const key of ['w', 'd', 'A', 'k', 'm', 'Delete', 'q', 'r']) await page.keyboard.press(key);
			assert.equal(await viewOf(), before, id);
			assert.equal(await page.evaluate(() => document.querySelector('dialog[open]')), null, id);
			await page.keyboard.press('Escape');
		}
		await page.focus('#timeline');
		await page.keyboard.press('w');
		assert.notEqual(await viewOf(), before);
	},

	/** A tooltip is there only while the pointer is on the row that it is about. */
	async tooltip(harness) {
		const { address } = await harness.serve(harness.fixture(SCHED));
		const page = await harness.open(address);
		const { x, y } = await placeOf(page, 'cpu:0:0', 25400000000n);
		const shown = () => page.evaluate(() => !document.getElementById('tip').hidden);
		const ways = {
			list: () => page.hover('#list'),
			overview: () => page.hover('#overview'),
			legend: () => page.hover('#legend'),
			ruler: () => page.mouse.move(x, y - 40),
			outside: () => page.evaluate(() => document.documentElement.dispatchEvent(new PointerEvent('pointerleave'))),
			blur: () => page.evaluate(() => window.dispatchEvent(new Event('blur'))),
			dialog: () => page.keyboard.press('?'),
		};
		for (const [way, leave] of Object.entries(ways)) {
			await page.mouse.move(x + 1, y);
			await page.mouse.move(x, y);
			assert.ok(await shown(), way);
			await leave();
			assert.ok(!(await shown()), way);
		}
		await page.keyboard.press('Escape');
		// It is renewed when the window or its size changes below the pointer.
		await page.mouse.move(x, y);
		for (const change of [() => page.keyboard.press('d'), () => page.setViewportSize({ width: 900, height: 800 })]) {
			const before = await page.textContent('#tip');
			await change();
			await page.waitForFunction(
				([atX, atY, old]) => {
					const { pointer, timeline } = window.tdat;
					const box = document.getElementById('timeline').getBoundingClientRect();
					const time = Number(timeline.hit(atX - box.left, atY - box.top).ts);
					const { hidden, textContent } = document.getElementById('tip');
					const [, said] = / at (\d+\.\d+)$/m.exec(textContent);
					const isThere = Math.abs(Number(pointer.ts) - time) < 1000 && Math.abs(Number(said) - time / 1e9) < 1e-3;
					return timeline.settled && !hidden && textContent !== old && isThere;
				},
				[x, y, before]
			);
		}
	},

	/** The length of a selection can be read on its row; details are printed to their end. */
	async paper(harness) {
		const { address } = await harness.serve(harness.fixture(SCHED));
		const page = await harness.open(`${address}#pane=span`, { viewport: { width: 1440, height: 900 } });
		await page.waitForSelector('#stats-types');
		const { from, to } = await page.evaluate(() => {
			const { state } = window.tdat;
			const { viewport } = state;
			const quarter = viewport.span / 4n;
			state.set({ select: [viewport.from + quarter, viewport.to - quarter] });
			return { from: String(viewport.from), to: String(viewport.to) };
		});
		await harness.settled(page);
		const { x } = await placeOf(page, 'cpu:0:0', (BigInt(from) + BigInt(to)) / 2n);
		const inks = await page.evaluate((middle) => {
			const canvas = document.getElementById('timeline');
			const box = canvas.getBoundingClientRect();
			const { ruler, rem } = window.tdat.timeline.view;
			const { data } = canvas.getContext('2d').getImageData(middle - box.left - 20, ruler + 0.2 * rem, 40, rem);
			const found = new Set();
			for (let at = 0; at < data.length; at += 4) found.add(data.slice(at, at + 3).join());
			return [...found];
		}, x);
		// Paper, the blue of the text, and mixtures of both: no colors of tasks.
		assert.ok(inks.includes('253,253,252') && inks.every((ink) => Number(ink.split(',')[2]) >= 170), String(inks));
		await page.emulateMedia({ media: 'print' });
		const [shown, whole, list] = await page.evaluate(() => {
			const pane = document.getElementById('pane-span');
			return [pane.clientHeight, pane.scrollHeight, document.getElementById('list').clientHeight];
		});
		assert.ok(whole > 500 && shown >= whole && list > 100, `${shown} ${whole} ${list}`);
	},

	/** Times as the wall clock shows them, in the browser's zone or in UTC, as tdat dump --time wall prints them. */
	async wall(harness) {
		const file = harness.fixture('x64-61-date');
		const dumped = (zone) =>
			execFileSync(harness.tdat, ['dump', '-t', '--time', 'wall', file], {
				env: { ...process.env, TZ: zone },
				stdio: ['ignore', 'pipe', 'ignore'],
			})
				.toString()
				.split('\n')
				.map((line) => /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{9}/.exec(line)?.[0])
				.filter(Boolean);
		const { address } = await harness.serve(file);
		const zone = 'Asia/Kolkata';
		const page = await harness.open(address, { timezoneId: zone });
		const listed = () =>
			page.$$eval('.event:not([hidden])', (rows) => rows.map((row) => row.children[1].textContent));
		const trace = await listed();
		for (const [clock, want] of [
			['wall', dumped(zone)],
			['utc', dumped('UTC')],
		]) {
			await page.selectOption('#clock', clock);
			await page.waitForFunction(
				(first) => document.querySelector('.event').children[1].textContent === first,
				want[0]
			);
			await harness.settled(page);
			const got = await listed();
			assert.ok(got.length > 5);
			assert.deepEqual(got, want.slice(0, got.length));
			// The time of an event is understood where one goes to a time, with and without the day.
			for (const text of [want[3].replace(' ', 'T'), want[3].slice(11)]) {
				await page.fill('#goto', text);
				await page.press('#goto', 'Enter');
				await page.waitForFunction(
					(time) => document.getElementById('said').textContent === `At ${time}`,
					want[3]
				);
			}
			await page.waitForFunction((name) => location.hash.includes(`clock=${name}`), clock);
		}
		const again = await harness.open(page.url(), { timezoneId: zone });
		assert.equal(await again.inputValue('#clock'), 'utc');
		await page.selectOption('#clock', 'trace');
		await page.waitForFunction((first) => document.querySelector('.event').children[1].textContent === first, trace[0]);
		const other = await harness.open((await harness.serve(harness.fixture(SCHED))).address);
		assert.ok(!(await other.isVisible('#clock')));
	},
};
