import type { SandboxShopper } from "@tillgate/stack";
import { expect, test } from "../fixtures/test.js";
import type { Tillgate } from "../fixtures/tillgate.js";
import type { Shop, ShopOrder } from "../pages/shop.js";

type Paid = {
  order: ShopOrder;
  transaction: string;
  /** The address of the order's payment page. */
  page: string;
};

/** Places an order of EUR 18.50 and pays it from the shopper's wallet. The order is then Processing. */
async function paidOrder(shop: Shop, shopper: SandboxShopper, tillgate: Tillgate): Promise<Paid> {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await payment.payFromWallet(shopper);
  await shop.expectOrderStatus(order, "processing");
  const { trx_id, payment_url } = await tillgate.orderOf(order);
  if (trx_id === null || payment_url === null)
    throw new Error("The paid order has no transaction ID or payment URL.");
  return { order, transaction: trx_id, page: payment_url };
}

test("a full refund sets the shop's order to Refunded and credits the whole amount to the shopper", async ({
  shop,
  shopper,
  tillgate,
  books,
  page,
}) => {
  const before = await books.balance(shopper, "EUR");
  const paid = await paidOrder(shop, shopper, tillgate);
  const refund = await tillgate.refunds.create({ transaction_id: paid.transaction, reason: "Chipped rim" });
  expect(refund).toMatchObject({ status: "completed", amount: "18.50 EUR" });

  const known = await shop.expectOrderStatus(paid.order, "refunded");
  expect(known.refunds.map(({ total }) => total)).toEqual(["-18.50"]);
  await expect(page.getByTestId("order-refund")).toContainText("18.50");
  expect(await books.balance(shopper, "EUR")).toBe(before);
  await page.goto(paid.page);
  await expect(page.getByTestId("pay-status")).toHaveAttribute("data-status", "REFUNDED");
  await expect(page.getByTestId("pay-refunded")).toHaveText("€18.50");
});

test("a partial refund leaves the shop's order Processing with a refund of that amount, and credits the shopper", async ({
  shop,
  shopper,
  tillgate,
  storeOrders,
  books,
  page,
}) => {
  const before = await books.balance(shopper, "EUR");
  const paid = await paidOrder(shop, shopper, tillgate);
  await tillgate.refunds.create({ transaction_id: paid.transaction, amount: "5.25" });

  await expect.poll(async () => (await storeOrders.read(paid.order.id)).refunds.length).toBe(1);
  const known = await shop.expectOrderStatus(paid.order, "processing");
  expect(known.refunds.map(({ total }) => total)).toEqual(["-5.25"]);
  await expect(page.getByTestId("order-refund")).toContainText("5.25");
  expect(await books.balance(shopper, "EUR")).toBe(before - 1850n + 525n);
});

test("partial refunds that add up to the whole amount set the shop's order to Refunded, and no more can be refunded @one-width", async ({
  shop,
  shopper,
  tillgate,
  storeOrders,
  books,
  page,
}) => {
  const before = await books.balance(shopper, "EUR");
  const paid = await paidOrder(shop, shopper, tillgate);
  await tillgate.refunds.create({ transaction_id: paid.transaction, amount: "10.00" });
  await expect.poll(async () => (await storeOrders.read(paid.order.id)).refunds.length).toBe(1);
  await shop.expectOrderStatus(paid.order, "processing");
  await tillgate.refunds.create({ transaction_id: paid.transaction, amount: "8.50" });

  const known = await shop.expectOrderStatus(paid.order, "refunded");
  expect(known.refunds.map(({ total }) => total).toSorted()).toEqual(["-10.00", "-8.50"]);
  await expect(page.getByTestId("order-refund")).toHaveCount(2);
  expect(await books.balance(shopper, "EUR")).toBe(before);
  await expect(tillgate.refunds.create({ transaction_id: paid.transaction, amount: "0.01" })).rejects.toThrow(
    "Refund exceeds original amount",
  );
});
