import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

test.use({ javaScriptEnabled: false });

test("without scripts an order goes from the cart to Processing, and is charged once", async ({
  shop,
  shopper,
  books,
}) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.checkOut();
  const payment = await shop.payNow();
  await payment.payFromWallet(shopper);
  await payment.returnLink.click();
  await shop.expectReceived("processing");
  await shop.expectOrderStatus(order, "processing");
  expect(await books.balance(shopper, "EUR")).toBe(before - 1850n);
});

test("without scripts a wrong PIN, a decline and a cancellation are shown on the page", async ({
  shop,
  shopper,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await payment.signIn(shopper.phone, shopper.pin === "482915" ? "482916" : "482915");
  await payment.expectNotice("wrong_sign_in");
  await expect(payment.identifier).toHaveValue(shopper.phone);
  await payment.decline.click();
  await payment.expectNotice("declined");
  await payment.cancel();
  await payment.expectStatus("CANCELLED");
  await payment.returnLink.click();
  await expect(shop.page.getByTestId("notice")).toContainText("cancelled");
  await shop.expectOrderStatus(order, "cancelled");
});

test("without scripts the QR-only view refreshes until another phone has paid", async ({
  payment,
  tillgate,
  browser,
  isMobile,
}) => {
  const order = await tillgate.placeOrder();
  await payment.open(order.address);
  if (isMobile) await payment.page.getByTestId("pay-qr-open").click();
  await payment.page.locator('a[href$="view=code"]').click();
  await expect(payment.page.getByTestId("pay-qr")).toBeVisible();
  await expect(payment.page.locator("form, input")).toHaveCount(0);
  const phone = await browser.newContext({ javaScriptEnabled: false });
  try {
    const other = await new PaymentPage(await phone.newPage()).open(order.address);
    await other.approve.click();
    await other.expectStatus("PAID");
  } finally {
    await phone.close();
  }
  await payment.expectStatus("PAID");
});

test("without scripts a step with an unknown outcome is checked and then offered again @one-width", async ({
  payment,
  tillgate,
}) => {
  const order = await tillgate.placeOrder();
  await payment.open(`${order.address}?check=5`);
  await expect(payment.page.getByTestId("pay-checking")).toBeVisible();
  await expect(payment.approve).toBeVisible();
  expect(payment.page.url()).toBe(order.address);
});

test("without scripts a remembered shopper confirms with the PIN @one-width", async ({
  payment,
  readyToPay,
  shopper,
  books,
}) => {
  const { paidOnce } = await readyToPay();
  await books.agePin(await payment.session());
  await payment.confirm.click();
  await payment.expectNotice("pin_needed");
  await expect(payment.confirmPin).toBeFocused();
  await payment.confirmPin.fill(shopper.pin);
  await payment.confirm.click();
  await paidOnce();
});

test("without scripts the payment page shows nothing that needs them", async ({ shop }) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await expect(payment.page.getByTestId("pay-copy")).toBeHidden();
  await expect(payment.page.getByTestId("pay-countdown")).toBeHidden();
  await expect(payment.page.getByTestId("pay-url")).toHaveText(payment.page.url());
  await payment.approve.click();
  await payment.expectStatus("PAID");
  await expect(payment.page.getByTestId("pay-print")).toBeHidden();
  await expect(payment.page.getByTestId("pay-copy-receipt")).toBeHidden();
  await expect(payment.page.getByTestId("pay-returning")).toBeHidden();
  await shop.expectOrderStatus(order, "processing");
});
