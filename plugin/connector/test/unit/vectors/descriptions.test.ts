import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeItems } from "../../../src/payments/payment-request.js";
import { readVectors } from "./read-vectors.js";

const { cases, lengths } = readVectors(
  "descriptions",
  z.strictObject({
    cases: z.array(
      z.strictObject({
        name: z.string(),
        number: z.string(),
        items: z.array(z.strictObject({ name: z.string(), quantity: z.number() })),
        expect: z.string(),
      }),
    ),
    lengths: z.array(
      z.strictObject({
        letter: z.string(),
        letters: z.int(),
        expect_letters: z.int(),
        cut: z.boolean(),
      }),
    ),
  }),
);

describe("the description of a payment", () => {
  it.each(cases)("$name", ({ items, number, expect: expected }) => {
    expect(describeItems(items, number)).toBe(expected);
  });

  it.each(lengths)("$letters times $letter", ({ letter, letters, expect_letters, cut }) => {
    const described = describeItems([{ name: letter.repeat(letters), quantity: 1 }], "109");
    expect(described).toBe(`1 × ${letter.repeat(expect_letters)}${cut ? "…" : ""}`);
  });
});
