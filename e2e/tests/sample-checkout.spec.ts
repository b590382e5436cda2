import { expect, test } from "@playwright/test";

/** Creates a sandbox order with the API, as your shop does, and returns the URL of its payment page. */
async function createOrder(amount: string): Promise<string> {
  const { TILLGATE_API_URL, TILLGATE_CLIENT_ID, TILLGATE_CLIENT_SECRET } = process.env;
  const response = await fetch(`${TILLGATE_API_URL}/pay/sandbox/api/v1/orders`, {
    method: "POST",
    headers: {
      Authorization: `Basic ${btoa(`${TILLGATE_CLIENT_ID}:${TILLGATE_CLIENT_SECRET}`)}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ amount, currency: "EUR", description: "Two mugs" }),
  });
  const { data } = await response.json();
  return data.payment_url;
}

test("a shopper approves a payment", async ({ page }) => {
  await page.goto(await createOrder("18.50"));
  await expect(page.getByTestId("pay-test-mode")).toBeVisible();
  await expect(page.getByTestId("pay-amount")).toHaveAttribute("data-amount", "18.50 EUR");
  await expect(page.getByTestId("pay-status")).toHaveAttribute("data-status", "PENDING");

  await page.getByTestId("pay-approve").click();
  await expect(page.getByTestId("pay-status")).toHaveAttribute("data-status", "PAID");
  await expect(page.getByTestId("pay-receipt-trx")).toHaveText(/^TRX-\d{12,}$/);
});

test("a declined payment can be retried", async ({ page }) => {
  await page.goto(await createOrder("18.50"));
  await page.getByTestId("pay-decline").click();
  await expect(page.getByTestId("pay-notice")).toHaveAttribute("data-notice", "declined");
  await expect(page.getByTestId("pay-status")).toHaveAttribute("data-status", "PENDING");

  await page.getByTestId("pay-approve").click();
  await expect(page.getByTestId("pay-status")).toHaveAttribute("data-status", "PAID");
});
