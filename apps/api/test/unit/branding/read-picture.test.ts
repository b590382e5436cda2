import { describe, expect, it } from "vitest";
import { readPicture } from "../../../src/checkout/branding.js";

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );

const PNG = bytes(
  [0x89],
  "PNG\r\n",
  [0x1a, 0x0a, 0, 0, 0, 13],
  "IHDR",
  [0, 0, 1, 0x2c, 0, 0, 0, 0x50, 8, 6, 0, 0, 0, 1, 2, 3, 4],
);
/** An application segment, then the frame: 80 high, 300 wide. */
const JPEG = bytes([
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc0, 0, 11, 8, 0, 0x50, 1, 0x2c, 1, 1, 0x11, 0,
]);
const riff = (...parts: (string | number[])[]): Buffer => {
  const body = bytes("WEBP", ...parts);
  return bytes("RIFF", [body.length, 0, 0, 0], [...body]);
};
const LOSSY = riff("VP8 ", [10, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 0x2c, 0x01, 0x50, 0x00, 0, 0]);
const packed = (300 - 1) | ((80 - 1) << 14);
const LOSSLESS = riff("VP8L", [
  10,
  0,
  0,
  0,
  0x2f,
  packed & 255,
  (packed >> 8) & 255,
  (packed >> 16) & 255,
  packed >>> 24,
  0,
  0,
  0,
  0,
  0,
]);
const EXTENDED = riff("VP8X", [10, 0, 0, 0, 0, 0, 0, 0, 0x2b, 0x01, 0, 0x4f, 0, 0]);

describe("readPicture", () => {
  it.each([
    ["PNG", PNG, "image/png"],
    ["JPEG", JPEG, "image/jpeg"],
    ["lossy WebP", LOSSY, "image/webp"],
    ["lossless WebP", LOSSLESS, "image/webp"],
    ["extended WebP", EXTENDED, "image/webp"],
  ] as const)("reads the type and dimensions of %s", (_, picture, type) => {
    expect(readPicture(picture)).toEqual({ type, width: 300, height: 80 });
  });

  it.each([
    ["an empty file", bytes()],
    ["SVG", bytes('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>')],
    ["SVG with an XML declaration", bytes('<?xml version="1.0"?><svg/>')],
    ["GIF", bytes("GIF89a", [64, 0, 64, 0, 0, 0, 0])],
    ["HTML", bytes("<!doctype html><script>alert(1)</script>")],
    ["a PNG without its header", PNG.subarray(0, 20)],
    ["a PNG with a different first chunk", bytes([...PNG.subarray(0, 12)], "tEXt", [...PNG.subarray(16)])],
    ["a JPEG without a frame", JPEG.subarray(0, 9)],
    ["a JPEG with a segment beyond its end", bytes([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0, 0, 0, 0, 0, 0])],
    ["a WebP with an unknown chunk", riff("ABCD", [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ["a RIFF audio file", bytes("RIFF", [30, 0, 0, 0], "WAVE", [...Buffer.alloc(30)])],
  ])("rejects %s", (_, other) => {
    expect(readPicture(other)).toBeNull();
  });

  it("does not throw for a picture truncated at any length", () => {
    for (const picture of [PNG, JPEG, LOSSY, LOSSLESS, EXTENDED])
      for (let length = 0; length < picture.length; length += 1)
        expect(() => readPicture(picture.subarray(0, length))).not.toThrow();
  });
});
