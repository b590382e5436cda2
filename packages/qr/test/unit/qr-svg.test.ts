import jsqr from "jsqr";
import { describe, expect, it } from "vitest";
import { MAXIMUM_DATA_BYTES, QrError, qrModules, qrSvg } from "../../src/index.js";

const address = "https://pay.example.com/pay/6sZ3m9QxT1vWc8LkD0aRfg";
const pixelsPerModule = 3;

// The library is CommonJS with a `default` export. Its types and Node.js disagree about whether the import returns the module or this
// export.
const decode = "default" in jsqr ? jsqr.default : jsqr;

/** Paints the SVG's two paths and scans the image. Returns undefined if no code is found. */
function scan(svg: string): string | undefined {
  const width = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const pixels = width * pixelsPerModule;
  const image = new Uint8ClampedArray(pixels * pixels * 4);
  for (const [, fill, path = ""] of svg.matchAll(/<path fill="(#fff|#000)" d="([^"]*)"/g)) {
    for (const [, x, y, runWidth, height] of path.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)[hH]-?\d+z/g)) {
      for (
        let row = Number(y) * pixelsPerModule;
        row < (Number(y) + Number(height)) * pixelsPerModule;
        row++
      ) {
        const start = (row * pixels + Number(x) * pixelsPerModule) * 4;
        image.fill(fill === "#fff" ? 255 : 0, start, start + Number(runWidth) * pixelsPerModule * 4);
      }
    }
  }
  return decode(image, pixels, pixels)?.data;
}

describe("qrSvg", () => {
  it.each([
    ["an address", address],
    ["one character", "x"],
    ["non-ASCII text", "Zahlung für Café ☕"],
    ["a long text", `${address}?${"a1-B2_".repeat(80)}`],
  ])("draws a code that a scanner reads back: %s", (_, data) => {
    expect(scan(qrSvg(data))).toBe(data);
  });

  it("leaves a quiet zone of four white modules on every side", () => {
    const { size } = qrModules(address);
    const svg = qrSvg(address);
    expect(svg).toContain(`viewBox="0 0 ${size + 8} ${size + 8}"`);
    expect(svg).toContain(`<path fill="#fff" d="M0 0h${size + 8}v${size + 8}H0z"/>`);
    const runs = [...svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].map(([, x, y, length]) =>
      [x, y, length].map(Number),
    );
    expect(Math.min(...runs.map(([x = 0]) => x))).toBe(4);
    expect(Math.min(...runs.map(([, y = 0]) => y))).toBe(4);
    expect(Math.max(...runs.map(([x = 0, , length = 0]) => x + length))).toBe(size + 4);
    expect(Math.max(...runs.map(([, y = 0]) => y))).toBe(size + 3);
  });

  it("complies with a strict content security policy", () => {
    expect(qrSvg(address, { title: "Pay", size: 240 })).not.toMatch(/style|script|href|url\(|on\w+=/);
  });

  it("is an image with an escaped label", () => {
    expect(qrSvg(address)).toMatch(/^<svg [^>]*role="img"[^>]*><title>QR code<\/title>/);
    expect(qrSvg(address, { title: "</title><script>&" })).toContain(
      "<title>&lt;/title&gt;&lt;script&gt;&amp;</title>",
    );
  });

  it("has a width and height in pixels only when a size is given", () => {
    expect(qrSvg(address)).not.toMatch(/ (width|height)=/);
    expect(qrSvg(address, { size: 240 })).toContain(' width="240" height="240"');
  });

  it.each([{ size: 0 }, { size: Number.NaN }, { margin: -1 }, { margin: 1.5 }, { margin: 33 }])(
    "rejects %o",
    (options) => {
      expect(() => qrSvg(address, options)).toThrow(RangeError);
    },
  );
});

describe("data of a QR code", () => {
  it("may be as long as the largest code can hold, counted in bytes", () => {
    expect(qrModules("é".repeat(1165).padEnd(1166, "x")).size).toBe(177);
    expect(() => qrModules("é".repeat(1166))).toThrow(expect.objectContaining({ reason: "too_long" }));
    expect(() => qrSvg("x".repeat(MAXIMUM_DATA_BYTES + 1))).toThrow(QrError);
  });

  it("may not be empty", () => {
    expect(() => qrSvg("")).toThrow(expect.objectContaining({ name: "QrError", reason: "empty" }));
  });
});
