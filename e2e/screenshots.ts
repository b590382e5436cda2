/**
 * `npm run screenshots -w @tillgate/e2e`: starts Tillgate and writes the README's images to docs/images. `-- shopper <folder>` takes the shopper
 * pages instead, for review, in each of their languages. Arguments after the folder select pages by the start of their names. `-- console <folder>`
 * takes the console's pages in both languages, on desktop and phone, light and dark.
 */
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Sandbox, startStack } from "@tillgate/stack";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright";
import { chromiumLaunchOptions } from "../scripts/testing/chromium.mjs";
import { takeConsolePages } from "./console-states.js";
import { sandboxFileVariable } from "./fixtures/sandbox.js";
import { StoreOrders } from "./fixtures/store-orders.js";
import { openTillgate } from "./fixtures/tillgate.js";
import { Console } from "./pages/console.js";
import { PaymentPage } from "./pages/payment-page.js";
import { Shop } from "./pages/shop.js";
import { takeShopperPages } from "./shopper-pages.js";

const folder = path.join(import.meta.dirname, "../docs/images");
/** Maximum size of an image, because a README loads all of its images at once. */
const maximumBytes = 150 * 1024;

/** The default ports, because the payment address is in the image. */
const basePort = Number(process.env.TILLGATE_PORT ?? 4000);

const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 960 } };
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
};

/** Takes a screenshot for docs/images. @throws Error if it is too large for a README. */
async function take(page: Page, name: string): Promise<void> {
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file, animations: "disabled", caret: "hide" });
  const { size } = await stat(file);
  console.log(`docs/images/${name}.png  ${Math.ceil(size / 1024)} KB`);
  if (size > maximumBytes) throw new Error(`${file} is ${size} bytes, more than ${maximumBytes}.`);
}

async function takeAll(browser: Browser, sandbox: Sandbox): Promise<void> {
  const onDesktop = await browser.newContext({ ...desktop, locale: "en-GB", colorScheme: "light" });
  const page = await onDesktop.newPage();
  const shop = new Shop(page, sandbox.store, new StoreOrders(sandbox));
  await page.goto(sandbox.store);
  await page.getByTestId("add-to-cart-morning-mug").click();
  await shop.checkOut({ product: "tall-carafe" });
  await take(page, "shop-checkout");
  const payment = await shop.payNow();
  await page.locator("html.scripted").waitFor();
  await take(page, "payment-page");

  const onPhone = await browser.newContext({ ...phone, locale: "en-GB", colorScheme: "light" });
  const scanned = await new PaymentPage(await onPhone.newPage()).open(page.url());
  await scanned.expectStatus("PENDING");
  await take(scanned.page, "payment-page-phone");

  await payment.approve.click();
  await payment.expectStatus("PAID");
  await payment.stopRedirect();
  await take(page, "payment-page-paid");
  await takeConsole(page, sandbox);
}

/** Takes screenshots of the console of a merchant with some sales. */
async function takeConsole(page: Page, sandbox: Sandbox): Promise<void> {
  const tillgate = openTillgate(sandbox);
  for (const amount of ["24.00", "8.50", "112.00", "39.90", "18.50", "64.00"]) {
    const { address } = await tillgate.placeOrder(amount);
    const payment = await new PaymentPage(page).open(address);
    await payment.approve.click();
    await payment.expectStatus("PAID");
  }
  const { orders } = await tillgate.orders.list();
  const [newest, before] = orders;
  if (newest === undefined || before?.trx_id == null)
    throw new Error("The second-newest order is missing or not paid.");
  await tillgate.refunds.create({
    transaction_id: before.trx_id,
    amount: "10.00",
    reason: "One cup arrived broken",
  });
  await page.setViewportSize({ width: 1120, height: 700 });
  const home = await new Console(page, sandbox).signInAtHome();
  await take(page, "console-home");
  await page.goto(`${home}/orders/${before.order_id}`);
  await take(page, "console-order");
  await page.goto(`${home}/wallets/EUR`);
  await take(page, "console-statement");
  await page.goto(`${home}/settings`);
  await take(page, "console-settings");
}

const dataFolder = await mkdtemp(path.join(tmpdir(), "tillgate-pictures-"));
try {
  await mkdir(folder, { recursive: true });
  process.env[sandboxFileVariable] = path.join(dataFolder, "data/sandbox.json");
  const stack = await startStack({
    dataDirectory: path.join(dataFolder, "data"),
    basePort,
    fsync: false,
    // All sign-ins come from one address.
    environment: { TILLGATE_SIGN_INS_PER_MINUTE: "1000" },
  });
  try {
    const browser = await chromium.launch(chromiumLaunchOptions());
    try {
      const [what, pagesFolder = "pages", ...only] = process.argv.slice(2);
      if (what === "shopper") await takeShopperPages(browser, stack.sandbox, pagesFolder, only);
      else if (what === "console")
        await takeConsolePages(browser, stack.sandbox, pagesFolder, { desktop, phone });
      else await takeAll(browser, stack.sandbox);
    } finally {
      await browser.close();
    }
  } finally {
    await stack.stop();
  }
} finally {
  await rm(dataFolder, { recursive: true, force: true });
}
