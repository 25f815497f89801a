// SPDX-License-Identifier: GPL-2.0-or-later
// Measures the page of tdat view in headless Chromium: how long until the first complete picture,
// how long a window takes after zooming and moving, and the tab's memory.
// usage: view_page.mjs NODE_MODULES CHROMIUM ADDRESS [WINDOWS]
// Prints a line of JSON; times are in milliseconds, memory in bytes.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [modules, executablePath, address, windows = '100'] = process.argv.slice(2);
const { chromium } = createRequire(`${resolve(modules)}/`)('playwright-core');

/** The memory of the tab's process: all that is its own, as the kernel counts it. */
async function tabMemory(browser) {
	const session = await browser.newBrowserCDPSession();
	const { processInfo } = await session.send('SystemInfo.getProcessInfo');
	const sizes = processInfo
		.filter(({ type }) => type === 'renderer')
		.map(({ id }) => {
			const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
			const size = (name) =>
				Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(rollup)[1]) *
				1024;
			return {
				own: size('Private_Clean') + size('Private_Dirty'),
				resident: size('Rss'),
			};
		});
	return sizes.sort((a, b) => b.own - a.own)[0];
}

const launched = Date.now();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
const started = Date.now() - launched;
await page.goto(address);
await page.waitForFunction(() => window.tdat?.timeline.completeAt !== undefined, null, {
	timeout: 120000,
});
const first = await page.evaluate(() => window.tdat.timeline.completeAt);
await page.waitForFunction(() => window.tdat.ready && window.tdat.timeline.settled, null, {
	timeout: 120000,
});
const all = await page.evaluate(() => performance.now());
const times = await page.evaluate(async (count) => {
	const { state, timeline } = window.tdat;
	const taken = [];
	const { viewport } = state;
	for (let i = 0; i < count; i++) {
		// Zooms in to different places, moves there, and comes back: always the same way.
		if (i % 10 === 9) viewport.all();
		else if (i % 3 === 2) viewport.pan(0.4);
		else viewport.zoom(0.4, ((i * 7) % 10) / 10);
		const start = performance.now();
		state.tell('window');
		while (!timeline.settled) await new Promise((done) => setTimeout(done, 1));
		taken.push(performance.now() - start);
	}
	return taken.sort((a, b) => a - b);
}, Number(windows));
const memory = await tabMemory(browser);
const rank = (share) => times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)];
console.log(
	JSON.stringify({
		browser_start: started,
		first_complete_picture: Math.round(first),
		all_rows: Math.round(all),
		window_p50: Math.round(rank(0.5)),
		window_p95: Math.round(rank(0.95)),
		tab_own: memory.own,
		tab_resident: memory.resident,
	})
);
await browser.close();
