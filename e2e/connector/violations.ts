import type { Order, Refund } from "@tillgate/contract";
import type { Bench } from "./bench.js";
import { type Completion, countCompletions, wrongCompletions } from "./completions.js";
import { PIECES, type ScenarioRun } from "./run-scenario.js";
import type { ShopOrder, ShopRefund } from "./shop.js";

type FinalState = {
  lived: ScenarioRun;
  made: readonly Completion[];
  order: ShopOrder;
  notes: string[];
  shopRefunds: ShopRefund[];
  stock: number | null;
  /** Tillgate orders of the shop's order, oldest first. */
  attempts: Order[];
  /** Tillgate's refunds by transaction. */
  refunds: Map<string, Refund[]>;
};

/** Reads an order's final state and finds violations, including the scenario's unexpected errors. */
export async function violationsOf(bench: Bench, lived: ScenarioRun): Promise<string[]> {
  const { shop, tillgate } = bench;
  const { id, number } = lived.order;
  const order = await shop.read(id);
  const attempts = (await tillgate.orders.list({ reference: number, per_page: 100 })).orders.toReversed();
  const refunds = new Map<string, Refund[]>();
  for (const { trx_id } of attempts) {
    if (trx_id === null) continue;
    const list = await tillgate.refunds.list({ transaction_id: trx_id, per_page: 100 });
    refunds.set(trx_id, list.refunds);
  }
  const afterwards: FinalState = {
    lived,
    made: bench.completions.of(id),
    order,
    notes: await shop.notes(id),
    shopRefunds: await shop.refunds(id),
    stock: await shop.stock(lived.productId),
    attempts,
    refunds,
  };
  return [
    ...lived.failures,
    ...wrongPayments(afterwards),
    ...wrongStatus(afterwards),
    ...wrongRefunds(afterwards),
    ...wrongNotes(afterwards),
    ...wrongStock(afterwards),
  ];
}

const minor = (amount: string): bigint => BigInt(amount.replace(".", ""));
const completed = (refunds: Refund[] | undefined): Refund[] =>
  (refunds ?? []).filter(({ status }) => status === "completed");
const sumOf = (refunds: Refund[]): bigint =>
  refunds.reduce((sum, { raw_amount }) => sum + minor(raw_amount.toFixed(2)), 0n);

const isPaid = ({ status }: ShopOrder): boolean => ["processing", "completed", "refunded"].includes(status);

/** Finds payments that neither pay the order nor were refunded, and open payments with which the order may not be paid. */
function wrongPayments({ order, attempts, refunds }: FinalState): string[] {
  const wrong: string[] = [];
  for (const attempt of attempts) {
    const { order_id, trx_id, status, raw_amount } = attempt;
    const amount = minor(raw_amount.toFixed(2));
    if (
      trx_id !== null &&
      trx_id !== order.transaction_id &&
      sumOf(completed(refunds.get(trx_id))) !== amount
    ) {
      wrong.push(`${order_id} was paid by ${trx_id}, which neither pays the order nor was refunded`);
    }
    const mayBePaid =
      ["pending", "failed", "on-hold"].includes(order.status) &&
      order.payment_method === "tillgate" &&
      amount === minor(order.total);
    if (status === "PENDING" && !mayBePaid) wrong.push(`${order_id} can still be paid`);
  }
  if (attempts.filter(({ status }) => status === "PENDING").length > 1)
    wrong.push("more than one payment is open");
  return wrong;
}

/** Finds completions and a status that do not follow from the order's payments and the owner's changes. */
function wrongStatus({ order, attempts, notes, lived, made: created }: FinalState): string[] {
  const wrong = wrongCompletions(countCompletions(notes), created, lived.cancellations);
  const own = attempts.find(({ trx_id }) => trx_id !== null && trx_id === order.transaction_id);
  const steps = new Set(lived.life.rounds.flat().map((step) => step.do));
  if (own === undefined && isPaid(order)) wrong.push(`it is ${order.status} without a payment`);
  if (own !== undefined) {
    const fitting = minor(own.raw_amount.toFixed(2)) === minor(order.total);
    const good = isPaid(order) || (order.status === "cancelled" && lived.cancellations.length > 0);
    if (!good && (fitting || order.status !== "on-hold")) wrong.push(`it is paid and ${order.status}`);
  }
  const last = attempts.at(-1);
  const untouched = !(["switch the method", "edit the total", "cancel in the shop"] as const).some((one) =>
    steps.has(one),
  );
  if (own === undefined && untouched && last !== undefined) {
    const expected = { PENDING: "pending", EXPIRED: "failed", CANCELLED: "cancelled" };
    const expectedStatus = Object.entries(expected).find(([status]) => status === last.status)?.[1];
    // A new payment attempt leaves a failed order failed until it is paid.
    const again = last.status === "PENDING" && attempts.length > 1 && order.status === "failed";
    if (expectedStatus !== undefined && expectedStatus !== order.status && !again) {
      wrong.push(`its payment is ${last.status} and it is ${order.status}`);
    }
  }
  return wrong;
}

/** Finds refunds that the shop has recorded twice or not at all, refunds made in the shop without a note about their outcome, and excessive sums. */
function wrongRefunds({ lived, order, refunds, shopRefunds, notes }: FinalState): string[] {
  const wrong: string[] = [];
  const own = completed(refunds.get(order.transaction_id));
  const ids = shopRefunds.flatMap(({ tillgateRefundId }) => tillgateRefundId ?? []);
  if (new Set(ids).size < ids.length) wrong.push("a refund has two records");
  for (const { refund_id } of own) {
    const mentions = notes.filter((note) => note.includes(refund_id));
    if (mentions.length === 0) wrong.push(`no note reports refund ${refund_id}`);
  }
  const created = shopRefunds.filter(({ tillgateRefundId }) => tillgateRefundId === null);
  let linked = 0;
  for (const { id } of created) {
    const mentions = notes.filter((note) => note.includes(`#${id} `) || note.includes(`#${id},`));
    if (mentions.length === 0) wrong.push(`no note reports the outcome of refund #${id}`);
    if (mentions.some((note) => note.includes("made in the shop was completed"))) linked += 1;
  }
  const recorded = ids.filter((id) => own.some(({ refund_id }) => refund_id === id)).length;
  // One note may report several refunds.
  const without = own.filter(({ refund_id }) =>
    notes.some((note) => note.includes(`(${refund_id}), not recorded separately`)),
  ).length;
  const unchanged = notes.filter(
    (note) => note.includes("so nothing was changed") && note.includes("RF-"),
  ).length;
  if (own.length > recorded + linked + without + unchanged) {
    wrong.push(`${own.length} refunds in Tillgate, but ${recorded} recorded and ${linked} made in the shop`);
  }
  const sum = shopRefunds.reduce((total, { amount }) => total + minor(amount), 0n);
  // An owner may reduce the total below the sum of earlier refunds, but the sum may not exceed every total that the order has had.
  if (lived.totals.every((total) => sum > minor(total)))
    wrong.push("refunds in the shop exceed the order total");
  return wrong;
}

function wrongNotes({ notes }: FinalState): string[] {
  const own = notes.filter((note) => note.startsWith("Tillgate:"));
  return [...new Set(own.filter((note, index) => own.indexOf(note) !== index))].map(
    (note) => `twice: ${note}`,
  );
}

/** Finds stock that was not reduced and restored as the order's statuses require. */
function wrongStock({ notes, stock }: FinalState): string[] {
  let expected = PIECES;
  for (const note of notes) {
    const to = /Order status changed from .* to (.*)\.$/.exec(note)?.[1];
    const taken = expected < PIECES;
    if (["Processing", "Completed", "On hold"].includes(to ?? "") && !taken) expected -= 1;
    if (["Cancelled", "Pending payment"].includes(to ?? "") && taken) expected += 1;
  }
  return stock === expected ? [] : [`${stock} pieces are left instead of ${expected}`];
}
