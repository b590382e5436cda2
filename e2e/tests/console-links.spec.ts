import { expectPageQuality, expectPageQualityInLight } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";
import { Console } from "../pages/console.js";
import { PaymentPage } from "../pages/payment-page.js";

test("a single-use payment link is created, paid once, and shown as used to the next visitor @one-width", async ({
  browser,
  page,
  sandbox,
}) => {
  test.slow();
  const home = await new Console(page, sandbox).signInAtHome();
  await page.goto(`${home}/links`);
  const making = page.locator("details", { has: page.locator('form[data-action="make"]') });
  if (!(await making.locator("form").isVisible())) await making.locator("summary").click();
  const name = `Two mugs ${Date.now()}`;
  await page.getByLabel("Description").fill(name);
  await page.getByLabel("Amount", { exact: false }).first().fill("3.333");
  await page.locator('form[data-action="make"] button').click();
  // The error is shown next to its field, and the input is kept.
  await expect(page.getByTestId("error-amount")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue(name);
  await page.getByLabel("Amount", { exact: false }).first().fill("3.50");
  await page.getByLabel("Maximum number of payments").fill("1");
  await page.locator('form[data-action="make"] button').click();
  await expect(page.getByTestId("link-state")).toHaveText("Active");
  await expectPageQualityInLight(page, "a payment link");
  const address = (await page.locator("#link-address").textContent()) ?? "";
  const linkPage = page.url().split("?")[0] ?? "";
  await page.goto(`${linkPage}/print`);
  await expectPageQualityInLight(page, "printed payment link");

  const shopper = await browser.newPage();
  await shopper.goto(address);
  await expect(shopper.getByTestId("pay-amount")).toHaveAttribute("data-amount", "3.50 EUR");
  await expectPageQuality(shopper, "payment link opened by a shopper");
  const other = await browser.newPage();
  await other.goto(address);
  await shopper.getByTestId("pay-link-go").click();
  await expect(shopper.getByTestId("pay-description")).toHaveText(name);

  // An open order does not count as a use of the link, so another visitor can pay until one of them has paid.
  await other.getByTestId("pay-link-go").click();
  await expect(other.getByTestId("pay-description")).toHaveText(name);
  await shopper.goto(address);
  await shopper.getByTestId("pay-link-go-on").click();
  const payment = new PaymentPage(shopper);
  await payment.approve.click();
  await payment.expectStatus("PAID");
  await new PaymentPage(other).approve.click();
  await expect(other.getByTestId("pay-notice")).toHaveAttribute("data-notice", "link_used");
  await expectPageQualityInLight(other, "used payment link");
  await other.goto(address);
  await expect(other.getByTestId("pay-status")).toHaveText("This link has already been used");
  await other.close();
  await shopper.close();

  await page.goto(linkPage);
  await expect(page.getByTestId("link-state")).toHaveText("Limit reached");
  await page.getByRole("row", { name: /Paid/ }).getByRole("link", { name: /^POS-/ }).click();
  await expect(page.getByTestId("amount")).toContainText("3.50");
});
