import { type Mode, modeSchema } from "@tillgate/contract";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { currencyOf } from "../../readers/currencies.js";
import { findMerchant } from "./find-merchant.js";
import type { Money } from "./money.js";

export type ListedTerms = {
  merchant: string;
  mode: Mode;
  currency: string;
  authorized: boolean;
  /** Null: no limit. */
  perTransaction: Money | null;
  daily: Money | null;
  monthly: Money | null;
  /** Null: no payout waits. */
  reviewAbove: Money | null;
  /** Completed and pending payouts of this UTC day and month. */
  usedToday: Money;
  usedThisMonth: Money;
};

const usageSchema = z.object({
  merchant_id: z.string(),
  mode: modeSchema,
  currency: z.string(),
  period: z.enum(["day", "month"]),
  amount: z.bigint(),
});

/** What merchants may pay out, and what they did today and this month. @throws OperationError NotFound. */
export async function listPayoutTerms(
  context: Context,
  { merchant }: { merchant?: string | undefined },
): Promise<ListedTerms[]> {
  const merchantId = merchant === undefined ? undefined : (await findMerchant(context, merchant)).id;
  const terms = await context.database.prisma.payoutTerms.findMany({
    ...(merchantId === undefined ? {} : { where: { merchantId } }),
    include: { merchant: { select: { name: true } } },
    orderBy: [{ merchant: { name: "asc" } }, { merchantId: "asc" }, { mode: "asc" }, { currency: "asc" }],
  });
  const rows = await context.database.prisma.$queryRaw<unknown[]>`
    SELECT merchant_id, mode, currency, period, amount FROM payout_usage
    WHERE starts_on = date_trunc(period::text, clock_timestamp() AT TIME ZONE 'UTC')::date
      AND (${merchantId ?? null}::uuid IS NULL OR merchant_id = ${merchantId ?? null}::uuid)`;
  const usage = parseRows(usageSchema, rows);
  return Promise.all(
    terms.map(async (row) => {
      const currency = await currencyOf(context, row.currency);
      const money = (minor: bigint | null) => (minor === null ? null : { minor, currency });
      const used = (period: "day" | "month") => ({
        minor:
          usage.find(
            (one) =>
              one.period === period &&
              one.merchant_id === row.merchantId &&
              one.mode === row.mode &&
              one.currency === row.currency,
          )?.amount ?? 0n,
        currency,
      });
      return {
        merchant: row.merchant.name,
        mode: row.mode,
        currency: row.currency,
        authorized: row.authorized,
        perTransaction: money(row.perTransaction),
        daily: money(row.daily),
        monthly: money(row.monthly),
        reviewAbove: money(row.reviewAbove),
        usedToday: used("day"),
        usedThisMonth: used("month"),
      };
    }),
  );
}
