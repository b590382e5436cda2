import { readFile } from "node:fs/promises";
import { expectGood } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";
import { Console } from "../pages/console.js";

test("a list is exported in the page, whole or not at all @one-width", async ({
  page,
  sandbox,
  tillgate,
}) => {
  const { order_id } = await tillgate.orders.create({ amount: "4.00", currency: "EUR" });
  const home = await new Console(page, sandbox).signInAtHome();
  await page.goto(`${home}/orders?q=${order_id}&columns=amount`);
  const csv = page.getByRole("link", { name: "Export as shown: CSV" });
  const line = page.getByTestId("export-line");

  const [download] = await Promise.all([page.waitForEvent("download"), csv.click()]);
  expect(download.suggestedFilename()).toBe("orders.csv");
  expect(await readFile(await download.path(), "utf8")).toBe(
    `order_id,amount,currency\r\n${order_id},4.00,EUR\r\n`,
  );
  await expect(line).toHaveText("Rows saved: 1.");
  await expectGood(page, "an export that is saved");

  let saved = 0;
  page.on("download", () => (saved += 1));
  const head = { "content-type": "text/csv", "x-tillgate-total": "2" };
  for (const [answer, text] of [
    [{ status: 200, headers: head, body: "order_id\r\nPOS-1\r\n" }, /broke off/],
    [{ status: 429, body: "" }, /Another export/],
  ] as const) {
    await page.route("**/orders.csv?**", (route) => route.fulfill(answer), { times: 1 });
    await csv.click();
    await expect(line).toHaveText(text);
  }
  // It waits for rows that do not come.
  await page.route("**/orders.csv?**", () => {}, { times: 1 });
  await csv.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(line).toHaveText(/Cancelled/);
  expect(saved).toBe(0);
});
