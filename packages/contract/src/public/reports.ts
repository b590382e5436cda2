import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { FieldRule } from "../errors/field-errors.js";
import {
  csvDialect,
  currencyCode,
  cursorField,
  isDayRange,
  nextCursor,
  optionalDay,
  pageFields,
  timestamp,
} from "../fields.js";
import { isTimeZone, UTC } from "../time-zone.js";

const decimal = (description: string) =>
  z.string().describe(`${description} A decimal string, such as \`-10.00\`.`);

/** Follows the currency in the name of a wallet that contains the money held for pending payouts and refunds. */
export const HELD_SUFFIX = "-held";

export const reportWalletName = z
  .string()
  .describe(
    "The wallet's currency, such as `EUR`; with `-held` (`EUR-held`), the money held for pending payouts and refunds.",
  );

export const reportWalletSchema = z.object({
  wallet: reportWalletName,
  currency: currencyCode.describe("ISO 4217 code."),
  balance: decimal("The current balance."),
  first_entry_at: timestamp.nullable().describe("When the first entry was posted; null if there is none."),
});
export const reportWalletsResponseSchema = successEnvelope(
  z.object({ wallets: z.array(reportWalletSchema) }),
);
export type ReportWalletItem = z.infer<typeof reportWalletSchema>;

const ENTRY_TYPES = [
  "payment",
  "refund",
  "payout",
  "hold",
  "release",
  "deposit",
  "withdrawal",
  "top_up",
  "correction",
] as const;
export type ReportEntryType = (typeof ENTRY_TYPES)[number];

export const reportEntrySchema = z.object({
  entry_id: z.string().describe("Identifies the entry."),
  type: z
    .enum(ENTRY_TYPES)
    .describe(
      "`hold` sets money aside for a pending payout or refund; `release` returns it. `top_up` is sandbox money. `correction` reverses an earlier deposit or withdrawal.",
    ),
  currency: currencyCode.describe("ISO 4217 code of the wallet."),
  gross: decimal("The amount before fees; negative if the wallet was debited."),
  fee: decimal(
    "The payout's fee: positive if it left this wallet; negative if it entered this wallet, which happens to the held wallet when a payout is put on hold, and to the merchant's wallet when the hold is released.",
  ),
  net: decimal("The change in the balance: gross minus fee."),
  balance: decimal("The wallet's balance after the entry."),
  order_id: z.string().nullable().describe("The order that was paid or refunded, if any."),
  trx_id: z.string().nullable().describe("The transaction ID of the payment or payout, if any."),
  refund_id: z.string().nullable().describe("The refund, if any."),
  payout_id: z.string().nullable().describe("The payout, if any."),
  reference: z
    .string()
    .nullable()
    .describe("Your reference for the order, refund or payout, or the reference of a deposit or withdrawal."),
  order_number: z.string().nullable().describe("The shop's order number, if any."),
  metadata: z
    .record(z.string(), z.string())
    .nullable()
    .describe("The metadata of the order, refund or payout, as sent; null if none was."),
  corrects_entry_id: z.string().nullable().describe("The entry that a correction reverses."),
  created_at: timestamp.describe("When the entry was posted."),
});
export type ReportEntry = z.infer<typeof reportEntrySchema>;

const timeZone = z
  .string({ error: FieldRule.TimeZone.text })
  .refine(isTimeZone, { error: FieldRule.TimeZone.text })
  .meta({ default: UTC })
  .default(UTC);

const perPage = pageFields.per_page;
export const reportDayQuerySchema = z.object({
  date: optionalDay.unwrap(),
  time_zone: timeZone,
  cursor: cursorField,
  per_page: perPage,
});
export const reportFeedQuerySchema = z.object({ cursor: cursorField, per_page: perPage });

/** A month, such as `2026-11`. */
export const reportMonth = z
  .string({ error: FieldRule.RealMonth.text })
  .refine((text) => optionalDay.safeParse(`${text}-01`).success, { error: FieldRule.RealMonth.text });

export const feeStatementQuerySchema = z.object({ month: reportMonth, time_zone: timeZone });
export const feeTotalSchema = z.object({
  currency: currencyCode.describe("ISO 4217 code."),
  fees: decimal("The fees charged."),
});
export const feeStatementSchema = z.object({
  number: z
    .string()
    .describe("The number of the statement, always the same for an account, mode, month and time zone."),
  month: z.string().describe("The month, as `YYYY-MM`."),
  time_zone: z.string().describe("The time zone in which the month starts and ends."),
  starts_at: timestamp.describe("The start of the month."),
  ends_at: timestamp.describe("The end of the month, exclusive."),
  closed: z.boolean().describe("Whether the statement is final. A closed month never changes."),
  totals: z
    .array(feeTotalSchema)
    .describe("The fees in each currency in which fees were charged; empty if there were none."),
});
export type FeeStatement = z.infer<typeof feeStatementSchema>;
export const feeStatementResponseSchema = successEnvelope(feeStatementSchema);

/** Both days are inclusive; an omitted day leaves that end of the range open. */
export const statementFileQuerySchema = z
  .object({ from_date: optionalDay, to_date: optionalDay, time_zone: timeZone })
  .refine(({ from_date, to_date }) => isDayRange(from_date, to_date), {
    path: ["to_date"],
    error: FieldRule.NotBeforeFirstDay.text,
  });
export const statementCsvQuerySchema = statementFileQuerySchema.safeExtend({ dialect: csvDialect });

/** Opening + credits − debits − fees = closing. */
export const reportTotalsSchema = z.object({
  opening_balance: decimal("The balance at the start."),
  credits: decimal("The sum of the positive gross amounts."),
  debits: decimal("The sum of the negative gross amounts, without its sign."),
  fees: decimal("The sum of the entries' fees."),
  closing_balance: decimal("Opening balance plus credits, minus debits and fees."),
  entry_count: z.int().describe("Number of entries."),
});
export type ReportTotals = z.infer<typeof reportTotalsSchema>;

export const reportDaySchema = z.object({
  wallet: reportWalletName,
  currency: currencyCode.describe("ISO 4217 code."),
  date: z.string().describe("The day, as `YYYY-MM-DD`."),
  time_zone: z.string().describe("The time zone in which the day starts and ends."),
  starts_at: timestamp.describe("The start of the day."),
  ends_at: timestamp.describe(
    "The end of the day, exclusive. A day has 23 or 25 hours when the clocks change.",
  ),
  closed: z
    .boolean()
    .describe(
      "Whether the day is final. A closed day never changes: a later correction is an entry of the day on which it is posted.",
    ),
  ...reportTotalsSchema.shape,
  entries: z.array(reportEntrySchema).describe("A page of the entries, oldest first."),
  next_cursor: nextCursor,
});
export type ReportDay = z.infer<typeof reportDaySchema>;
export const reportDayResponseSchema = successEnvelope(reportDaySchema);

export const reportFeedSchema = z.object({
  wallet: reportWalletName,
  entries: z.array(reportEntrySchema).describe("Entries after the cursor, oldest first."),
  next_cursor: z
    .string()
    .describe("The `cursor` of the next call. Store it with the entries you've processed."),
  has_more: z.boolean().describe("Whether there are more entries now."),
});
export type ReportFeed = z.infer<typeof reportFeedSchema>;
export const reportFeedResponseSchema = successEnvelope(reportFeedSchema);
