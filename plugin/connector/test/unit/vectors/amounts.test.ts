import { describe, expect, it } from "vitest";
import { z } from "zod";
import { decimalText, readStoreTotal, StoreAmountError } from "../../../src/store/store-amount.js";
import { readVectors } from "./read-vectors.js";

/** The message for each reason. */
const texts = {
  too_many_decimals: /has more decimals than/,
  not_positive: /must be greater than zero|there is nothing to pay/,
  not_a_number: /must be a number/,
  exponent: /exponent/,
  too_large: /must (be|have) at most/,
  unknown_currency: /currency .* is not supported/,
};

const store = { total: z.string(), currency: z.string() };
const vectors = readVectors(
  "amounts",
  z.strictObject({
    accepted: z.array(z.strictObject({ ...store, digits: z.int(), minor: z.string(), text: z.string() })),
    refused: z.array(
      z.strictObject({ ...store, digits: z.int().nullable(), refused: z.literal(Object.keys(texts)) }),
    ),
  }),
);

describe("readStoreTotal", () => {
  it.each(vectors.accepted)(
    "parses $total $currency as $minor minor units",
    ({ total, currency, minor, text }) => {
      expect(readStoreTotal(total, currency)).toBe(BigInt(minor));
      expect(decimalText(BigInt(minor), currency)).toBe(text);
    },
  );

  it.each(vectors.refused)("rejects $total $currency: $refused", ({ total, currency, refused }) => {
    const reason = Object.entries(texts).find(([name]) => name === refused)?.[1];
    expect(() => readStoreTotal(total, currency)).toThrow(StoreAmountError);
    expect(() => readStoreTotal(total, currency)).toThrow(reason);
  });
});
