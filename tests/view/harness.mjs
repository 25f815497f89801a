// SPDX-License-Identifier: GPL-2.0-or-later
// What the cases share: the program's answers, its server, a browser that notes each complaint.

import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import assert from 'node:assert/strict';
import { resolve } from 'node:path';

export class Harness {
	constructor(tdat, source, modules, chromium, tmp) {
		Object.assign(this, { tdat, source, modules, tmp, chromiumPath: chromium });
		this.playwright = createRequire(`${resolve(modules)}/`)('playwright-core');
		this.manyCpus = process.env.MANY_CPUS;
		this.servers = [];
		this.complaints = [];
	}

	fixture(name) {
		return `${this.source}/tests/fixtures/valid/${name}.dat`;
	}

	/** Lines that the program prints. */
	lines(...args) {
		const text = execFileSync(this.tdat, args, {
			maxBuffer: 1 << 28,
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		return text
			.toString()
			.trimEnd()
			.split('\n')
			.filter((line) => line !== '');
	}

	/** Events as tdat dump --json prints them, the time as BigInt. */
	events(file, ...args) {
		return this.lines('dump', '--json', '--json-strings', '--text', ...args, file).map(
			(line) => {
				const event = JSON.parse(line);
				return {
					...event,
					ts: BigInt(event.ts),
					cpu: Number(event.cpu),
					pid: Number(event.pid),
				};
			}
		);
	}

	/** Rows of a derived table. */
	table(file, name) {
		return this.lines(
			'export',
			'--to',
			'jsonl',
			'--table',
			name,
			'-o',
			'-',
			'-q',
			file
		).map((line) => JSON.parse(line));
	}

	/** Starts tdat view and gives the page's address. */
	serve(...files) {
		const server = spawn(this.tdat, ['view', '--no-browser', ...files], {
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		this.servers.push(server);
		return new Promise((done, failed) => {
			let said = '';
			const read = (bytes) => {
				said += bytes;
				const address = /http:\/\/\S+/.exec(said);
				if (address) done({ address: address[0], server });
			};
			server.stdout.on('data', read);
			server.stderr.on('data', read);
			server.on('exit', (code) =>
				failed(new Error(`tdat view ended with ${code}: ${said}`))
			);
		});
	}

	async start() {
		this.browser = await this.playwright.chromium.launch({
			executablePath: this.chromiumPath,
			args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
		});
	}

	/** A page in a browser of its own; what it complains about fails the case at its end. */
	async page(options = {}) {
		const context = await this.browser.newContext({
			viewport: { width: 1200, height: 800 },
			reducedMotion: 'reduce',
			...options,
		});
		const page = await context.newPage();
		page.setDefaultTimeout(30000);
		// The cases read pixels, of which Chromium says that it is slow.
		const usual = /willReadFrequently/;
		page.on('console', (message) => {
			const text = message.text();
			if (
				['error', 'warning'].includes(message.type()) &&
				!usual.test(text) &&
				!page.expected?.test(text)
			)
				this.complaints.push(`console: ${text}`);
		});
		page.on('pageerror', (error) => this.complaints.push(`error: ${error.stack}`));
		await page.addInitScript(() => {
			document.addEventListener('securitypolicyviolation', (event) =>
				console.error(
					`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`
				)
			);
		});
		return page;
	}

	/** Opens an address and waits for the first complete picture and the list. */
	async open(address, options) {
		const page = await this.page(options);
		await page.goto(address);
		await this.settled(page);
		return page;
	}

	/** Waits until what is drawn is the window, and no answer is awaited. */
	async settled(page) {
		await page.waitForFunction(
			() =>
				window.tdat?.ready &&
				window.tdat.timeline.settled &&
				window.tdat.list.exact
		);
	}

	async close() {
		await this.browser?.close();
		for (const server of this.servers) {
			if (server.exitCode === null) server.kill('SIGINT');
		}
	}

	noComplaints() {
		assert.deepEqual(this.complaints.splice(0), []);
	}
}

/** The window and what is chosen, as texts. */
export function viewOf(page) {
	return page.evaluate(() => {
		const { viewport, rows, filter, search, markA, markB, select, event } =
			window.tdat.state;
		const text = (value) =>
			value === null || value === undefined ? null : String(value);
		return {
			from: text(viewport.from),
			to: text(viewport.to),
			rows: [...rows],
			filter,
			search,
			a: text(markA),
			b: text(markB),
			select: select ? select.map(String) : null,
			event: event?.key ?? null,
		};
	});
}

/** Where a time lies on the canvas and the middle of a row, in pixels of the page. */
export function placeOf(page, key, ts) {
	return page.evaluate(
		([row, time]) => {
			const { timeline, state } = window.tdat;
			const { gutter, ruler, width } = timeline.view;
			const box = document.getElementById('timeline').getBoundingClientRect();
			const index = timeline.layout.keys.indexOf(row);
			return {
				x: box.left + gutter + state.viewport.x(BigInt(time), width),
				y:
					box.top +
					ruler +
					timeline.layout.tops[index] -
					timeline.layout.scroll +
					timeline.layout.heights[index] / 2,
				width,
				left: box.left + gutter,
			};
		},
		[key, String(ts)]
	);
}

/** The colour of the canvas at a pixel of the page. */
export function pixel(page, x, y) {
	return page.evaluate(
		([atX, atY]) => {
			const canvas = document.getElementById('timeline');
			const box = canvas.getBoundingClientRect();
			const ratio = canvas.width / box.width;
			return [
				...canvas
					.getContext('2d')
					.getImageData(
						Math.round((atX - box.left) * ratio),
						Math.round((atY - box.top) * ratio),
						1,
						1
					).data,
			]
				.slice(0, 3)
				.join(',');
		},
		[x, y]
	);
}

/** Shows from..to. */
export async function show(harness, page, from, to) {
	await page.evaluate(
		([a, b]) => {
			const { state } = window.tdat;
			state.viewport.set(BigInt(a), BigInt(b));
			state.tell('window');
		},
		[String(from), String(to)]
	);
	await harness.settled(page);
}
