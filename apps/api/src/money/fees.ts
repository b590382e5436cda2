import type { Mode } from "@tillgate/contract";
import { formatDecimal } from "@tillgate/money";
import type { Change } from "../audit/administrator.js";
import { changeWithAudit, recordChange, type Transaction } from "../audit/change.js";
import type { Context } from "../context.js";
import { invalidValue, notFound } from "../errors.js";
import { findMerchant } from "../identity/merchants.js";
import { getCurrency, type Money, parseMinorOrZero, requireCurrency } from "./currencies.js";

/** A payout fee: `fixed` plus `percent` of the payout. The merchant is null for the default schedule. */
export type ListedFee = { mode: Mode; merchant: string | null; fixed: Money; percent: string };

export async function listFees(context: Context): Promise<ListedFee[]> {
  const schedules = await context.database.prisma.feeSchedule.findMany({
    include: { merchant: { select: { name: true } } },
    orderBy: [{ mode: "asc" }, { merchantId: { sort: "asc", nulls: "first" } }, { currency: "asc" }],
  });
  return Promise.all(
    schedules.map(async ({ mode, merchant, fixed, percent, currency }) => ({
      mode,
      merchant: merchant?.name ?? null,
      fixed: { minor: fixed, currency: await getCurrency(context, currency) },
      percent: percent.toFixed(),
    })),
  );
}

/** Percent with up to 6 decimals, from 0 to 100. */
const PERCENT = /^(100(\.0{1,6})?|\d{1,2}(\.\d{1,6})?)$/;

export type FeeKey = {
  mode: Mode;
  currency: string;
  /** Omit for the default schedule. */
  merchant?: string | undefined;
};

export type SetFee = { fixed: Money; percent: string; merchant: string | null };

/**
 * Sets the fee for payouts from a currency, by default or for one merchant. Existing quotes keep their fee.
 * @throws OperationError SubjectNotFound, InvalidValue.
 */
export async function setFee(
  context: Context,
  input: Change & FeeKey & { fixed: string; percent: string },
): Promise<SetFee> {
  const { mode, percent } = input;
  const currency = await requireCurrency(context, input.currency);
  const fixed = parseMinorOrZero(input.fixed, currency, "The fixed fee");
  if (!PERCENT.test(percent))
    throw invalidValue(`The percentage (${percent}) must be a number from 0 to 100 with up to 6 decimals.`);
  const merchant = input.merchant === undefined ? null : await findMerchant(context, input.merchant);
  return changeWithAudit(context, input, async (tx) => {
    const before = await lockSchedule(tx, {
      mode,
      currency: currency.code,
      merchantId: merchant?.id ?? null,
    });
    const terms = { fixed, percent };
    if (before) await tx.feeSchedule.update({ where: { id: before.id }, data: terms });
    else
      await tx.feeSchedule.create({
        data: { ...terms, mode, currency: currency.code, merchantId: merchant?.id ?? null },
      });
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: merchant?.id ?? null,
      action: "fee.set",
      subject: currency.code,
      details: {
        mode,
        fixed_before: before ? formatDecimal(before.fixed, currency.digits) : null,
        percent_before: before?.percent.toFixed() ?? null,
        fixed_after: formatDecimal(fixed, currency.digits),
        percent_after: percent,
      },
    });
    return { fixed: { minor: fixed, currency }, percent, merchant: merchant?.name ?? null };
  });
}

/**
 * Removes the default fee or a merchant's fee. A merchant without a specific fee then pays the default fee, if any.
 * @throws OperationError SubjectNotFound; InvalidValue if several merchants have this name.
 */
export async function removeFee(context: Context, input: Change & FeeKey): Promise<void> {
  const { mode } = input;
  const { code, digits } = await requireCurrency(context, input.currency);
  const merchant = input.merchant === undefined ? null : await findMerchant(context, input.merchant);
  await changeWithAudit(context, input, async (tx) => {
    const before = await lockSchedule(tx, { mode, currency: code, merchantId: merchant?.id ?? null });
    if (!before) throw notFound(`${mode} fee in ${code}`);
    await tx.feeSchedule.delete({ where: { id: before.id } });
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: merchant?.id ?? null,
      action: "fee.remove",
      subject: code,
      details: {
        mode,
        fixed_before: formatDecimal(before.fixed, digits),
        percent_before: before.percent.toFixed(),
      },
    });
  });
}

/** Locks all fee schedules until the commit. @returns the requested schedule; null if there is none. */
async function lockSchedule(
  tx: Transaction,
  where: { mode: Mode; currency: string; merchantId: string | null },
) {
  await tx.$executeRaw`LOCK TABLE fee_schedules IN SHARE ROW EXCLUSIVE MODE`;
  return tx.feeSchedule.findFirst({ where });
}
