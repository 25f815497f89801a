// SPDX-License-Identifier: GPL-2.0-or-later
// Makes pictures small: a PNG of at most 256 colors, which for pages is a third of one with all colors.

import { deflateSync } from 'node:zlib';

/** Runs in a page: the size of a picture, 256 colors, and the number of the nearest one for each pixel. */
async function quantize(base64) {
	const image = new Image();
	image.src = `data:image/png;base64,${base64}`;
	await image.decode();
	const { width, height } = image;
	const canvas = Object.assign(document.createElement('canvas'), { width, height });
	const pen = canvas.getContext('2d', { willReadFrequently: true });
	pen.drawImage(image, 0, 0);
	const { data } = pen.getImageData(0, 0, width, height);
	const at = (place) => (data[place] << 16) | (data[place + 1] << 8) | data[place + 2];
	const counts = new Map();
	for (let place = 0; place < data.length; place += 4) counts.set(at(place), (counts.get(at(place)) ?? 0) + 1);
	const palette = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 256).map(([color]) => color);
	const apart = (a, b) =>
		((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
	const nearest = new Map(palette.map((color, index) => [color, index]));
	const pixels = [];
	for (let place = 0; place < data.length; place += 4) {
		const color = at(place);
		if (!nearest.has(color)) {
			let best = 0;
			for (const index of palette.keys()) if (apart(color, palette[index]) < apart(color, palette[best])) best = index;
			nearest.set(color, best);
		}
		pixels.push(nearest.get(color));
	}
	return { width, height, palette, pixels };
}

function crc(bytes) {
	let sum = 0xffffffff;
	for (const byte of bytes) {
		sum ^= byte;
		for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
	}
	return ~sum >>> 0;
}

function chunk(type, data) {
	const made = Buffer.alloc(data.length + 12);
	made.writeUInt32BE(data.length, 0);
	made.write(type, 4, 'latin1');
	data.copy(made, 8);
	made.writeUInt32BE(crc(made.subarray(4, data.length + 8)), data.length + 8);
	return made;
}

/** The same picture with at most 256 colors; `page` is an empty one. */
export async function smallPng(page, png) {
	const { width, height, palette, pixels } = await page.evaluate(quantize, png.toString('base64'));
	const head = Buffer.alloc(13);
	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	head.set([8, 3], 8);
	const lines = Buffer.alloc(height * (width + 1));
	for (let y = 0; y < height; y++) lines.set(pixels.slice(y * width, (y + 1) * width), y * (width + 1) + 1);
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		chunk('IHDR', head),
		chunk('PLTE', Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
		chunk('IDAT', deflateSync(lines, { level: 9 })),
		chunk('IEND', Buffer.alloc(0)),
	]);
}
