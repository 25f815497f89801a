// SPDX-License-Identifier: GPL-2.0-or-later
// Pictures for docs/: the page in each theme and size and as it is printed, and a gallery of traces of different kinds.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { placeOf, show } from './harness.mjs';
import { smallPng } from './png.mjs';

const SCHED = 's390x-61-v6-sched';

function folderOf(harness, name) {
	const folder = `${process.env.TDAT_SCREENSHOTS ?? `${harness.tmp}/docs`}${name}`;
	mkdirSync(folder, { recursive: true });
	return folder;
}

/** Takes a picture when all is drawn; it must not be larger. */
async function take(harness, page, path, most) {
	await page.mouse.move(5, 5);
	await harness.settled(page);
	await page.waitForTimeout(200);
	const image = await page.screenshot();
	writeFileSync(path, image);
	// To make them small takes long, which is for those that are kept.
	if (!process.env.TDAT_SCREENSHOTS) return;
	const empty = await harness.page();
	const small = await smallPng(empty, image);
	await empty.context().close();
	writeFileSync(path, small);
	assert.ok(small.length <= most * 1024, `${path}: ${small.length} bytes`);
}

async function mark(page, ts, name) {
	const { x, y } = await placeOf(page, 'cpu:0:0', ts);
	await page.mouse.move(x, y);
	await page.keyboard.press(`Shift+${name}`);
}

/** A part of the trace with two markers and an event that is chosen. */
async function busy(harness, page, file) {
	const events = harness.events(file);
	await show(harness, page, 25362070000n, 25396360000n);
	await mark(page, 25372900000n, 'A');
	await mark(page, 25390900000n, 'B');
	const index = events.findIndex(({ ts, event }) => ts >= 25377000000n && event === 'sched_waking');
	await page.evaluate((number) => window.tdat.list.select(number, true), index);
	await page.waitForSelector('#event-fields');
}

async function pane(page, name) {
	await page.evaluate((one) => window.tdat.tabs.open(one), name);
}

/** [picture, recording, what is done with the page]. */
const GALLERY = [
	['sched', SCHED],
	[
		'why',
		SCHED,
		async (page, harness) => {
			const [want] = JSON.parse(
				harness
					.lines('why', '--json', '--of', 'waits', '--task', 'rcu_sched', '--worst', '1', harness.fixture(SCHED))
					.join('\n')
			);
			const [from, to] = [BigInt(want.from), BigInt(want.to)];
			await show(harness, page, from - (to - from) / 3n, to + (to - from) / 3n);
			const { x, y } = await placeOf(page, `task:0:${want.pid}`, from + (to - from) / 8n);
			await page.mouse.click(x, y);
			await page.waitForFunction(() => window.tdat.state.why);
		},
	],
	['syscalls', 'x64-61-syscalls'],
	['functions', 'i386-61-fgraph', (page, harness) => show(harness, page, 83950000000n, 83960000000n)],
	['markers', 'i386-61-markers'],
	['buffers', 'i386-61-v7-buffers'],
	['lost', 'x64-lab612-lost-v6'],
	['function-tracer', 'i386-61-function'],
	[
		'flame',
		's390x-61-kstack',
		async (page) => {
			await pane(page, 'span');
			await page.click('text=Flame graph');
			await page.waitForSelector('#flame .frame');
		},
	],
	['wall', 'x64-61-date', (page) => page.selectOption('#clock', 'utc')],
	[
		'filter',
		'x64-lab612-net',
		async (page) => {
			await page.fill('#filter', 'sched_wakeup_new');
			await page.press('#filter', 'Enter');
		},
	],
	['many-cpus', null],
];

export const screenshotCases = {
	/** The pictures of docs/, and those of each size and theme. */
	async screenshots(harness) {
		const folder = folderOf(harness, '');
		const sizes = folderOf(harness, '/sizes');
		const file = harness.fixture(SCHED);
		const { address } = await harness.serve(file);
		for (const colorScheme of ['light', 'dark']) {
			const page = await harness.open(address, { colorScheme, viewport: { width: 1280, height: 760 } });
			await busy(harness, page, file);
			await take(harness, page, `${folder}/view-${colorScheme}.png`, 60);
			for (const [width, height] of [
				[800, 900],
				[1440, 900],
				[3840, 2160],
			]) {
				await page.setViewportSize({ width, height });
				await take(harness, page, `${sizes}/${width}-${colorScheme}.png`, 200);
				const box = await page.locator('#timeline').boundingBox();
				assert.ok(box.width > width * 0.55 && box.height > height * 0.2, JSON.stringify(box));
			}
		}
		// What is printed is light, also of a dark page, and has no controls.
		const page = await harness.open(address, { colorScheme: 'dark', viewport: { width: 1440, height: 900 } });
		// It is printed as soon as the media change, before another frame.
		const lights = await page.evaluate(() => {
			const lightOf = (id) => {
				const canvas = document.getElementById(id);
				const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
				return data.reduce((sum, part) => sum + part, 0) / data.length;
			};
			matchMedia('print').addEventListener('change', () => {
				window.lights = ['overview', 'timeline'].map(lightOf);
			});
			return ['overview', 'timeline'].map(lightOf);
		});
		await page.emulateMedia({ media: 'print' });
		await page.waitForFunction(() => window.lights);
		const printed = await page.evaluate(() => window.lights);
		for (const [at, light] of lights.entries()) assert.ok(light < 128 && printed[at] > 190, `${lights} ${printed}`);
		await take(harness, page, `${sizes}/1440-print.png`, 60);
		assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
		assert.ok(!(await page.isVisible('#filter')) && !(await page.isVisible('#rows-open')));
		assert.ok((await page.$$('.event:not([hidden])')).length > 5);
		assert.ok((await page.isVisible('#timeline')) && (await page.isVisible('#legend')));
	},

	/** Twelve traces of different kinds; docs/gallery.md shows each. */
	async gallery(harness) {
		const folder = folderOf(harness, '/gallery');
		const text = readFileSync(`${harness.source}/docs/gallery.md`, 'utf8');
		assert.deepEqual(
			[...text.matchAll(/\(gallery\/([\w-]+)\.png\)/g)].map(([, name]) => name),
			GALLERY.map(([name]) => name)
		);
		for (const [name, recording, act] of GALLERY) {
			const file = recording ? harness.fixture(recording) : `${harness.tmp}/4096-cpus.dat`;
			if (!recording) execFileSync(harness.manyCpus, [file, '4096', '40000']);
			const { address } = await harness.serve(file);
			const page = await harness.open(address, { viewport: { width: 960, height: 600 } });
			await act?.(page, harness);
			await take(harness, page, `${folder}/${name}.png`, 60);
			await page.close();
		}
	},
};
