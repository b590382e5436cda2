import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

test("reloading and going back after paying do not charge again", async ({ shop, shopper, books, page }) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await payment.payFromWallet(shopper);
  await page.reload();
  await payment.expectStatus("PAID");

  await payment.returnLink.click();
  await shop.expectReceived("processing");
  await page.goBack();
  await payment.expectStatus("PAID");
  await expect(payment.confirm).toHaveCount(0);
  await page.goBack();
  await expect(payment.confirm).toHaveCount(0);

  await shop.expectOrderStatus(order, "processing");
  expect(await books.balance(shopper, "EUR")).toBe(before - 1850n);
});

test("a double click on Pay makes one payment", async ({ shop, shopper, tillgate, books }) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await payment.signIn(shopper.phone, shopper.pin);
  await payment.confirm.dblclick({ delay: 0 });
  await payment.expectStatus("PAID");
  await expect(payment.notice).toHaveCount(0);

  await shop.expectOrderStatus(order, "processing");
  expect(await books.balance(shopper, "EUR")).toBe(before - 1850n);
  expect(await books.events((await tillgate.orderOf(order)).order_id, "pos.order.paid")).toBe(1);
});

test("two tabs paying at the same moment make one payment", async ({
  shop,
  shopper,
  tillgate,
  books,
  context,
}) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.placeOrder();
  const first = await shop.payNow();
  await first.signIn(shopper.phone, shopper.pin);
  await expect(first.confirm).toBeVisible();
  const second = await new PaymentPage(await context.newPage()).open(first.page.url());
  await expect(second.confirm).toBeVisible();

  await Promise.all([
    first.confirm.click({ noWaitAfter: true }),
    second.confirm.click({ noWaitAfter: true }),
  ]);
  await first.expectStatus("PAID");
  await second.expectStatus("PAID");

  await shop.expectOrderStatus(order, "processing");
  expect(await books.balance(shopper, "EUR")).toBe(before - 1850n);
  expect(await books.events((await tillgate.orderOf(order)).order_id, "pos.order.paid")).toBe(1);
});

test("when Pay and Cancel are sent at the same moment, exactly one succeeds @one-width", async ({
  shop,
  shopper,
  sandbox,
  tillgate,
  storeOrders,
  books,
}) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await payment.signIn(shopper.phone, shopper.pin);
  await expect(payment.confirm).toBeVisible();
  const address = payment.page.url();
  const form = { form_token: await payment.formToken() };
  const send = (step: string) =>
    payment.page.request.post(`${address}/${step}`, {
      form,
      headers: { Origin: sandbox.pay },
      maxRedirects: 0,
    });
  await Promise.all([send("pay"), send("cancel"), send("pay"), send("cancel")]);

  const { order_id, status } = await tillgate.orderOf(order);
  const paid = status === "PAID";
  expect(["PAID", "CANCELLED"]).toContain(status);
  await storeOrders.waitFor(order.id, paid ? "processing" : "cancelled");
  expect(await books.balance(shopper, "EUR")).toBe(paid ? before - 1850n : before);
  const ends = [
    await books.events(order_id, "pos.order.paid"),
    await books.events(order_id, "pos.order.cancelled"),
  ];
  expect(ends).toEqual(paid ? [1, 0] : [0, 1]);
});
