import type { Mode, PayoutRequest } from "@tillgate/contract";
import { AmountError, type Currency, calculatePercentage, convert, rateAfterSpread } from "@tillgate/money";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { unnestArguments } from "../../ledger/group-commit.js";
import { isIssuedId } from "../../platform/ids.js";

/** `fee` is in minor units of the sender's currency, `receiverAmount` of the receiver's. `rate` is an exact decimal. */
export type PayoutPrice = { fee: bigint; rate: string; receiverAmount: bigint };

/** `amount` is in minor units of the sender's currency. */
export type Pricing = {
  amount: bigint;
  sender: { digits: number };
  receiver: { digits: number };
  /** Fixed minor units and percent of the amount. */
  fee: { fixed: bigint; percent: string };
  /** From sender to receiver, net of the spread, rounded to 10 significant digits; "1" for equal currencies. */
  rate: string;
};

/**
 * Prices a payout. The fee, charged on top, is rounded half up; the recipient's amount is rounded down.
 * @returns null if the recipient's amount is zero or exceeds the maximum. `amount` and the fee are not checked.
 */
export function pricePayout({ amount, sender, receiver, fee, rate }: Pricing): PayoutPrice | null {
  try {
    const receiverAmount = convert(amount, sender.digits, receiver.digits, rate, "down");
    return receiverAmount === 0n
      ? null
      : { fee: fee.fixed + calculatePercentage(amount, fee.percent), rate, receiverAmount };
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}

export type PayoutInput = Partial<
  Pick<
    PayoutRequest,
    "quote_id" | "lookup_token" | "sender_currency" | "receiver_currency" | "amount" | "reference"
  >
> & { idempotency_key?: string };

/** Facts about a payout request, from one read. Amounts, except `receiverAmount`, are in minor units of the sender currency. */
export type PayoutFacts = {
  /** The payout that an earlier request with this idempotency key created. */
  existingPayoutId: string | null;
  referenceTaken: boolean;
  /** The requested quote; null if it is unknown, another merchant's, used or expired. */
  quote: ({ id: string; amount: bigint } & PayoutPrice) | null;
  /**
   * With a quote, its recipient; otherwise the recipient of the lookup token, or the recipient that the query names. Null if the quote or token is
   * unknown, another merchant's or expired, or if the quote was used.
   */
  recipient: { id: string; active: boolean } | null;
  /** ID of the lookup token's recipient, even if the token has expired. */
  tokenRecipientId: string | null;
  /** IDs of the open wallets in the sender and the receiver currency; null if there is none. */
  merchantWallet: string | null;
  recipientWallet: string | null;
  /** The currency of the quote or, without a quote, of the request; null if there is no such currency. */
  sender: UsedCurrency | null;
  receiver: UsedCurrency | null;
  /** Null if payouts in the currency are not authorized. */
  terms: { reviewAbove: bigint | null } | null;
  fee: { fixed: bigint; percent: string };
  /** From the sender to the receiver currency, net of the spread; null if no rate is in effect. */
  rate: string | null;
};

type UsedCurrency = Currency & { active: boolean };

const NO_FEE = { fixed: 0n, percent: "0" };
/** Matches no row. Replaces a string that cannot be an ID. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

/**
 * One row per item. LATERAL with LIMIT forces index lookups. ORDER BY forces the index on references: with EXISTS, a plan made for few payouts would
 * read all payouts, or all of the merchant's. Arguments have one element per item: $1 merchant, $2 mode, $3 idempotency key, $4 reference, $5 quote,
 * $6 lookup token, $7 recipient, $8 sender currency, $9 receiver currency; all but the first two may be null.
 */
const PAYOUT_FACTS = `
  SELECT
    (SELECT resource_id FROM idempotency_keys
      WHERE merchant_id = a.merchant_id AND mode = a.mode AND operation = 'execute_payout' AND key = a.key) AS "existingPayoutId",
    (SELECT (p.merchant_id, p.mode, p.reference) = (a.merchant_id, a.mode, a.reference) FROM payouts p
      WHERE (p.merchant_id, p.mode, p.reference) >= (a.merchant_id, a.mode, a.reference) AND a.reference IS NOT NULL
      ORDER BY p.merchant_id, p.mode, p.reference LIMIT 1) IS TRUE AS "referenceTaken",
    q.id AS "quoteId", q.amount AS "quoteAmount", q.fee AS "quoteFee", trim_scale(q.rate)::text AS "quoteRate",
    q.receiver_amount AS "quoteReceiverAmount",
    u.id AS recipient, u.active IS TRUE AS "recipientActive", l.wallet_user_id AS "tokenRecipientId",
    (SELECT id FROM accounts WHERE merchant_id = a.merchant_id AND mode = a.mode AND currency = c.sender AND kind = 'merchant'
       AND closed_at IS NULL) AS "merchantWallet",
    (SELECT id FROM accounts WHERE wallet_user_id = u.id AND mode = a.mode AND currency = c.receiver AND kind = 'shopper'
       AND closed_at IS NULL) AS "recipientWallet",
    c.sender AS "senderCode", s.digits AS "senderDigits", s.active IS TRUE AS "senderActive",
    c.receiver AS "receiverCode", r.digits AS "receiverDigits", r.active IS TRUE AS "receiverActive",
    t.authorized IS TRUE AS authorized, t.review_above AS "reviewAbove",
    f.fixed, trim_scale(f.percent)::text AS percent, x.rate::text AS rate, x.spread_percent::text AS spread
  FROM ${unnestArguments(["uuid", "mode", "text", "text", "uuid", "uuid", "uuid", "text", "text"])}
    WITH ORDINALITY AS a (merchant_id, mode, key, reference, quote_id, token, recipient, sender, receiver, position)
  LEFT JOIN LATERAL (
    SELECT * FROM quotes WHERE id = a.quote_id AND merchant_id = a.merchant_id AND mode = a.mode AND used_at IS NULL
      AND expires_at > clock_timestamp() LIMIT 1) q ON true
  LEFT JOIN LATERAL (
    SELECT wallet_user_id, expires_at > clock_timestamp() AS usable FROM lookup_tokens
    WHERE id = a.token AND merchant_id = a.merchant_id AND mode = a.mode LIMIT 1) l ON true
  LEFT JOIN LATERAL (
    SELECT id, active FROM wallet_users
    WHERE id = CASE WHEN a.quote_id IS NOT NULL THEN q.wallet_user_id WHEN a.token IS NULL THEN a.recipient WHEN l.usable THEN l.wallet_user_id END
    LIMIT 1) u ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(q.sender_currency, a.sender) AS sender, coalesce(q.receiver_currency, a.receiver) AS receiver) c
  LEFT JOIN currencies s ON s.code = c.sender
  LEFT JOIN currencies r ON r.code = c.receiver
  LEFT JOIN LATERAL (
    SELECT * FROM payout_terms WHERE merchant_id = a.merchant_id AND mode = a.mode AND currency = c.sender LIMIT 1) t ON true
  LEFT JOIN LATERAL (
    SELECT fixed, percent FROM fee_schedules
    WHERE mode = a.mode AND currency = c.sender AND (merchant_id = a.merchant_id OR merchant_id IS NULL)
    ORDER BY merchant_id IS NULL LIMIT 1) f ON true
  LEFT JOIN LATERAL (
    SELECT rate, spread_percent FROM exchange_rates
    WHERE mode = a.mode AND base = c.sender AND quote = c.receiver AND effective_from <= clock_timestamp()
    ORDER BY effective_from DESC, created_at DESC LIMIT 1) x ON c.sender <> c.receiver
  ORDER BY a.position`;

const text = z.string().nullable();
const minor = z.bigint().nullable();
const digits = z.int().nullable();

const rowSchema = z.object({
  existingPayoutId: text,
  referenceTaken: z.boolean(),
  quoteId: text,
  quoteAmount: minor,
  quoteFee: minor,
  quoteRate: text,
  quoteReceiverAmount: minor,
  recipient: text,
  recipientActive: z.boolean(),
  tokenRecipientId: text,
  merchantWallet: text,
  recipientWallet: text,
  senderCode: text,
  senderDigits: digits,
  senderActive: z.boolean(),
  receiverCode: text,
  receiverDigits: digits,
  receiverActive: z.boolean(),
  authorized: z.boolean(),
  reviewAbove: minor,
  fixed: minor,
  percent: text,
  rate: text,
  spread: text,
});

const toIdOrNull = (id: string | undefined): string | null =>
  id === undefined ? null : isIssuedId(id) ? id : NO_ID;

export type PayoutQuery = {
  partner: { merchantId: string; mode: Mode };
  request: PayoutInput;
  /** ID of a recipient whom the merchant has looked up, for requests with neither a quote nor a lookup token. */
  recipientId?: string | undefined;
};

/** Returns the facts in the order of `queries`. */
export async function readPayoutFactsForGroup(
  { database: { pool } }: Pick<Context, "database">,
  queries: readonly PayoutQuery[],
): Promise<PayoutFacts[]> {
  const rows = await queryRows(pool, rowSchema, {
    name: "payout facts",
    text: PAYOUT_FACTS,
    values: [
      queries.map(({ partner }) => partner.merchantId),
      queries.map(({ partner }) => partner.mode),
      queries.map(({ request }) => request.idempotency_key ?? null),
      queries.map(({ request }) => request.reference ?? null),
      queries.map(({ request }) => toIdOrNull(request.quote_id)),
      queries.map(({ request }) => toIdOrNull(request.lookup_token)),
      queries.map(({ recipientId }) => recipientId ?? null),
      queries.map(({ request }) => request.sender_currency ?? null),
      queries.map(({ request }) => request.receiver_currency ?? null),
    ],
  });
  return rows.map(toFacts);
}

export async function readPayoutFacts(
  context: Pick<Context, "database">,
  partner: PayoutQuery["partner"],
  request: PayoutInput,
  recipientId?: string,
): Promise<PayoutFacts> {
  const [facts] = await readPayoutFactsForGroup(context, [{ partner, request, recipientId }]);
  if (!facts) throw new Error("the query for one payout's facts returned no rows");
  return facts;
}

function toFacts(row: Row): PayoutFacts {
  const { existingPayoutId, referenceTaken, tokenRecipientId, merchantWallet, recipientWallet } = row;
  return {
    existingPayoutId,
    referenceTaken,
    quote: toQuote(row),
    recipient: row.recipient === null ? null : { id: row.recipient, active: row.recipientActive },
    tokenRecipientId,
    merchantWallet,
    recipientWallet,
    sender: toCurrency(row.senderCode, row.senderDigits, row.senderActive),
    receiver: toCurrency(row.receiverCode, row.receiverDigits, row.receiverActive),
    terms: row.authorized ? { reviewAbove: row.reviewAbove } : null,
    fee: row.fixed === null || row.percent === null ? NO_FEE : { fixed: row.fixed, percent: row.percent },
    rate: toRate(row),
  };
}

type Row = z.output<typeof rowSchema>;

function toQuote({ quoteId: id, quoteAmount, quoteFee, quoteRate, quoteReceiverAmount }: Row) {
  if (id === null || quoteAmount === null || quoteFee === null) return null;
  if (quoteRate === null || quoteReceiverAmount === null) return null;
  return { id, amount: quoteAmount, fee: quoteFee, rate: quoteRate, receiverAmount: quoteReceiverAmount };
}

function toRate({ senderCode, receiverCode, rate, spread }: Row): string | null {
  if (senderCode === receiverCode) return "1";
  return rate === null || spread === null ? null : rateAfterSpread(rate, spread);
}

const toCurrency = (code: string | null, knownDigits: number | null, active: boolean): UsedCurrency | null =>
  code === null || knownDigits === null ? null : { code, digits: knownDigits, active };
