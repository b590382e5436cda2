import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "../fixtures/axe.js";
import { shopperNamed } from "../fixtures/sandbox.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

/** These look at many pages, each twice. */
const axeTimeoutMs = 120_000;

test("axe finds nothing on the shop's pages, light or dark", async ({ shop, page }) => {
  test.setTimeout(axeTimeoutMs);
  await page.goto(shop.address);
  await expectAccessible(page, "shop window");
  await page.goto(`${shop.address}/product/bud-vase`);
  await expectAccessible(page, "product");
  await page.goto(`${shop.address}/cart`);
  await expectAccessible(page, "empty cart");
  await page.goto(shop.address);
  await page.getByTestId("add-to-cart-morning-mug").click();
  await expect(page.getByTestId("notice")).toBeVisible();
  await expectAccessible(page, "cart");
  await page.getByTestId("to-checkout").click();
  await page.getByTestId("place-order").click();
  await expect(page.getByTestId("checkout-errors")).toBeVisible();
  await expectAccessible(page, "checkout with errors");
  await shop.fillIn();
  await page.getByTestId("place-order").click();
  const order = await shop.orderOnPayPage();
  await expectAccessible(page, "the shop's page with the code");
  const payment = await shop.payNow();
  await payment.approve.click();
  await payment.returnLink.click();
  await shop.showsReceived("processing");
  await expectAccessible(page, "order received");
  await page.goto(`${shop.address}/nowhere`);
  await expectAccessible(page, "not found");
  await shop.orderBecomes(order, "processing");
});

test("axe finds nothing on the payment page while it can be paid, light or dark", async ({
  shop,
  shopper,
  sandbox,
  page,
  isMobile,
}) => {
  test.setTimeout(axeTimeoutMs);
  const order = await shop.placeOrder({ quantity: 99 });
  const payment = await shop.payNow();
  await expectAccessible(page, "signed out");
  if (isMobile) await page.getByTestId("pay-qr-open").click();
  await page.getByTestId("pay-cancel-open").click();
  await expectAccessible(page, "all opened");
  await payment.signIn(shopper.phone, shopper.pin === "482915" ? "482916" : "482915");
  await payment.says("wrong_sign_in");
  await expectAccessible(page, "wrong PIN");
  await payment.signIn(shopper.phone, shopper.pin);
  await expect(page.getByTestId("pay-insufficient")).toBeVisible();
  await expectAccessible(page, "too little in the wallet");
  await page.getByTestId("pay-sign-out").click();
  const dana = shopperNamed(sandbox, "Dana");
  await payment.signIn(dana.phone, dana.pin);
  await expect(page.getByTestId("pay-no-wallet")).toBeVisible();
  await expectAccessible(page, "no wallet");
  await shop.orderBecomes(order, "pending");

  const small = await shop.placeOrder();
  await shop.payNow();
  await page.getByTestId("pay-sign-out").click();
  await payment.signIn(shopper.phone, shopper.pin);
  await expect(payment.confirm).toBeVisible();
  await expectAccessible(page, "signed in");
  await shop.orderBecomes(small, "pending");
});

test("axe finds nothing on the payment page when it is finished, light or dark", async ({
  shop,
  tillgate,
  sandbox,
  books,
  page,
}) => {
  test.setTimeout(axeTimeoutMs);
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const address = page.url();
  await payment.approve.click();
  await payment.stay();
  await expectAccessible(page, "paid");
  const transaction = (await payment.transaction.textContent()) ?? "";
  await tillgate.refunds.create({ transaction_id: transaction });
  await shop.orderBecomes(order, "refunded");
  await payment.open(address);
  await payment.shows("REFUNDED");
  await expectAccessible(page, "refunded");

  const cancelled = await tillgate.orders.create({ amount: "1.00", currency: "EUR" });
  await tillgate.orders.cancel(cancelled.order_id);
  await payment.open(cancelled.payment_url ?? "");
  await payment.shows("CANCELLED");
  await expectAccessible(page, "cancelled");
  const expired = await tillgate.orders.create({ amount: "1.00", currency: "EUR" });
  await books.letTimePass(expired.order_id);
  await payment.open(expired.payment_url ?? "");
  await payment.shows("EXPIRED");
  await expectAccessible(page, "expired");
  await payment.open(`${sandbox.pay}/pay/unknown`);
  await payment.shows("NOT_FOUND");
  await expectAccessible(page, "not found");
  await payment.open(`${address}/pay`);
  await payment.shows("REFUSED");
  await expectAccessible(page, "refused");
});

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const most = 60;
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${target} is not reached within ${most} presses of Tab.`);
}

test("the keyboard alone leads from the shop window to Processing @one-width", async ({
  shop,
  shopper,
  page,
}) => {
  const press = async (target: Locator) => {
    await tabTo(page, target);
    await page.keyboard.press("Enter");
  };
  const type = async (target: Locator, text: string) => {
    await tabTo(page, target);
    await page.keyboard.type(text);
  };
  await page.goto(shop.address);
  await press(page.getByTestId("add-to-cart-morning-mug"));
  await press(page.getByTestId("to-checkout"));
  await type(page.getByTestId("field-email"), "shopper@example.com");
  await type(page.getByTestId("field-first_name"), "Noor");
  await type(page.getByTestId("field-last_name"), "Shopper");
  await press(page.getByTestId("place-order"));
  const order = await shop.orderOnPayPage();
  await press(page.getByTestId("pay-now"));
  const payment = new PaymentPage(page);
  await type(payment.identifier, shopper.phone);
  await type(payment.pin, shopper.pin);
  await page.keyboard.press("Enter");
  await press(payment.confirm);
  await payment.shows("PAID");
  await press(payment.returnLink);
  await shop.showsReceived("processing");
  await shop.orderBecomes(order, "processing");
});

test("the keyboard alone opens the question and cancels @one-width", async ({ shop, page }) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await tabTo(page, page.getByTestId("pay-cancel-open"));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByTestId("pay-cancel"));
  await page.keyboard.press("Enter");
  await payment.shows("CANCELLED");
  await shop.orderBecomes(order, "cancelled");
});

test("a screen reader hears that another phone has paid", async ({ shop, page, tillgate, browser }) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  // What is announced is a change inside an element that was there before.
  const announcer = await page.getByRole("status").filter({ hasText: /^$/ }).elementHandle();
  const phone = await browser.newContext();
  try {
    const other = await new PaymentPage(await phone.newPage()).open(page.url());
    await other.approve.click();
    await other.shows("PAID");
  } finally {
    await phone.close();
  }
  await payment.shows("PAID");
  await expect.poll(() => announcer?.textContent()).toBe("Payment complete");
  expect(await announcer?.getAttribute("aria-live")).toBe("polite");
  await shop.orderBecomes(order, "processing");
  expect((await tillgate.orderOf(order)).status).toBe("PAID");
});
