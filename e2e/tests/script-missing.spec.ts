import type { Browser } from "@playwright/test";
import { expectAccessible, expectPageQuality } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

/** Pays on another device. */
async function payOnOtherDevice(browser: Browser, address: string): Promise<void> {
  const phone = await browser.newContext();
  const other = await new PaymentPage(await phone.newPage()).open(address);
  await other.approve.click();
  await other.expectStatus("PAID");
  await phone.close();
}

/** Scripts are enabled, but the page's script does not run. */
for (const [how, response] of [
  ["is blocked", "abort"],
  ["is not found", 404],
  ["is broken", "throw new Error('no script')"],
] as const) {
  test.describe(`when the page's script ${how},`, () => {
    test.beforeEach(({ page }) =>
      page.route(/\/checkout\.js/, (route) => {
        if (response === "abort") return route.abort();
        if (response === 404) return route.fulfill({ status: 404, body: "" });
        return route.fulfill({ contentType: "text/javascript", body: response });
      }),
    );

    test("the payment page hides what needs the script, and the order can be paid @one-width", async ({
      shop,
      shopper,
      page,
    }) => {
      const order = await shop.placeOrder();
      const payment = await shop.payNow();
      await expect(page.getByTestId("pay-countdown")).toBeHidden();
      await expect(page.getByText("Pay before")).toBeVisible();
      await expect(page.getByTestId("pay-copy")).toBeHidden();
      await expect(page.getByText("updates as soon as")).toBeHidden();
      if (how === "is blocked") await expectPageQuality(page, "without its script");
      await payment.payFromWallet(shopper);
      for (const only of ["pay-returning", "pay-stay", "pay-print", "pay-copy-receipt"])
        await expect(page.getByTestId(only)).toBeHidden();
      await payment.returnLink.click();
      await shop.expectOrderStatus(order, "processing");
    });
  });
}

test("with the page's script blocked, the QR-only view refreshes until another phone has paid @one-width", async ({
  payment,
  tillgate,
  browser,
}) => {
  await payment.page.route(/\/checkout\.js/, (route) => route.abort());
  const order = await tillgate.placeOrder();
  await payment.open(order.address);
  await payment.page.locator('a[href$="view=code"]').click();
  await expect(payment.page.getByTestId("pay-qr")).toBeVisible();
  await payOnOtherDevice(browser, order.address);
  await payment.expectStatus("PAID");
});

test("with all shop scripts missing, the shop's QR code page reloads until the order is paid @one-width", async ({
  shop,
  page,
  browser,
}) => {
  await page.route(/\/assets\/[\w-]+\.js$/, (route) => route.abort());
  const order = await shop.placeOrder();
  await expect(page.getByText("This page updates automatically.")).toBeVisible();
  await payOnOtherDevice(browser, (await page.getByTestId("pay-now").getAttribute("href")) ?? "");
  await shop.expectReceived("processing");
  await shop.expectOrderStatus(order, "processing");
});

test("if the shop's script fails to load after an earlier visit, the shop's QR code page shows no stale status and offers a Refresh link @one-width", async ({
  shop,
  page,
  browser,
}) => {
  const order = await shop.placeOrder();
  // No automatic reload.
  await expect(page.locator('meta[http-equiv="refresh"]')).toHaveCount(0);
  await expect(page.getByText("This page updates automatically.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Refresh" })).toBeHidden();
  await page.route(/\/order-pay\.js$/, (route) => route.abort());
  await page.reload();
  await expect(page.getByTestId("payment-status")).toBeHidden();
  await expect(page.getByText("This page updates automatically.")).toBeHidden();
  await expectAccessible(page, "the shop's page with the code, without its script");
  await payOnOtherDevice(browser, (await page.getByTestId("pay-now").getAttribute("href")) ?? "");
  await page.getByRole("link", { name: "Refresh" }).click();
  await shop.expectReceived("processing");
  await shop.expectOrderStatus(order, "processing");
});

test("with the page's script running, the QR-only view does not reload @one-width", async ({
  payment,
  tillgate,
}) => {
  const { page } = payment;
  const order = await tillgate.placeOrder();
  // First visit of a browser: the page detects its script and reloads once.
  await payment.open(`${order.address}?view=code`);
  await expect(page.locator('meta[http-equiv="refresh"]')).toHaveCount(0);
  let loads = 0;
  page.on("load", () => (loads += 1));
  await page.waitForTimeout(6000);
  expect(loads).toBe(0);
});
