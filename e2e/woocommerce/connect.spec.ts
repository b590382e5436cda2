import type { BrowserContext, Locator, Page } from "@playwright/test";
import { ApiDatabase } from "../fixtures/api-database.js";
import { Console } from "../pages/console.js";
import { expect, test } from "./fixtures.js";
import { Administrator, zip } from "./shop.js";

/** Maximum number of clicks for an owner with a Tillgate account, from the list of plugins to the connected shop. */
const MAX_CLICKS = 14;

/** Counts a user's clicks in the browser. */
async function countClicks(context: BrowserContext): Promise<() => number> {
  let clicks = 0;
  await context.exposeBinding("countClick", () => {
    clicks += 1;
  });
  await context.addInitScript(() => {
    const count: unknown = Reflect.get(window, "countClick");
    const onClick = (event: MouseEvent) => {
      // A key press creates a click without a position.
      if (event.isTrusted && event.detail > 0 && typeof count === "function") count();
    };
    document.addEventListener("click", onClick, true);
  });
  return () => clicks;
}

test(`an owner installs the plugin and connects the shop in at most ${MAX_CLICKS} clicks without entering API keys, and takes a payment`, async ({
  browser,
  environment,
  owner,
  sandbox,
  shopper,
  productId,
  pay,
  rest,
  gate,
  settings,
}) => {
  test.setTimeout(240_000);
  gate.open();
  await owner.useCheckout("block", await rest.checkoutPage());
  await owner.remove();
  const email = `connecting.${Date.now()}@example.com`;
  await new ApiDatabase(sandbox.database_url).addConsoleUser(email, sandbox.merchant_user);
  const context = await browser.newContext();
  const page = await context.newPage();
  try {
    const person = new Administrator(page, environment.url);
    await person.signIn(environment.administrator);
    const tillgate = new Console(await context.newPage(), sandbox);
    await tillgate.signInWithFactor({ email, password: sandbox.merchant_user.password });
    await tillgate.page.close();

    const clicks = await countClicks(context);
    const startedAtMs = Date.now();
    await page.goto(`${environment.url}/wp-admin/plugins.php`);
    await page.locator(".page-title-action").click();
    await page.locator(".upload-view-toggle").click();
    await person.upload(zip);

    // The console knows Tillgate's address and links to the settings in the shop.
    await page.goto(sandbox.dashboard);
    await page.waitForURL(/\/m\/[^/]+\/sandbox$/);
    await page.getByRole("link", { name: "Developers", exact: true }).click();
    await page.getByText("Connect WordPress").click();
    await page.getByLabel("Shop URL").fill(environment.url);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByTestId("wordpress-settings").getByRole("link").click();

    const back = page.waitForRequest(/action=tillgate_connected/);
    await page.getByRole("link", { name: /^Connect to Tillgate at / }).click();
    await page.getByTestId("connect-agree").click();
    const notice = page.locator(".notice", {
      hasText: "Connected. This shop can now accept payments with Tillgate.",
    });
    await expect(notice).toContainText("The client ID and secret are valid for this mode.");
    await expect(notice).toContainText("Tillgate can reach this shop: a signed webhook arrived");
    const clicksOfSetUp = clicks();
    const setUpMs = Date.now() - startedAtMs;

    const { orderId, paymentUrl } = await shopper.order(productId, "block");
    await pay(paymentUrl);
    await shopper.waitForOrderReceived();
    await rest.waitForStatus(orderId, "processing");
    console.log(
      `connected with ${clicksOfSetUp} clicks in ${setUpMs} ms, paid after ${Date.now() - startedAtMs} ms`,
    );
    expect(clicksOfSetUp).toBeLessThanOrEqual(MAX_CLICKS);

    await test.step("the order screen links to the payment in the console", async () => {
      await person.openOrder(orderId);
      const link = page.locator("#tillgate-payment a", { hasText: "POS-" });
      await expect(link).toHaveAttribute(
        "href",
        new RegExp(`^${sandbox.dashboard}/m/.+/sandbox/orders/POS-`),
      );
    });
    await test.step("a return is accepted once, and only from the user who started the connection", async () => {
      const returned = (await back).url();
      for (const address of [returned, returned.replace(/state=[^&]+/, "state=forged")]) {
        await page.goto(address);
        await expect(page.getByText(/Not connected: this link wasn’t created in this shop/)).toBeVisible();
      }
      await expect(connectedAs(page)).toBeVisible();
      const stranger = await browser.newContext();
      const answer = await (await stranger.newPage()).goto(returned);
      expect(answer?.ok()).toBe(false);
      await stranger.close();
    });
    await test.step("declining keeps the existing connection", async () => {
      await page.getByRole("link", { name: /^Reconnect to / }).click();
      await page.getByTestId("connect-decline").click();
      await expect(page.getByText("Connection cancelled. Nothing was changed.")).toBeVisible();
      await expect(connectedAs(page)).toBeVisible();
    });
  } finally {
    await context.close();
    await owner.saveSettings(settings);
  }
});

const connectedAs = (page: Page): Locator =>
  page.locator(".tillgate-connect", { hasText: /Connected to .+ as / });
