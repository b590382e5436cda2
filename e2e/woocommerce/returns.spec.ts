import { expect, test } from "./fixtures.js";

test.describe("a customer who paid", () => {
  test.beforeAll(async ({ owner, rest }) => {
    await owner.useCheckout("block", await rest.checkoutPage());
  });
  test.beforeEach(({ gate }) => gate.open());

  test("and returns in another browser sees the order confirmation without signing in", async ({
    browser,
    shopper,
    productId,
    pay,
    rest,
  }) => {
    const { orderId, paymentUrl } = await shopper.order(productId, "block");
    const returnAddress = await shopper.page.getByRole("link", { name: "I’ve paid" }).getAttribute("href");
    await shopper.closePage();
    await pay(paymentUrl);
    await rest.waitForStatus(orderId, "processing");
    const elsewhere = await browser.newContext();
    try {
      const page = await elsewhere.newPage();
      const response = await page.goto(returnAddress ?? "");
      expect(response?.status()).toBe(200);
      await expect(page).toHaveURL(/order-received/);
      await expect(page.getByRole("heading", { name: "Order received" })).toBeVisible();
    } finally {
      await elsewhere.close();
    }
  });

  test("and goes back to the QR code is redirected to the order confirmation again", async ({
    shopper,
    productId,
    pay,
    page,
  }) => {
    const { paymentUrl } = await shopper.order(productId, "block");
    // The empty response keeps the browser on the page, as if the page came from the back/forward cache.
    await page.route(/tillgate_return/, (route) => route.fulfill({ status: 204 }));
    await pay(paymentUrl);
    await expect(page.locator("[data-tillgate-status]")).toHaveText("One moment…");
    await page.unroute(/tillgate_return/);
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await shopper.waitForOrderReceived();
  });
});
