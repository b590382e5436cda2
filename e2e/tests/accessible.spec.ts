import type { Locator } from "@playwright/test";
import { expectAccessible, expectPageQuality, isFull } from "../fixtures/axe.js";
import { tabTo } from "../fixtures/keyboard.js";
import { shopperNamed } from "../fixtures/sandbox.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

/**
 * Checks pages in light and dark mode. States that other tests reach are checked there (alive, shared-screen, script-missing,
 * on-screen).
 */
const axeTimeoutMs = 120_000;

test("shop pages and the connector's health page pass axe's rules, and have sufficient contrast in dark mode", async ({
  shop,
  page,
  sandbox,
}) => {
  test.setTimeout(axeTimeoutMs);
  await page.goto(shop.address);
  await expectAccessible(page, "storefront");
  await page.goto(`${shop.address}/product/bud-vase`);
  await expectAccessible(page, "product");
  await page.goto(`${shop.address}/cart`);
  await expectAccessible(page, "empty cart");
  await page.goto(shop.address);
  await page.getByTestId("add-to-cart-morning-mug").click();
  await expect(page.getByTestId("notice")).toBeVisible();
  await expectAccessible(page, "cart");
  await page.getByTestId("to-checkout").click();
  await page.getByTestId("field-email").fill("");
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
  await shop.expectReceived("processing");
  await expectAccessible(page, "order received");
  await page.goto(`${shop.address}/nowhere`);
  await expectAccessible(page, "not found");
  const health = new URL(sandbox.connector_health.address);
  health.password = sandbox.connector_health.key;
  await page.goto(health.href);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page, "the connector's health");
  await shop.expectOrderStatus(order, "processing");
});

/** Keeps one element of each class and removes the rest, which leaves one operation per HTTP method. */
const keepOneOfEachKind = (elements: Locator): Promise<void> =>
  elements.evaluateAll((all) => {
    const kinds = new Set<string>();
    for (const element of all) {
      if (kinds.has(element.className)) element.remove();
      kinds.add(element.className);
    }
  });

test("the API reference and its request form pass axe's rules, and have sufficient contrast in dark mode @one-width", async ({
  page,
  sandbox,
}) => {
  test.setTimeout(axeTimeoutMs);
  await page.goto(`${sandbox.api}/docs/try#createOrder`);
  await expect(page.locator(".opblock.is-open")).toContainText("Create an order");
  if (!isFull) await keepOneOfEachKind(page.locator(".opblock"));
  await expectAccessible(page, "request form with an expanded operation");
  await page.getByRole("button", { name: "Try it out" }).click();
  await page.getByRole("button", { name: "Authorize" }).first().click();
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await expectAccessible(page, "request form with the Keys dialog");
  // All pages of a kind have the same component.
  for (const path of [
    "",
    "/errors",
    "/guides/first-payment",
    "/search?q=refund",
    "/operations/createOrder",
  ]) {
    await page.goto(`${sandbox.api}/docs${path}`);
    await expectPageQuality(page, `the page /docs${path}`);
  }
});

test("a linked operation of the API reference is expanded, even if the viewer renders late @one-width", async ({
  page,
  sandbox,
}) => {
  test.setTimeout(axeTimeoutMs);
  // React schedules rendering through a message port: delay only the first callbacks to simulate a slow machine. If all
  // were delayed, the total delay would grow with the number of callbacks, of which a slow machine needs more.
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage;
    let late = 10;
    MessagePort.prototype.postMessage = function (...call: unknown[]) {
      late -= 1;
      if (late < 0) Reflect.apply(post, this, call);
      else setTimeout(() => Reflect.apply(post, this, call), 200);
    };
  });
  await page.goto(`${sandbox.api}/docs/operations/createOrder`);
  await page.getByRole("link", { name: "Try it with your sandbox key" }).click();
  await expect(page.locator(".opblock.is-open")).toContainText("Create an order", {
    timeout: axeTimeoutMs / 2,
  });
  await expect(page.locator(".opblock.is-open")).toBeInViewport();
  await expect(page.getByRole("region", { name: "About the API" })).toBeVisible();
});

test("the page of an unpaid order is accessible, and reflows on narrow screens", async ({
  shop,
  shopper,
  sandbox,
  books,
  page,
  isMobile,
}) => {
  test.setTimeout(axeTimeoutMs);
  const order = await shop.placeOrder({ quantity: 99 });
  const payment = await shop.payNow();
  await expectPageQuality(page, "signed out");
  if (isMobile) await page.getByTestId("pay-qr-open").click();
  await page.getByTestId("pay-cancel-open").click();
  await expectPageQuality(page, "all sections open");
  await payment.signIn(shopper.phone, shopper.pin === "482915" ? "482916" : "482915");
  await payment.expectNotice("wrong_sign_in");
  await expectPageQuality(page, "wrong PIN");
  await payment.signIn(shopper.phone, shopper.pin);
  await expect(page.getByTestId("pay-insufficient")).toBeVisible();
  await expectPageQuality(page, "insufficient balance");
  await page.getByTestId("pay-sign-out").click();
  const dana = shopperNamed(sandbox, "Dana");
  await payment.signIn(dana.phone, dana.pin);
  await expect(page.getByTestId("pay-no-wallet")).toBeVisible();
  await expectPageQuality(page, "no wallet");
  await shop.expectOrderStatus(order, "pending");

  const small = await shop.placeOrder();
  await shop.payNow();
  await page.getByTestId("pay-sign-out").click();
  await payment.signIn(shopper.phone, shopper.pin);
  await expect(payment.confirm).toBeVisible();
  await expectPageQuality(page, "signed in");
  await books.agePin(await payment.session());
  await payment.confirm.click();
  await payment.expectNotice("pin_needed");
  await expectPageQuality(page, "PIN needed");
  const { origin, pathname } = new URL(page.url());
  // The view stays while its next check gets no response.
  await page.route(/check=2/, () => {});
  await payment.open(`${origin}${pathname}?check=1`);
  await expect(page.getByTestId("pay-checking")).toBeVisible();
  await expectPageQuality(page, "checking");
  await payment.open(`${origin}${pathname}?view=code`);
  await expectPageQuality(page, "QR code only");
  await shop.expectOrderStatus(small, "pending");
});

test("a payment page with several wallets and an exchange rate is accessible, and reflows on narrow screens", async ({
  payment,
  sandbox,
  tillgate,
  page,
}) => {
  test.setTimeout(axeTimeoutMs);
  const samuel = shopperNamed(sandbox, "Samuel");
  await payment.open((await tillgate.placeOrder()).address);
  await payment.signIn(samuel.phone, samuel.pin);
  await expect(payment.confirm).toBeVisible();
  await expectPageQuality(page, "several wallets");
  await payment.chooseWallet("XAF");
  await expect(payment.quotePays).toBeVisible();
  await expectPageQuality(page, "wallet with an exchange rate");
});

test("the page of a paid, refunded, cancelled, expired or unknown order is accessible, and reflows on narrow screens", async ({
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
  await payment.stopRedirect();
  await expectPageQuality(page, "paid");
  const transaction = (await payment.transaction.textContent()) ?? "";
  await tillgate.refunds.create({ transaction_id: transaction });
  await shop.expectOrderStatus(order, "refunded");
  await payment.open(address);
  await payment.expectStatus("REFUNDED");
  await expectPageQuality(page, "refunded");

  const cancelled = await tillgate.orders.create({ amount: "1.00", currency: "EUR" });
  await tillgate.orders.cancel(cancelled.order_id);
  await payment.open(cancelled.payment_url ?? "");
  await payment.expectStatus("CANCELLED");
  await expectPageQuality(page, "cancelled");
  const expired = await tillgate.orders.create({ amount: "1.00", currency: "EUR" });
  await books.expireOrder(expired.order_id);
  await payment.open(expired.payment_url ?? "");
  await payment.expectStatus("EXPIRED");
  await expectPageQuality(page, "expired");
  await payment.open(`${sandbox.pay}/pay/unknown`);
  await payment.expectStatus("NOT_FOUND");
  await expectPageQuality(page, "not found");
  await payment.open(`${address}/pay`);
  await payment.expectStatus("REFUSED");
  await expectPageQuality(page, "refused");
});

test("checkout can be completed with the keyboard only @one-width", async ({ shop, shopper, page }) => {
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
  await payment.expectStatus("PAID");
  await press(payment.returnLink);
  await shop.expectReceived("processing");
  await shop.expectOrderStatus(order, "processing");
});

test("an order can be cancelled with the keyboard only @one-width", async ({ shop, page }) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await tabTo(page, page.getByTestId("pay-cancel-open"));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByTestId("pay-cancel"));
  await page.keyboard.press("Enter");
  await payment.expectStatus("CANCELLED");
  await shop.expectOrderStatus(order, "cancelled");
});

test("a payment made on another phone is announced to screen readers", async ({
  shop,
  page,
  tillgate,
  browser,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  // Screen readers announce changes inside an existing element only.
  const announcer = await page.getByRole("status").filter({ hasText: /^$/ }).elementHandle();
  const phone = await browser.newContext();
  try {
    const other = await new PaymentPage(await phone.newPage()).open(page.url());
    await other.approve.click();
    await other.expectStatus("PAID");
  } finally {
    await phone.close();
  }
  await payment.expectStatus("PAID");
  await expect.poll(() => announcer?.textContent()).toMatch(/^Paid €/);
  expect(await announcer?.getAttribute("aria-live")).toBe("polite");
  await shop.expectOrderStatus(order, "processing");
  expect((await tillgate.orderOf(order)).status).toBe("PAID");
});

test("the last minute and the last 15 seconds are announced to screen readers, once each @one-width", async ({
  payment,
  tillgate,
  page,
}) => {
  await page.clock.install();
  await payment.sendKeepAlivesOnly();
  await payment.open((await tillgate.placeOrder()).address);
  const announcer = page.locator("[data-announcer]");
  const heard: string[] = [];
  await page.exposeFunction("hear", (text: string) => heard.push(text));
  await announcer.evaluate((element) => {
    new MutationObserver(() => Reflect.get(window, "hear")(element.textContent)).observe(element, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  await page.clock.runFor(230_000);
  expect(heard).toEqual([]);
  await page.clock.runFor(65_000);
  await expect.poll(() => heard).toEqual(["Less than a minute left to pay.", "15 seconds left to pay."]);
  await expect(page.getByTestId("pay-countdown")).toHaveClass(/last-minute/);
});

test("keyboard focus moves to the result of a decline, a sign-in and a payment @one-width", async ({
  payment,
  shopper,
  tillgate,
  page,
}) => {
  await payment.open((await tillgate.placeOrder()).address);
  await payment.decline.focus();
  await page.keyboard.press("Enter");
  await payment.expectNotice("declined");
  await expect(payment.notice).toBeFocused();
  await payment.signIn(shopper.phone, shopper.pin);
  await expect(payment.confirm).toBeVisible();
  await expect(payment.status).toBeFocused();
  await tabTo(page, payment.confirm);
  await page.keyboard.press("Enter");
  await payment.expectStatus("PAID");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});
