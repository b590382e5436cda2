import { randomUUID } from "node:crypto";
import { type CreateRefundRequest, ErrorCode, type FieldErrors, fieldError } from "@tillgate/contract";
import { ledger, type RefundModel } from "@tillgate/database";
import { type ConsoleAct, toActAuditRecord } from "../../audit/acts.js";
import type { ApiCall } from "../../audit/administrator.js";
import { callWithAudit } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { callLedger, callLedgerGroup } from "../../ledger/call.js";
import { WalletClosedError } from "../../ledger/errors.js";
import { type GroupedWork, runGrouped } from "../../ledger/group-commit.js";
import { amountError, readAmount } from "../../pagination/amounts.js";
import { serializeMetadata } from "../../pagination/metadata.js";
import type { IdSpaces } from "../../platform/ids.js";
import { requestHash } from "../../platform/request-hash.js";
import { getCurrency } from "../currencies.js";
import { findPaidOrder } from "../orders/read.js";
import { type RefundOfPayment, withPaymentIds } from "./read.js";

/** Checks the amount of a request that has other invalid fields. @returns the errors by field. */
export async function checkRefundFields(
  context: Context,
  client: MerchantScope,
  { transaction_id: trxId, amount }: Partial<CreateRefundRequest>,
): Promise<FieldErrors> {
  if (amount === undefined) return {};
  const order = trxId === undefined ? null : await findPaidOrder(context, client, trxId);
  const rule = amountError(amount, order ? await getCurrency(context, order.currency) : undefined);
  return rule === undefined ? {} : { amount: [fieldError("amount", rule)] };
}

/**
 * Refunds the given amount or the rest of the payment. If the merchant's refunds need approval, the refund stays pending, with its amount held.
 * @returns `replayed`: whether an earlier request with this key created the refund.
 * @throws OperationError TransactionNotFound, InvalidFields (amount), MerchantSuspended, RefundExceedsPayment, InsufficientBalance,
 * TransactionNotRefundable (a wallet is closed), IdempotencyKeyReused.
 */
export async function refundPayment(
  context: Context,
  client: MerchantScope,
  request: CreateRefundRequest,
  by?: ApiCall | ConsoleAct,
): Promise<{ refund: RefundOfPayment; replayed: boolean }> {
  const order = await findPaidOrder(context, client, request.transaction_id);
  if (!order) throw new OperationError(ErrorCode.TransactionNotFound);
  const amount =
    request.amount === undefined
      ? null
      : readAmount(request.amount, await getCurrency(context, order.currency));
  const { idempotency_key: _key, amount: _asSent, ...fields } = request;
  const call = by && "credentialId" in by ? by : null;
  const item = { client, request, amount, hash: requestHash({ ...fields, amount }), call };
  const refunding =
    by && "by" in by
      ? callWithAudit(
          context,
          ledger.refundPayments,
          () => refundCall.createArguments(context.memory.ids, item),
          ({ result, replayed }) => (replayed ? null : recordOfRefund(by, result)),
        )
      : runGrouped(context, groupedRefunds, item);
  const { result, replayed } = await refunding.catch((error: unknown) => {
    throw error instanceof WalletClosedError ? new OperationError(ErrorCode.TransactionNotRefundable) : error;
  });
  if (!replayed) notifyRefundChanged(context, result);
  return { refund: withPaymentIds({ ...result, order }), replayed };
}

type RefundItem = {
  client: MerchantScope;
  request: CreateRefundRequest;
  /** Minor units; null for the rest of the payment. */
  amount: bigint | null;
  hash: Buffer;
  call: ApiCall | null;
};
type CreatedRefund = { result: RefundModel; replayed: boolean };

const groupedRefunds: GroupedWork<RefundItem, CreatedRefund> = {
  partitionOf: ({ client }) => `${client.mode} ${client.merchantId}`,
  conflictKeysOf: ({
    client: { mode, merchantId },
    request: { transaction_id: trxId, idempotency_key: key },
  }) => [`payment ${trxId}`, ...(key === undefined ? [] : [`key ${mode} ${merchantId} ${key}`])],
  isKeyed: ({ request }) => request.idempotency_key !== undefined,
  runGroup: (context, items) => callLedgerGroup(context, refundCall, items, () => null),
  runOne: (context, item) =>
    callLedger(context, refundCall.ledgerFunction, () =>
      refundCall.createArguments(context.memory.ids, item),
    ),
};

const refundCall = {
  ledgerFunction: ledger.refundPayments,
  createArguments: (ids: IdSpaces, { client, request, amount, hash, call }: RefundItem) => ({
    refundId: ids.refund.next(client.merchantId),
    merchantId: client.merchantId,
    mode: client.mode,
    trxId: request.transaction_id,
    amount,
    reason: request.reason ?? null,
    reference: request.reference ?? null,
    transferId: randomUUID(),
    idempotencyKey: request.idempotency_key ?? null,
    requestHash: hash,
    metadata: serializeMetadata(request.metadata),
    credentialId: call?.credentialId ?? null,
    requestId: call?.requestId ?? null,
  }),
  idOf: ({ refundId }: { refundId: string }) => refundId,
  toDone: (done: CreatedRefund) => ({ id: done.result.id, done }),
};

/** Notifies every process of a refund's new status, and counts the refund. Must be called after the commit. */
export function notifyRefundChanged({ changes, counters }: Context, refund: RefundModel): void {
  changes.notify(refund.orderId);
  counters.moved("refund", refund);
}

const recordOfRefund = (act: ConsoleAct, { id, merchantId, mode, orderId, amount, currency }: RefundModel) =>
  toActAuditRecord(act, {
    merchantId,
    mode,
    action: "refund.create",
    subject: id,
    details: { order_id: orderId, amount_minor: String(amount), currency },
  });
