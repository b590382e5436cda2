import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Sandbox } from "@tillgate/stack";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright";
import { routeOf } from "./fixtures/console-routes.js";
import { shopperNamed } from "./fixtures/sandbox.js";
import { compareUnpaidOrder, createPaidOrder, openTillgate } from "./fixtures/tillgate.js";
import { Console } from "./pages/console.js";

const local = { locale: "en-GB", timezoneId: "Europe/Berlin", reducedMotion: "reduce" } as const;

/** Opens a page, fills in one of its forms and submits it. */
async function send(page: Page, address: string, action: string, fields: Record<string, string>) {
  await page.goto(address);
  const form = page.locator(`form[data-action="${action}"]`).first();
  const closed = page.locator("details:not([open])", { has: page.locator(`form[data-action="${action}"]`) });
  if ((await closed.count()) > 0) await closed.first().locator("summary").first().click();
  for (const [name, value] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(value);
  await form.locator("button[type=submit], button:not([type])").last().click();
  await page.waitForLoadState();
}

/**
 * Creates sales, a refund, an endpoint with a replay, a till, a link and a bulk payout for a merchant.
 * @returns the address of the merchant's home
 */
async function createSampleData(page: Page, sandbox: Sandbox): Promise<string> {
  const tillgate = openTillgate(sandbox);
  const callback_url = `${sandbox.connector}/nowhere`;
  for (const amount of ["24.00", "8.50", "112.00", "39.90"]) {
    const order = await createPaidOrder(tillgate, amount, {
      reference: `cart ${amount}`,
      description: "Two mugs and a bowl",
      callback_url,
    });
    if (amount === "112.00") await compareUnpaidOrder(tillgate, order, amount);
    if (amount === "39.90")
      await tillgate.refunds.create({
        transaction_id: order.trxId,
        amount: "10.00",
        reason: "One cup arrived broken",
      });
  }
  await tillgate.placeOrder("5.00");
  const console_ = new Console(page, sandbox);
  const home = await console_.signInAtHome();
  await console_.setUpFactor(sandbox.merchant_user.password);
  await send(page, `${home}/webhooks`, "add", { address: `${sandbox.connector}/elsewhere` });
  await page.getByTestId("test-endpoint").click();
  await page.locator('input[name="replay_from"]').fill("2026-01-01T00:00");
  await page.getByTestId("preview-replay").click();
  await page.getByTestId("start-replay").click();
  await send(page, `${home}/tills`, "make", { name: "Counter", terminal_id: "counter" });
  await send(page, `${home}/links`, "make", {
    description: "Deposit for the course",
    amount: "25.00",
    max_uses: "3",
  });
  await send(page, `${home}/payouts/new`, "lookup", { recipient: shopperNamed(sandbox, "Amélie").email });
  await send(page, `${home}/payouts/batches/new`, "upload", {
    lines: `id,recipient,amount,currency\nwage 1,${shopperNamed(sandbox, "Amélie").email},1.00,EUR\nwage 2,nobody@example.com,2.00,EUR`,
  });
  return home;
}

/** Signs up an owner. @returns the address of the page that creates the account, to which the console redirects because no mail is sent */
async function newAccount(context: BrowserContext, origin: string): Promise<string> {
  const page = await context.newPage();
  await send(page, `${origin}/sign-up`, "ask", { email: `owner.${Date.now()}@example.com` });
  const address = page.url();
  await page.close();
  return address;
}

/** Follows the links of these pages. @returns the address of one page per route, by route */
async function addressesFrom(context: BrowserContext, origin: string, starts: readonly string[]) {
  const found = new Map<string, string>();
  const waiting = [...starts];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const route = routeOf(new URL(next).pathname);
    if (route === undefined || found.has(route) || /sign-out|language/.test(route)) continue;
    found.set(route, next);
    const html = await (await context.request.get(next)).text();
    for (const [, href = ""] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const link = new URL(href.replaceAll("&amp;", "&"), next).href;
      if (link.startsWith(`${origin}/`)) waiting.push(link);
    }
  }
  return found;
}

/**
 * Takes screenshots of the console at every size, light and dark, in English and French, as
 * `<folder>/<page>-<language>-<size>-<scheme>.png`: one page for each route that a merchant or an administrator can reach through links,
 * and the pages shown before sign-in. Creates sample data first.
 */
export async function takeConsolePages(
  browser: Browser,
  sandbox: Sandbox,
  folder: string,
  sizes: Record<string, BrowserContextOptions>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const origin = sandbox.dashboard;
  const maker = await browser.newContext(local);
  const home = await createSampleData(await maker.newPage(), sandbox);
  const administrator = await browser.newContext(local);
  await new Console(await administrator.newPage(), sandbox).signIn(sandbox.administrator);
  const stranger = await browser.newContext(local);
  const users: [name: string, context: BrowserContext, addresses: Map<string, string>][] = [
    [
      "open",
      stranger,
      new Map([
        ["/sign-in", `${origin}/sign-in`],
        ["/forgot-password", `${origin}/forgot-password`],
        ["/sign-up", `${origin}/sign-up`],
        ["/new-account", await newAccount(stranger, origin)],
      ]),
    ],
    [
      "merchant",
      maker,
      await addressesFrom(maker, origin, [
        home,
        `${home}/payouts/new`,
        `${home}/search?q=24.00`,
        `${origin}/account/authenticator`,
        `${origin}/account/passkeys`,
      ]),
    ],
    [
      "admin",
      administrator,
      new Map(
        [...(await addressesFrom(administrator, origin, [`${origin}/admin`]))].filter(([route]) =>
          route.startsWith("/admin"),
        ),
      ),
    ],
  ];
  const sizesByLanguage = Object.entries(sizes).flatMap(([size, device]) =>
    ["en-GB", "fr-FR"].map((locale) => [`${locale.slice(0, 2)}-${size}`, { ...device, locale }] as const),
  );
  for (const [user, context, addresses] of users) {
    const state = await context.storageState();
    for (const [size, device] of sizesByLanguage) {
      const own = await browser.newContext({ ...local, ...device, storageState: state });
      const page = await own.newPage();
      for (const [route, address] of addresses) {
        await page.goto(address);
        const name = `${user}${route.replaceAll(/\W+/g, "-").replace(/-$/, "")}`;
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
          console.log(`${name}-${size} is wider than the screen`);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const file = path.join(folder, `${name}-${size}-${colorScheme}.png`);
          await page.screenshot({ path: file, animations: "disabled", fullPage: true });
        }
      }
      await own.close();
    }
    console.log(user, [...addresses.keys()].join(" "));
  }
}
