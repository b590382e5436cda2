import { expect, test } from "../fixtures/test.js";

test("an order goes from the cart to Processing when it is approved in the sandbox", async ({
  shop,
  storeOrders,
  tillgate,
}) => {
  const order = await shop.placeOrder();
  expect((await storeOrders.read(order.id)).status).toBe("pending");

  const payment = await shop.payNow();
  await expect(payment.amount).toHaveText("18.50 EUR");
  await payment.approve.click();
  await payment.shows("PAID");
  const transaction = await payment.transaction.textContent();

  await payment.returnLink.click();
  await shop.showsReceived("processing");
  const known = await shop.orderBecomes(order, "processing");
  expect(known).toMatchObject({ total: "18.50", payment_method: "tillgate", transaction_id: transaction });
  expect(await tillgate.orderOf(order)).toMatchObject({ status: "PAID", trx_id: transaction });
});
