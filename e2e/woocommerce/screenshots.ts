import path from "node:path";
import { chromium } from "@playwright/test";
import { chromiumLaunchOptions } from "../../scripts/testing/chromium.mjs";
import { readSandbox } from "../fixtures/sandbox.js";
import { PaymentPage } from "../pages/payment-page.js";
import { readShopEnvironment } from "./environment.js";
import { Administrator, ShopRest, zip } from "./shop.js";
import { Shopper } from "./shopper.js";

/**
 * Takes the images of docs/install-on-woocommerce.md in a real shop. Needs the variables of the tests, and
 * TILLGATE_E2E_SANDBOX_FILE of a running Tillgate.
 */
const images = path.join(import.meta.dirname, "../../docs/images");
const environment = readShopEnvironment();
const sandbox = await readSandbox();
const browser = await chromium.launch(chromiumLaunchOptions());
const context = { viewport: { width: 1200, height: 800 }, locale: "en-GB" };
const rest = new ShopRest(environment);
const owner = new Administrator(await (await browser.newContext(context)).newPage(), environment.url);
const shopper = new Shopper(await (await browser.newContext(context)).newPage(), environment.url);
/** Takes a screenshot in a tall window, because in a full-page screenshot sticky bars would cover the middle. */
async function take(name: string, { page }: Administrator | Shopper, height = 800): Promise<void> {
  await page.setViewportSize({ width: context.viewport.width, height });
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: path.join(images, `woocommerce-${name}.png`) });
}

try {
  await owner.signIn(environment.administrator);
  await owner.page.goto(`${environment.url}/wp-admin/plugin-install.php?tab=upload`);
  await take("upload", owner);
  await owner.install(zip);
  // Tall from the start, so that nothing scrolls and the menu stays in place.
  await owner.page.setViewportSize({ width: context.viewport.width, height: 2650 });
  await owner.saveSettings({
    enabled: true,
    mode: "sandbox",
    address: sandbox.api,
    client_id: sandbox.merchant.client_id,
    client_secret: sandbox.merchant.client_secret,
    report_address: "",
    show_as: "qr",
  });
  await owner.testConnection();
  await take("settings", owner, 2650);

  await owner.useCheckout("block", await rest.checkoutPage());
  await shopper.fillCart((await rest.product()).id);
  await shopper.page.goto(`${environment.url}/checkout/`);
  const method = shopper.page.locator("label[for=radio-control-wc-payment-method-options-tillgate]");
  await method.click();
  await take("checkout", shopper, 2080);
  await shopper.placeOrder("block");
  const { orderId, paymentUrl } = await shopper.waitForQrCode();
  await take("qr", shopper, 1000);

  const payment = new PaymentPage(await (await browser.newContext(context)).newPage());
  await payment.open(paymentUrl);
  await payment.approve.click();
  await payment.expectStatus("PAID");
  await shopper.waitForOrderReceived();
  await take("order-received", shopper, 1110);
  await rest.waitForStatus(orderId, "processing");
  await owner.openOrder(orderId);
  await take("order", owner, 1250);
  await owner.runBackgroundWork();
  await owner.openHealth();
  await take("health", owner, 1080);
} finally {
  await browser.close();
}
