import { expect, type Page, test } from "@playwright/test";

/** Buys a product, up to the shop's payment step. */
async function checkOut(page: Page): Promise<void> {
  await page.goto(process.env.SHOP_URL ?? "");
  await page.getByTestId("add-to-cart-morning-mug").click();
  await page.getByTestId("to-checkout").click();
  await page.getByTestId("field-email").fill("shopper@example.com");
  await page.getByTestId("field-first_name").fill("Noor");
  await page.getByTestId("field-last_name").fill("Shopper");
  await page.getByTestId("place-order").click();
}

test("a reload and a second tab show the same payment", async ({ page, context }) => {
  await checkOut(page);
  const address = (await page.getByTestId("pay-now").getAttribute("href")) ?? "";
  await page.reload();
  await expect(page.getByTestId("pay-now")).toHaveAttribute("href", address);
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.getByTestId("pay-now")).toHaveAttribute("href", address);
});

test("a paid order is Processing on return and after a reload", async ({ page }) => {
  await checkOut(page);
  await page.getByTestId("pay-now").click();
  await page.getByTestId("pay-approve").click();
  await page.getByTestId("pay-return").click();
  await expect(page.getByTestId("order-status")).toHaveText("Processing");
  await page.reload();
  await expect(page.getByTestId("order-status")).toHaveText("Processing");
});
