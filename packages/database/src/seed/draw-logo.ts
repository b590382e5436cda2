import { crc32, deflateSync } from "node:zlib";

const SIZE = 64;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** One palette index byte per pixel, no filter, no interlacing. */
const HEADER = [8, 3, 0, 0, 0];
/** RGB of the demo shop's background, leaves and accent. */
const PALETTE = [
  [0xfa, 0xf6, 0xef],
  [0x71, 0x80, 0x5a],
  [0x9a, 0x4a, 0x2b],
];
/** A three-leaf clover over an arch, in pixels. */
const LEAVES = [
  { x: 32, y: 9, radius: 6 },
  { x: 25, y: 17, radius: 6 },
  { x: 39, y: 17, radius: 6 },
];
const ARCH = { x: 32, outer: { y: 34, radius: 24 }, inner: { y: 36, radius: 10 }, foot: 60 };

const isWithin = (x: number, y: number, circle: { x: number; y: number; radius: number }): boolean =>
  (x - circle.x) ** 2 + (y - circle.y) ** 2 <= circle.radius ** 2;
/** Returns whether a point is in a half circle on two legs. */
const isVault = (x: number, y: number, { y: middle, radius }: { y: number; radius: number }): boolean =>
  y < middle ? isWithin(x, y, { x: ARCH.x, y: middle, radius }) : Math.abs(x - ARCH.x) <= radius;

const isLeaf = (x: number, y: number): boolean => LEAVES.some((leaf) => isWithin(x, y, leaf));
const isArch = (x: number, y: number): boolean =>
  y < ARCH.foot && isVault(x, y, ARCH.outer) && !isVault(x, y, ARCH.inner);

const getColour = (x: number, y: number): number => (isLeaf(x, y) ? 1 : isArch(x, y) ? 2 : 0);

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

export function drawLogo(): { bytes: Buffer<ArrayBuffer>; width: number; height: number } {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set(HEADER, 8);
  // Each row starts with its filter type: 0, none.
  const rows = Array.from({ length: SIZE }, (_, y) => [
    0,
    ...Array.from({ length: SIZE }, (_column, x) => getColour(x, y)),
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
