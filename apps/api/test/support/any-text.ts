import fc from "fast-check";

const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0xd7_ff }),
  fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }),
);

/**
 * Strings of any Unicode characters except surrogates. fast-check's unit "binary" would first spend a second
 * building a table of all characters.
 */
export const anyText = fc.string({ unit: codePoint.map((code) => String.fromCodePoint(code)) });
