import { expectPageQuality } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

const lost = (payment: PaymentPage) => payment.page.getByTestId("pay-lost-answer");

test("after a lost response the page finds the payment and does not ask to pay again", async ({
  payment,
  readyToPay,
  books,
}) => {
  const { order, paidOnce } = await readyToPay();
  await payment.page.route(/\/pay$/, async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort("connectionreset");
  });
  await payment.confirm.click();
  await payment.expectStatus("PAID");
  await expect(payment.notice).toHaveCount(0);
  await paidOnce();
  expect(await books.events(order.id, "pos.order.paid")).toBe(1);
});

test("a tap on Pay while offline sends nothing and is reported once, and Pay is offered again when online", async ({
  payment,
  readyToPay,
}) => {
  const { paidOnce, untouched } = await readyToPay();
  const { page } = payment;
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.context().setOffline(true);
  await expect(page.getByTestId("pay-connection")).toBeVisible();
  await payment.confirm.click();
  await expect(lost(payment)).toBeFocused();
  await expect(lost(payment)).toContainText("Nothing was sent and you haven’t been charged");
  await expect(page.getByTestId("pay-try-again")).toBeHidden();
  await expect(page.getByTestId("pay-connection")).toBeHidden();
  expect(sent).toEqual([]);
  await expectPageQuality(page, "Pay tapped offline");

  await page.context().setOffline(false);
  await expect(lost(payment)).toContainText("You haven’t been charged. Try again.", { timeout: 30_000 });
  await payment.expectStatus("PENDING");
  await untouched();
  await expectPageQuality(page, "not charged");
  await page.getByTestId("pay-try-again").click();
  await paidOnce();
});

test("if the connection fails before Pay is sent, the page reports within 30 s that nothing was charged, and a retry pays once @one-width", async ({
  payment,
  readyToPay,
}) => {
  const { paidOnce, untouched } = await readyToPay();
  const { page } = payment;
  await page.route(/\/pay$/, (route) => route.abort("connectionreset"));
  await payment.confirm.click();
  await expect(lost(payment)).toBeFocused();
  await expect(lost(payment)).toContainText("never be charged twice");
  await expect(lost(payment)).toContainText("You haven’t been charged. Try again.", { timeout: 30_000 });
  await untouched();
  await page.unroute(/\/pay$/);
  await page.getByTestId("pay-try-again").click();
  await paidOnce();
});

test("a payment whose response was lost before the browser went offline is found after reconnecting, and is never reported as not charged @one-width", async ({
  payment,
  readyToPay,
}) => {
  const { paidOnce } = await readyToPay({ withoutLiveUpdates: true });
  const { page } = payment;
  await page.route(/\/pay$/, async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort("connectionreset");
  });
  await payment.confirm.click();
  await expect(lost(payment)).toContainText("never be charged twice");
  // Offline, this second request is not sent, but the first request may have been sent.
  await page.context().setOffline(true);
  await payment.confirm.click();
  await expect(lost(payment)).toContainText("never be charged twice");
  await page.context().setOffline(false);
  await page.waitForTimeout(14_000);
  await expect(lost(payment)).not.toContainText("haven’t been charged");
  await page.unroute(/\/pay\/[^/]+\/(events|status)$/);
  await paidOnce();
});

test("signing out on a receipt while offline reports a possible failure and can be retried @one-width", async ({
  payment,
  readyToPay,
}) => {
  await readyToPay();
  await payment.confirm.click();
  await payment.expectStatus("PAID");
  await payment.page.context().setOffline(true);
  // A response that arrived just before may still render the receipt again, which removes the message.
  await expect(async () => {
    await payment.page.getByTestId("pay-sign-out").click();
    await expect(lost(payment)).toContainText("this may not have gone through", { timeout: 5_000 });
    await expect(payment.page.getByTestId("pay-try-again")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  // Back online, the receipt may be rendered again, which removes the message.
  await payment.page.context().setOffline(false);
  await payment.page.getByTestId("pay-sign-out").click();
  await expect(payment.page.getByTestId("pay-sign-out")).toHaveCount(0);
});

test("a remembered shopper confirms with the PIN, and a wrong PIN keeps the session", async ({
  payment,
  readyToPay,
  shopper,
  books,
}) => {
  const { paidOnce, untouched } = await readyToPay();
  await books.agePin(await payment.session());
  await payment.confirm.click();
  await payment.expectNotice("pin_needed");
  await expect(payment.confirmPin).toBeFocused();

  await payment.confirmPin.fill(shopper.pin === "482915" ? "482916" : "482915");
  await payment.confirm.click();
  await payment.expectNotice("wrong_pin");
  await expect(payment.confirmPin).toBeFocused();
  await expect(payment.confirmPin).toHaveValue("");
  await expect(payment.page.getByTestId("pay-shopper")).toContainText(shopper.name);
  await untouched();

  await payment.confirmPin.fill(shopper.pin);
  await payment.page.keyboard.press("Enter");
  await paidOnce();
});

test("on a remembered shopper's next order, the page shows the name, asks for the PIN again, and offers sign-out @one-width", async ({
  payment,
  shopper,
  tillgate,
  books,
}) => {
  await payment.open((await tillgate.placeOrder()).address);
  await payment.payFromWallet(shopper);
  await books.agePin(await payment.session());
  const next = await tillgate.placeOrder("3.00");
  await payment.open(next.address);
  await expect(payment.page.getByTestId("pay-shopper")).toContainText(shopper.name);
  await expect(payment.confirmPin).toBeVisible();
  await payment.page.getByTestId("pay-sign-out").click();
  await expect(payment.identifier).toBeVisible();
  await expect(payment.page.getByTestId("pay-shopper")).toHaveCount(0);
  await expect(payment.balance).toHaveCount(0);
});

test("a shopper is not charged for an order that the merchant has cancelled in the meantime, and sees that it is cancelled @one-width", async ({
  payment,
  readyToPay,
  tillgate,
}) => {
  const { order, untouched } = await readyToPay({ withoutLiveUpdates: true });
  await tillgate.orders.cancel(order.id);
  await payment.confirm.click();
  await payment.expectNotice("cancelled");
  await payment.expectStatus("CANCELLED");
  await expect(payment.notice).toBeFocused();
  await untouched();
});

test("a shopper is not charged for an order that someone else has paid in the meantime, and sees that it is paid @one-width", async ({
  payment,
  readyToPay,
  books,
  browser,
}) => {
  const { order, untouched } = await readyToPay({ withoutLiveUpdates: true });
  const other = await browser.newContext();
  try {
    const theirs = await new PaymentPage(await other.newPage()).open(order.address);
    await theirs.approve.click();
    await theirs.expectStatus("PAID");
  } finally {
    await other.close();
  }
  await payment.confirm.click();
  await payment.expectNotice("already_paid");
  await payment.expectStatus("PAID");
  await expect(payment.page.getByTestId("pay-receipt-paid")).toHaveCount(0);
  await untouched();
  expect(await books.events(order.id, "pos.order.paid")).toBe(1);
});

test("a session signed out in one tab cannot pay in another tab @one-width", async ({
  payment,
  readyToPay,
  context,
}) => {
  const { order, untouched } = await readyToPay();
  const second = await new PaymentPage(await context.newPage()).open(order.address);
  await second.page.getByTestId("pay-sign-out").click();
  await expect(second.identifier).toBeVisible();
  await payment.confirm.click();
  await expect(payment.notice).toBeFocused();
  await expect(payment.identifier).toBeVisible();
  await payment.expectStatus("PENDING");
  await untouched();
});

test("on a slow connection the payment page loads less than 30 KB, and a double click pays once @one-width", async ({
  payment,
  shopper,
  tillgate,
  books,
}) => {
  const before = await books.balance(shopper, "EUR");
  const order = await tillgate.placeOrder();
  const slow = await payment.page.context().newCDPSession(payment.page);
  await slow.send("Network.enable");
  const third = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 20_000, offline: false };
  await slow.send("Network.emulateNetworkConditions", third);
  let bytes = 0;
  slow.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await payment.open(order.address);
  await payment.expectStatus("PENDING");
  const most = 30 * 1024;
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(most);
  await payment.signIn(shopper.phone, shopper.pin);
  await payment.confirm.dblclick({ delay: 0 });
  await payment.expectStatus("PAID");
  expect(await books.balance(shopper, "EUR")).toBe(before - 1200n);
});

test("too many wrong PINs for an account that does not exist lock sign-in with its identifier and show how long to wait @one-width", async ({
  payment,
  tillgate,
}) => {
  await payment.open((await tillgate.placeOrder()).address);
  // Attempts are counted by the typed identifier, so no other test is locked out.
  const nobody = `nobody-${Date.now()}@example.com`;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await payment.signIn(nobody, "482915");
    await payment.expectNotice("wrong_sign_in");
    await payment.page.reload();
  }
  await payment.signIn(nobody, "482915");
  await payment.expectNotice("locked");
  await expect(payment.notice).toBeFocused();
  await expect(payment.notice).toContainText(/You can try again in \d\d:\d\d/);
  await expect(payment.identifier).toHaveValue(nobody);
});
