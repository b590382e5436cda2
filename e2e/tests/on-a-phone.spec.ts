import { devices } from "@playwright/test";
import { expectPageQuality } from "../fixtures/axe.js";
import { openForeignSite } from "../fixtures/foreign-site.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

const { defaultBrowserType: _, ...pixel } = devices["Pixel 7"];
test.use(pixel);

test("the shop redirects a phone to the payment page, which hides its QR code, and Back returns to the checkout @one-width", async ({
  shop,
  page,
  sandbox,
}) => {
  await page.goto(`${sandbox.store}/product/morning-mug`);
  await page.getByTestId("add-to-cart-morning-mug").click();
  await page.getByTestId("to-checkout").click();
  await shop.fillIn();
  await page.getByTestId("place-order").click();
  const payment = new PaymentPage(page);
  await payment.expectStatus("PENDING");
  expect(page.url()).toContain(`${sandbox.pay}/pay/`);
  await expect(page.getByTestId("pay-qr")).toBeHidden();

  // Back returns to the checkout, not to the redirecting page.
  await page.goBack();
  await expect(page.getByTestId("place-order")).toBeVisible();
  await page.goForward();
  await payment.expectStatus("PENDING");
  await payment.cancel();
  await payment.expectStatus("CANCELLED");
});

test("a shopper who returns on a phone without having paid finds the QR code behind a link @one-width", async ({
  shop,
  page,
  sandbox,
  storeOrders: _orders,
}) => {
  await page.goto(`${sandbox.store}/product/morning-mug`);
  await page.getByTestId("add-to-cart-morning-mug").click();
  await page.getByTestId("to-checkout").click();
  await shop.fillIn();
  const [placed] = await Promise.all([
    page.waitForResponse((response) => response.url().includes("/checkout/order-pay/")),
    page.getByTestId("place-order").click(),
  ]);
  await new PaymentPage(page).expectStatus("PENDING");
  await page.goto(`${placed.url()}&show=code`);
  await expect(page.getByTestId("qr")).toBeHidden();
  await expectPageQuality(page, "the shop's QR code page on a phone");
  await page.getByTestId("show-code").click();
  await expect(page.getByTestId("qr")).toBeVisible();
  await page.getByTestId("pay-now").click();
  await new PaymentPage(page).expectStatus("PENDING");
});

test("the <tillgate-pay> link opens the payment page on a phone, and the frame hides the QR code @one-width", async ({
  page,
  sandbox,
  tillgate,
  payment,
}) => {
  const order = await tillgate.placeOrder();
  await page.goto(order.address.replace("/pay/", "/embed/"));
  await expect(page.getByTestId("pay-qr")).toBeHidden();
  await page.getByTestId("pay-qr-open").click();
  await expect(page.getByTestId("pay-qr")).toBeVisible();

  const site = await openForeignSite(
    `<meta name="viewport" content="width=device-width"><script src="${sandbox.pay}/tillgate.js"></script>
     <tillgate-pay payment-url="${order.address}"><a id="link" href="${order.address}">Pay</a></tillgate-pay>`,
  );
  try {
    await page.goto(site.origin);
    await page.waitForFunction(() => customElements.get("tillgate-pay") !== undefined);
    await page.locator("#link").click();
    await payment.expectStatus("PENDING");
    expect(page.url()).toBe(order.address);
  } finally {
    await site.close();
  }
});
