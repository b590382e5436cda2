import type { Refund } from "@tillgate/contract";
import type { Credential } from "../records/records.js";
import { tryWireAmount } from "../store/store-amount.js";
import type { ConnectorContext } from "./context.js";
import { tillgateClient } from "./credentials.js";

const PER_PAGE = 100;
/** A payment with more refunds is an error. */
const MAX_REFUNDS = 1_000;

/** Schedules immediate checks for refunds that are neither recorded in the store nor failed. */
export async function followPaymentRefunds(
  context: ConnectorContext,
  credential: Credential | null,
  trxId: string,
): Promise<void> {
  await followOpenRefunds(context, await listRefunds(context, credential, trxId));
}

/** Lists refunds, newest first. @throws ConnectorError `credential_gone`; the client's errors; Error if there are more than {@link MAX_REFUNDS} */
export async function listRefunds(
  context: ConnectorContext,
  credential: Credential | null,
  trxId: string,
  status?: Refund["status"],
): Promise<Refund[]> {
  const tillgate = tillgateClient(context, credential);
  const refunds: Refund[] = [];
  const query = { transaction_id: trxId, per_page: PER_PAGE, ...(status === undefined ? {} : { status }) };
  for await (const refund of tillgate.refunds.all(query)) {
    if (refunds.length === MAX_REFUNDS)
      throw new Error(`Transaction ${trxId} has more than ${MAX_REFUNDS} refunds.`);
    refunds.push(refund);
  }
  return refunds;
}

/** Schedules immediate checks for refunds of this store's payments that are neither recorded in the store nor failed. */
export async function followOpenRefunds(context: ConnectorContext, refunds: Refund[]): Promise<void> {
  const { followedRefunds, payments } = context;
  if (refunds.length === 0) return;
  const transactions = [...new Set(refunds.map(({ transaction_id }) => transaction_id))];
  const paid = await payments.byTransactions(transactions);
  const orders = new Map(paid.map(({ trxId, storeOrderId }) => [trxId, storeOrderId]));
  const ends = await followedRefunds.outcomes(refunds.map(({ refund_id }) => refund_id));
  for (const refund of refunds) {
    const storeOrderId = orders.get(refund.transaction_id);
    const end = ends.get(refund.refund_id) ?? "open";
    if (storeOrderId !== undefined && end === "open") await followRefund(context, refund, storeOrderId, 0);
  }
}

/**
 * Stores a Tillgate refund and schedules its checks, the first in `checkInMs` milliseconds.
 * @throws Error if the amount is invalid in its currency
 */
export async function followRefund(
  { due, followedRefunds }: ConnectorContext,
  refund: Refund,
  storeOrderId: number,
  checkInMs: number,
): Promise<void> {
  const amountMinor = tryWireAmount(refund.raw_amount, refund.currency);
  if (amountMinor === null) {
    throw new Error(
      `Refund ${refund.refund_id} has the amount ${refund.amount}, which is not valid in its currency.`,
    );
  }
  const { refund_id: refundId, currency } = refund;
  await followedRefunds.save({ refundId, storeOrderId, amountMinor, currency });
  await due.schedule("refund", [{ subject: refundId, storeOrderId }], checkInMs);
}
