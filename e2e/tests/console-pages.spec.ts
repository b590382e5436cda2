import type { Page } from "@playwright/test";
import { expectPageQuality, expectPageQualityInLight, isFull } from "../fixtures/axe.js";
import { consoleRoutes, routeOf } from "../fixtures/console-routes.js";
import { expect, test } from "../fixtures/test.js";
import { compareUnpaidOrder, createPaidOrder } from "../fixtures/tillgate.js";
import { Console } from "../pages/console.js";

/** Routes that need a previous step and are checked by other tests, and routes without content. */
const CHECKED_ELSEWHERE = [
  "/",
  // Needs a payment link.
  "/m/[merchant]/[mode]/links/[link]",
  "/m/[merchant]/[mode]/links/[link]/print",
  // Needs a till.
  "/m/[merchant]/[mode]/tills/[till]",
  "/m/[merchant]/[mode]/tills/[till]/code",
  // Needs a payout.
  "/m/[merchant]/[mode]/payouts/[id]",
  // Needs a bulk payout.
  "/m/[merchant]/[mode]/payouts/batches/[id]",
  // Needs a connect request from a shop.
  "/connect",
  "/connect/done",
  "/forgot-password",
  "/invitation",
  "/language",
  "/new-account",
  "/reset-password",
  "/second-factor",
  "/sign-in",
  "/sign-out",
  "/sign-up",
];

const crawlMs = 180_000;

/** Limit for a page's scripts, in compressed bytes. No page ships a framework. */
const MAX_SCRIPT_BYTES = 10_000;

/** Opens and checks a page. @returns its links. */
async function checkPage(page: Page, url: string, route: string): Promise<string[]> {
  const response = await page.goto(url);
  expect.soft(response?.status(), url).toBe(200);
  const { headings, links, scriptBytes } = await page.evaluate(() => ({
    headings: document.querySelectorAll("h1").length,
    links: [...document.querySelectorAll<HTMLAnchorElement>("a[href]")].map(({ href }) => href),
    scriptBytes: performance
      .getEntriesByType("resource")
      .filter((entry): entry is PerformanceResourceTiming => "encodedBodySize" in entry)
      .filter(({ initiatorType }) => initiatorType === "script")
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  }));
  expect.soft(headings, `${route}: headings of the page`).toBe(1);
  expect.soft(scriptBytes, `${route}: bytes of script`).toBeLessThan(MAX_SCRIPT_BYTES);
  // Dark mode differs only in colours, which all pages share.
  if (isFull) await expectPageQuality(page, route);
  else await expectPageQualityInLight(page, route);
  return links;
}

/** Fetches a page that another test checks: it must exist for this user too. @returns its links. */
async function fetchPage(page: Page, url: string): Promise<string[]> {
  const response = await page.request.get(url);
  expect.soft(response.status(), url).toBe(200);
  const html = await response.text();
  expect.soft(html.match(/<h1[ >]/g), url).toHaveLength(1);
  return [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(
    ([, href = ""]) => new URL(href.replaceAll("&amp;", "&"), url).href,
  );
}

/**
 * Follows links, and opens one page of every route that no other test checks.
 * @param isChecked whether a route's page is checked; other pages are only fetched
 * @returns the routes found, sorted
 */
async function checkAllPages(
  page: Page,
  address: string,
  starts: readonly string[],
  isChecked: (route: string) => boolean = () => true,
): Promise<string[]> {
  const seen = new Set<string>();
  const waiting = [...starts];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const route = routeOf(new URL(next, address).pathname);
    if (route === undefined || seen.has(route) || CHECKED_ELSEWHERE.includes(route)) continue;
    seen.add(route);
    const url = new URL(next, address).href;
    const links = isChecked(route) ? await checkPage(page, url, route) : await fetchPage(page, url);
    waiting.push(...links.filter((link) => link.startsWith(`${address}/`)));
  }
  return [...seen].sort();
}

test("every merchant page that no other test checks is accessible, reflows and loads less than 10 KB of script @one-width", async ({
  page,
  books,
  sandbox,
  tillgate,
}) => {
  test.setTimeout(crawlMs);
  // The connector rejects unknown paths, which creates failed deliveries to show.
  const callback_url = `${sandbox.connector}/nowhere`;
  const order = await createPaidOrder(tillgate, "4.00", { callback_url });
  await compareUnpaidOrder(tillgate, order, "4.00");
  await tillgate.refunds.create({ transaction_id: order.trxId, amount: "1.00" });

  const owner = { email: "looks.at.all@example.com", password: sandbox.merchant_user.password };
  await books.addConsoleUser(owner.email, sandbox.merchant_user);
  const home = await new Console(page, sandbox).signInAtHome(owner);
  await page.goto(`${home}/webhooks`);
  await page.locator('form[data-action="add"] input[type="url"]').fill(`${sandbox.connector}/elsewhere`);
  await page.locator('form[data-action="add"] button').click();
  await expect(page.getByTestId("notice")).toBeVisible();

  const starts = ["", `/orders/${order.id}`, "/payouts/new", "/search?q=4.00", "/reports/fees/2026-01"].map(
    (end) => `${home}${end}`,
  );
  const accountPages = ["/account/authenticator", "/account/passkeys"];
  const seen = await checkAllPages(page, sandbox.dashboard, [...starts, ...accountPages]);
  const own = consoleRoutes.filter(
    (route) => !route.startsWith("/admin") && !CHECKED_ELSEWHERE.includes(route),
  );
  expect(seen).toEqual(own.sort());

  await page.goto(home);
  await expect(page.getByTestId("attention")).toContainText("Shop differs from Tillgate");
  await page.goto(`${home}/reports/shops`);
  await page.getByRole("link", { name: /^Shop with API key/ }).click();
  const difference = page.locator("tbody tr", { hasText: order.id });
  await expect(difference).toContainText("was paid in Tillgate");
  await expect(difference.getByRole("link", { name: "1001" })).toHaveAttribute(
    "href",
    "https://shop.example/wp-admin/post.php?post=1001",
  );
  await difference.getByRole("link", { name: order.id }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(`${home}/orders/${order.id}`);

  await page.goto(`${home}/webhooks`);
  await page.getByRole("link", { name: /elsewhere$/ }).click();
  // A replay: preview, start and result.
  await page.locator('input[name="replay_from"]').fill("2026-01-01T00:00");
  await page.getByTestId("preview-replay").click();
  await expect(page.getByTestId("replay-preview")).toContainText("pos.order.paid");
  await expectPageQualityInLight(page, "replay preview");
  await page.getByTestId("start-replay").click();
  await expect(page.getByTestId("replays").locator("tbody tr")).toHaveCount(1);
  await page.getByTestId("cancel-replay").click();
  await expect(page.getByTestId("replays").locator('[data-status="cancelled"]')).toBeVisible();
  const removal = page.locator("details", { has: page.locator('form[data-action="remove"]') });
  await removal.locator("summary").click();
  await removal.getByRole("button").click();
  await expect(page.getByTestId("notice")).toBeVisible();
});

test("every administrator page is accessible, reflows and loads less than 10 KB of script @one-width", async ({
  page,
  sandbox,
}) => {
  test.setTimeout(crawlMs);
  await new Console(page, sandbox).signIn(sandbox.administrator);
  const starts = ["/admin", "/admin/rates/sandbox", "/admin/shoppers/sandbox"];
  const isOwn = (route: string) => route.startsWith("/admin");
  const seen = await checkAllPages(page, sandbox.dashboard, starts, isOwn);
  expect(seen.filter(isOwn)).toEqual(consoleRoutes.filter(isOwn).sort());
});
