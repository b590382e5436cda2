import { expectPageQuality } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";
import { Console } from "../pages/console.js";
import { PaymentPage } from "../pages/payment-page.js";

test.describe("a till on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test("takes a payment despite a network interruption and shows it as paid @one-width", async ({
    browser,
    context,
    page,
    sandbox,
  }) => {
    test.slow();
    const home = await new Console(page, sandbox).signInAtHome();
    await page.goto(`${home}/tills`);
    const name = `Counter ${Date.now()}`;
    const adding = page.locator("details", { has: page.locator('form[data-action="make"]') });
    if (!(await adding.locator("form").isVisible())) await adding.locator("summary").click();
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Terminal ID").fill(name);
    await page.locator('form[data-action="make"] button').click();
    await page.getByRole("link", { name }).click();
    const till = page.url();
    await expectPageQuality(page, "the keypad");

    for (const key of ["4", "5", "0"]) await page.getByRole("button", { name: key, exact: true }).click();
    await expect(page.getByLabel("Amount in EUR")).toHaveValue("4.50");
    // Submitted offline: the input is kept, and a retry creates only one order.
    await context.setOffline(true);
    await page.getByTestId("charge").click();
    await expect(page.getByTestId("till-lost")).toBeVisible();
    await expect(page.getByLabel("Amount in EUR")).toHaveValue("4.50");
    await context.setOffline(false);
    await page.getByTestId("charge").dblclick();
    await expect(page.getByTestId("qr-picture")).toBeVisible();
    await expect(page.getByTestId("till-lost")).toBeHidden();
    await expect(page.getByTestId("till-sum")).toContainText("4.50");
    const orderId = new URL(page.url()).searchParams.get("order") ?? "";

    // Another device at the same till shows the same order.
    const other = await context.newPage();
    await other.goto(till);
    await expect(other).toHaveURL(new RegExp(`order=${orderId}`));
    await expectPageQuality(other, "till with a QR code");
    await other.close();

    // The printed code opens the order too, and the customer pays while the till is offline.
    await page.goto(`${till}/code`);
    await expectPageQuality(page, "the printed code");
    const code = (await page.locator("#till-address").textContent()) ?? "";
    await page.goto(till);
    const customer = await browser.newContext();
    const payment = new PaymentPage(await customer.newPage());
    await context.setOffline(true);
    await expect(page.getByTestId("till-lost")).toBeVisible();
    await payment.open(code);
    await payment.expectStatus("PENDING");
    await payment.approve.click();
    await payment.expectStatus("PAID");
    await context.setOffline(false);
    await expect(page.getByTestId("till-ended")).toHaveAttribute("data-state", "PAID");
    await expect(page.getByTestId("till-trx")).toHaveText(/^TRX-/);
    await expect(page.getByTestId("till-next")).toBeFocused();
    await expectPageQuality(page, "paid at the till");

    // The printed code waits for the next order.
    await payment.open(code);
    await expect(payment.page.getByTestId("till-waits")).toBeVisible();
    await expectPageQuality(payment.page, "printed till code without an order");
    await page.getByTestId("till-next").click();
    await page.getByLabel("Amount in EUR").pressSequentially("300");
    await page.getByTestId("charge").click();
    await payment.expectStatus("PENDING");
    await expect(payment.amount).toHaveAttribute("data-amount", "3.00 EUR");
    await customer.close();
  });
});

test("a till works without scripts, and shows a cancelled order as cancelled @one-width", async ({
  browser,
  sandbox,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const home = await new Console(page, sandbox).signInAtHome();
  await page.goto(`${home}/tills`);
  const name = `Plain ${Date.now()}`;
  const adding = page.locator("details", { has: page.locator('form[data-action="make"]') });
  if (!(await adding.locator("form").isVisible())) await adding.locator("summary").click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Terminal ID").fill(name);
  await page.locator('form[data-action="make"] button').click();
  await page.getByRole("link", { name }).click();
  await page.getByLabel("Amount in EUR").fill("nothing");
  await page.getByTestId("charge").click();
  await expect(page.getByTestId("error-amount")).toBeVisible();
  await page.getByLabel("Amount in EUR").fill("2,00");
  await page.getByTestId("charge").click();
  await expect(page.getByTestId("qr-picture")).toBeVisible();
  await page.getByText("Cancel", { exact: true }).click();
  await page.getByTestId("till-cancel").click();
  await expect(page.getByTestId("till-ended")).toHaveAttribute("data-state", "CANCELLED");
  await context.close();
});
