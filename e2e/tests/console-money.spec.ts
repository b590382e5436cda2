import type { Page } from "@playwright/test";
import { expectPageQuality } from "../fixtures/axe.js";
import { shopperNamed } from "../fixtures/sandbox.js";
import { expect, test } from "../fixtures/test.js";
import { Console, type ConsoleUser } from "../pages/console.js";

test("a bulk payout is corrected, priced, paid even if its page is left, and retried for a failed line, and a used ID is rejected @one-width", async ({
  page,
  books,
  sandbox,
}) => {
  test.slow();
  await books.addConsoleUser("payouts.owner@example.com", sandbox.merchant_user);
  await new Console(page, sandbox).signInWithFactor({
    ...sandbox.merchant_user,
    email: "payouts.owner@example.com",
  });
  await page.goto(sandbox.dashboard);
  await page.waitForURL(/\/m\/[^/]+\/sandbox$/);
  const home = page.url();
  await page.goto(`${home}/payouts`);
  await page.getByTestId("batches").click();
  await expectPageQuality(page, "no bulk payouts");
  await page.getByTestId("new-batch").click();
  await expectPageQuality(page, "new bulk payout");
  const { email } = shopperNamed(sandbox, "Amélie");
  const header = "id,recipient,amount,currency";
  const lines = page.locator("textarea[name=lines]");
  await lines.fill(`${header}\nE2E-1,${email},0.10,EUR\nE2E-1,${email},x,EUR`);
  await page.getByTestId("upload").click();
  await expect(page.getByTestId("form-errors")).toContainText("Line 3: this ID is already used on line 2.");
  await expectPageQuality(page, "bulk payout with invalid lines");
  await lines.fill(`${header}\nE2E-1,${email},0.10,EUR\nE2E-2,nobody@example.com,0.20,EUR`);
  await page.getByTestId("upload").click();
  await page.getByTestId("pay-batch").waitFor();
  await expectPageQuality(page, "priced bulk payout");
  // The page never receives the response to the confirmation.
  const batch = page.url();
  page.on("dialog", (dialog) => void dialog.accept());
  let recordStatus = (_status: number): void => {};
  const confirmed = new Promise<number>((resolve) => {
    recordStatus = resolve;
  });
  await page.route(batch, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    await route.abort("aborted");
    recordStatus(response.status());
  });
  await page.getByTestId("pay-batch").click({ noWaitAfter: true });
  expect(await confirmed).toBe(303);
  await page.unroute(batch);
  await page.goto(batch);
  const again = page.getByTestId("again");
  await again.waitFor();
  await expect(page.locator('[data-row="2"]')).toContainText("Completed");
  await expectPageQuality(page, "paid bulk payout");
  await again.click();
  await again.waitFor();
  await expect(page.locator('[data-row="3"]')).toContainText("Recipient not found or not active.");
  // A line that was already uploaded is rejected.
  await page.goto(`${home}/payouts/batches/new`);
  await page.locator("textarea[name=lines]").fill(`${header}\nE2E-1,${email},0.10,EUR`);
  await page.getByTestId("upload").click();
  await expect(page.getByTestId("form-errors")).toContainText("this ID was already used");
  expect(await books.violations()).toEqual([]);
});

test("when two administrators approve a refund at the same moment, one succeeds and the other sees who decided @one-width", async ({
  page,
  browser,
  sandbox,
  administrator,
}) => {
  test.slow();
  const context = await browser.newContext({ locale: "en-GB" });
  const other = await context.newPage();
  // Separate administrators: a second factor on shared administrators would affect other tests.
  const [refund, first, second] = await Promise.all([
    administrator.createPendingRefund(),
    administrator.createAdministrator("third.administrator@example.com"),
    administrator.createAdministrator("fourth.administrator@example.com"),
  ]);
  const openApprovals = async (desk: Page, user: ConsoleUser) => {
    await new Console(desk, sandbox).signInWithFactor(user);
    await desk.goto(`${sandbox.dashboard}/admin/approvals`);
    await desk.locator(`[data-row="${refund.id}"] summary`).click();
  };
  await Promise.all([openApprovals(page, first), openApprovals(other, second)]);
  await expectPageQuality(other, "pending approvals");
  const row = (desk: Page) => desk.locator(`[data-row="${refund.id}"]`);
  // Enter in the reason field submits nothing.
  await row(page).locator("input[name=reason]").fill("Not yet");
  await row(page).locator("input[name=reason]").press("Enter");
  await expect(row(page).locator("input[name=reason]")).toHaveValue("Not yet");
  for (const desk of [page, other]) {
    await row(desk).locator("button[value=approve]").click();
    await expect(desk.getByTestId("question")).toContainText("Approve this refund?");
  }
  await expectPageQuality(page, "confirmation of an approval");
  const approve = (desk: Page) => desk.getByTestId("confirm").click();
  await Promise.all([approve(page), approve(other)]);
  const messageOn = (desk: Page) => desk.locator("[data-testid=notice], [data-testid=form-errors]");
  const texts = await Promise.all([page, other].map((desk) => messageOn(desk).textContent()));
  const loser = texts.findIndex((text) => text?.includes("Already decided by"));
  expect(loser).toBeGreaterThanOrEqual(0);
  expect(texts[1 - loser]).toBe("Approved.");
  expect(texts[loser]).toContain([second, first][loser]?.email);
  await context.close();
  await page.goto(`${sandbox.dashboard}/admin`);
  await page.getByTestId("prove").click();
  await page.getByTestId("prove").waitFor();
  await expect(page.getByTestId("proof")).toContainText("Verified: every rule holds.");
  await expectPageQuality(page, "health page with a ledger proof");
});
