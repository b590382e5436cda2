import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { FieldRule } from "../errors/field-errors.js";
import { amount, isDayRange, MAX_KEY_LENGTH, optionalDay, text, timestamp } from "../fields.js";
import { payoutStatusSchema } from "../public/payouts.js";
import { refundStatusSchema } from "../public/refunds.js";
import { consoleFilterFields, consoleListSchema, consoleMoneySchema, consolePageSchema } from "./lists.js";
import { consoleRefundSchema } from "./orders.js";

/** `GET …/refunds` */
export const consoleRefundsQuerySchema = consolePageSchema.extend({
  ...consoleFilterFields,
  status: refundStatusSchema.optional(),
});
export type ConsoleRefundsQuery = z.output<typeof consoleRefundsQuerySchema>;
export const consoleRefundListResponseSchema = consoleListSchema(consoleRefundSchema);

/** `GET …/payouts`; `currency` is the sender's. */
export const consolePayoutsQuerySchema = consolePageSchema.extend({
  ...consoleFilterFields,
  status: payoutStatusSchema.optional(),
});
export type ConsolePayoutsQuery = z.output<typeof consolePayoutsQuerySchema>;

export const consolePayoutSchema = z.object({
  payout_id: z.string(),
  status: payoutStatusSchema,
  reference: z.string(),
  description: z.string().nullable(),
  money: consoleMoneySchema,
  fee: consoleMoneySchema,
  /** The sum of amount and fee. */
  total: consoleMoneySchema,
  received: consoleMoneySchema,
  /** A decimal string, from the sender's to the recipient's currency. */
  rate: z.string(),
  trx_id: z.string().nullable(),
  created_at: timestamp,
  processed_at: timestamp.nullable(),
});
export type ConsolePayout = z.infer<typeof consolePayoutSchema>;
export const consolePayoutListResponseSchema = consoleListSchema(consolePayoutSchema);
/** `GET …/payouts/{payout}`: the recipient's e-mail and phone are masked. */
export const consolePayoutResponseSchema = successEnvelope(
  consolePayoutSchema.extend({
    metadata: z.record(z.string(), z.string()).nullable(),
    recipient: z.object({ name: z.string(), email: z.string().nullable(), phone: z.string().nullable() }),
    /** Null without tracing. */
    trace_url: z.string().nullable(),
  }),
);

/** `POST …/payouts/quote`: the request is that of the Partner API's quote. */
export const consoleQuoteResponseSchema = successEnvelope(
  z.object({
    quote_id: z.uuid(),
    money: consoleMoneySchema,
    fee: consoleMoneySchema,
    total: consoleMoneySchema,
    received: consoleMoneySchema,
    rate: z.string(),
    expires_at: timestamp,
  }),
);

/** `POST …/payouts`: always with a quote, so the terms are those the user saw. */
export const consolePayoutRequestSchema = z.object({
  quote_id: text(64),
  reference: text(255),
  description: text(500).optional(),
  idempotency_key: text(MAX_KEY_LENGTH),
});
export const consolePayoutCreatedResponseSchema = successEnvelope(consolePayoutSchema);

export const consoleStatementEntrySchema = z.object({
  entry_id: z.string(),
  at: timestamp,
  /** `payment`, `refund`, `payout`, `hold`, `hold_return`, `deposit` or `withdrawal`. */
  kind: z.string(),
  money: consoleMoneySchema,
  balance: consoleMoneySchema,
  /** At most one of these IDs is not null: that of the entry's order, refund or payout. */
  order_id: z.string().nullable(),
  refund_id: z.string().nullable(),
  payout_id: z.string().nullable(),
  /** The reference of the order, refund or payout, or the external reference of a deposit or withdrawal. */
  reference: z.string().nullable(),
  order_reference: z.string().nullable(),
});
export type ConsoleStatementEntry = z.infer<typeof consoleStatementEntrySchema>;

/** `GET …/wallets/{currency}/statement`: `next` is a cursor for `before`, `previous` for `after`. */
export const consoleStatementResponseSchema = successEnvelope(
  z.object({
    items: z.array(consoleStatementEntrySchema),
    next: z.string().nullable(),
    previous: z.string().nullable(),
  }),
);

/** `GET …/wallets/{currency}/statement/period`: inclusive days in the user's time zone; entries are oldest first. */
export const consolePeriodQuerySchema = z
  .object({ from: optionalDay, to: optionalDay })
  .refine(({ from, to }) => isDayRange(from, to), { path: ["to"], error: FieldRule.NotBeforeFirstDay.text });
export const consolePeriodResponseSchema = successEnvelope(
  z.object({
    opening: consoleMoneySchema,
    closing: consoleMoneySchema,
    total: z.int(),
    /** Empty if there are more than `MAX_PERIOD_ENTRIES`. */
    items: z.array(consoleStatementEntrySchema),
  }),
);

/** `POST …/wallets/{currency}/top-up`: in the sandbox only. */
export const consoleTopUpRequestSchema = z.object({ amount, idempotency_key: text(MAX_KEY_LENGTH) });
export const consoleTopUpResponseSchema = successEnvelope(z.object({ transfer_id: z.uuid() }));
