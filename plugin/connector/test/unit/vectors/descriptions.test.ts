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

describe("describeItems", () => {
  it.each(cases)("describes $name", ({ items, number, expect: expected }) => {
    expect(describeItems(items, number)).toBe(expected);
  });

  it.each(lengths)(
    "limits the description of an item named $letters × $letter to 500 characters",
    ({ letter, letters, expect_letters, cut }) => {
      const description = describeItems([{ name: letter.repeat(letters), quantity: 1 }], "109");
      expect(description).toBe(`1 × ${letter.repeat(expect_letters)}${cut ? "…" : ""}`);
    },
  );
});
