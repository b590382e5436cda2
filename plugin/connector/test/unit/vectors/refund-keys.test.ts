import { describe, expect, it } from "vitest";
import { z } from "zod";
import { refundKey, refundReference } from "../../../src/payments/create-outgoing-refund.js";
import { readVectors } from "./read-vectors.js";

const { cases } = readVectors(
  "refund-keys",
  z.strictObject({
    cases: z.array(
      z.strictObject({
        site: z.string(),
        order: z.int(),
        transaction: z.string(),
        number: z.string(),
        refunded_before_minor: z.string(),
        amount_minor: z.string(),
        failed_before: z.int(),
        key: z.string(),
        reference: z.string(),
      }),
    ),
  }),
);

describe("refundKey and refundReference", () => {
  it.each(cases)(
    "return the expected key and reference for $site $order $transaction: $amount_minor to refund, $refunded_before_minor already refunded, $failed_before failed refunds",
    (one) => {
      const parts = {
        site: one.site,
        storeOrderId: one.order,
        trxId: one.transaction,
        beforeMinor: BigInt(one.refunded_before_minor),
        amountMinor: BigInt(one.amount_minor),
        failedBefore: one.failed_before,
      };
      const key = refundKey(parts);
      expect(key).toBe(one.key);
      expect(refundReference(one.number, key)).toBe(one.reference);
    },
  );

  it("are tested with a different key in each case", () => {
    expect(new Set(cases.map(({ key }) => key)).size).toBe(cases.length);
  });
});
