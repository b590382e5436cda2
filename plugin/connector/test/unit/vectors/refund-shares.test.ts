import { expect, it } from "vitest";
import { z } from "zod";
import { refundShares } from "../../../src/payments/refund-shares.js";
import { readVectors } from "./read-vectors.js";

const minor = z.string().transform(BigInt);
const { cases } = readVectors(
  "refund-shares",
  z.strictObject({
    cases: z.array(
      z.strictObject({
        name: z.string(),
        parts: z.array(minor),
        before: minor,
        amount: minor,
        shares: z.array(minor),
      }),
    ),
  }),
);

it.each(cases)("refundShares: $name", ({ parts, before, amount, shares }) => {
  expect(refundShares(parts, before, amount)).toEqual(shares);
});
