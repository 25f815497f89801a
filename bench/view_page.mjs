// SPDX-License-Identifier: GPL-2.0-or-later
// Measures the page of tdat view in headless Chromium: how long until the first picture was drawn,
// until the overview strip was (which needs the whole index), and until the first picture with all
// rows was, those of tasks, calls and counters too; how long a window takes after zooming and moving; and the tab's memory, at the end and
// after its garbage was collected. The browser runs for two seconds before it opens the page. With a
// program and a file it measures from the start of both, tdat view and the browser.
// usage: view_page.mjs CHROMIUM ADDRESS [WINDOWS]
//        view_page.mjs CHROMIUM --command TDAT FILE
// Prints a line of JSON; times are in milliseconds, memory in bytes. Chromium is driven by its own
// protocol: Playwright has it keep all answers for the tools of developers, which doubles the tab.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

const [executablePath, place, ...more] = process.argv.slice(2);
const begin = Date.now();
const server =
	place === '--command'
		? spawn(more[0], ['view', '--no-browser', more[1]], {
				stdio: ['ignore', 'pipe', 'inherit'],
			})
		: null;
const windows = server ? '10' : (more[0] ?? '100');
const address = server
	? await new Promise((done) =>
			server.stdout.once('data', (bytes) => done(bytes.toString().trim()))
		)
	: place;
const profile = mkdtempSync(`${tmpdir()}/tdat-bench-`);
const launched = Date.now();
const chromium = spawn(
	executablePath,
	[
		'--headless=new',
		'--no-sandbox',
		'--disable-gpu',
		'--no-first-run',
		'--window-size=1400,948',
		`--user-data-dir=${profile}`,
		'--remote-debugging-pipe',
		server ? address : 'about:blank',
	],
	{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] }
);
const waiting = new Map();
let said = '';
let sent = 0;
chromium.stdio[4].on('data', (bytes) => {
	const messages = (said + bytes).split('\0');
	said = messages.pop();
	for (const message of messages.map((text) => JSON.parse(text))) {
		waiting.get(message.id)?.(message);
		waiting.delete(message.id);
	}
});

async function call(method, params = {}, sessionId = undefined) {
	const id = ++sent;
	const answered = new Promise((done) => waiting.set(id, done));
	chromium.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
	const { result, error } = await answered;
	if (error) throw new Error(`${method}: ${error.message}`);
	return result;
}

const { targetInfos } = await call('Target.getTargets');
const { targetId } = targetInfos.find(({ type }) => type === 'page');
const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });

async function evaluate(expression) {
	const { result, exceptionDetails } = await call(
		'Runtime.evaluate',
		{ expression, awaitPromise: true, returnByValue: true },
		sessionId
	);
	if (exceptionDetails) throw new Error(exceptionDetails.exception.description);
	return result.value;
}

/** Whether it is so; a page that is just being opened has nothing yet that could be asked. */
async function holds(expression) {
	try {
		return await evaluate(`Boolean(${expression})`);
	} catch (error) {
		if (/execution context|context was destroyed/.test(error.message)) return false;
		throw error;
	}
}

async function until(expression) {
	for (const end = Date.now() + 300000; !(await holds(expression)); ) {
		if (Date.now() > end) throw new Error(`never: ${expression}`);
		await new Promise((done) => setTimeout(done, 20));
	}
}

/** The memory of the tab's process: all that is its own, as the kernel counts it. */
/** The most memory that a process had resident, in bytes. */
function peakOf(pid) {
	return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}

async function tabMemory() {
	const { processInfo } = await call('SystemInfo.getProcessInfo');
	const sizes = processInfo
		.filter(({ type }) => type === 'renderer')
		.map(({ id }) => {
			const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
			const size = (name) =>
				Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(rollup)[1]) *
				1024;
			return size('Private_Clean') + size('Private_Dirty');
		});
	return Math.max(...sizes);
}

/** Zooms in to different places, moves there, and comes back: always the same way. */
async function lookAround(count) {
	const { state, timeline } = window.tdat;
	const taken = [];
	const { viewport } = state;
	for (let i = 0; i < count; i++) {
		if (i % 10 === 9) viewport.all();
		else if (i % 3 === 2) viewport.pan(0.4);
		else viewport.zoom(0.4, ((i * 7) % 10) / 10);
		const start = performance.now();
		state.tell('window');
		while (!timeline.settled) await new Promise((done) => setTimeout(done, 1));
		taken.push(performance.now() - start);
	}
	return taken.sort((a, b) => a - b);
}

const started = Date.now() - launched;
if (!server) {
	await new Promise((done) => setTimeout(done, 2000));
	await call('Page.navigate', { url: address }, sessionId);
}
await until('window.tdat?.timeline.completeAt');
const first = await evaluate('window.tdat.timeline.firstAt');
const complete = await evaluate('window.tdat.timeline.completeAt');
await until('window.tdat.overview?.completeAt');
const overview = await evaluate('window.tdat.overview.completeAt');
const opened = (await evaluate('performance.timeOrigin')) - begin;
await until('window.tdat.ready && window.tdat.timeline.settled');
const times = await evaluate(`(${lookAround})(${Number(windows)})`);
const own = await tabMemory();
await call('HeapProfiler.collectGarbage', {}, sessionId);
const kept = await tabMemory();
const rank = (share) =>
	Math.round(times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)]);
console.log(
	JSON.stringify({
		browser_start: started,
		first_picture: Math.round(first),
		overview: Math.round(overview),
		first_complete_picture: Math.round(complete),
		...(server
			? {
					overview_from_command: Math.round(opened + overview),
					from_command: Math.round(opened + complete),
					server: peakOf(server.pid),
				}
			: {}),
		window_p50: rank(0.5),
		window_p95: rank(0.95),
		window_most: Math.round(times.at(-1)),
		tab_own: own,
		tab_own_collected: kept,
	})
);
const ended = new Promise((done) => chromium.on('exit', done));
await call('Browser.close');
await ended;
server?.kill('SIGINT');
rmSync(profile, { recursive: true, force: true });
