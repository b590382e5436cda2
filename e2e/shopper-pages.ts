import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Sandbox } from "@tillgate/stack";
import type { Browser, BrowserContextOptions, Page } from "playwright";
import { ApiDatabase } from "./fixtures/api-database.js";
import { shopperNamed } from "./fixtures/sandbox.js";
import { StoreOrders } from "./fixtures/store-orders.js";
import { openTillgate } from "./fixtures/tillgate.js";
import { paymentStates } from "./page-states.js";
import { PaymentPage } from "./pages/payment-page.js";
import { Shop } from "./pages/shop.js";

const languages = ["en-GB", "fr-FR", "de-DE", "es-ES", "pt-PT", "ar"];
/** Dark mode does not depend on the language, so it is taken once per text direction. */
const DARK_LANGUAGES = ["en-GB", "ar"];
const english = ["en-GB"];

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 900 };

type PageTaker = {
  languages: readonly string[];
  /** Opens the page. Called once, on a phone; the page is then resized for the other sizes. */
  reach(page: Page): Promise<void>;
};

/** Returns the wallet's pages, some with rejected forms. */
function walletPages(sandbox: Sandbox): Record<string, PageTaker> {
  const tillgate = openTillgate(sandbox);
  const samuel = shopperNamed(sandbox, "Samuel");
  const wallet = `${sandbox.pay}/wallet`;
  const signedIn = (reach: (page: Page) => Promise<unknown>): PageTaker => ({
    languages,
    async reach(page) {
      await page.goto(`${wallet}/sign-in?mode=sandbox`);
      await page.getByTestId("pay-sign-in-identifier").fill(samuel.email);
      await page.getByTestId("pay-sign-in-pin").fill(samuel.pin);
      await page.getByTestId("pay-sign-in").click();
      await page.getByTestId("wallet-shopper").waitFor();
      await reach(page);
    },
  });
  const open = (reach: (page: Page) => Promise<unknown>): PageTaker => ({
    languages,
    async reach(page) {
      await reach(page);
    },
  });
  return {
    "wallet-sign-in": open((page) => page.goto(`${wallet}/sign-in`)),
    "wallet-wrong-sign-in": open(async (page) => {
      await page.goto(`${wallet}/sign-in`);
      await page.getByTestId("pay-sign-in-identifier").fill("nobody@example.com");
      await page.getByTestId("pay-sign-in-pin").fill("482915");
      await page.getByTestId("pay-sign-in").click();
      await page.getByTestId("pay-notice").waitFor();
    }),
    "wallet-new": open(async (page) => {
      const { address } = await tillgate.placeOrder("18.50");
      await page.goto(`${wallet}/new?order=${address.split("/").at(-1)}`);
    }),
    "wallet-new-wrong": open(async (page) => {
      await page.goto(`${wallet}/new`);
      await page.getByTestId("wallet-name").fill("Zoë");
      await page.getByTestId("wallet-phone").fill("12");
      await page.getByTestId("wallet-pin").fill("111111");
      await page.getByTestId("wallet-repeated-pin").fill("222222");
      await page.getByTestId("wallet-make").click();
      await page.getByTestId("pay-notice").waitFor();
    }),
    "wallet-new-live": open((page) => page.goto(`${wallet}/new?mode=live`)),
    "wallet-forgot-pin": open((page) => page.goto(`${wallet}/forgot-pin`)),
    "wallet-forgot-pin-live": open((page) => page.goto(`${wallet}/forgot-pin?mode=live`)),
    "wallet-home": signedIn((page) => page.goto(wallet)),
    "wallet-activity": signedIn((page) => page.goto(`${wallet}/activity`)),
    "wallet-receipt": signedIn(async (page) => {
      const { address, id } = await tillgate.placeOrder("18.50");
      await page.goto(address);
      await page.getByTestId("pay-pin").fill(samuel.pin);
      await page.getByTestId("pay-confirm").click();
      await new PaymentPage(page).expectStatus("PAID");
      const { trx_id } = await tillgate.orders.get(id);
      await tillgate.refunds.create({ transaction_id: trx_id ?? "", amount: "5.00" });
      await page.goto(`${wallet}/activity`);
      await page.locator("a[data-kind=payment]").first().click();
      await page.getByTestId("wallet-receipt-amount").waitFor();
    }),
    "wallet-security": signedIn((page) => page.goto(`${wallet}/security`)),
    "wallet-security-wrong": signedIn(async (page) => {
      await page.goto(`${wallet}/security`);
      await page.getByTestId("wallet-old-pin").fill(samuel.pin);
      await page.getByTestId("wallet-new-pin").fill("111111");
      await page.getByTestId("wallet-repeated-pin").fill("222222");
      await page.getByTestId("wallet-change-pin").click();
      await page.getByTestId("pay-notice").waitFor();
    }),
    "wallet-top-up": signedIn((page) => page.goto(`${wallet}/top-up`)),
    "wallet-top-up-wrong": signedIn(async (page) => {
      await page.goto(`${wallet}/top-up`);
      await page.getByTestId("wallet-amount").fill("12,345,6");
      await page.getByTestId("wallet-top-up").click();
      await page.getByTestId("pay-notice").waitFor();
    }),
    "wallet-convert": signedIn((page) => page.goto(`${wallet}/convert`)),
    "wallet-conversion": signedIn(async (page) => {
      await page.goto(`${wallet}/convert`);
      await page.getByTestId("wallet-amount").fill("10");
      await page.locator("select[name=to]").selectOption("XAF");
      await page.getByTestId("wallet-quote").click();
      await page.getByTestId("wallet-gets").waitFor();
    }),
    "wallet-topped-up": signedIn(async (page) => {
      await page.goto(`${wallet}/top-up`);
      await page.getByTestId("wallet-amount").fill("12");
      await page.getByTestId("wallet-top-up").click();
      await page.getByTestId("wallet-done").waitFor();
    }),
    "wallet-not-found": signedIn((page) => page.goto(`${wallet}/activity/nothing`)),
  };
}

/** Returns the embedded frame, opened as a separate page. */
function framePages(sandbox: Sandbox): Record<string, PageTaker> {
  const tillgate = openTillgate(sandbox);
  const frame = (reach: (page: Page) => Promise<unknown> = async () => {}): PageTaker => ({
    languages,
    async reach(page) {
      const { address } = await tillgate.placeOrder("18.50");
      await page.goto(address.replace("/pay/", "/embed/"));
      await page.getByTestId("pay-at-top").waitFor();
      await reach(page);
    },
  });
  const approve = async (page: Page) => {
    await page.getByTestId("pay-approve").click();
    await new PaymentPage(page).expectStatus("PAID");
  };
  return {
    frame: frame(),
    "frame-declined": frame(async (page) => {
      await page.getByTestId("pay-decline").click();
      await page.getByTestId("pay-notice").waitFor();
    }),
    "frame-paid": frame(approve),
    "frame-not-found": {
      languages,
      reach: async (page) => void (await page.goto(`${sandbox.pay}/embed/no`)),
    },
  };
}

/** Returns the demo shop's pages from storefront to paid order, the connector's health page and the API reference. */
function shopPages(sandbox: Sandbox): Record<string, PageTaker> {
  const inShop = (reach: (shop: Shop) => Promise<unknown>): PageTaker => ({
    languages: english,
    reach: async (page) => void (await reach(new Shop(page, sandbox.store, new StoreOrders(sandbox)))),
  });
  const at = (address: string): PageTaker => ({
    languages: english,
    reach: async (page) => void (await page.goto(address)),
  });
  const health = new URL(sandbox.connector_health.address);
  health.username = "owner";
  health.password = sandbox.connector_health.key;
  return {
    shop: at(sandbox.store),
    "shop-product": at(`${sandbox.store}/product/bud-vase`),
    "shop-empty-cart": at(`${sandbox.store}/cart`),
    "shop-cart": inShop(async ({ page, address }) => {
      await page.goto(address);
      await page.getByTestId("add-to-cart-morning-mug").click();
      await page.getByTestId("notice").waitFor();
    }),
    "shop-checkout": inShop(async ({ page, address }) => {
      await page.goto(address);
      await page.getByTestId("add-to-cart-morning-mug").click();
      await page.getByTestId("to-checkout").click();
      await page.getByTestId("place-order").waitFor();
    }),
    "shop-code": inShop((shop) => shop.placeOrder()),
    "shop-dialog": inShop(async (shop) => {
      await shop.placeOrder();
      // On a phone the shop opens the payment page instead.
      await shop.page.setViewportSize(desktop);
      await shop.page.getByTestId("pay-in-shop").click();
      await shop.page.frameLocator("tillgate-pay iframe").getByTestId("pay-at-top").waitFor();
    }),
    "shop-payment": inShop(async (shop) => {
      await shop.placeOrder();
      await shop.payNow();
    }),
    "shop-paid": inShop(async (shop) => {
      await shop.placeOrder();
      const payment = await shop.payNow();
      await shop.page.getByTestId("pay-open-sign-in").click();
      await payment.confirm.click();
      await payment.stopRedirect();
      await shop.page.locator("[data-order=processing]").waitFor();
    }),
    "shop-received": inShop(async (shop) => {
      await shop.placeOrder();
      const payment = await shop.payNow();
      await payment.approve.click();
      await payment.returnLink.click();
      await shop.expectReceived("processing");
    }),
    health: at(health.href),
    docs: at(`${sandbox.api}/docs`),
    "docs-try": at(`${sandbox.api}/docs/try`),
  };
}

/** Returns the states of the payment page, each with a separate order. */
function statePages(sandbox: Sandbox, browser: Browser): Record<string, PageTaker> {
  const tillgate = openTillgate(sandbox);
  return Object.fromEntries(
    Object.entries(paymentStates(sandbox, browser)).map(([state, reach]) => [
      `payment-${state}`,
      {
        languages,
        async reach(page) {
          const order = await tillgate.placeOrder("18.50");
          await reach(await new PaymentPage(page).open(order.address), order);
        },
      },
    ]),
  );
}

type Shot = { name: string; width: number; png: Buffer };

/** Combines screenshots side by side into one image. */
async function writeSheet(browser: Browser, file: string, shots: readonly Shot[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1960, height: 400 } });
  await page.setContent(
    `<body style="margin:0;display:flex;flex-wrap:wrap;gap:6px;align-items:start;background:#888">${shots
      .map(
        ({ name, width, png }) =>
          `<figure style="margin:0;font:12px sans-serif">${name}<br>
          <img width="${width}" src="data:image/png;base64,${png.toString("base64")}"></figure>`,
      )
      .join("")}`,
  );
  await page.screenshot({ path: file, fullPage: true });
  await page.close();
}

/**
 * Takes screenshots of shopper pages in each of their languages (in dark mode, only English and Arabic), and writes contact sheets:
 * `<folder>/<page>-phone.png`, `-desktop.png` and `-dark.png`.
 * @param only prefixes of page names; empty: all
 * @throws AggregateError after all pages, if any screenshot is missing
 */
export async function takeShopperPages(
  browser: Browser,
  sandbox: Sandbox,
  folder: string,
  only: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const books = new ApiDatabase(sandbox.database_url);
  const failures: Error[] = [];
  const pages = {
    ...statePages(sandbox, browser),
    ...walletPages(sandbox),
    ...framePages(sandbox),
    ...shopPages(sandbox),
  };
  for (const [name, taker] of Object.entries(pages)) {
    if (only.length > 0 && !only.some((wanted) => name.startsWith(wanted))) continue;
    const sheets: Record<"phone" | "desktop" | "dark", Shot[]> = { phone: [], desktop: [], dark: [] };
    for (const locale of taker.languages) {
      const device: BrowserContextOptions = { viewport: phone, isMobile: true, hasTouch: true };
      const context = await browser.newContext({ ...device, locale, reducedMotion: "reduce" });
      const page = await context.newPage();
      try {
        await taker.reach(page);
        const shoot = async (width: number, shown: number) => {
          await page.setViewportSize(width === phone.width ? phone : desktop);
          await page.evaluate(() => scrollTo(0, 0));
          const png = await page.screenshot({ animations: "disabled", fullPage: true });
          return { name: locale, width: shown, png };
        };
        sheets.phone.push(await shoot(phone.width, 320));
        sheets.desktop.push(await shoot(desktop.width, 640));
        if (DARK_LANGUAGES.includes(locale)) {
          await page.emulateMedia({ colorScheme: "dark" });
          sheets.dark.push(await shoot(desktop.width, 640), await shoot(phone.width, 320));
        }
      } catch (error) {
        failures.push(new Error(`Could not take the screenshots of ${name} in ${locale}`, { cause: error }));
      } finally {
        await context.close();
        // Pages with a wrong PIN are taken in six languages from one address.
        await books.clearWrongPins();
      }
    }
    for (const [sheet, shots] of Object.entries(sheets))
      await writeSheet(browser, path.join(folder, `${name}-${sheet}.png`), shots);
    console.log(name);
  }
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      failures.map(({ message, cause }) => `${message}: ${cause}`).join("\n"),
    );
}
