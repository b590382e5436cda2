import { WALLET_ACTIVITY_KINDS } from "@tillgate/contract";
import { z } from "zod";

export const activitySchema = z.object({
  entryId: z.bigint(),
  transferId: z.string(),
  kind: z.enum(WALLET_ACTIVITY_KINDS),
  amount: z.bigint(),
  currency: z.string(),
  digits: z.int(),
  at: z.date(),
  orderId: z.string().nullable(),
  refundId: z.string().nullable(),
  payoutId: z.string().nullable(),
  merchantName: z.string().nullable(),
  description: z.string().nullable(),
  conversionId: z.string().nullable(),
  counterAmount: z.bigint().nullable(),
  counterCurrency: z.string().nullable(),
  counterDigits: z.int().nullable(),
  merchantAmount: z.bigint().nullable(),
  merchantCurrency: z.string().nullable(),
  merchantDigits: z.int().nullable(),
});
/** One movement of a shopper's wallet: an entry in minor units, and what it was for. */
export type Activity = z.output<typeof activitySchema>;

/** What is read of an entry `n`, and from where. A shopper knows a merchant by the name that its pages show. */
export const ACTIVITY_COLUMNS = `
  n.id AS "entryId", t.id AS "transferId", t.kind::text AS kind, n.amount, n.currency, c.digits::int AS digits, t.created_at AS at,
    o.id AS "orderId", r.id AS "refundId", p.id AS "payoutId", coalesce(b.name, m.name) AS "merchantName",
    coalesce(o.description, p.description) AS description, cv.id AS "conversionId",
    CASE WHEN n.amount < 0 THEN cv.to_amount ELSE cv.from_amount END AS "counterAmount",
    CASE WHEN n.amount < 0 THEN cv.to_currency ELSE cv.from_currency END AS "counterCurrency", cc.digits::int AS "counterDigits",
    coalesce(r.amount, o.amount) AS "merchantAmount", o.currency AS "merchantCurrency", oc.digits::int AS "merchantDigits"`;
export const ACTIVITY_JOINS = `
  JOIN transfers t ON t.id = n.transfer_id
  JOIN currencies c ON c.code = n.currency
  LEFT JOIN refunds r ON r.transfer_id = t.id AND r.mode = t.mode
  LEFT JOIN orders paid ON paid.transfer_id = t.id AND paid.mode = t.mode
  LEFT JOIN orders o ON o.id = coalesce(paid.id, r.order_id)
  LEFT JOIN currencies oc ON oc.code = o.currency
  LEFT JOIN payouts p ON p.transfer_id = t.id AND p.mode = t.mode
  LEFT JOIN conversions cv ON cv.transfer_id = t.id AND cv.mode = t.mode
  LEFT JOIN currencies cc ON cc.code = CASE WHEN n.amount < 0 THEN cv.to_currency ELSE cv.from_currency END
  LEFT JOIN merchants m ON m.id = coalesce(o.merchant_id, p.merchant_id)
  LEFT JOIN merchant_branding b ON b.merchant_id = m.id`;
