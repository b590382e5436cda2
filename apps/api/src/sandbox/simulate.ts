import { randomUUID } from "node:crypto";
import {
  createOrderRequestSchema,
  ErrorCode,
  type ExpirableKind,
  type ExpireRequest,
  type PayoutOutcome,
  SECONDS_BEFORE_EXPIRY,
  type SimulatedOutcome,
} from "@tillgate/contract";
import { ledger, type OrderModel, type PayoutModel } from "@tillgate/database";
import { queryFirstRow } from "@tillgate/service";
import { z } from "zod";
import type { ApiCall } from "../audit/administrator.js";
import { cancelCheckout } from "../checkout/cancel.js";
import { readCheckout } from "../checkout/read.js";
import { approveInSandbox, declineInSandbox } from "../checkout/sandbox.js";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { forgetClient, type MerchantScope } from "../identity/credentials/authenticate.js";
import { callLedger } from "../ledger/call.js";
import { WalletClosedError } from "../ledger/errors.js";
import { getConsoleClient } from "../money/orders/console-client.js";
import { createOrder } from "../money/orders/create.js";
import { expireOrder, findTooLateError } from "../money/orders/expire.js";
import { getOrder } from "../money/orders/read.js";
import { notifyPayoutChanged } from "../money/payouts/create.js";
import { getPayout } from "../money/payouts/read.js";
import { isIssuedId } from "../platform/ids.js";

/** Returns SQL that brings an expiry forward but never postpones it. `$1` is the merchant, `$2` the ID, `$3` the remaining seconds. */
const expireSql = (table: string, condition: string): string => `
  UPDATE ${table} SET expires_at = least(expires_at, clock_timestamp() + $3 * interval '1 second')
  WHERE merchant_id = $1 AND mode = 'sandbox' AND ${condition} AND expires_at > clock_timestamp() RETURNING expires_at AS "expiresAt"`;

const SET_EXPIRY: Record<ExpirableKind, string> = {
  order: expireSql("orders", "id = $2 AND status = 'PENDING'"),
  quote: expireSql("quotes", "id = $2::uuid AND used_at IS NULL"),
  lookup_token: expireSql("lookup_tokens", "id = $2::uuid"),
  credential: expireSql("credentials", "client_id = $2 AND kind = 'client' AND revoked_at IS NULL"),
};

const endSchema = z.object({ expiresAt: z.date() });

/**
 * Makes an object of the sandbox expire now, or a few seconds from now.
 * @returns the new expiry. @throws OperationError NotExpirable, including for another merchant's object and for an object without an expiry.
 */
export async function expireNow(
  context: Context,
  merchantId: string,
  { kind, id, moment }: ExpireRequest,
): Promise<Date> {
  const canExist = kind === "order" || kind === "credential" || isIssuedId(id);
  const seconds = moment === "after_end" ? 0 : SECONDS_BEFORE_EXPIRY;
  const expiry = canExist
    ? await queryFirstRow(context.database.pool, endSchema, SET_EXPIRY[kind], [merchantId, id, seconds])
    : undefined;
  if (!expiry) throw new OperationError(ErrorCode.NotExpirable);
  if (kind === "order") {
    if (moment === "after_end") await expireOrder(context, { id, mode: "sandbox" });
    else context.changes.notify(id);
  }
  if (kind === "credential") forgetClient(context, id);
  return expiry.expiresAt;
}

/** The status of an order after an outcome without payment. A repeated call succeeds if the order already has that status. */
const ENDS_AS = { cancelled: "CANCELLED", expired: "EXPIRED" } as const;

/**
 * Simulates the outcome of an order: payment, decline, cancellation or expiry. Once a call has succeeded, repeating it changes nothing.
 * @throws OperationError SandboxOnly, OrderNotFound, and the errors of {@link approveInSandbox}.
 */
export async function simulateOrder(
  context: Context,
  client: MerchantScope,
  { orderId, outcome, requestId }: { orderId: string; outcome: SimulatedOutcome; requestId: string },
): Promise<OrderModel> {
  if (client.mode !== "sandbox") throw new OperationError(ErrorCode.SandboxOnly);
  const { token } = await getOrder(context, client, orderId);
  const checkout = await readCheckout(context, token, undefined);
  const { order } = checkout;
  if (outcome === "paid") return (await approveInSandbox(context, checkout, { requestId })).order;
  if (outcome === "paid_converted")
    return (await approveInSandbox(context, checkout, { requestId, how: "payment_converted" })).order;
  if (outcome === "declined" || outcome === "insufficient_balance") return declineInSandbox(order);
  if (order.status === ENDS_AS[outcome]) return order;
  return outcome === "cancelled" ? cancelCheckout(context, order, requestId) : expireOrderNow(context, order);
}

/** @throws OperationError OrderAlreadyPaid or OrderCancelled if a payment or cancellation came first. */
async function expireOrderNow(context: Context, order: OrderModel): Promise<OrderModel> {
  const end = { kind: "order", id: order.id, moment: "after_end" } as const;
  await expireNow(context, order.merchantId, end).catch((error: unknown) => {
    if (!(error instanceof OperationError && error.errorCode === ErrorCode.NotExpirable)) throw error;
  });
  const now = await context.database.prisma.order.findUniqueOrThrow({ where: { id: order.id } });
  if (now.status !== "EXPIRED") throw await findTooLateError(context, order);
  return now;
}

/** In major units; a whole number, because every currency can represent it. */
const AMOUNT = "10";

/**
 * Creates a test order in the sandbox. A repeated call with the same key returns the same order.
 * @throws OperationError InvalidFields (currency), MerchantSuspended, IdempotencyKeyReused.
 */
export async function createTestOrder(
  context: Context,
  merchantId: string,
  { requestId, ...fields }: { currency: string; idempotency_key: string; requestId: string },
): Promise<OrderModel> {
  const client = await getConsoleClient(context, { merchantId, mode: "sandbox" });
  const request = createOrderRequestSchema.parse({ ...fields, amount: AMOUNT, description: "Test order" });
  return (await createOrder(context, client, request, requestId)).order;
}

/** Errors of a payout that can only be rejected. */
const ONLY_REJECTION: readonly ErrorCode[] = [
  ErrorCode.RecipientInactive,
  ErrorCode.MerchantWalletNotFound,
  ErrorCode.InvalidReceiverCurrency,
];

export type TestDecision = {
  payoutId: string;
  outcome: PayoutOutcome;
  /** Author in the audit record. */
  by: ApiCall;
};

/**
 * Approves or rejects a pending payout in the sandbox. A repeated call after success moves no money.
 * @throws OperationError SandboxOnly, PayoutNotFound, AlreadyDecided (with the other outcome), OnlyRejectionRemains.
 */
export async function decideTestPayout(
  context: Context,
  scope: MerchantScope,
  { payoutId, outcome, by }: TestDecision,
): Promise<PayoutModel> {
  if (scope.mode !== "sandbox") throw new OperationError(ErrorCode.SandboxOnly);
  const before = await getPayout(context, scope, payoutId);
  if (before.status === outcome) return before;
  try {
    const payout = await callLedger(context, ledger.decideTestPayout, () => ({
      payoutId,
      merchantId: scope.merchantId,
      approve: outcome === "completed",
      trxId: context.memory.ids.partnerTransaction.next(scope.merchantId),
      transferId: randomUUID(),
      credentialId: by.credentialId,
      requestId: by.requestId,
    }));
    notifyPayoutChanged(context, payout);
    return payout;
  } catch (error) {
    if (error instanceof WalletClosedError) throw new OperationError(ErrorCode.OnlyRejectionRemains);
    if (!(error instanceof OperationError)) throw error;
    if (ONLY_REJECTION.includes(error.errorCode)) throw new OperationError(ErrorCode.OnlyRejectionRemains);
    if (error.errorCode !== ErrorCode.AlreadyDecided) throw error;
    const now = await getPayout(context, scope, payoutId);
    if (now.status === outcome) return now;
    throw error;
  }
}
