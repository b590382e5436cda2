import type { Mode } from "@tillgate/contract";
import type { PayoutTermsModel } from "@tillgate/database";
import { type Currency, formatDecimal } from "@tillgate/money";
import type { Context } from "../../context.js";
import { invalidValue } from "../../operation-error.js";
import type { Change } from "./administrator.js";
import { change, recordChange } from "./change.js";
import { findMerchant } from "./find-merchant.js";
import { readMinorOrZero, requireCurrency } from "./money.js";

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
  /** Decimal text; null: none; left out: as it is. */
  [Name in Limit]?: string | null | undefined;
};

/** The terms as they are now. */
export type SetTerms = { merchant: string; currency: Currency; terms: PayoutTermsModel; changed: boolean };

/**
 * Sets a merchant's payout terms in a currency: authorisation, limits per transaction, day and month, and the amount above
 * which payouts wait. Limits count for payouts from now on; waiting payouts do not change.
 * @throws OperationError NotFound, InvalidValue.
 */
export async function setPayoutTerms(context: Context, input: TermsInput): Promise<SetTerms> {
  const { mode } = input;
  const currency = await requireCurrency(context, input.currency);
  const { id: merchantId, name } = await findMerchant(context, input.merchant);
  const wanted: Partial<Pick<PayoutTermsModel, Limit | "authorized">> = {};
  for (const limit of LIMITS) {
    const text = input[limit];
    if (text !== undefined)
      wanted[limit] = text === null ? null : readMinorOrZero(text, currency, NAMES[limit]);
  }
  if (input.authorized !== undefined) wanted.authorized = input.authorized;
  if (Object.keys(wanted).length === 0) throw invalidValue("Say at least one limit to set.");
  const key = { merchantId, mode, currency: currency.code };
  return change(context, input, async (tx) => {
    await tx.payoutTerms.createMany({ data: [key], skipDuplicates: true });
    await tx.$queryRaw`SELECT FROM payout_terms WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode
      AND currency = ${currency.code} FOR UPDATE`;
    const before = await tx.payoutTerms.findUniqueOrThrow({ where: { merchantId_mode_currency: key } });
    const terms = await tx.payoutTerms.update({ where: { merchantId_mode_currency: key }, data: wanted });
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
