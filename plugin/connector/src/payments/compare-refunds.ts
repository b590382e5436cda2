import type { StoreOrder } from "../store/store-access.js";
import { amountText, sumOfRecords, tryWireAmount } from "../store/store-amount.js";
import type { ConnectorContext } from "./context.js";
import { followOpenRefunds, listRefunds } from "./follow-refunds.js";
import { addNoteOnce } from "./order-note.js";

/** States of a shop refund for which no money was moved. */
const STATES_WITHOUT_MONEY: ReadonlySet<string> = new Set(["refused", "failed", "ignored", "pending"]);
/** States of a shop refund whose outcome is unknown. */
const OPEN_STATES: ReadonlySet<string> = new Set(["calling", "given_up"]);

export const toRefundsSubject = (orderId: number): string => `refunds of order ${orderId}`;

/**
 * Compares the sums refunded in the shop and by Tillgate, in minor units, and reports a difference that is not marked as correct. While a
 * refund is in progress, schedules checks instead. The order must be claimed, and all its state changes must have been applied.
 * @throws StoreError, ConnectorError `credential_gone`, the client's errors; the caller retries
 */
export async function compareRefunds(context: ConnectorContext, order: StoreOrder): Promise<void> {
  const { comparisons, payments, followedRefunds, reporter, rules, outgoingRefunds, store } = context;
  if (order.transactionId === "") return;
  const [payment] = await payments.byTransactions([order.transactionId]);
  if (payment === undefined || payment.storeOrderId !== order.id || payment.trxId === null) return;
  const rows = await outgoingRefunds.ofOrder(order.id);
  const isRefunded = order.hasRefunds !== false || rows.length > 0;
  if (!isRefunded && (await followedRefunds.ofOrder(order.id)).length === 0) return;

  const remote = await listRefunds(context, payment.credential, payment.trxId, "completed");
  const ends = await followedRefunds.outcomes(remote.map(({ refund_id }) => refund_id));
  const isInProgress =
    rows.some(({ isDeleted, state }) => OPEN_STATES.has(state) && !isDeleted) ||
    remote.some(({ refund_id }) => ends.get(refund_id) !== "recorded");
  // Refunds missing in the shop are recorded first; a later check compares the sums.
  if (isInProgress) return followOpenRefunds(context, remote);

  const { currency } = order;
  const records = await store.refunds(order.id);
  const existingIds = new Set(records.map(({ id }) => id));
  const withoutMoney = rows
    .filter(({ state, recordId }) => STATES_WITHOUT_MONEY.has(state) && existingIds.has(recordId))
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const recorded = sumOfRecords(records, currency) - withoutMoney;
  const refunded = remote.reduce(
    (sum, refund) => sum + (tryWireAmount(refund.raw_amount, refund.currency) ?? 0n),
    0n,
  );
  const subject = toRefundsSubject(order.id);
  if (recorded === refunded || (await comparisons.areRefundsAccepted(order.id)))
    return reporter.resolveProblem("mismatch", subject);
  const text = rules.note("refunds_differ", {
    amount: amountText(refunded, currency),
    store_total: amountText(recorded, currency),
  });
  // Refunds deleted in the shop already have an order note.
  const deleted = rows
    .filter((row) => row.state === "completed" && row.isDeleted)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  if (recorded + deleted !== refunded) await addNoteOnce(context, order.id, text);
  await reporter.reportProblem({ kind: "mismatch", subject, storeOrderId: order.id, text });
  context.log.error(
    { order: order.id, recorded: String(recorded), moved: String(refunded) },
    "Refunds in the shop and in Tillgate don't match",
  );
}
