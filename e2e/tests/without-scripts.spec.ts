import { expect, test } from "../fixtures/test.js";

test.use({ javaScriptEnabled: false });

test("without scripts a shopper goes from the cart to Processing", async ({ shop, shopper, books }) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await payment.payFromWallet(shopper);
  await payment.returnLink.click();
  await shop.showsReceived("processing");
  await shop.orderBecomes(order, "processing");
  expect(await books.balance(shopper, "EUR")).toBe(before - 1850n);
});

test("without scripts a wrong PIN, a refusal and a cancel are told on the page", async ({
  shop,
  shopper,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await payment.signIn(shopper.phone, shopper.pin === "482915" ? "482916" : "482915");
  await payment.says("wrong_sign_in");
  await expect(payment.identifier).toHaveValue(shopper.phone);
  await payment.decline.click();
  await payment.says("declined");
  await payment.cancel();
  await payment.shows("CANCELLED");
  await payment.returnLink.click();
  await expect(shop.page.getByTestId("notice")).toContainText("cancelled");
  await shop.orderBecomes(order, "cancelled");
});

test("without scripts nothing is offered that needs them", async ({ shop }) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await expect(payment.page.getByTestId("pay-copy")).toBeHidden();
  await expect(payment.page.getByTestId("pay-countdown")).toBeHidden();
  await expect(payment.page.getByTestId("pay-url")).toHaveText(payment.page.url());
  await payment.approve.click();
  await payment.shows("PAID");
  await expect(payment.page.getByTestId("pay-print")).toBeHidden();
  await expect(payment.page.getByTestId("pay-returning")).toBeHidden();
  await shop.orderBecomes(order, "processing");
});
