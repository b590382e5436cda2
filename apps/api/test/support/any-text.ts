import fc from "fast-check";

const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0xd7_ff }),
  fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }),
);

/** Any Unicode text. fast-check's unit "binary" builds a table of all characters first, which takes a second. */
export const anyText = fc.string({ unit: codePoint.map((code) => String.fromCodePoint(code)) });
