import type { Page } from "@playwright/test";
import { addAuthenticator } from "../fixtures/authenticator.js";
import { expectPageQuality } from "../fixtures/axe.js";
import { tabTo } from "../fixtures/keyboard.js";
import { expect, test } from "../fixtures/test.js";

test.afterEach(({ books, shopper }) => books.revokePasskeys(shopper));

const responseToPayment = async (page: Page): Promise<void> => {
  const response = await page.waitForResponse((each) => /\/pay\/[^/]+\/pay$/.test(each.url()));
  await response.finished();
};

test("a returning shopper pays on a trusted device with one touch of the passkey @one-width", async ({
  payment,
  shopper,
  tillgate,
  books,
}) => {
  const { page } = payment;
  await payment.open((await tillgate.placeOrder()).address);
  await addAuthenticator(page);
  await payment.payFromWallet(shopper);
  await page.getByTestId("pay-add-passkey").click();
  await payment.expectNotice("passkey_added");
  await page.getByTestId("pay-sign-out").click();

  const before = await books.balance(shopper, "EUR");
  const next = await tillgate.placeOrder("3.00");
  await payment.open(next.address);
  await expect(page.getByTestId("pay-recognised")).toContainText("•••");
  await expect(page.getByTestId("pay-shopper")).toHaveCount(0);
  await expectPageQuality(page, "a device that is recognised");
  await page.getByTestId("pay-by-passkey").click();
  await payment.expectStatus("PAID");
  expect(await books.balance(shopper, "EUR")).toBe(before - 300n);
  await expect(page.getByTestId("pay-shopper")).toHaveCount(0);
});

test("a passkey created while the receipt refreshes is not lost @one-width", async ({
  payment,
  shopper,
  tillgate,
}) => {
  const { page } = payment;
  const { address, id } = await tillgate.placeOrder();
  await payment.open(address);
  await addAuthenticator(page);
  // The response draws the receipt again if the live status drew it first.
  const answered = responseToPayment(page);
  await payment.payFromWallet(shopper);
  await answered;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const busy = page.locator("form[aria-busy=true]");
  // A refund starts during the passkey dialog, and the page checks when it becomes visible.
  await page.route("**/passkeys/start", async (route) => {
    await expect(busy).toHaveCount(1);
    const { trx_id } = await tillgate.orders.get(id);
    await tillgate.refunds.create({ transaction_id: trx_id ?? "", amount: "1.00" });
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(busy).toHaveCount(0);
    await route.continue();
  });
  await page.getByTestId("pay-add-passkey").click();
  await payment.expectNotice("passkey_added");
});

test("a click on the passkey offer survives a refresh of the page while the passkey script loads @one-width", async ({
  payment,
  shopper,
  tillgate,
}) => {
  const { page } = payment;
  await payment.open((await tillgate.placeOrder()).address);
  await addAuthenticator(page);
  let loadScript = () => {};
  const replaced = new Promise<void>((resolve) => {
    loadScript = resolve;
  });
  await page.route("**/assets/passkey.js*", async (route) => {
    await replaced;
    await route.continue();
  });
  // The payment's response is delayed: the live status draws the receipt first, then the response draws it again.
  await page.route("**/pay/*/pay", async (route) => {
    const response = await route.fetch();
    await page.getByTestId("pay-add-passkey").click();
    await page.evaluate(() => document.querySelector("main")?.setAttribute("data-first-drawing", ""));
    await route.fulfill({ response });
  });
  const answered = responseToPayment(page);
  await payment.payFromWallet(shopper);
  await answered;
  await expect(page.locator("main[data-first-drawing]")).toHaveCount(0);
  loadScript();
  await payment.expectNotice("passkey_added");
});

test("a late payment response does not replace the result of the next step @one-width", async ({
  payment,
  shopper,
  tillgate,
}) => {
  const { page } = payment;
  await payment.open((await tillgate.placeOrder()).address);
  await addAuthenticator(page);
  await page.route("**/pay/*/pay", async (route) => {
    const response = await route.fetch();
    await page.getByTestId("pay-add-passkey").click();
    await payment.expectNotice("passkey_added");
    await route.fulfill({ response });
  });
  const answered = responseToPayment(page);
  await payment.payFromWallet(shopper);
  await answered;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await payment.expectNotice("passkey_added");
});

test("a shopper adds a passkey after paying by PIN, and pays the next order with it @one-width", async ({
  shop,
  shopper,
  tillgate,
  books,
}) => {
  await shop.placeOrder();
  const payment = await shop.payNow();
  const { page } = payment;
  const authenticator = await addAuthenticator(page);
  await payment.payFromWallet(shopper);
  // Focusing the passkey offer stops the redirect to the shop.
  const returning = page.getByTestId("pay-returning");
  await expect(returning).toBeVisible();
  await tabTo(page, page.getByTestId("pay-add-passkey"));
  await expect(returning).toBeHidden();
  await expectPageQuality(page, "a receipt that offers a passkey");
  await page.getByTestId("pay-add-passkey").click();
  await payment.expectNotice("passkey_added");
  await expect(page.getByTestId("pay-add-passkey")).toHaveCount(0);

  const before = await books.balance(shopper, "EUR");
  const next = await tillgate.placeOrder("3.00");
  await payment.open(next.address);
  const byPasskey = page.getByTestId("pay-by-passkey");
  await expect(byPasskey).toBeVisible();
  await expect(payment.confirmPin).toBeHidden();
  await expectPageQuality(page, "a payment by passkey");

  // If the authenticator does not verify the user, the page reports this and stays usable.
  await authenticator.setUserVerified(false);
  await byPasskey.click();
  await expect(page.getByTestId("pay-passkey-error")).toContainText("haven’t been charged");
  await page.getByTestId("pay-use-pin").click();
  await expect(payment.confirmPin).toBeVisible();
  await expectPageQuality(page, "a passkey that was not used");
  expect(await books.confirmation(next.id)).toBeUndefined();

  await authenticator.setUserVerified(true);
  await byPasskey.click();
  await payment.expectStatus("PAID");
  expect(await books.balance(shopper, "EUR")).toBe(before - 300n);
  const text = await books.confirmation(next.id);
  for (const line of [`order: "${next.id}"`, 'amount: "3.00 EUR"', 'debit: "3.00 EUR"'])
    expect(text?.split("\n")).toContain(line);
});
