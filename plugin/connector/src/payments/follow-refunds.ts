import type { Refund } from "@tillgate/contract";
import type { Credential } from "../records/records.js";
import { tryWireAmount } from "../store/store-amount.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";

const PER_PAGE = 100;
/** More refunds than this of one payment are not read. */
const MAX_REFUNDS = 1_000;

/** Follows the refunds of a payment that have no end in the store yet, until they have one. */
export async function followRefundsOf(
  context: ConnectorContext,
  credential: Credential | null,
  trxId: string,
): Promise<void> {
  await followOpenRefunds(context, await refundsOfPayment(context, credential, trxId));
}

/**
 * All refunds of a payment, the newest first.
 *
 * @param credential what the payment was begun with
 * @param status only these; all where left out
 */
export async function refundsOfPayment(
  context: ConnectorContext,
  credential: Credential | null,
  trxId: string,
  status?: Refund["status"],
): Promise<Refund[]> {
  const tillgate = tillgateOf(context, credential);
  const refunds: Refund[] = [];
  const query = { transaction_id: trxId, per_page: PER_PAGE, ...(status === undefined ? {} : { status }) };
  for await (const refund of tillgate.refunds.all(query)) {
    if (refunds.length === MAX_REFUNDS)
      throw new Error(`Transaction ${trxId} has more than ${MAX_REFUNDS} refunds.`);
    refunds.push(refund);
  }
  return refunds;
}

/**
 * Follows those of these refunds that are of this store's payments and have no end in the store yet: they are due at once and
 * stay until their end is in the store, so that the list may be read on.
 */
export async function followOpenRefunds(context: ConnectorContext, refunds: Refund[]): Promise<void> {
  const { followedRefunds, payments } = context;
  if (refunds.length === 0) return;
  const transactions = [...new Set(refunds.map(({ transaction_id }) => transaction_id))];
  const paid = await payments.byTransactions(transactions);
  const orders = new Map(paid.map(({ trxId, storeOrderId }) => [trxId, storeOrderId]));
  const ends = await followedRefunds.ends(refunds.map(({ refund_id }) => refund_id));
  for (const refund of refunds) {
    const storeOrderId = orders.get(refund.transaction_id);
    const end = ends.get(refund.refund_id) ?? "open";
    if (storeOrderId !== undefined && end === "open") await followRefund(context, refund, storeOrderId, 0);
  }
}

/** @param checkInMs when it is asked about first, in milliseconds */
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
  await followedRefunds.begin({ refundId, storeOrderId, amountMinor, currency });
  await due.schedule("refund", [{ subject: refundId, storeOrderId }], checkInMs);
}
