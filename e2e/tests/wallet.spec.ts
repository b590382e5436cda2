import { randomUUID } from "node:crypto";
import { expectPageQuality } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";

test.use({ viewport: { width: 390, height: 844 } });

const PIN = "482915";
const NEW_PIN = "719364";

test("a shopper without a wallet creates one while paying, tops it up, converts money, changes the PIN and signs out other browsers @one-width", async ({
  payment,
  tillgate,
  browser,
}) => {
  const { page } = payment;
  const at = (name: string) => page.getByTestId(name);
  const email = `zoe-${randomUUID()}@example.com`;
  const order = await tillgate.placeOrder();
  const wallet = new URL("/wallet", order.address).href;

  await payment.open(order.address);
  await at("pay-no-wallet-yet").click();
  await at("wallet-name").fill("Zoë Brandt");
  await at("wallet-email").fill(email);
  await at("wallet-amount").fill("50.00");
  await at("wallet-pin").fill("111111");
  await at("wallet-repeated-pin").fill("111111");
  await at("wallet-make").click();
  await payment.expectNotice("trivial_pin");
  await expect(at("wallet-pin")).toBeFocused();
  await expect(at("wallet-email")).toHaveValue(email);
  await expectPageQuality(page, "a new wallet whose PIN is too easy");
  await at("wallet-pin").fill(PIN);
  await at("wallet-repeated-pin").fill(PIN);
  await at("wallet-make").click();

  await expect(at("pay-shopper")).toContainText("Zoë Brandt");
  await payment.confirm.click();
  await payment.expectStatus("PAID");

  const holds = (currency: string) => at(`wallet-balance-${currency}`).locator("[data-amount]");
  const expectDone = (done: string) => expect(at("wallet-done")).toHaveAttribute("data-done", done);
  await page.goto(wallet);
  await expect(holds("EUR")).toHaveAttribute("data-amount", "38.00 EUR");
  await expectPageQuality(page, "the wallet's home");

  // First an insufficient balance, then a missing wallet: both link to the top-up, which returns to the payment.
  for (const [amount, currency, missing, topUp] of [
    ["44.00", "EUR", "6.00", "18.00"],
    ["30.00", "USD", "30.00", "45.00"],
  ] as const) {
    const { payment_url } = await tillgate.orders.create({ amount, currency, description: "Two lemons" });
    await payment.open(payment_url ?? "");
    await at("pay-top-up").click();
    await expect(at("wallet-amount")).toHaveValue(missing);
    await at("wallet-amount").fill(topUp);
    await at("wallet-top-up").click();
    await expect(page).toHaveURL(payment_url ?? "");
    await payment.confirmPin.fill(PIN);
    await payment.confirm.click();
    await payment.expectStatus("PAID");
  }

  await page.goto(`${wallet}/convert`);
  await at("wallet-amount").fill("10");
  await page.locator("select[name=to]").selectOption("XAF");
  await at("wallet-quote").click();
  const gets = (await at("wallet-gets").getAttribute("data-amount")) ?? "";
  await expectPageQuality(page, "the price of a conversion");
  await at("wallet-convert").click();
  await expectDone("converted");
  await page.goto(wallet);
  await expect(holds("EUR")).toHaveAttribute("data-amount", "2.00 EUR");
  await expect(holds("USD")).toHaveAttribute("data-amount", "15.00 USD");
  await expect(holds("XAF")).toHaveAttribute("data-amount", gets);

  await page.goto(`${wallet}/activity`);
  await page.locator("a[data-kind=payment]").first().click();
  await expect(at("wallet-receipt-amount")).toHaveAttribute("data-amount", "30.00 USD");
  await expect(at("wallet-receipt-amount")).toHaveAttribute("data-direction", "out");
  await expectPageQuality(page, "the receipt of a payment");

  await page.goto(`${wallet}/security`);
  await at("wallet-old-pin").fill(PIN);
  await at("wallet-new-pin").fill(NEW_PIN);
  await at("wallet-repeated-pin").fill(NEW_PIN);
  await at("wallet-change-pin").click();
  await expectDone("pin_changed");
  await expectPageQuality(page, "the wallet's security");

  const elsewhere = await browser.newContext();
  try {
    const other = await elsewhere.newPage();
    await other.goto(`${wallet}/sign-in?mode=sandbox`);
    await other.getByTestId("pay-sign-in-identifier").fill(email);
    await other.getByTestId("pay-sign-in-pin").fill(NEW_PIN);
    await other.getByTestId("pay-sign-in").click();
    await expect(other.getByTestId("wallet-shopper")).toContainText("Zoë Brandt");
    await at("wallet-sign-out-everywhere").click();
    await expectDone("signed_out_everywhere");
    await other.reload();
    await expect(other.getByTestId("pay-sign-in")).toBeVisible();
  } finally {
    await elsewhere.close();
  }
});
