// SPDX-License-Identifier: GPL-2.0-or-later
// Runs Perfetto's trace processor, the WebAssembly module of its web page, as a program with pipes.
//
// usage: node trace_processor.js FOLDER
//
// FOLDER has the files engine_bundle.js and trace_processor*.wasm of a release of ui.perfetto.dev.
// On standard input come requests, each a length (32 bits, little-endian) and so many bytes of a
// TraceProcessorRpcStream; each gets one answer of the same form on standard output: all that the
// trace processor replied. What it logs goes to standard error. When it aborts, so does this program,
// with exit status 3.
"use strict";

const fs = require("fs");
const path = require("path");

const folder = process.argv[2];

function fail(error) {
	process.stderr.write(`trace processor: ${error && error.stack ? error.stack : error}\n`);
	process.exit(3);
}

function readExactly(len) {
	const data = Buffer.alloc(len);
	let have = 0;
	while (have < len) {
		let got = 0;
		try {
			got = fs.readSync(0, data, have, len - have);
		} catch (error) {
			if (error.code === "EAGAIN")
				continue;
			if (error.code !== "EOF")
				throw error;
		}
		if (got === 0)
			return null;
		have += got;
	}
	return data;
}

function writeAll(data) {
	let done = 0;
	while (done < data.length) {
		try {
			done += fs.writeSync(1, data, done);
		} catch (error) {
			if (error.code !== "EAGAIN")
				throw error;
		}
	}
}

// The port through which the page talks to its worker: replies are collected.
const port = {
	onmessage: null,
	replies: [],
	postMessage(bytes) {
		this.replies.push(Buffer.from(bytes));
	},
};

function serve() {
	for (;;) {
		const head = readExactly(4);
		if (head === null)
			process.exit(0);
		const request = readExactly(head.readUInt32LE(0));
		if (request === null)
			fail("a request is cut");
		port.replies = [];
		port.onmessage({ data: new Uint8Array(request) });
		const answer = Buffer.concat(port.replies);
		const len = Buffer.alloc(4);
		len.writeUInt32LE(answer.length);
		writeAll(len);
		writeAll(answer);
	}
}

// How a web worker reads a file at once.
class Request {
	open(method, url) {
		this.file = path.join(folder, path.basename(url));
	}

	send() {
		const bytes = fs.readFileSync(this.file);
		this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
	}
}

function log(...words) {
	process.stderr.write(`${words.join(" ")}\n`);
}

process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

// The program is given what it uses of a web worker; that this is Node.js is kept from it.
const self = { location: { href: "file:///engine_bundle.js" } };
const names = {
	self, location: self.location, XMLHttpRequest: Request, importScripts() {},
	WorkerGlobalScope: Object, console: { log, warn: log, error: log }, process: undefined,
};
const code = fs.readFileSync(path.join(folder, "engine_bundle.js"), "utf8");
new Function(...Object.keys(names), code)(...Object.values(names));
self.onmessage({ data: port });
// What the program puts off until its module is there has run after this turn.
setImmediate(serve);
