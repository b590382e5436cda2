import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { currencyCode, cursorField, modeSchema, nextCursor, pageFields, timestamp } from "../fields.js";

/** Whose credentials these are: `GET /account`. */
export const accountSchema = z.object({
  merchant_name: z.string(),
  mode: modeSchema,
  /** The merchant's pages in the console, without a mode. Null without a console. */
  console_url: z.string().nullable(),
});
export type Account = z.infer<typeof accountSchema>;

export const accountAnswerSchema = successEnvelope(accountSchema);

/** A merchant's wallets and their statements, as the Pay API has them: what the console shows, in its own mode. */

const sum = { amount: z.string(), raw_amount: z.number() };
const balance = { balance: z.string(), raw_balance: z.number() };

export const walletBalanceSchema = z.object({
  currency: currencyCode,
  ...balance,
  held: z.string(),
  raw_held: z.number(),
});
export type WalletBalance = z.infer<typeof walletBalanceSchema>;
export const walletBalancesAnswerSchema = successEnvelope(
  z.object({ balances: z.array(walletBalanceSchema) }),
);

export const listEntriesQuerySchema = z.object({ cursor: cursorField, per_page: pageFields.per_page });

const ENTRY_KINDS = ["payment", "refund", "payout", "hold", "hold_return", "deposit", "withdrawal"] as const;
export const balanceEntrySchema = z.object({
  entry_id: z.string(),
  kind: z.enum(ENTRY_KINDS),
  currency: currencyCode,
  ...sum,
  ...balance,
  order_id: z.string().nullable(),
  refund_id: z.string().nullable(),
  payout_id: z.string().nullable(),
  reference: z.string().nullable(),
  created_at: timestamp,
});
export type BalanceEntry = z.infer<typeof balanceEntrySchema>;
export const balanceEntryListAnswerSchema = successEnvelope(
  z.object({ entries: z.array(balanceEntrySchema), next_cursor: nextCursor }),
);
export type BalanceEntryList = z.infer<typeof balanceEntryListAnswerSchema>["data"];
