import { readFile } from "node:fs/promises";
import { expectPageQualityInLight } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";
import { Console } from "../pages/console.js";

test("a list export is saved completely or not at all @one-width", async ({ page, sandbox, tillgate }) => {
  const { order_id } = await tillgate.orders.create({ amount: "4.00", currency: "EUR" });
  const home = await new Console(page, sandbox).signInAtHome();
  await page.goto(`${home}/orders?q=${order_id}&columns=amount`);
  const csv = page.getByRole("link", { name: "Export this view: CSV (comma)" });
  const line = page.getByTestId("export-line");

  const [download] = await Promise.all([page.waitForEvent("download"), csv.click()]);
  expect(download.suggestedFilename()).toBe("orders.csv");
  expect(await readFile(await download.path(), "utf8")).toBe(
    `\ufefforder_id,amount,currency\r\n${order_id},4.00,EUR\r\n`,
  );
  await expect(line).toHaveText("Rows exported: 1.");

  let saved = 0;
  page.on("download", () => (saved += 1));
  const head = { "content-type": "text/csv", "x-tillgate-total": "2" };
  for (const [outcome, text] of [
    [{ status: 200, headers: head, body: "order_id\r\nPOS-1\r\n" }, /was interrupted/],
    [{ status: 429, body: "" }, /Other exports are in progress/],
  ] as const) {
    await page.route("**/orders.csv?**", (route) => route.fulfill(outcome), { times: 1 });
    await csv.click();
    await expect(line).toHaveText(text);
  }
  // A download that never completes.
  await page.route("**/orders.csv?**", () => {}, { times: 1 });
  await csv.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(line).toHaveText(/Export cancelled/);
  expect(saved).toBe(0);
});

test("a list can be filtered, shown with other columns, and saved and reopened as a view @one-width", async ({
  page,
  sandbox,
  tillgate,
}) => {
  await tillgate.orders.create({ amount: "4.00", currency: "EUR", terminal_id: "shelf" });
  const home = await new Console(page, sandbox).signInAtHome();
  const name = `Open ${Date.now()}`;
  await page.goto(`${home}/orders`);
  await page.locator("select[name=status]").selectOption("PENDING");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.locator("summary", { hasText: "Edit columns" }).click();
  await page.locator("[value=terminal_id]").check();
  await page.locator("[value=payment_method]").uncheck();
  await page.getByRole("button", { name: "Update columns" }).click();
  const heads = page.locator("thead th");
  await expect(heads).toContainText(["Order", "Amount", "Status", "Created", "Till"]);
  await page.getByTestId("save-view").click();
  await page.getByLabel("View name").fill(name);
  await page.locator('form[data-action="save-view"] button').click();

  await page.goto(`${home}/orders`);
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("link", { name })).toHaveAttribute("aria-current", "page");
  await expect(heads).toContainText(["Order", "Amount", "Status", "Created", "Till"]);
  await expect(page.locator("select[name=status]")).toHaveValue("PENDING");
  await page.getByTestId("change-view").click();
  await expectPageQualityInLight(page, "a saved view");
  await page.locator('form[data-action="remove-view"] button').click();
  await expect(page.getByRole("link", { name })).toHaveCount(0);
});

test.describe("the console on a phone:", () => {
  const height = 740;
  test.use({ viewport: { width: 360, height }, isMobile: true, hasTouch: true });

  test("a list's first row is visible without scrolling, and its filters are hidden until opened @one-width", async ({
    page,
    sandbox,
    tillgate,
  }) => {
    await tillgate.orders.create({ amount: "4.00", currency: "EUR" });
    const home = await new Console(page, sandbox).signInAtHome();
    await page.goto(`${home}/orders?status=PENDING`);
    const row = await page.locator("tbody tr").first().boundingBox();
    expect(row?.y).toBeLessThan(height);
    await expect(page.getByTestId("filters")).toBeHidden();
    await page.getByLabel("Filters and export (1)").check();
    await expect(page.getByTestId("filters")).toBeVisible();
    await expectPageQualityInLight(page, "the filters of a list on a phone");
  });
});
