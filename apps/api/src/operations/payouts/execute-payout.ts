import { randomUUID } from "node:crypto";
import { FieldRule, fieldError, type PayoutRequest, Refusal } from "@tillgate/contract";
import { ledger, type PayoutModel, payoutRow, type QuoteModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Partner } from "../../credentials/authenticate-partner.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { newPartnerTrxId, newPayoutId } from "../../ids/new-ids.js";
import { callLedger } from "../../ledger/call.js";
import { WalletClosedError } from "../../ledger/refusals.js";
import { OperationError } from "../../operation-error.js";
import { readAmount } from "../../readers/amounts.js";
import { currencyOf } from "../../readers/currencies.js";
import { metadataText } from "../../readers/metadata.js";
import { readPayoutSituation } from "./payout-situation.js";
import { decidePayout, type PossiblePayout, refuseMalformedAmount } from "./quote-payout.js";
import { recipientOfToken } from "./recipient-of-token.js";

/** What a payout pays: possible now, to whom, and from which quote. */
type DecidedPayout = PossiblePayout & { walletUserId: string; quoteId: string | null };

/** A payout, and whether an earlier request with its key had made it. */
export type ExecutedPayout = { payout: PayoutModel; replayed: boolean };

const PAYOUT_OF_KEY = `
  SELECT p.* FROM idempotency_keys k JOIN payouts p ON p.id = k.resource_id
  WHERE k.merchant_id = $1 AND k.mode = $2::mode AND k.operation = 'execute_payout' AND k.key = $3`;

/** The payout that an idempotency key made before, or null. A repeat answers it whatever else the request says. */
export async function findRepeatedPayout(
  context: Context,
  partner: Partner,
  key: string,
): Promise<PayoutModel | null> {
  const { merchantId, mode } = partner;
  const { rows } = await context.database.pool.query(PAYOUT_OF_KEY, [merchantId, mode, key]);
  return rows[0] === undefined ? null : payoutRow.parse(rows[0]);
}

/**
 * Executes a payout, by a quote or directly. Above the merchant's review amount it waits for an administrator, its money held.
 * Checks in the contract's order: reference, quote or lookup token, recipient, wallets and currencies, authorised currency, limits,
 * balance. What can race is checked again by the database, under its locks.
 * @returns the payout, and whether another request with this key made it at the same instant.
 * @throws OperationError DuplicateReference, InvalidQuote, InvalidLookupToken, RecipientInactive, what decidePayout throws,
 * PerTransactionLimitExceeded, DailyLimitExceeded, MonthlyLimitExceeded, InsufficientBalance, InvalidFields.
 */
export async function executePayout(
  context: Context,
  partner: Partner,
  key: string,
  request: PayoutRequest,
): Promise<ExecutedPayout> {
  try {
    return await payOut(context, partner, key, request);
  } catch (error) {
    // Of several requests with one key at the same instant, a late one may find its own reference or quote taken: by the
    // payout that its key has made meanwhile.
    const made = error instanceof OperationError ? await findRepeatedPayout(context, partner, key) : null;
    if (!made) throw error;
    return { payout: made, replayed: true };
  }
}

async function payOut(
  context: Context,
  partner: Partner,
  key: string,
  request: PayoutRequest,
): Promise<ExecutedPayout> {
  if (!request.quote_id) await refuseMalformedAmount(context, directTerms(request));
  else if (request.amount !== undefined)
    await refuseMalformedAmount(context, { amount: request.amount, sender: request.sender_currency });
  await refuseTakenReference(context, partner, request.reference);
  const decide = () =>
    request.quote_id
      ? decideByQuote(context, partner, request.quote_id, request)
      : decideDirectly(context, partner, request);
  const decided = await decide();
  if (decided.terms.perTransaction !== null && decided.amount > decided.terms.perTransaction)
    throw new OperationError(Refusal.PerTransactionLimitExceeded);
  const waits = decided.terms.reviewAbove !== null && decided.amount > decided.terms.reviewAbove;
  const { result, replayed } = await callLedger(context, ledger.executePayout, () => ({
    payoutId: newPayoutId(),
    merchantId: partner.merchantId,
    mode: partner.mode,
    idempotencyKey: key,
    reference: request.reference,
    quoteId: decided.quoteId,
    walletUserId: decided.walletUserId,
    recipientAccountId: decided.recipientAccountId,
    amount: decided.amount,
    senderCurrency: decided.sender.code,
    fee: decided.fee,
    rate: decided.rate,
    receiverAmount: decided.receiverAmount,
    receiverCurrency: decided.receiver.code,
    description: request.description ?? null,
    trxId: newPartnerTrxId(),
    transferId: randomUUID(),
    needsApproval: waits,
    metadata: metadataText(request.metadata),
  })).catch(async (error: unknown) => {
    // A wallet was closed since it was looked at: deciding again says which.
    if (error instanceof WalletClosedError) await decide();
    throw inPayoutWords(error, decided);
  });
  if (!replayed) context.hints.changed(result.id);
  return { payout: result, replayed };
}

/** The ledger's refusals in the words of the payout table. */
function inPayoutWords(error: unknown, { sender, receiver }: DecidedPayout): unknown {
  if (error instanceof WalletClosedError)
    return new OperationError(Refusal.RecipientWalletNotFound, { currency: receiver.code });
  if (!(error instanceof OperationError)) return error;
  const namesSender = [Refusal.MerchantWalletNotFound, Refusal.CurrencyNotAuthorized].includes(error.refusal);
  return namesSender ? new OperationError(error.refusal, { currency: sender.code }) : error;
}

async function refuseTakenReference(
  context: Context,
  { merchantId, mode }: Partner,
  reference: string,
): Promise<void> {
  const { rowCount } = await context.database.pool.query({
    name: "payout of a reference",
    text: "SELECT FROM payouts WHERE merchant_id = $1 AND mode = $2::mode AND reference = $3",
    values: [merchantId, mode, reference],
  });
  if (rowCount) throw new OperationError(Refusal.DuplicateReference);
}

/** What a direct payout asks for. The contract has seen that nothing is missing. */
function directTerms(request: PayoutRequest) {
  const { lookup_token: token, amount, sender_currency: sender, receiver_currency: receiver } = request;
  if (token === undefined || amount === undefined || sender === undefined || receiver === undefined)
    throw new Error("the contract lets a direct payout through without one of its fields");
  return { token, amount, sender, receiver };
}

async function decideDirectly(
  context: Context,
  partner: Partner,
  request: PayoutRequest,
): Promise<DecidedPayout> {
  const { token, ...asked } = directTerms(request);
  const recipient = await recipientOfToken(context, partner, token);
  const situation = await readPayoutSituation(context, partner, recipient, asked);
  return {
    ...decidePayout(situation, asked, Refusal.RecipientWalletNotFound),
    walletUserId: recipient.id,
    quoteId: null,
  };
}

async function decideByQuote(
  context: Context,
  partner: Partner,
  quoteId: string,
  request: PayoutRequest,
): Promise<DecidedPayout> {
  const quote = await findUsableQuote(context, partner, quoteId);
  await refuseOtherTerms(context, quote, request);
  const { prisma } = context.database;
  const recipient = await prisma.walletUser.findUniqueOrThrow({ where: { id: quote.walletUserId } });
  if (!recipient.active) throw new OperationError(Refusal.RecipientInactive);
  const asked = { sender: quote.senderCurrency, receiver: quote.receiverCurrency };
  const situation = await readPayoutSituation(context, partner, recipient, asked);
  const { senderCurrency: sender } = situation;
  if (!situation.merchantWallet || !sender)
    throw new OperationError(Refusal.MerchantWalletNotFound, { currency: asked.sender });
  if (!situation.receiverCurrency) throw new OperationError(Refusal.InvalidReceiverCurrency);
  if (!situation.recipientWallet)
    throw new OperationError(Refusal.RecipientWalletNotFound, { currency: asked.receiver });
  if (!situation.terms) throw new OperationError(Refusal.CurrencyNotAuthorized, { currency: asked.sender });
  return {
    quoteId: quote.id,
    walletUserId: recipient.id,
    recipientAccountId: situation.recipientWallet.id,
    amount: quote.amount,
    sender,
    receiver: situation.receiverCurrency,
    fee: quote.fee,
    rate: quote.rate.toFixed(),
    receiverAmount: quote.receiverAmount,
    terms: situation.terms,
  };
}

/** @throws OperationError InvalidQuote: unknown, foreign, used, or expired by the database's clock. */
async function findUsableQuote(
  { database: { prisma } }: Context,
  partner: Partner,
  id: string,
): Promise<QuoteModel> {
  const [usable] = isIssuedId(id)
    ? await prisma.$queryRaw<{ id: string }[]>`
        SELECT id FROM quotes WHERE id = ${id}::uuid AND merchant_id = ${partner.merchantId}::uuid
          AND mode = ${partner.mode}::mode AND used_at IS NULL AND expires_at > clock_timestamp()`
    : [];
  if (!usable) throw new OperationError(Refusal.InvalidQuote);
  return prisma.quote.findUniqueOrThrow({ where: { id: usable.id } });
}

/** Fields sent beside a quote must equal the quote's. @throws OperationError InvalidFields. */
async function refuseOtherTerms(context: Context, quote: QuoteModel, request: PayoutRequest): Promise<void> {
  const fields: Record<string, string[]> = {};
  const differs = (field: string) => {
    fields[field] = [fieldError(field, FieldRule.AsInQuote.text)];
  };
  if (request.amount !== undefined) {
    const sender = await currencyOf(context, quote.senderCurrency);
    if (readAmount(request.amount, sender) !== quote.amount) differs("amount");
  }
  if (request.sender_currency !== undefined && request.sender_currency !== quote.senderCurrency)
    differs("sender_currency");
  if (request.receiver_currency !== undefined && request.receiver_currency !== quote.receiverCurrency)
    differs("receiver_currency");
  if (request.lookup_token !== undefined && !(await isTokenOf(context, request.lookup_token, quote)))
    differs("lookup_token");
  if (Object.keys(fields).length > 0) throw new OperationError(Refusal.InvalidFields, { fields });
}

/** Whether a lookup token, expired or not, named the quote's recipient to the same merchant. */
async function isTokenOf(
  { database: { prisma } }: Context,
  token: string,
  quote: QuoteModel,
): Promise<boolean> {
  if (!isIssuedId(token)) return false;
  const { merchantId, mode, walletUserId } = quote;
  return (await prisma.lookupToken.count({ where: { id: token, merchantId, mode, walletUserId } })) === 1;
}
