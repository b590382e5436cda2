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

/** Whose credentials these are: `GET /account`. */
export const accountSchema = z.object({
  merchant_name: z.string().describe("The merchant's name."),
  mode: modeSchema.describe("The mode of the credentials."),
  console_url: z
    .string()
    .nullable()
    .describe(
      "The merchant's pages in the console: a mode and a page follow, as in `/sandbox/orders/POS-…`. Null where there is no console.",
    ),
});
export type Account = z.infer<typeof accountSchema>;

export const accountResponseSchema = successEnvelope(accountSchema);

/** A merchant's wallets and their statements, as the Pay API has them: what the console shows, in its own mode. */

const EXACT =
  "Exact in its text: of more than 15 digits a reader with binary floats sees the nearest number.";

export const walletBalanceSchema = z.object({
  currency: currencyCode.describe("ISO 4217 code."),
  balance: z.string().describe(`What can be spent. ${FORMATTED_AMOUNT}`),
  raw_balance: z.number().describe(`The balance as a number. ${EXACT}`),
  held: z.string().describe(`What is held for pending payouts and refunds. ${FORMATTED_AMOUNT}`),
  raw_held: z.number().describe(`What is held, as a number. ${EXACT}`),
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
    .describe("What moved the money. `hold` goes into what is held, `hold_return` comes back from it."),
  currency: currencyCode.describe("ISO 4217 code of the wallet."),
  amount: z.string().describe(`Below zero where the wallet was debited. ${FORMATTED_AMOUNT}`),
  raw_amount: z.number().describe("The amount as a number."),
  balance: z.string().describe(`The wallet's balance after it. ${FORMATTED_AMOUNT}`),
  raw_balance: z.number().describe(`The balance after it, as a number. ${EXACT}`),
  order_id: z.string().nullable().describe("The order that it is for, or null."),
  refund_id: z.string().nullable().describe("The refund that it is for, or null."),
  payout_id: z.string().nullable().describe("The payout that it is for, or null."),
  reference: z
    .string()
    .nullable()
    .describe("The reference of that, or the external one of a deposit or withdrawal."),
  created_at: timestamp.describe("When it was booked."),
});
export type BalanceEntry = z.infer<typeof balanceEntrySchema>;
export const balanceEntryListResponseSchema = successEnvelope(
  z.object({ entries: z.array(balanceEntrySchema), next_cursor: nextCursor }),
);
export type BalanceEntryList = z.infer<typeof balanceEntryListResponseSchema>["data"];
