import type { Page } from "@playwright/test";
import { expectGood, expectGoodInLight, isFull } from "../fixtures/axe.js";
import { consoleRoutes, routeOf } from "../fixtures/console-routes.js";
import { expect, test } from "../fixtures/test.js";
import { Console } from "../pages/console.js";

/** Looked at where a test gets there: they need a step before them, or show nothing of their own. */
const ELSEWHERE = [
  "/",
  // With a payment link that somebody made.
  "/m/[merchant]/[mode]/links/[link]",
  "/m/[merchant]/[mode]/links/[link]/print",
  // At a till that somebody made.
  "/m/[merchant]/[mode]/tills/[till]",
  "/m/[merchant]/[mode]/tills/[till]/code",
  // With a payout that somebody made.
  "/m/[merchant]/[mode]/payouts/[id]",
  // With a file of payouts that somebody brought.
  "/m/[merchant]/[mode]/payouts/batches/[id]",
  // From a shop that asks to be connected.
  "/connect",
  "/connect/done",
  "/forgot-password",
  "/invitation",
  "/language",
  "/reset-password",
  "/second-factor",
  "/sign-in",
  "/sign-out",
];

const crawlMs = 180_000;

/**
 * Opens one page of every kind that the links of the pages before lead to, and looks at each.
 * @returns the kinds that were found.
 */
async function lookAtAll(page: Page, address: string, starts: readonly string[]): Promise<string[]> {
  const seen = new Set<string>();
  const waiting = [...starts];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const route = routeOf(new URL(next, address).pathname);
    if (route === undefined || seen.has(route) || ELSEWHERE.includes(route)) continue;
    seen.add(route);
    const answer = await page.goto(new URL(next, address).href);
    expect.soft(answer?.status(), next).toBe(200);
    await expect.soft(page.locator("h1"), next).toHaveCount(1);
    // The dark differs in colours only, which all pages share.
    if (isFull) await expectGood(page, route);
    else await expectGoodInLight(page, route);
    const links = await page
      .locator("a[href]")
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    waiting.push(...links.filter((link) => link.startsWith(`${address}/`)));
  }
  return [...seen].sort();
}

test("every page of a merchant is whole, wide and narrow @one-width", async ({
  page,
  books,
  sandbox,
  tillgate,
  payment,
}) => {
  test.setTimeout(crawlMs);
  // The connector answers what it does not know with a refusal: deliveries, with something to look at.
  const callback_url = `${sandbox.connector}/nowhere`;
  const order = await tillgate.orders.create({ amount: "4.00", currency: "EUR", callback_url });
  await payment.open(order.payment_url ?? "");
  await payment.approve.click();
  await payment.shows("PAID");
  const { trx_id } = await tillgate.orders.get(order.order_id);
  await tillgate.refunds.create({ transaction_id: trx_id ?? "", amount: "1.00" });

  const owner = { email: "looks.at.all@example.com", password: sandbox.merchant_user.password };
  await books.addConsoleUser(owner.email, sandbox.merchant_user);
  const home = await new Console(page, sandbox).signInAtHome(owner);
  await page.goto(`${home}/webhooks`);
  await page.locator('form[data-action="add"] input[type="url"]').fill(`${sandbox.connector}/elsewhere`);
  await page.locator('form[data-action="add"] button').click();
  await expect(page.getByTestId("notice")).toBeVisible();

  const starts = ["", `/orders/${order.order_id}`, "/payouts/new", "/search?q=4.00"].map(
    (end) => `${home}${end}`,
  );
  const accountPages = ["/account/authenticator", "/account/passkeys"];
  const seen = await lookAtAll(page, sandbox.dashboard, [...starts, ...accountPages]);
  const own = consoleRoutes.filter((route) => !route.startsWith("/admin") && !ELSEWHERE.includes(route));
  expect(seen).toEqual(own.sort());

  await page.goto(`${home}/webhooks`);
  await page.getByRole("link", { name: /elsewhere$/ }).click();
  const removal = page.locator("details", { has: page.locator('form[data-action="remove"]') });
  await removal.locator("summary").click();
  await removal.getByRole("button").click();
  await expect(page.getByTestId("notice")).toBeVisible();
});

test("every page of an administrator is whole, wide and narrow @one-width", async ({ page, sandbox }) => {
  test.setTimeout(crawlMs);
  await new Console(page, sandbox).signIn(sandbox.administrator);
  const starts = ["/admin", "/admin/rates/sandbox", "/admin/shoppers/sandbox"];
  const seen = await lookAtAll(page, sandbox.dashboard, starts);
  const own = consoleRoutes.filter((route) => route.startsWith("/admin"));
  expect(seen.filter((route) => route.startsWith("/admin"))).toEqual(own.sort());
});
