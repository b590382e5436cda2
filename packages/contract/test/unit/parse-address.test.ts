import { expect, it } from "vitest";
import { parseAddress, parseWebAddress, withoutTrailingSlashes } from "../../src/parse-address.js";

it("an address with letters beyond ASCII stays one, however many addresses were looked at before", () => {
  // As many as it takes for the engine to optimise what is called.
  for (let number = 0; number < 200_000; number += 1) parseAddress("https://shop.example/x");
  expect(parseAddress("https://münchen.example/ü")?.host).toBe("xn--mnchen-3ya.example");
  expect(parseAddress("münchen.example")).toBeUndefined();
});

it("slashes at the end of an address are taken off, however many there are", () => {
  expect(withoutTrailingSlashes("https://shop.example/path//")).toBe("https://shop.example/path");
  expect(withoutTrailingSlashes("https://shop.example")).toBe("https://shop.example");
  expect(withoutTrailingSlashes("/".repeat(100_000))).toBe("");
});

it("a web address begins with http:// or https://", () => {
  expect(parseWebAddress("HTTPS://shop.example/path")?.origin).toBe("https://shop.example");
  for (const other of [
    "ftp://shop.example",
    "shop.example",
    "https:shop.example",
    " https://shop.example",
    "https://",
    "",
  ])
    expect(parseWebAddress(other)).toBeUndefined();
});
