import { randomUUID } from "node:crypto";
import { type PayoutRequest, Refusal } from "@tillgate/contract";
import { ledger, type PayoutModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Partner } from "../../credentials/authenticate-partner.js";
import { callLedger } from "../../ledger/call.js";
import { WalletClosedError } from "../../ledger/refusals.js";
import { OperationError } from "../../operation-error.js";
import { metadataText } from "../../readers/metadata.js";
import { bookedTerms, judgePayout, type PossiblePayout } from "./judge-payout.js";
import { readPayoutSituation } from "./payout-situation.js";

/** A payout, and whether an earlier request with its key had made it. */
export type ExecutedPayout = { payout: PayoutModel; replayed: boolean };

type KeyedRequest = PayoutRequest & { idempotency_key: string };

/**
 * The payout that an idempotency key made before, or null. A repeat gets it as the answer, whatever else the request says.
 */
export async function findRepeatedPayout(
  context: Context,
  partner: Partner,
  key: string,
): Promise<ExecutedPayout | null> {
  const { madeBefore: id } = await readPayoutSituation(context, partner, { idempotency_key: key });
  return id === null ? null : repeated(context, id);
}

const repeated = async ({ database: { prisma } }: Context, id: string): Promise<ExecutedPayout> => ({
  payout: await prisma.payout.findUniqueOrThrow({ where: { id } }),
  replayed: true,
});

/**
 * Executes a payout, by a quote or directly. Above the merchant's review amount it waits for an administrator, its money held.
 * What can race is checked again by the database, under its locks.
 * @returns the payout, and whether an earlier request with this key made it.
 * @throws OperationError what judgePayout throws, then PerTransactionLimitExceeded, DailyLimitExceeded, MonthlyLimitExceeded,
 * InsufficientBalance.
 */
export async function executePayout(
  context: Context,
  partner: Partner,
  request: KeyedRequest,
): Promise<ExecutedPayout> {
  try {
    return await payOut(context, partner, request);
  } catch (error) {
    // Of several requests with one key at the same instant, a late one may find its reference or quote taken by the payout
    // that its key has just made.
    const made =
      error instanceof OperationError
        ? await findRepeatedPayout(context, partner, request.idempotency_key)
        : null;
    if (!made) throw error;
    return made;
  }
}

async function payOut(context: Context, partner: Partner, request: KeyedRequest): Promise<ExecutedPayout> {
  const situation = await readPayoutSituation(context, partner, request);
  if (situation.madeBefore !== null) return repeated(context, situation.madeBefore);
  const possible = await judgePayout(context, situation, request, Refusal.RecipientWalletNotFound);
  const { perTransaction, reviewAbove } = possible.terms;
  if (perTransaction !== null && possible.amount > perTransaction)
    throw new OperationError(Refusal.PerTransactionLimitExceeded);
  const { result, replayed } = await callLedger(context, ledger.executePayout, () => ({
    payoutId: context.memory.ids.payout.next(partner.merchantId),
    merchantId: partner.merchantId,
    mode: partner.mode,
    idempotencyKey: request.idempotency_key,
    reference: request.reference,
    quoteId: possible.quoteId,
    walletUserId: possible.walletUserId,
    recipientAccountId: possible.recipientAccountId,
    ...bookedTerms(possible),
    description: request.description ?? null,
    trxId: context.memory.ids.partnerTransaction.next(partner.merchantId),
    transferId: randomUUID(),
    needsApproval: reviewAbove !== null && possible.amount > reviewAbove,
    metadata: metadataText(request.metadata),
  })).catch(async (error: unknown) => {
    // A wallet was closed since the read: judging again says which.
    if (error instanceof WalletClosedError)
      await judgePayout(
        context,
        await readPayoutSituation(context, partner, request),
        request,
        Refusal.RecipientWalletNotFound,
      );
    throw inPayoutWords(error, possible);
  });
  if (!replayed) context.hints.changed(result.id);
  return { payout: result, replayed };
}

/** The ledger's refusals in the words of the payout table. */
function inPayoutWords(error: unknown, { sender, receiver }: PossiblePayout): unknown {
  if (error instanceof WalletClosedError)
    return new OperationError(Refusal.RecipientWalletNotFound, { currency: receiver.code });
  if (!(error instanceof OperationError)) return error;
  const namesSender = [Refusal.MerchantWalletNotFound, Refusal.CurrencyNotAuthorized].includes(error.refusal);
  return namesSender ? new OperationError(error.refusal, { currency: sender.code }) : error;
}
