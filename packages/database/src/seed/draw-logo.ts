import { crc32, deflateSync } from "node:zlib";

const SIZE = 64;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** One byte of a palette index a pixel, no filter, no interlacing. */
const HEADER = [8, 3, 0, 0, 0];
/** The colours behind, of the leaves, and of the stem: red, green, blue. */
const PALETTE = [
  [0xff, 0xf7, 0xed],
  [0x15, 0x80, 0x3d],
  [0xc2, 0x41, 0x0c],
];
/** Three leaves around the middle: centre and radius in pixels. */
const LEAVES = [
  { x: 32, y: 19, radius: 12 },
  { x: 20, y: 35, radius: 12 },
  { x: 44, y: 35, radius: 12 },
];

const isLeaf = (x: number, y: number): boolean =>
  LEAVES.some((leaf) => (x - leaf.x) ** 2 + (y - leaf.y) ** 2 <= leaf.radius ** 2);
const isStem = (x: number, y: number): boolean => Math.abs(x - 32) < 2 && y >= 38 && y < 58;

const colourAt = (x: number, y: number): number => (isLeaf(x, y) ? 1 : isStem(x, y) ? 2 : 0);

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A clover as a PNG of some hundred bytes: the logo of the sandbox's first merchant. */
export function drawLogo(): { bytes: Buffer<ArrayBuffer>; width: number; height: number } {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set(HEADER, 8);
  // Each row begins with its filter: 0, none.
  const rows = Array.from({ length: SIZE }, (_, y) => [
    0,
    ...Array.from({ length: SIZE }, (_column, x) => colourAt(x, y)),
  ]);
  const bytes = Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(PALETTE.flat())),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return { bytes, width: SIZE, height: SIZE };
}
