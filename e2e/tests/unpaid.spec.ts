import { expect, test } from "../fixtures/test.js";

test("cancelling on the payment page cancels the shop's order, and the return link opens the filled cart", async ({
  shop,
  tillgate,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await payment.cancel();
  await payment.expectStatus("CANCELLED");
  await expect(payment.approve).toHaveCount(0);

  await payment.returnLink.click();
  await expect(shop.page.getByTestId("notice")).toContainText("cancelled");
  await expect(shop.page.getByTestId("cart-line-morning-mug")).toBeVisible();
  await shop.expectOrderStatus(order, "cancelled");
  expect((await tillgate.orderOf(order)).status).toBe("CANCELLED");
});

test("an order that expires is shown as expired on the open page and becomes Failed in the shop", async ({
  shop,
  tillgate,
  books,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await books.expireOrder((await tillgate.orderOf(order)).order_id);

  await payment.expectStatus("EXPIRED");
  await expect(payment.approve).toHaveCount(0);
  await shop.expectOrderStatus(order, "failed");
});

test("a late payment charges nothing, and the same order can be paid with a new QR code", async ({
  shop,
  shopper,
  tillgate,
  storeOrders,
  books,
}) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.placeOrder();
  // The page does not learn of the expiry before Pay is clicked.
  await shop.page.route(/\/pay\/[^/]+\/(events|status)$/, (route) => route.abort());
  const payment = await shop.payNow();
  await payment.signIn(shopper.phone, shopper.pin);
  await expect(payment.confirm).toBeVisible();
  const first = await tillgate.orderOf(order);
  await books.expireOrder(first.order_id);
  await storeOrders.waitFor(order.id, "failed");
  await payment.confirm.click();
  await payment.expectNotice("expired");
  await payment.expectStatus("EXPIRED");
  expect(await books.balance(shopper, "EUR")).toBe(before);

  await payment.returnLink.click();
  expect(await shop.orderOnPayPage()).toEqual(order);
  const again = await shop.payNow();
  expect(again.page.url()).not.toBe(first.payment_url);
  // The earlier PIN was for the expired order.
  await again.confirmPin.fill(shopper.pin);
  await again.confirm.click();
  await again.expectStatus("PAID");
  await shop.expectOrderStatus(order, "processing");
  expect(await books.balance(shopper, "EUR")).toBe(before - 1850n);
});
