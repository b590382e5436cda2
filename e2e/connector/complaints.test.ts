import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, eventually, openBench } from "./bench.js";
import type { ShopOrder } from "./shop.js";

/** Complaints from the issue trackers of other plugins, tested for a headless shop. */

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

type Started = {
  order: ShopOrder;
  productId: number;
  paymentUrl: string;
  tillgateOrder: string;
};

async function start(fields: { price?: string } = {}): Promise<Started> {
  const productId = await bench.shop.product({ price: fields.price ?? "41.50", pieces: 10 });
  const order = await bench.shop.order(productId);
  const { payment_url } = await bench.connector.startPayment({
    storeOrderId: order.id,
    orderKey: order.order_key,
  });
  return { order, productId, paymentUrl: payment_url, tillgateOrder: await newestOf(order) };
}

async function newestOf({ number }: ShopOrder): Promise<string> {
  const [newest] = (await bench.tillgate.orders.list({ reference: number })).orders;
  if (newest === undefined) throw new Error(`Tillgate has no order for ${number}.`);
  return newest.order_id;
}

/** Pays, and delivers the webhook. @returns the transaction ID in the shop. */
async function pay(started: Started): Promise<string> {
  expect(await bench.shopper.pay(started.paymentUrl)).toBe(true);
  await bench.deliver(await bench.mailbox.wait(started.tillgateOrder, "pos.order.paid"));
  const { status, transaction_id } = await bench.shop.read(started.order.id);
  expect(status).toBe("processing");
  return transaction_id;
}

const completions = async (id: number): Promise<number> =>
  (await bench.shop.notes(id)).filter((note) => note.endsWith("to Processing.")).length;

/** Sweeps until `check` succeeds. */
const swept = (check: () => Promise<void>): Promise<void> =>
  eventually(async () => {
    await bench.sweep();
    await check();
  });

describe("common complaints about payment plugins", () => {
  it("paid but still pending: return page, webhook and sweep at the same instant complete the order once", async () => {
    const started = await start();
    const { id, order_key } = started.order;
    expect(await bench.shopper.pay(started.paymentUrl)).toBe(true);
    const mail = await bench.mailbox.wait(started.tillgateOrder, "pos.order.paid");
    await Promise.all([
      ...[1, 2, 3].map(() => bench.deliver(mail)),
      ...[1, 2, 3].map(() => bench.connector.readPayment(id, order_key)),
      bench.sweep(),
    ]);
    expect((await bench.shop.read(id)).status).toBe("processing");
    expect(await completions(id)).toBe(1);
    expect(await bench.shop.tillgateNotes(id)).toHaveLength(1);
    expect(await bench.shop.stock(started.productId)).toBe(9);
  });

  it("auto-cancelled while the shopper was paying: the paid order becomes Processing", async () => {
    const started = await start();
    expect(await bench.shopper.pay(started.paymentUrl)).toBe(true);
    await bench.shop.change(started.order.id, { status: "cancelled" });
    await bench.deliver(await bench.mailbox.wait(started.tillgateOrder, "pos.order.paid"));
    expect((await bench.shop.read(started.order.id)).status).toBe("processing");
    expect(await bench.shop.stock(started.productId)).toBe(9);
  });

  it("webhook acknowledged, then lost: the webhook is acknowledged only after the shop records the payment", async () => {
    const started = await start();
    expect(await bench.shopper.pay(started.paymentUrl)).toBe(true);
    const mail = await bench.mailbox.wait(started.tillgateOrder, "pos.order.paid");
    const wrong = { ...mail, headers: { ...mail.headers, "webhook-signature": "v1,AAAA" } };
    expect(await bench.deliver(wrong)).toMatchObject({ outcome: "refused" });
    expect((await bench.shop.read(started.order.id)).status).toBe("pending");
    expect(await bench.deliver(mail)).toMatchObject({ outcome: "applied" });
    expect((await bench.shop.read(started.order.id)).status).toBe("processing");
    expect(await bench.deliver(mail)).toMatchObject({ outcome: "repeated" });
  });

  it("webhook never arrives: the sweep completes the payment once", async () => {
    const started = await start();
    expect(await bench.shopper.pay(started.paymentUrl)).toBe(true);
    await swept(async () => expect((await bench.shop.read(started.order.id)).status).toBe("processing"));
    expect(await completions(started.order.id)).toBe(1);
  });

  it("late webhook for a partial refund: the sweep records the refund, and the webhook does not record it again", async () => {
    const started = await start();
    const transaction_id = await pay(started);
    const refund = await bench.tillgate.refunds.create({ transaction_id, amount: "1.50" });
    await swept(async () =>
      expect(await bench.shop.refunds(started.order.id)).toMatchObject([
        { amount: "1.50", tillgateRefundId: refund.refund_id },
      ]),
    );
    await bench.deliver(await bench.mailbox.wait(started.tillgateOrder, "refund.completed"));
    expect(await bench.shop.refunds(started.order.id)).toHaveLength(1);
  });

  it("reload or second tab creates a second payment: an order whose total is unchanged has one payment", async () => {
    const { order, paymentUrl } = await start();
    const views = await Promise.all(
      [1, 2, 3, 4].map(() =>
        bench.connector.startPayment({ storeOrderId: order.id, orderKey: order.order_key }),
      ),
    );
    for (const view of views) expect(view.payment_url).toBe(paymentUrl);
    expect((await bench.tillgate.orders.list({ reference: order.number })).orders).toHaveLength(1);
  });

  it("refund shown before the money moved: the shop records a refund once, when refund.completed arrives", async () => {
    const started = await start();
    const transaction_id = await pay(started);
    await bench.tillgate.refunds.create({ transaction_id, amount: "2.00" });
    const mail = await bench.mailbox.wait(started.tillgateOrder, "refund.completed");
    expect(await bench.shop.refunds(started.order.id)).toEqual([]);
    await Promise.all([1, 2, 3].map(() => bench.deliver(mail)));
    expect(await bench.shop.refunds(started.order.id)).toMatchObject([{ amount: "2.00" }]);
  });

  it("refund made at the provider is missing in the shop: a partial refund and the refund of the remaining amount are recorded, and the order becomes Refunded without restocking", async () => {
    const started = await start();
    const transaction_id = await pay(started);
    await bench.tillgate.refunds.create({ transaction_id, amount: "1.50" });
    await bench.tillgate.refunds.create({ transaction_id });
    const whole = await bench.mailbox.wait(started.tillgateOrder, "pos.order.refunded");
    await bench.deliver(whole);
    expect((await bench.shop.read(started.order.id)).status).toBe("refunded");
    expect((await bench.shop.refunds(started.order.id)).map(({ amount }) => amount).toSorted()).toEqual([
      "1.50",
      "40.00",
    ]);
    expect(await bench.shop.stock(started.productId)).toBe(9);
  });

  it("refund in the shop moves no money: each refund is sent to Tillgate once, even two of the same amount", async () => {
    const started = await start();
    const transaction_id = await pay(started);
    const sent = async () => {
      const { refunds } = await bench.tillgate.refunds.list({ transaction_id });
      return refunds.map(({ raw_amount, status }) => `${raw_amount} ${status}`);
    };
    await bench.shop.refund(started.order.id, "5.00");
    await Promise.all([bench.deliverStoreWebhook(started.order.id), bench.sweep()]);
    await swept(async () => expect(await sent()).toEqual(["5 completed"]));
    await bench.shop.refund(started.order.id, "5.00");
    await bench.deliverStoreWebhook(started.order.id);
    await swept(async () => expect(await sent()).toEqual(["5 completed", "5 completed"]));
    // Tillgate's refund webhooks create no record besides the shop's own.
    for (const mail of bench.mailbox.of([started.tillgateOrder])) await bench.deliver(mail);
    expect(await bench.shop.refunds(started.order.id)).toHaveLength(2);
    await swept(async () =>
      expect(
        (await bench.shop.tillgateNotes(started.order.id)).filter((note) =>
          note.includes("made in the shop was completed"),
        ),
      ).toHaveLength(2),
    );
  });

  it("refund in the shop exceeds the refundable amount: the refund is rejected with a note, and no money moves", async () => {
    const started = await start();
    const transaction_id = await pay(started);
    await bench.tillgate.refunds.create({ transaction_id, amount: "40.00" });
    const refund = await bench.shop.refund(started.order.id, "5.00");
    await bench.deliverStoreWebhook(started.order.id);
    await swept(async () =>
      expect(await bench.shop.tillgateNotes(started.order.id)).toContainEqual(
        expect.stringMatching(new RegExp(`#${refund} .*was rejected`)),
      ),
    );
    const { refunds } = await bench.tillgate.refunds.list({ transaction_id });
    expect(refunds).toHaveLength(1);
  });

  it("switching the method at checkout cancels or orphans the order: only the payment is cancelled", async () => {
    const started = await start();
    await bench.shop.change(started.order.id, { payment_method: "bacs", status: "on-hold" });
    await bench.deliverStoreWebhook(started.order.id);
    await swept(async () =>
      expect((await bench.tillgate.orders.get(started.tillgateOrder)).status).toBe("CANCELLED"),
    );
    await bench.deliver(await bench.mailbox.wait(started.tillgateOrder, "pos.order.cancelled"));
    expect(await bench.shop.read(started.order.id)).toMatchObject({
      status: "on-hold",
      payment_method: "bacs",
    });
    expect(await bench.shop.stock(started.productId)).toBe(9);
  });

  it("late payment: the payment is refunded in full, with a note, if the order was paid another way in the meantime", async () => {
    const started = await start();
    expect(await bench.shopper.pay(started.paymentUrl)).toBe(true);
    // The owner has been paid another way before the late payment arrives.
    await bench.shop.change(started.order.id, { payment_method: "bacs", status: "processing" });
    await bench.deliver(await bench.mailbox.wait(started.tillgateOrder, "pos.order.paid"));
    expect((await bench.tillgate.orders.get(started.tillgateOrder)).status).toBe("REFUNDED");
    expect(await bench.shop.tillgateNotes(started.order.id)).toContainEqual(
      expect.stringContaining("no longer needs this payment"),
    );
    expect(await bench.shop.refunds(started.order.id)).toEqual([]);
  });

  it("total edited while a payment is open: the old payment can no longer be paid, and a new payment has the new total", async () => {
    const started = await start();
    await bench.shop.change(started.order.id, { fee_lines: [{ name: "Adjustment", total: "18.50" }] });
    const { payment_url, amount } = await bench.connector.startPayment({
      storeOrderId: started.order.id,
      orderKey: started.order.order_key,
    });
    expect(amount).toBe("60.00");
    expect(payment_url).not.toBe(started.paymentUrl);
    expect(await bench.shopper.pay(started.paymentUrl)).toBe(false);
    expect(await bench.shopper.pay(payment_url)).toBe(true);
    await bench.deliver(await bench.mailbox.wait(await newestOf(started.order), "pos.order.paid"));
    expect((await bench.shop.read(started.order.id)).status).toBe("processing");
  });

  it("expired while on hold: the order becomes Failed, and its stock is returned", async () => {
    const started = await start();
    await bench.shop.change(started.order.id, { status: "on-hold" });
    expect(await bench.shop.stock(started.productId)).toBe(9);
    await bench.books.expireOrder(started.tillgateOrder);
    await swept(async () => expect((await bench.shop.read(started.order.id)).status).toBe("failed"));
    expect(await bench.shop.stock(started.productId)).toBe(10);
  });

  it("order moved to the trash: its payment is cancelled", async () => {
    const started = await start();
    await bench.shop.trash(started.order.id);
    await bench.deliverStoreWebhook(started.order.id);
    await swept(async () =>
      expect((await bench.tillgate.orders.get(started.tillgateOrder)).status).toBe("CANCELLED"),
    );
  });
});
