import { randomUUID } from "node:crypto";
import { ErrorCode, QUOTE_MINUTES } from "@tillgate/contract";
import { ledger } from "@tillgate/database";
import { AmountError, type Currency, convert, formatAmount, rateAfterSpread } from "@tillgate/money";
import { queryFirstRow, queryOneRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { invalidField, OperationError } from "../errors.js";
import { requireSandbox, type Shopper, type ShopperWallet } from "../identity/shoppers/read.js";
import { callLedger } from "../ledger/call.js";
import { readAmount } from "../pagination/amounts.js";
import { isIssuedId } from "../platform/ids.js";
import { consumeConfirmationLimit, consumeQuoteLimit } from "../platform/shopper-limits.js";
import { findOpenCurrency } from "./currencies.js";
import { marginAtSql } from "./price.js";
import { rethrowAsWalletClosed } from "./wallets/top-up.js";

const conversionSchema = z.object({
  id: z.string(),
  fromAmount: z.bigint(),
  fromCurrency: z.string(),
  fromDigits: z.int(),
  toAmount: z.bigint(),
  toCurrency: z.string(),
  toDigits: z.int(),
  rate: z.string(),
  marginPercent: z.string().nullable(),
  expiresAt: z.date(),
  transferId: z.string().nullable(),
  readAt: z.date(),
});
/** Amounts in minor units. `transferId` is null until the conversion is executed. */
export type Conversion = z.output<typeof conversionSchema>;

const CONVERSION = `
  SELECT v.id, v.from_amount AS "fromAmount", v.from_currency AS "fromCurrency", f.digits::int AS "fromDigits", v.to_amount AS "toAmount",
    v.to_currency AS "toCurrency", t.digits::int AS "toDigits", trim_scale(v.rate)::text AS rate, v.expires_at AS "expiresAt",
    ${marginAtSql({ mode: "v.mode", from: "v.from_currency", to: "v.to_currency", at: "v.created_at" })} AS "marginPercent",
    v.transfer_id AS "transferId", clock_timestamp() AS "readAt"
  FROM conversions v JOIN currencies f ON f.code = v.from_currency JOIN currencies t ON t.code = v.to_currency
  WHERE v.id = $1 AND v.wallet_user_id = $2`;

/** @throws OperationError ConversionNotFound, including for another shopper's conversion. */
export async function readConversion(
  { database: { pool } }: Context,
  { id: shopperId }: Pick<Shopper, "id">,
  id: string,
): Promise<Conversion> {
  const conversion = isIssuedId(id)
    ? await queryFirstRow(pool, conversionSchema, CONVERSION, [id, shopperId])
    : undefined;
  if (!conversion) throw new OperationError(ErrorCode.ConversionNotFound);
  return conversion;
}

type ConversionInput = { from: string; to: string; amount: number | string };

/**
 * Quotes amount × rate, rounded down. There is no fee; the rate includes the margin.
 * @throws OperationError SandboxOnly, TooManyAttempts, NoWallet, InsufficientBalance, NoRate, InvalidFields.
 */
export async function quoteConversion(
  context: Context,
  shopper: Pick<Shopper, "id" | "mode" | "pinResetAt">,
  wallets: readonly ShopperWallet[],
  request: ConversionInput,
): Promise<Conversion> {
  requireSandbox(shopper.mode);
  await consumeQuoteLimit(context, shopper.id);
  const wallet = wallets.find(({ currency }) => currency.code === request.from);
  if (!wallet) throw new OperationError(ErrorCode.NoWallet);
  if (request.to === request.from) throw invalidField("to_currency", "must be another currency");
  const [from, to] = [wallet.currency, await findOpenCurrency(context, request.to, "to_currency")];
  const amount = readAmount(request.amount, from);
  if (amount > wallet.balance)
    throw new OperationError(
      ErrorCode.InsufficientBalance,
      shopper.pinResetAt === null ? { missing: formatAmount(amount - wallet.balance, from) } : {},
    );
  const rate = await rateBetween(context, shopper.mode, from, to);
  const id = randomUUID();
  const { pool } = context.database;
  await pool.query(
    `INSERT INTO conversions (id, mode, wallet_user_id, from_currency, from_amount, to_currency, to_amount, rate, created_at, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, now.at, now.at + make_interval(secs => $9) FROM (SELECT clock_timestamp() AS at) AS now`,
    [
      id,
      shopper.mode,
      shopper.id,
      from.code,
      amount,
      to.code,
      convertAmount(amount, from, to, rate),
      rate,
      QUOTE_MINUTES * 60,
    ],
  );
  return queryOneRow(pool, conversionSchema, CONVERSION, [id, shopper.id]);
}

const rateSchema = z.object({ rate: z.string(), spread: z.string() });

/** Returns the current rate, net of the spread. @throws OperationError NoRate, including if the currency `from` is inactive. */
async function rateBetween(
  { database: { pool } }: Context,
  mode: string,
  from: Currency,
  to: Currency,
): Promise<string> {
  const row = await queryFirstRow(
    pool,
    rateSchema,
    `SELECT x.rate::text AS rate, x.spread_percent::text AS spread FROM exchange_rates x JOIN currencies f ON f.code = x.base AND f.active
     WHERE x.mode = $1 AND x.base = $2 AND x.quote = $3 AND x.effective_from <= clock_timestamp()
     ORDER BY x.effective_from DESC, x.created_at DESC LIMIT 1`,
    [mode, from.code, to.code],
  );
  if (!row) throw new OperationError(ErrorCode.NoRate);
  return rateAfterSpread(row.rate, row.spread);
}

/** Converts an amount, rounded down. @throws OperationError InvalidFields if the result is less than one minor unit, or too large. */
function convertAmount(amount: bigint, from: Currency, to: Currency, rate: string): bigint {
  try {
    const received = convert(amount, from.digits, to.digits, rate, "down");
    if (received > 0n) return received;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw invalidField("amount", error.message);
  }
  throw invalidField("amount", `is worth less than the smallest amount of ${to.code}`);
}

/**
 * Executes a quoted conversion, opening the wallet in the target currency if necessary. A repeated call returns the same result.
 * @throws OperationError SandboxOnly, TooManyAttempts, ConversionNotFound, ConversionExpired, InsufficientBalance, WalletClosed, NoWallet.
 */
export async function executeConversion(
  context: Context,
  shopper: Pick<Shopper, "id" | "mode">,
  id: string,
): Promise<Conversion> {
  requireSandbox(shopper.mode);
  await consumeConfirmationLimit(context, shopper.id);
  if (!isIssuedId(id)) throw new OperationError(ErrorCode.ConversionNotFound);
  await rethrowAsWalletClosed(
    callLedger(context, ledger.convertMoney, () => ({
      conversionId: id,
      walletUserId: shopper.id,
      transferId: randomUUID(),
    })),
  );
  return readConversion(context, shopper, id);
}
