// SPDX-License-Identifier: GPL-2.0-or-later
// What the canvas gets: in each pixel column each state is as high as its share, as SQL has it.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { placeOf, show, viewOf } from './harness.mjs';

const PLACES = { running: 0, runnable: 1, preempted: 1, uninterruptible: 2 };

/** Notes each rectangle that is filled while window.drawn is an array: x, y, width, height, fill. */
function noteRects() {
	const fill = CanvasRenderingContext2D.prototype.fillRect;
	CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
		if (window.drawn && this.canvas.id === 'timeline')
			window.drawn.push([x, y, width, height, this.fillStyle]);
		return fill.call(this, x, y, width, height);
	};
}

/** Draws once more, and measures in each column of these rows the heights of their states, and of hatching. */
function measure(keys) {
	const { timeline } = window.tdat;
	const { gutter, ruler, width } = timeline.view;
	const { layout, picture } = timeline;
	const style = getComputedStyle(document.documentElement);
	const named = (name) => style.getPropertyValue(`--${name}`).trim();
	// The last one is of dead tasks, which count as sleeping in shares.
	const tints = ['', named('runnable'), named('blocked'), named('asleep'), named('paper')];
	const others = ['warn', 'line', 'panel', 'ink', 'select', 'accent'].map(named);
	const rowOf = (key) => {
		const index = layout.keys.indexOf(key);
		const isCpu = key.startsWith('cpu:');
		const y = ruler + layout.tops[index] - layout.scroll + (isCpu ? 6 : 2);
		const full = layout.heights[index] - (isCpu ? 12 : 4);
		const columns = Array.from({ length: width }, () => [0, 0, 0, 0]);
		const hatched = new Array(width).fill(0);
		for (const [left, top, wide, tall, ink] of window.drawn) {
			if (top < y - 0.01 || top + tall > y + full + 0.01) continue;
			const at = Math.min(3, Math.max(0, tints.indexOf(ink)));
			const to = Math.min(width, left - gutter + wide);
			for (let x = Math.max(0, left - gutter); x < to; x++) {
				if (typeof ink !== 'string') hatched[x] += tall / full;
				else if (!others.includes(ink)) columns[x][at] += tall / full;
			}
		}
		return { columns, hatched, full, from: String(picture.from), to: String(picture.to) };
	};
	window.drawn = [];
	timeline.draw();
	return new Promise((done) => {
		requestAnimationFrame(() =>
			requestAnimationFrame(() => {
				const rows = keys.map(rowOf);
				window.drawn = null;
				done(rows);
			})
		);
	});
}

/** The same of intervals: [begin, end, place]. */
function sharesOf(intervals, from, to, width) {
	const columns = Array.from({ length: width }, () => [0, 0, 0, 0]);
	const pixel = Number(to - from) / width;
	for (const [begin, end, place] of intervals) {
		const x0 = Math.max(0, Number(begin - from) / pixel);
		const x1 = Math.min(width, Number(end - from) / pixel);
		for (let x = Math.floor(x0); x < x1; x++)
			columns[x][place] += Math.min(x1, x + 1) - Math.max(x0, x);
	}
	return columns;
}

/** The intervals of each row by tdat sql; rows of which the tables do not know all are left out. */
function intervalsOf(harness, file) {
	const found = new Map();
	const add = (key, row, place) => {
		if (!found.has(key)) found.set(key, []);
		const begin = BigInt(row.ts);
		found.get(key).push([begin, begin + BigInt(row.dur), place]);
	};
	const query = (text) =>
		harness.lines('sql', '--jsonl', file, text).map((line) => JSON.parse(line));
	const last = '(SELECT max(ts) FROM events)';
	const dur = `coalesce(dur, ${last} - ts)`;
	for (const row of query(`SELECT ts, ${dur} AS dur, cpu, pid FROM sched`))
		add(`cpu:0:${row.cpu}`, row, row.pid === 0 ? 3 : 0);
	for (const row of query(`SELECT ts, ${dur} AS dur, pid, state FROM thread_state`))
		add(`task:0:${row.pid}`, row, PLACES[row.state] ?? 3);
	// Before the first switch of a CPU its prev_pid ran, as the events there say (shares.py).
	const cpus = query(
		'SELECT cpu, min(ts) AS ts FROM sched_switch GROUP BY cpu'
	);
	for (const { cpu, ts } of cpus) {
		const [first] = query(
			`SELECT min(ts) AS ts, pid FROM events WHERE cpu = ${cpu} GROUP BY pid ` +
				`HAVING min(ts) < ${ts} ORDER BY 1`
		);
		if (!first) continue;
		const row = { ts: first.ts, dur: ts - first.ts };
		add(`cpu:0:${cpu}`, row, first.pid === 0 ? 3 : 0);
		if (first.pid !== 0) add(`task:0:${first.pid}`, row, 0);
	}
	return found;
}

export const sharesCases = {
	/** Heights of all states in all columns of each row, at five zooms. */
	async shares(harness) {
		for (const name of ['s390x-61-v6-sched', 'i386-61-v6-sched', 's390x-61-v7-zstd-sched']) {
			const file = harness.fixture(name);
			const found = intervalsOf(harness, file);
			const { address } = await harness.serve(file);
			const page = await harness.page();
			await page.addInitScript(noteRects);
			await page.goto(address);
			await harness.settled(page);
			const [first, last] = await page.evaluate(() => {
				const { viewport } = window.tdat.state;
				return [String(viewport.first), String(viewport.last)];
			});
			const [begin, span] = [BigInt(first), BigInt(last) - BigInt(first)];
			let columns = 0;
			let partly = 0;
			const keys = [...found.keys()];
			for (const share of [1n, 3n, 10n, 60n, 500n]) {
				const from = begin + ((span - span / share) / 2n);
				for (let at = 0; at < keys.length; at += 12) {
					const shown = keys.slice(at, at + 12);
					await page.evaluate((rows) => window.tdat.state.set({ rows }), shown);
					await show(harness, page, from, from + span / share);
					for (const [nth, drawn] of (await page.evaluate(measure, shown)).entries()) {
						const key = shown[nth];
						const want = sharesOf(
							found.get(key),
							BigInt(drawn.from),
							BigInt(drawn.to),
							drawn.columns.length
						);
						for (const [x, got] of drawn.columns.entries()) {
							columns++;
							if (want[x][0] > 0.05 && want[x][0] < 0.95) partly++;
							const isCpu = key.startsWith('cpu:');
							for (let place = 0; place < (isCpu ? 1 : 4); place++)
								assert.ok(
									Math.abs(got[place] - want[x][place]) * drawn.full <= 1,
									`${name} ${key} 1/${share} column ${x}: ${got} is not ${want[x]}`
								);
							const known = want[x].reduce((sum, one) => sum + one, 0);
							if (known < 0.9)
								assert.ok(
									Math.abs(drawn.hatched[x] + known - 1) * drawn.full <= 1.5,
									`${name} ${key} column ${x}: unknown ${1 - known}, hatched ${drawn.hatched[x]}`
								);
						}
					}
				}
			}
			assert.ok(columns > 10000 && partly > 100, `${columns} columns, ${partly} partly`);
			await page.close();
		}
	},

	/** More CPUs than there is room for: rows of several, which open, and how many are in sight. */
	async many(harness) {
		const file = `${harness.tmp}/many.dat`;
		execFileSync(harness.manyCpus, [file, '4096', '100000']);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		const rows = () => page.evaluate(() => [...window.tdat.state.rows]);
		const first = await rows();
		assert.deepEqual(first.slice(0, 2), ['cpus:0:0-255', 'cpus:0:256-511']);
		assert.equal(first.filter((key) => key.startsWith('cpus:')).length, 16);
		const click = async (key) => {
			const { y, left } = await placeOf(page, key, 0);
			await page.mouse.click(left - 60, y);
			await harness.settled(page);
		};
		await click('cpus:0:256-511');
		await click('cpus:0:256-271');
		const open = await rows();
		assert.deepEqual(open.slice(1, 4), ['cpus:0:256-511', 'cpus:0:256-271', 'cpu:0:256']);
		const drawn = await page.evaluate(() => {
			const { picture } = window.tdat.timeline;
			return ['cpus:0:256-511', 'cpu:0:256'].map((key) => picture.rows.get(key).cells.length);
		});
		assert.ok(drawn[0] > 100 && drawn[1] > 10, String(drawn));
		assert.match(await page.textContent('#cpus-said'), /^\d+ of 4\u2009096 CPUs in sight$/);
		assert.ok(Number((await page.textContent('#cpus-said')).split(' ')[0]) < 300);
		await click('cpus:0:256-511');
		assert.deepEqual(await rows(), first);
		await page.waitForFunction(() => / 4\u2009096 CPUs in sight$/.test(document.getElementById('cpus-said').textContent));
		// The report has the same rows, and those that the first of them open to.
		const report = `${harness.tmp}/many.html`;
		harness.lines('view', '-f', '-o', report, file);
		const still = await harness.open(`file://${report}`);
		const cpus = (keys) => keys.filter((key) => key.startsWith('cpu'));
		assert.deepEqual(cpus((await viewOf(still)).rows), cpus(first));
		const { y, left } = await placeOf(still, 'cpus:0:0-255', 0);
		await still.mouse.click(left - 60, y);
		await harness.settled(still);
		assert.deepEqual((await viewOf(still)).rows.slice(0, 3), ['cpus:0:0-255', 'cpus:0:0-15', 'cpus:0:16-31']);
	},

	/** What is damaged is said on top of the page, and at the CPU. */
	async damage(harness) {
		const data = readFileSync(harness.fixture('s390x-61-v6-sched'));
		data.fill(255, data.length - 4 * 4096 + 8, data.length - 4 * 4096 + 16);
		const file = `${harness.tmp}/damaged.dat`;
		writeFileSync(file, data);
		const { address } = await harness.serve(file);
		const page = await harness.open(address);
		await page.waitForSelector('#damage:not([hidden])');
		assert.match(await page.textContent('#damage-text'), /CPU 1: 1 damaged page/);
		const [gap] = await page.evaluate(() => {
			const { picture } = window.tdat.timeline;
			const { cells } = picture.rows.get('lost:0:1');
			return cells.map(({ t0, t1 }) => String(picture.from + BigInt(Math.round((t0 + t1) / 2))));
		});
		const { x, y } = await placeOf(page, 'cpu:0:1', gap);
		await page.mouse.move(x, y);
		const tip = await page.textContent('#tip');
		assert.match(tip, /running task unknown/);
		assert.match(tip, /data of this CPU: 1 damaged page/);
		// Of a cut file also the CPU with the last event has a mark: at its end, in the last pixel.
		const cut = `${harness.tmp}/cut-all.dat`;
		const { cpus } = await page.evaluate(() => window.tdat.state.trace.recordings[0]);
		writeFileSync(cut, data.subarray(0, data.length - cpus[1].len - 1000));
		const short = await harness.open((await harness.serve(cut)).address);
		await short.waitForFunction(() => document.getElementById('legend').textContent.includes('damaged'));
		const end = await placeOf(short, 'cpu:0:0', 0);
		const ink = await short.evaluate((right) => {
			const canvas = document.getElementById('timeline');
			const { layout, ruler } = window.tdat.timeline.view;
			const y = ruler + layout.y(layout.keys.indexOf('cpu:0:0')) + layout.heights[layout.keys.indexOf('cpu:0:0')] - 4;
			return canvas.getContext('2d').getImageData(right - canvas.getBoundingClientRect().left, y, 1, 1).data.slice(0, 3).join();
		}, end.left + end.width - 1);
		assert.equal(ink, '29,35,39');
		await page.click('#damage-close');
		assert.equal(await page.isVisible('#damage'), false);
		const report = `${harness.tmp}/damaged.html`;
		spawnSync(harness.tdat, ['view', '-f', '-o', report, file]);
		const still = await harness.open(`file://${report}`);
		assert.match(await still.textContent('#damage-text'), /CPU 1: 1 damaged page/);
	},
};
