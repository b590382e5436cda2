import type { StoreOrder } from "../store/store-access.js";
import { amountText, sumOfRecords, tryWireAmount } from "../store/store-amount.js";
import type { ConnectorContext } from "./context.js";
import { followOpenRefunds, refundsOfPayment } from "./follow-refunds.js";
import { addNoteOnce } from "./order-note.js";

/** A shop's refund in one of these states shows no money that Tillgate moved, and has its own note. */
const WITHOUT_MONEY: ReadonlySet<string> = new Set(["refused", "failed", "ignored", "pending"]);
/** Its outcome is not known yet. */
const OPEN: ReadonlySet<string> = new Set(["calling", "given_up"]);

/** Of the problem in the health panel. */
export const refundsSubject = (orderId: number): string => `refunds of order ${orderId}`;

/**
 * Compares the sum of the shop's refund records of an order with the sum that Tillgate has paid back, in minor units, and
 * reports a difference. To be called under the order's claim, after the facts were carried out.
 * @throws StoreError, the client's errors: to be repeated
 */
export async function compareRefunds(context: ConnectorContext, order: StoreOrder): Promise<void> {
  const { comparisons, payments, followedRefunds, reporter, rules, outgoingRefunds, store } = context;
  if (order.transactionId === "") return;
  const [payment] = await payments.byTransactions([order.transactionId]);
  if (payment === undefined || payment.storeOrderId !== order.id || payment.trxId === null) return;
  const rows = await outgoingRefunds.ofOrder(order.id);
  const isRefunded = order.hasRefunds !== false || rows.length > 0;
  if (!isRefunded && !(await followedRefunds.areAnyOf(order.id))) return;

  const remote = await refundsOfPayment(context, payment.credential, payment.trxId, "completed");
  const ends = await followedRefunds.ends(remote.map(({ refund_id }) => refund_id));
  const isUnderWay =
    rows.some(({ deleted, state }) => OPEN.has(state) && !deleted) ||
    remote.some(({ refund_id }) => ends.get(refund_id) !== "recorded");
  // Refunds that are not in the shop yet come there first; the look after that compares.
  if (isUnderWay) return followOpenRefunds(context, remote);

  const { currency } = order;
  const records = await store.refunds(order.id);
  const there = new Set(records.map(({ id }) => id));
  const withoutMoney = rows
    .filter(({ state, recordId }) => WITHOUT_MONEY.has(state) && there.has(recordId))
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const recorded = sumOfRecords(records, currency) - withoutMoney;
  const moved = remote.reduce((sum, one) => sum + (tryWireAmount(one.raw_amount, one.currency) ?? 0n), 0n);
  const subject = refundsSubject(order.id);
  if (recorded === moved || (await comparisons.areRefundsAccepted(order.id)))
    return reporter.settled("mismatch", subject);
  const text = rules.note("refunds_differ", {
    amount: amountText(moved, currency),
    store_total: amountText(recorded, currency),
  });
  // A deletion in the shop already has its own note.
  const deleted = rows
    .filter((row) => row.state === "completed" && row.deleted)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  if (recorded + deleted !== moved) await addNoteOnce(context, order.id, text);
  await reporter.problem({ kind: "mismatch", subject, storeOrderId: order.id, text });
  context.log.error(
    { order: order.id, recorded: String(recorded), moved: String(moved) },
    "The shop's refund records and Tillgate's refunds differ",
  );
}
