import { shopperNamed } from "../fixtures/sandbox.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

// These tests compare the balance of a wallet they share, so they run in sequence.
test.describe.configure({ mode: "default" });

test("a wallet in another currency is charged the quoted amount, and a full refund credits the same amount @one-width", async ({
  payment,
  sandbox,
  tillgate,
  books,
}) => {
  const samuel = shopperNamed(sandbox, "Samuel");
  const before = await books.balance(samuel, "XAF");
  const order = await tillgate.placeOrder("18.50");
  await payment.open(order.address);
  await payment.signIn(samuel.phone, samuel.pin);
  await expect(payment.confirm).toHaveText("Pay €18.50");
  await payment.chooseWallet("XAF");
  await expect(payment.page.getByTestId("pay-quote-rate")).toHaveText(/^€1 = 66\d\.\d+\sFCFA$/);
  await expect(payment.page.getByTestId("pay-quote-countdown")).toHaveText(/^0[45]:\d\d$/);
  const shown = (await payment.quotePays.textContent()) ?? "";
  await expect(payment.confirm).toHaveText(`Pay ${shown}`);
  const pays = await payment.amountInFrancs();
  await payment.confirm.click();
  await payment.expectStatus("PAID");
  await expect(payment.page.getByTestId("pay-receipt-paid")).toHaveText(shown);
  expect(await books.balance(samuel, "XAF")).toBe(before - pays);

  const paid = await tillgate.orders.get(order.id);
  await tillgate.refunds.create({ transaction_id: paid.trx_id ?? "" });
  expect(await books.balance(samuel, "XAF")).toBe(before);
});

test("an expired rate is quoted again before anything is charged, and the new quote is charged once @one-width", async ({
  payment,
  sandbox,
  tillgate,
  books,
}) => {
  const samuel = shopperNamed(sandbox, "Samuel");
  const before = await books.balance(samuel, "XAF");
  const order = await tillgate.placeOrder();
  await payment.open(order.address);
  await payment.signIn(samuel.phone, samuel.pin);
  await payment.chooseWallet("XAF");
  await expect(payment.quotePays).toBeVisible();
  await books.expireQuote(order.id);
  await payment.confirm.click();
  await payment.expectNotice("quote_expired");
  await expect(payment.notice).toBeFocused();
  expect(await books.balance(samuel, "XAF")).toBe(before);

  const pays = await payment.amountInFrancs();
  await payment.confirm.dblclick({ delay: 0 });
  await payment.expectStatus("PAID");
  expect(await books.balance(samuel, "XAF")).toBe(before - pays);
});

test("when the rate on the page expires, the pay button is replaced by a button that renews the rate @one-width", async ({
  payment,
  sandbox,
  tillgate,
}) => {
  await payment.page.clock.install();
  await payment.sendKeepAlivesOnly();
  const samuel = shopperNamed(sandbox, "Samuel");
  const order = await tillgate.placeOrder();
  await payment.open(order.address);
  await payment.signIn(samuel.phone, samuel.pin);
  await payment.chooseWallet("XAF");
  await expect(payment.quotePays).toBeVisible();
  await payment.page.clock.runFor(295_000);
  await payment.page.clock.runFor(6_000);
  await expect(payment.confirm).toBeHidden();
  await expect(payment.page.getByTestId("pay-quote-over")).toBeVisible();
  await payment.page.getByTestId("pay-quote-renew").click();
  await expect(payment.confirm).toContainText("FCFA");
});

for (const scripts of [true, false]) {
  test(`a shopper can switch between wallets repeatedly, ${scripts ? "with" : "without"} scripts`, async ({
    browser,
    sandbox,
    tillgate,
  }) => {
    const samuel = shopperNamed(sandbox, "Samuel");
    const order = await tillgate.placeOrder();
    const context = await browser.newContext({ javaScriptEnabled: scripts });
    try {
      const payment = await new PaymentPage(await context.newPage()).open(order.address);
      await payment.signIn(samuel.email, samuel.pin);
      await payment.chooseWallet("XAF");
      await expect(payment.quotePays).toContainText("FCFA");
      await payment.chooseWallet("EUR");
      await expect(payment.confirm).toHaveText("Pay €12.00");
      await expect(payment.quotePays).toHaveCount(0);
      await payment.chooseWallet("XAF");
      await expect(payment.confirm).toContainText("FCFA");
      expect(payment.page.url()).toBe(`${order.address}?wallet=XAF`);
      await payment.page.getByTestId("pay-sign-out").click();
      await expect(payment.identifier).toBeVisible();
    } finally {
      await context.close();
    }
  });
}
