import type { Browser, Page } from "@playwright/test";
import { readQr } from "../fixtures/read-qr.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

/** Opens the scanned address in a fresh browser without cookies. */
async function onAnotherPhone<T>(
  browser: Browser,
  address: string,
  act: (payment: PaymentPage) => Promise<T>,
): Promise<T> {
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  try {
    return await act(await new PaymentPage(await phone.newPage()).open(address));
  } finally {
    await phone.close();
  }
}

/** Marks a page; a reload removes the mark. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute("data-mark", "here"));
const isMarked = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-mark", "here");

test("the payment page shows the order as paid, without a reload, when another phone scans its QR code and pays", async ({
  shop,
  shopper,
  books,
  browser,
  isMobile,
}) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.placeOrder();
  const watching = await shop.payNow();
  await mark(watching.page);
  if (isMobile) await watching.page.getByTestId("pay-qr-open").click();
  const scanned = await readQr(watching.page.getByTestId("pay-qr"));
  expect(scanned).toBe(await watching.page.getByTestId("pay-url").textContent());

  await onAnotherPhone(browser, scanned, (payment) => payment.payFromWallet(shopper));

  await watching.expectStatus("PAID");
  await isMarked(watching.page);
  await watching.returnLink.click();
  await shop.expectReceived("processing");
  await shop.expectOrderStatus(order, "processing");
  expect(await books.balance(shopper, "EUR")).toBe(before - 1850n);
});

test("the shop's page continues automatically when another phone scans its QR code and pays", async ({
  shop,
  shopper,
  browser,
}) => {
  const order = await shop.placeOrder();
  const scanned = await readQr(shop.page.getByTestId("qr"));
  expect(scanned).toBe(await shop.page.getByTestId("pay-now").getAttribute("href"));

  await onAnotherPhone(browser, scanned, (payment) => payment.payFromWallet(shopper));

  await shop.expectReceived("processing");
  await shop.expectOrderStatus(order, "processing");
});

test("the payment page shows the order as cancelled, without a reload, when another phone cancels it", async ({
  shop,
  browser,
}) => {
  const order = await shop.placeOrder();
  const watching = await shop.payNow();
  await mark(watching.page);
  const address = watching.page.url();

  await onAnotherPhone(browser, address, async (payment) => {
    await payment.cancel();
    await payment.expectStatus("CANCELLED");
  });

  await watching.expectStatus("CANCELLED");
  await isMarked(watching.page);
  await shop.expectOrderStatus(order, "cancelled");
});

test("without a live stream, the payment page still shows a payment made on another phone @one-width", async ({
  shop,
  shopper,
  browser,
}) => {
  const order = await shop.placeOrder();
  await shop.page.route(/\/pay\/[^/]+\/events$/, (route) => route.abort());
  const watching = await shop.payNow();
  await mark(watching.page);

  await onAnotherPhone(browser, watching.page.url(), (payment) => payment.payFromWallet(shopper));

  await watching.expectStatus("PAID");
  await isMarked(watching.page);
  await shop.expectOrderStatus(order, "processing");
});
