import { orderStatusSchema } from "@tillgate/contract";
import { expect, it } from "vitest";
import { z } from "zod";
import { differenceKinds, repairs, subjectConditions, subjectFields } from "../../../src/comparison-file.js";
import { loadComparisonRules } from "../../../src/comparison-rules.js";
import { compareOrder } from "../../../src/payments/compare-order.js";
import { readVectors } from "./read-vectors.js";

const shopSchema = z.strictObject({
  status: z.string(),
  payable: z.boolean(),
  paid: z.boolean(),
  total: z.string(),
  currency: z.string(),
  is_tillgate: z.boolean(),
  transaction_id: z.string(),
  fresh: z.boolean(),
  records: z.array(
    z.strictObject({
      id: z.int(),
      amount: z.string(),
      of: z.string().nullable(),
      sent: z.enum(subjectConditions.record.sent),
    }),
  ),
});
const paymentSchema = z.strictObject({
  tillgate_order: z.string(),
  amount_minor: z.string().regex(/^\d+$/).transform(BigInt),
  currency: z.string(),
  is_current: z.boolean(),
  applied: z.boolean(),
  siblings: z.array(z.string()),
});
const tillgateSchema = z.strictObject({
  status: orderStatusSchema,
  amount: z.number(),
  currency: z.string(),
  trx_id: z.string().nullable(),
  refunded_amount: z.number(),
  fresh: z.boolean(),
  refunds: z.array(
    z.strictObject({ refund_id: z.string(), amount: z.number(), applied: z.boolean(), fresh: z.boolean() }),
  ),
});

const fields = z.record(z.string(), z.unknown());

const { usual, cases } = readVectors(
  "comparisons",
  z.strictObject({
    usual: z.strictObject({ shop: fields, payment: fields, tillgate: fields }),
    cases: z.array(
      z.strictObject({
        name: z.string(),
        shop: fields.nullable(),
        payment: fields,
        tillgate: fields.nullable(),
        expect: z.array(
          z.strictObject({
            subject: z.enum(["order", "refund", "record"]),
            id: z.string(),
            field: z.enum([...subjectFields.order, ...subjectFields.refund]),
            difference: z.enum(differenceKinds),
            repair: z.enum(repairs).nullable(),
            text: z.string(),
          }),
        ),
      }),
    ),
  }),
);
type Case = (typeof cases)[number];

/** Omitted fields of a case have the values in `usual`. */
const whole = ({ shop, payment, tillgate }: Case) => ({
  shop: shop && shopSchema.parse({ ...usual.shop, ...shop }),
  payment: paymentSchema.parse({ ...usual.payment, ...payment }),
  tillgate: tillgate && tillgateSchema.parse({ ...usual.tillgate, ...tillgate }),
});

const rules = loadComparisonRules();

const compared = ({ shop, payment, tillgate }: ReturnType<typeof whole>) =>
  compareOrder({
    rules,
    order:
      shop === null
        ? null
        : {
            status: shop.status,
            isPayable: shop.payable,
            isPaid: shop.paid,
            total: shop.total,
            currency: shop.currency,
            isTillgate: shop.is_tillgate,
            transactionId: shop.transaction_id,
            isFresh: shop.fresh,
            records: shop.records.map(({ of, ...record }) => ({ ...record, refundId: of })),
          },
    payment: {
      tillgateOrderId: payment.tillgate_order,
      amountMinor: payment.amount_minor,
      currency: payment.currency,
      isCurrent: payment.is_current,
      isApplied: payment.applied,
      siblings: payment.siblings,
    },
    remote:
      tillgate === null
        ? null
        : {
            status: tillgate.status,
            raw_amount: tillgate.amount,
            currency: tillgate.currency,
            trx_id: tillgate.trx_id,
            refunded_amount: tillgate.refunded_amount,
            isFresh: tillgate.fresh,
            refunds: tillgate.refunds.map(({ amount, applied, fresh, ...refund }) => ({
              ...refund,
              raw_amount: amount,
              isApplied: applied,
              isFresh: fresh,
            })),
          },
  }).map(({ subject, subjectId: id, field, kind: difference, repair, text }) => ({
    subject,
    id,
    field,
    difference,
    repair,
    text,
  }));

it.each(cases)("compareOrder finds the differences: $name", (one) => {
  expect(compared(whole(one))).toEqual(one.expect);
});

it("every difference has a test vector, and its text has no unknown placeholder", () => {
  const expected = cases.flatMap((one) => one.expect);
  expect([...new Set(expected.map(({ difference }) => difference))].sort()).toEqual(
    [...differenceKinds].sort(),
  );
  for (const { text } of expected) expect(text).not.toMatch(/unknown|[{}]/);
});
