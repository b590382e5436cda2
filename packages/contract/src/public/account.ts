import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import {
  currencyCode,
  cursorField,
  FORMATTED_AMOUNT,
  modeSchema,
  nextCursor,
  pageFields,
  timestamp,
} from "../fields.js";

/** `GET /account` */
export const accountSchema = z.object({
  merchant_name: z.string().describe("The merchant's name."),
  mode: modeSchema.describe("The mode of the credentials."),
  console_url: z
    .string()
    .nullable()
    .describe(
      "Base URL of the merchant in the console, to be followed by the mode and the page (`/sandbox/orders/POS-…`). Null without a console.",
    ),
});
export type Account = z.infer<typeof accountSchema>;

export const accountResponseSchema = successEnvelope(accountSchema);

/** Follows the description of a number that can have more than 15 digits. */

const EXACT =
  "The JSON text is exact, but parsers that use binary floats round numbers of more than 15 digits.";

export const walletBalanceSchema = z.object({
  currency: currencyCode.describe("ISO 4217 code."),
  balance: z.string().describe(`The available balance. ${FORMATTED_AMOUNT}`),
  raw_balance: z.number().describe(`The balance as a number. ${EXACT}`),
  held: z.string().describe(`The amount held for pending payouts and refunds. ${FORMATTED_AMOUNT}`),
  raw_held: z.number().describe(`The held amount as a number. ${EXACT}`),
});
export type WalletBalance = z.infer<typeof walletBalanceSchema>;
export const walletBalancesResponseSchema = successEnvelope(
  z.object({ balances: z.array(walletBalanceSchema) }),
);

export const listEntriesQuerySchema = z.object({ cursor: cursorField, per_page: pageFields.per_page });

const ENTRY_KINDS = ["payment", "refund", "payout", "hold", "hold_return", "deposit", "withdrawal"] as const;
export const balanceEntrySchema = z.object({
  entry_id: z.string().describe("Identifies the entry."),
  kind: z
    .enum(ENTRY_KINDS)
    .describe(
      "The type of movement. `hold` moves money from the balance to the held amount; `hold_return` moves it back.",
    ),
  currency: currencyCode.describe("ISO 4217 code of the wallet."),
  amount: z.string().describe(`Negative if the wallet was debited. ${FORMATTED_AMOUNT}`),
  raw_amount: z.number().describe("The amount as a number."),
  balance: z.string().describe(`The wallet's balance after the entry. ${FORMATTED_AMOUNT}`),
  raw_balance: z.number().describe(`The balance after the entry, as a number. ${EXACT}`),
  order_id: z.string().nullable().describe("The related order, if any."),
  refund_id: z.string().nullable().describe("The related refund, if any."),
  payout_id: z.string().nullable().describe("The related payout, if any."),
  reference: z
    .string()
    .nullable()
    .describe(
      "The reference of the related order, refund or payout, or the external reference of a deposit or withdrawal.",
    ),
  created_at: timestamp.describe("When the entry was posted."),
});
export type BalanceEntry = z.infer<typeof balanceEntrySchema>;
export const balanceEntryListResponseSchema = successEnvelope(
  z.object({ entries: z.array(balanceEntrySchema), next_cursor: nextCursor }),
);
export type BalanceEntryList = z.infer<typeof balanceEntryListResponseSchema>["data"];
