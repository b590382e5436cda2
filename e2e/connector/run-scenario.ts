import { TillgateApiError } from "@tillgate/client";
import { ConnectorError } from "@tillgate/connector";
import type { Bench } from "./bench.js";
import type { Cancellation } from "./completions.js";
import type { Scenario, Step } from "./scenario.js";
import { ShopError, type ShopOrder } from "./shop.js";
import type { ReceivedWebhook } from "./webhook-inbox.js";

export type ScenarioRun = {
  life: Scenario;
  order: ShopOrder;
  productId: number;
  /** Addresses of the order's payments, newest last. */
  paymentUrls: string[];
  delivered: Set<ReceivedWebhook>;
  /** Cancellations by the owner that the shop performed. */
  cancellations: Cancellation[];
  /** The order's total, initially and after each change by the owner. */
  totals: string[];
  failures: string[];
};

export const PIECES = 10;

/**
 * Runs one scenario: the rounds in sequence, and the steps of a round concurrently. Then delivers every webhook that the connector has not
 * accepted yet, unless these webhooks are lost in the scenario. Unexpected errors of steps are in `failures`.
 */
export async function runScenario(bench: Bench, life: Scenario): Promise<ScenarioRun> {
  const { price, virtual } = life;
  const productId = await bench.shop.product({ price, virtual, pieces: PIECES });
  const order = await bench.shop.order(productId);
  const lived: ScenarioRun = {
    life,
    order,
    productId,
    paymentUrls: [],
    delivered: new Set(),
    cancellations: [],
    totals: [order.total],
    failures: [],
  };
  await take(bench, lived, { do: "start" });
  for (const round of life.rounds) await Promise.all(round.map((step) => take(bench, lived, step)));
  if (life.restIsLost) return lived;
  // Tillgate retries each delivery until it gets a 2xx.
  for (const mail of await mailsOf(bench, lived))
    if (!lived.delivered.has(mail)) await deliver(bench, lived, mail);
  return lived;
}

async function take(bench: Bench, lived: ScenarioRun, step: Step): Promise<void> {
  try {
    await performStep(bench, lived, step);
  } catch (error) {
    // An expected error: the order is not payable now, or someone else is changing it.
    if (error instanceof ConnectorError || error instanceof ShopError) return;
    if (error instanceof TillgateApiError && error.status === 422) return;
    lived.failures.push(`${step.do}: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

async function performStep(bench: Bench, lived: ScenarioRun, step: Step): Promise<unknown> {
  const { connector, shop, shopper } = bench;
  const { id, order_key: key } = lived.order;
  const payment = lived.paymentUrls.at(-1);
  switch (step.do) {
    case "start": {
      const { payment_url } = await connector.startPayment({ storeOrderId: id, orderKey: key });
      if (!lived.paymentUrls.includes(payment_url)) lived.paymentUrls.push(payment_url);
      return;
    }
    case "pay":
      return payment === undefined ? undefined : shopper.pay(payment);
    case "cancel on the page":
      return payment === undefined ? undefined : shopper.cancel(payment);
    case "return":
      return connector.readPayment(id, key);
    case "deliver": {
      const mails = await mailsOf(bench, lived);
      const mail = mails[step.which % Math.max(1, mails.length)];
      return mail === undefined ? undefined : deliver(bench, lived, mail);
    }
    case "sweep":
      return bench.sweep();
    case "shop tells":
      return bench.deliverStoreWebhook(id);
    case "refund at Tillgate":
      return refundAtTillgate(bench, lived, step.percent);
    case "refund in the shop":
      return refundInShop(bench, lived, step.percent);
    case "switch the method":
      return shop.change(id, { payment_method: step.to, payment_method_title: step.to });
    case "cancel in the shop":
      return cancelInShop(bench, lived);
    case "edit the total":
      return editTotal(bench, lived, step.to);
    case "expire":
      return expire(bench, lived);
  }
}

async function deliver(bench: Bench, lived: ScenarioRun, mail: ReceivedWebhook): Promise<void> {
  lived.delivered.add(mail);
  try {
    await bench.deliver(mail);
  } catch (error) {
    // The response is not 2xx, so Tillgate resends the webhook.
    lived.delivered.delete(mail);
    throw error;
  }
}

const ordersOf = async ({ tillgate }: Bench, { order }: ScenarioRun) =>
  (await tillgate.orders.list({ reference: order.number, per_page: 100 })).orders;

const mailsOf = async (bench: Bench, lived: ScenarioRun): Promise<ReceivedWebhook[]> =>
  bench.mailbox.of((await ordersOf(bench, lived)).map(({ order_id }) => order_id));

async function refundAtTillgate(bench: Bench, lived: ScenarioRun, percent: number): Promise<unknown> {
  const paid = (await ordersOf(bench, lived)).find(({ trx_id }) => trx_id !== null);
  if (paid?.trx_id == null) return;
  return bench.tillgate.refunds.create({
    transaction_id: paid.trx_id,
    amount: share(paid.raw_amount.toFixed(2), percent),
    reason: "Asked for by phone",
  });
}

async function refundInShop(bench: Bench, { order }: ScenarioRun, percent: number): Promise<unknown> {
  const { status, total } = await bench.shop.read(order.id);
  if (status !== "processing" && status !== "completed") return;
  return bench.shop.refund(order.id, share(total, percent));
}

/** Cancels the order in the shop as the shop's owner. Records the cancellation if the shop performed it. */
export async function cancelInShop({ shop }: Bench, { order, cancellations }: ScenarioRun): Promise<void> {
  const askedMs = performance.now();
  const { status } = await shop.change(order.id, { status: "cancelled" });
  if (status === "cancelled") cancellations.push({ askedMs, answeredMs: performance.now() });
}

/** Computes a percentage of a two-decimal amount, rounded down, but at least 0.01. */
function share(amount: string, percent: number): string {
  const minor = BigInt(amount.replace(".", ""));
  const part = (minor * BigInt(percent)) / 100n;
  const text = String(part > 0n ? part : 1n).padStart(3, "0");
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** Changes the order's total by a fee. Like WooCommerce's screens, edits only orders that are Pending or On hold. */
async function editTotal(bench: Bench, { order, totals }: ScenarioRun, to: string): Promise<void> {
  const now = await bench.shop.read(order.id);
  if (now.status !== "pending" && now.status !== "on-hold") return;
  const difference = (Number(to) - Number(now.total)).toFixed(2);
  const changed = await bench.shop.change(order.id, {
    fee_lines: [{ name: "Adjustment", total: difference }],
  });
  totals.push(changed.total);
}

async function expire(bench: Bench, lived: ScenarioRun): Promise<unknown> {
  const pending = (await ordersOf(bench, lived)).find(({ status }) => status === "PENDING");
  if (pending === undefined) return;
  await bench.books.expireOrder(pending.order_id).catch((error: unknown) => {
    // Someone else was faster, so nothing expires.
    if (!(error instanceof Error && error.message.includes("is not pending"))) throw error;
  });
  return bench.tillgate.orders.get(pending.order_id);
}
