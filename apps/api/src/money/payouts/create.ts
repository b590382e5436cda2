import { randomUUID } from "node:crypto";
import { ErrorCode, type PayoutRequest } from "@tillgate/contract";
import { ledger, type PayoutModel } from "@tillgate/database";
import { inTransaction } from "@tillgate/service";
import { traceparent } from "@tillgate/service/tracing";
import type pg from "pg";
import { type ConsoleAct, toActAuditRecord } from "../../audit/acts.js";
import { callWithAudit, recordAllOnConnection } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { callLedger, callLedgerGroup } from "../../ledger/call.js";
import { WalletClosedError } from "../../ledger/errors.js";
import { type GroupedWork, runGrouped } from "../../ledger/group-commit.js";
import { serializeMetadata } from "../../pagination/metadata.js";
import type { IdSpaces } from "../../platform/ids.js";
import { type PayoutFacts, type PayoutPrice, readPayoutFacts, readPayoutFactsForGroup } from "./facts.js";
import { toBookedTerms, type ValidatedPayout, validatePayout } from "./rules.js";

/** `replayed`: whether an earlier request with this key created the payout. */
export type ExecutedPayout = { payout: PayoutModel; replayed: boolean };

type KeyedRequest = PayoutRequest & { idempotency_key: string };

/** Finds the payout that an earlier request with this idempotency key created; null if there is none. Compares no other fields. */
export async function findRepeatedPayout(
  context: Context,
  partner: MerchantScope,
  key: string,
): Promise<ExecutedPayout | null> {
  const { existingPayoutId: id } = await readPayoutFacts(context, partner, { idempotency_key: key });
  return id === null ? null : toRepeatedPayout(context, id);
}

const toRepeatedPayout = async ({ database: { prisma } }: Context, id: string): Promise<ExecutedPayout> => ({
  payout: await prisma.payout.findUniqueOrThrow({ where: { id } }),
  replayed: true,
});

/** A recipient and a price that a console user has confirmed. Amounts are in minor units, as in a quote. */
export type ConfirmedPayout = PayoutPrice & { walletUserId: string };

/**
 * Executes a payout. Above the merchant's review amount, it stays pending, with amount and fee held, until an administrator decides.
 * @param options.act the console user who pays, for the audit record.
 * @param options.confirmed the recipient, for a request without a quote or lookup token, and the only price that is accepted.
 * @param options.waits whether a sandbox test control requires approval regardless of the amount.
 * @throws the errors of validatePayout, with RecipientWalletNotFound as `noWallet`, then OperationError PriceChanged, MerchantSuspended,
 * PerTransactionLimitExceeded, DailyLimitExceeded, MonthlyLimitExceeded, InsufficientBalance.
 */
export async function executePayout(
  context: Context,
  partner: MerchantScope,
  request: KeyedRequest,
  { act, confirmed, waits = false }: { act?: ConsoleAct; confirmed?: ConfirmedPayout; waits?: boolean } = {},
): Promise<ExecutedPayout> {
  const recipientId = confirmed?.walletUserId;
  const item = { partner, request, act, confirmed, recipientId, waits, traceparent: traceparent() };
  const executed = await runGrouped(context, groupedPayouts, item);
  if (!executed.replayed) notifyPayoutChanged(context, executed.payout);
  return executed;
}

/** Notifies every process of a payout's new status, and counts the payout. Must be called after the commit. */
export function notifyPayoutChanged({ changes, counters }: Context, payout: PayoutModel): void {
  changes.notify(payout.id);
  counters.moved("payout", { ...payout, currency: payout.senderCurrency });
}

type PayoutItem = {
  partner: MerchantScope;
  request: KeyedRequest;
  act: ConsoleAct | undefined;
  confirmed: ConfirmedPayout | undefined;
  recipientId: string | undefined;
  waits: boolean;
  /** Null if the request is not traced. */
  traceparent: string | null;
};

const groupedPayouts: GroupedWork<PayoutItem, ExecutedPayout> = {
  partitionOf: ({ partner }) => `${partner.mode} ${partner.merchantId}`,
  conflictKeysOf: ({ partner: { mode, merchantId }, request }) => [
    `key ${mode} ${merchantId} ${request.idempotency_key}`,
    `reference ${mode} ${merchantId} ${request.reference}`,
    ...(request.quote_id === undefined ? [] : [`quote ${request.quote_id}`]),
  ],
  isKeyed: () => true,
  async runGroup(context, items) {
    const all = await readPayoutFactsForGroup(context, items);
    const possible = new Map<PayoutItem, ValidatedPayout>();
    for (const [at, item] of items.entries()) {
      const facts = all[at];
      if (!facts || facts.existingPayoutId !== null) continue;
      // The error is determined and reported when the item runs alone.
      const validated = await validate(context, facts, item).catch(() => null);
      if (validated) possible.set(item, validated);
    }
    const record = items.some(({ act }) => act) ? recordActs : undefined;
    return callLedgerGroup(context, payoutCall, items, (item) => possible.get(item), record);
  },
  runOne: payOut,
};

/** Rates are stored with 20 decimals, so a confirmed rate may have been rounded. */
const STORED_RATE_STEP = 1e-20;

/** Checks everything except suspension, limits and balance, which the ledger checks. */
async function validate(
  context: Context,
  facts: PayoutFacts,
  { request, confirmed }: Pick<PayoutItem, "request" | "confirmed">,
): Promise<ValidatedPayout> {
  const valid = await validatePayout(context, facts, request, ErrorCode.RecipientWalletNotFound);
  const isAsConfirmed =
    confirmed === undefined ||
    (valid.walletUserId === confirmed.walletUserId &&
      valid.fee === confirmed.fee &&
      Math.abs(Number(valid.rate) - Number(confirmed.rate)) < STORED_RATE_STEP &&
      valid.receiverAmount === confirmed.receiverAmount);
  if (!isAsConfirmed) throw new OperationError(ErrorCode.PriceChanged);
  return valid;
}

const payoutCall = {
  ledgerFunction: ledger.executePayouts,
  createArguments: (
    ids: IdSpaces,
    { partner, request, waits, traceparent }: PayoutItem,
    possible: ValidatedPayout,
  ) => ({
    payoutId: ids.payout.next(partner.merchantId),
    merchantId: partner.merchantId,
    mode: partner.mode,
    idempotencyKey: request.idempotency_key,
    reference: request.reference,
    quoteId: possible.quoteId,
    walletUserId: possible.walletUserId,
    recipientAccountId: possible.recipientAccountId,
    ...toBookedTerms(possible),
    description: request.description ?? null,
    trxId: ids.partnerTransaction.next(partner.merchantId),
    transferId: randomUUID(),
    needsApproval:
      waits || (possible.terms.reviewAbove !== null && possible.amount > possible.terms.reviewAbove),
    metadata: serializeMetadata(request.metadata),
    traceparent,
  }),
  idOf: ({ payoutId }: { payoutId: string }) => payoutId,
  toDone: ({ result, replayed }: { result: PayoutModel; replayed: boolean }) => ({
    id: result.id,
    done: { payout: result, replayed },
  }),
};

/** Inserts a key that is then rolled back, because the insert waits for a concurrent transaction with the same key. */
const CLAIM = `INSERT INTO idempotency_keys (merchant_id, mode, operation, key, request_hash, resource_id)
  VALUES ($1, $2, 'execute_payout', $3, '', '') ON CONFLICT DO NOTHING`;

/**
 * Waits for a concurrent request with the same key, and returns the payout that it created, if any; otherwise null. A repeated request may fail
 * validation although the first request was valid, because the first request has used the quote, or the lookup token has expired since.
 */
async function findConcurrentPayout(
  context: Context,
  { partner, request }: PayoutItem,
): Promise<ExecutedPayout | null> {
  await inTransaction(context.database.pool, async (client) => {
    await client.query("SAVEPOINT unclaimed");
    await client.query(CLAIM, [partner.merchantId, partner.mode, request.idempotency_key]);
    await client.query("ROLLBACK TO SAVEPOINT unclaimed");
  });
  return findRepeatedPayout(context, partner, request.idempotency_key);
}

/** Executes a payout without a group. Concurrent requests with the same key all get the same payout. */
async function payOut(context: Context, item: PayoutItem): Promise<ExecutedPayout> {
  const { partner, request, act, recipientId } = item;
  const readFacts = () => readPayoutFacts(context, partner, request, recipientId);
  const facts = await readFacts();
  if (facts.existingPayoutId !== null) return toRepeatedPayout(context, facts.existingPayoutId);
  let possible: ValidatedPayout;
  try {
    possible = await validate(context, facts, item);
  } catch (error) {
    const existing = error instanceof OperationError && (await findConcurrentPayout(context, item));
    if (existing) return existing;
    throw error;
  }
  const createArguments = () => payoutCall.createArguments(context.memory.ids, item, possible);
  const call = act
    ? callWithAudit(context, payoutCall.ledgerFunction, createArguments, (existing) =>
        existing.replayed ? null : recordOfPayout(act, existing.result),
      )
    : callLedger(context, payoutCall.ledgerFunction, createArguments);
  const { result, replayed } = await call.catch(async (error: unknown) => {
    // A wallet was closed after the read, so validating again throws the error for that wallet.
    if (error instanceof WalletClosedError) await validate(context, await readFacts(), item);
    throw toPayoutError(error, possible);
  });
  return { payout: result, replayed };
}

async function recordActs(
  connection: pg.PoolClient,
  executed: ReadonlyMap<PayoutItem, ExecutedPayout>,
): Promise<void> {
  const records = [...executed].flatMap(([{ act }, { payout }]) =>
    act ? [recordOfPayout(act, payout)] : [],
  );
  await recordAllOnConnection(connection, records);
}

const recordOfPayout = (act: ConsoleAct, payout: PayoutModel) =>
  toActAuditRecord(act, {
    merchantId: payout.merchantId,
    mode: payout.mode,
    action: "payout.create",
    subject: payout.id,
    details: {
      reference: payout.reference,
      amount_minor: String(payout.amount),
      currency: payout.senderCurrency,
      wallet_user_id: payout.walletUserId,
    },
  });

function toPayoutError(error: unknown, { sender, receiver }: ValidatedPayout): unknown {
  if (error instanceof WalletClosedError)
    return new OperationError(ErrorCode.RecipientWalletNotFound, { currency: receiver.code });
  if (!(error instanceof OperationError)) return error;
  const namesSender = [ErrorCode.MerchantWalletNotFound, ErrorCode.CurrencyNotAuthorized].includes(
    error.errorCode,
  );
  return namesSender ? new OperationError(error.errorCode, { currency: sender.code }) : error;
}
