import fc from "fast-check";
import { expect, it } from "vitest";
import { requestHash } from "../../../src/platform/request-hash.js";
import { anyText } from "../../support/any-text.js";

const hex = (fields: Parameters<typeof requestHash>[0]) => requestHash(fields).toString("hex");

it("the request hash ignores omitted fields and the order of fields", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b", "c", "d"), anyText), (fields) => {
      const reversed = Object.fromEntries(Object.entries(fields).reverse());
      expect(hex({ ...reversed, left: undefined, out: null })).toBe(hex(fields));
    }),
  );
});

it("the request hash changes if a text changes or moves to another field", () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, anyText, (a, b, c, d) => {
      fc.pre(a !== c || b !== d);
      expect(hex({ reference: a, reason: b })).not.toBe(hex({ reference: c, reason: d }));
    }),
  );
  expect(hex({ reference: 'x"],["reason","y' })).not.toBe(hex({ reference: "x", reason: "y" }));
  expect(hex({ reference: "" })).not.toBe(hex({}));
});

it("the request hash is the same only for equal amounts", () => {
  expect(hex({ amount: 1000n })).toBe(hex({ amount: 1000n }));
  expect(hex({ amount: 1000n })).not.toBe(hex({ amount: 1001n }));
  expect(hex({ amount: null })).not.toBe(hex({ amount: 0n }));
});
