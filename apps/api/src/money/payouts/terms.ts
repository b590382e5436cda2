import { randomUUID } from "node:crypto";
import { type Mode, modeSchema } from "@tillgate/contract";
import { ledger, type PayoutTermsModel } from "@tillgate/database";
import { type Currency, formatDecimal } from "@tillgate/money";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Change } from "../../audit/administrator.js";
import { callForAdministrator, changeWithAudit, recordChange } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { invalidValue } from "../../errors.js";
import { findMerchant } from "../../identity/merchants.js";
import { getCurrency, type Money, parseMinorOrZero, requireCurrency } from "../currencies.js";

export type ListedTerms = {
  merchant: string;
  mode: Mode;
  currency: string;
  authorized: boolean;
  /** Null for no limit. */
  perTransaction: Money | null;
  daily: Money | null;
  monthly: Money | null;
  /** Null if no payout needs a review. */
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

/** @throws OperationError SubjectNotFound; InvalidValue if several merchants have this name. */
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
      const currency = await getCurrency(context, row.currency);
      const toMoney = (minor: bigint | null) => (minor === null ? null : { minor, currency });
      const getUsage = (period: "day" | "month") => ({
        minor:
          usage.find(
            (usageRow) =>
              usageRow.period === period &&
              usageRow.merchant_id === row.merchantId &&
              usageRow.mode === row.mode &&
              usageRow.currency === row.currency,
          )?.amount ?? 0n,
        currency,
      });
      return {
        merchant: row.merchant.name,
        mode: row.mode,
        currency: row.currency,
        authorized: row.authorized,
        perTransaction: toMoney(row.perTransaction),
        daily: toMoney(row.daily),
        monthly: toMoney(row.monthly),
        reviewAbove: toMoney(row.reviewAbove),
        usedToday: getUsage("day"),
        usedThisMonth: getUsage("month"),
      };
    }),
  );
}

const LIMITS = ["perTransaction", "daily", "monthly", "reviewAbove"] as const;
const NAMES = {
  perTransaction: "The limit per transaction",
  daily: "The daily limit",
  monthly: "The monthly limit",
  reviewAbove: "The review amount",
} as const;
type Limit = (typeof LIMITS)[number];

export type TermsInput = Change & {
  merchant: string;
  mode: Mode;
  currency: string;
  /** Whether payouts from this currency are allowed at all. */
  authorized?: boolean | undefined;
} & {
  /** Decimal text; null for no limit. If omitted, the limit stays unchanged. */
  [Name in Limit]?: string | null | undefined;
};

export type SetTerms = { merchant: string; currency: Currency; terms: PayoutTermsModel; changed: boolean };

/** Sets payout limits, or whether payouts are authorized. Pending payouts do not change. @throws OperationError SubjectNotFound, InvalidValue. */
export async function setPayoutTerms(context: Context, input: TermsInput): Promise<SetTerms> {
  const { mode } = input;
  const currency = await requireCurrency(context, input.currency);
  const { id: merchantId, name } = await findMerchant(context, input.merchant);
  const changes: Partial<Pick<PayoutTermsModel, Limit | "authorized">> = {};
  for (const limit of LIMITS) {
    const text = input[limit];
    if (text !== undefined)
      changes[limit] = text === null ? null : parseMinorOrZero(text, currency, NAMES[limit]);
  }
  if (input.authorized !== undefined) changes.authorized = input.authorized;
  if (Object.keys(changes).length === 0)
    throw invalidValue("Specify at least one limit or the authorization.");
  const key = { merchantId, mode, currency: currency.code };
  return changeWithAudit(context, input, async (tx) => {
    await tx.payoutTerms.createMany({ data: [key], skipDuplicates: true });
    await tx.$queryRaw`SELECT FROM payout_terms WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode
      AND currency = ${currency.code} FOR UPDATE`;
    const before = await tx.payoutTerms.findUniqueOrThrow({ where: { merchantId_mode_currency: key } });
    const terms = await tx.payoutTerms.update({ where: { merchantId_mode_currency: key }, data: changes });
    const differing = (["authorized", ...LIMITS] as const).filter((field) => before[field] !== terms[field]);
    if (differing.length > 0)
      await recordChange(tx, {
        administrator: input.administrator,
        merchantId,
        action: "payout_terms.set",
        subject: currency.code,
        details: {
          mode,
          ...Object.fromEntries(
            differing.flatMap((field) => [
              [`${field}_before`, asDetail(before[field], currency)],
              [`${field}_after`, asDetail(terms[field], currency)],
            ]),
          ),
        },
      });
    return { merchant: name, currency, terms, changed: differing.length > 0 };
  });
}

const asDetail = (value: bigint | boolean | null, { digits }: Currency): string | boolean | null =>
  typeof value === "bigint" ? formatDecimal(value, digits) : value;

export type SingleLimitResult = {
  /** `requested` if a second administrator must approve the increase. */
  outcome: "set" | "requested";
  /** ID of the request; null if `set`. */
  id: string | null;
  limit: Money;
};

/**
 * Sets the limit up to which a single administrator may make live movements in a currency. An increase takes effect only after a second
 * administrator approves it.
 * @throws OperationError SubjectNotFound, InvalidValue, RaiseWaiting.
 */
export async function setSingleLimit(
  context: Context,
  input: Change & { currency: string; amount: string },
): Promise<SingleLimitResult> {
  const currency = await requireCurrency(context, input.currency);
  const minor = parseMinorOrZero(input.amount, currency, "The limit");
  const { outcome, id } = await callForAdministrator(context, input, ledger.setSingleLimit, () => ({
    currency: currency.code,
    limit: minor,
    requestId: randomUUID(),
    administratorId: input.administrator.id,
  }));
  return { outcome, id, limit: { minor, currency } };
}
