import { type Currency, rateAfterSpread } from "@tillgate/money";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { Partner } from "../../credentials/authenticate-partner.js";

/** All that the decision on a payout or quote needs, read at one time. Amounts in minor units of the sender currency. */
export type PayoutSituation = {
  /** Null: no such wallet. */
  merchantWallet: { id: string } | null;
  /** Null: no such currency, or it is inactive. */
  receiverCurrency: Currency | null;
  senderCurrency: Currency | null;
  recipientWallet: { id: string } | null;
  /** Null: not authorised. */
  terms: { perTransaction: bigint | null; reviewAbove: bigint | null } | null;
  fee: { fixed: bigint; percent: string };
  /** Sender to receiver after the spread; null: no rate is in effect. */
  rate: string | null;
};

const NO_FEE = { fixed: 0n, percent: "0" };

/**
 * One statement for all, because every payout asks it. A merchant's own fee goes before the default one; the newest rate
 * that is in effect by the database's clock counts. $1 merchant, $2 mode, $3 sender currency, $4 receiver currency, $5 recipient.
 */
const PAYOUT_SITUATION = `
  SELECT
    (SELECT id FROM accounts WHERE merchant_id = $1 AND mode = $2::mode AND currency = $3 AND kind = 'merchant'
       AND closed_at IS NULL) AS "merchantWallet",
    (SELECT id FROM accounts WHERE wallet_user_id = $5 AND mode = $2::mode AND currency = $4 AND kind = 'shopper'
       AND closed_at IS NULL) AS "recipientWallet",
    (SELECT digits FROM currencies WHERE code = $3 AND active) AS "senderDigits",
    (SELECT digits FROM currencies WHERE code = $4 AND active) AS "receiverDigits",
    t.authorized IS TRUE AS authorized, t.per_transaction AS "perTransaction", t.review_above AS "reviewAbove",
    f.fixed, trim_scale(f.percent)::text AS percent, r.rate::text AS rate, r.spread_percent::text AS spread
  FROM (SELECT) one
  LEFT JOIN payout_terms t ON t.merchant_id = $1 AND t.mode = $2::mode AND t.currency = $3
  LEFT JOIN LATERAL (
    SELECT fixed, percent FROM fee_schedules
    WHERE mode = $2::mode AND currency = $3 AND (merchant_id = $1 OR merchant_id IS NULL)
    ORDER BY merchant_id IS NULL LIMIT 1) f ON true
  LEFT JOIN LATERAL (
    SELECT rate, spread_percent FROM exchange_rates
    WHERE mode = $2::mode AND base = $3 AND quote = $4 AND effective_from <= clock_timestamp()
    ORDER BY effective_from DESC, created_at DESC LIMIT 1) r ON $3 <> $4`;

const rowsSchema = z.tuple([
  z.object({
    merchantWallet: z.uuid().nullable(),
    recipientWallet: z.uuid().nullable(),
    senderDigits: z.int().nullable(),
    receiverDigits: z.int().nullable(),
    authorized: z.boolean(),
    perTransaction: z.bigint().nullable(),
    reviewAbove: z.bigint().nullable(),
    fixed: z.bigint().nullable(),
    percent: z.string().nullable(),
    rate: z.string().nullable(),
    spread: z.string().nullable(),
  }),
]);

/** Reads wallets, terms, fee and rate of a payout from one currency to another. */
export async function readPayoutSituation(
  { database: { pool } }: Context,
  { merchantId, mode }: Partner,
  recipient: { id: string },
  { sender, receiver }: { sender: string; receiver: string },
): Promise<PayoutSituation> {
  const { rows } = await pool.query({
    name: "payout situation",
    text: PAYOUT_SITUATION,
    values: [merchantId, mode, sender, receiver, recipient.id],
  });
  const [row] = rowsSchema.parse(rows);
  const { fixed, percent, rate, spread } = row;
  return {
    merchantWallet: row.merchantWallet === null ? null : { id: row.merchantWallet },
    recipientWallet: row.recipientWallet === null ? null : { id: row.recipientWallet },
    senderCurrency: currencyOf(sender, row.senderDigits),
    receiverCurrency: currencyOf(receiver, row.receiverDigits),
    terms: row.authorized ? { perTransaction: row.perTransaction, reviewAbove: row.reviewAbove } : null,
    fee: fixed === null || percent === null ? NO_FEE : { fixed, percent },
    rate: sender === receiver ? "1" : rate === null || spread === null ? null : rateAfterSpread(rate, spread),
  };
}

const currencyOf = (code: string, digits: number | null): Currency | null =>
  digits === null ? null : { code, digits };
