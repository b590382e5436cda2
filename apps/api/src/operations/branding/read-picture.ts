import type { LogoType } from "@tillgate/contract";

/** The kind of a picture by its bytes, whatever its name says. */
export type Picture = { type: LogoType; width: number; height: number };

const ascii = (bytes: Buffer, start: number, end: number): string => bytes.toString("latin1", start, end);

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The header chunk comes first and says the size. */
const readPng = (bytes: Buffer): Picture | null =>
  bytes.length >= 33 && bytes.subarray(0, 8).equals(PNG_SIGNATURE) && ascii(bytes, 12, 16) === "IHDR"
    ? { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : null;

/** Start-of-frame markers: the three between them (DHT, JPG, DAC) start no frame. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Goes from segment to segment to the one that starts the frame. */
function readJpeg(bytes: Buffer): Picture | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker))
      return { type: "image/jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return null;
}

/** The three forms of a WebP: lossy, lossless, extended. */
function readWebp(bytes: Buffer): Picture | null {
  if (bytes.length < 30 || ascii(bytes, 0, 4) !== "RIFF" || ascii(bytes, 8, 12) !== "WEBP") return null;
  const type = "image/webp";
  switch (ascii(bytes, 12, 16)) {
    case "VP8 ":
      return bytes.readUIntBE(23, 3) === 0x9d012a
        ? { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
        : null;
    case "VP8L": {
      if (bytes[20] !== 0x2f) return null;
      const packed = bytes.readUInt32LE(21);
      return { type, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** Recognises PNG, JPEG and WebP by their bytes. @returns null for anything else, SVG too: that can carry scripts. */
export const readPicture = (bytes: Buffer): Picture | null =>
  readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
