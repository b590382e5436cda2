import { expect, it } from "vitest";
import { parseAddress, parseWebAddress, trimTrailingSlashes } from "../../src/parse-address.js";

it("parseAddress accepts non-ASCII hosts after many calls", () => {
  // Enough calls for the engine to optimise the function.
  for (let number = 0; number < 200_000; number += 1) parseAddress("https://shop.example/x");
  expect(parseAddress("https://münchen.example/ü")?.host).toBe("xn--mnchen-3ya.example");
  expect(parseAddress("münchen.example")).toBeUndefined();
});

it("trimTrailingSlashes removes any number of trailing slashes", () => {
  expect(trimTrailingSlashes("https://shop.example/path//")).toBe("https://shop.example/path");
  expect(trimTrailingSlashes("https://shop.example")).toBe("https://shop.example");
  expect(trimTrailingSlashes("/".repeat(100_000))).toBe("");
});

it("parseWebAddress accepts http and https only", () => {
  expect(parseWebAddress("HTTPS://shop.example/path")?.origin).toBe("https://shop.example");
  expect(parseWebAddress("http://shop.example")?.origin).toBe("http://shop.example");
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
