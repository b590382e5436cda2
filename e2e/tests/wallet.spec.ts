import { randomUUID } from "node:crypto";
import { expectGood } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";

test.use({ viewport: { width: 390, height: 844 } });

const PIN = "482915";
const NEW_PIN = "719364";

test("who has no wallet makes one on the way, pays, and looks after the money and the sign-ins in it @one-width", async ({
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
  await payment.says("trivial_pin");
  await expect(at("wallet-pin")).toBeFocused();
  await expect(at("wallet-email")).toHaveValue(email);
  await expectGood(page, "a new wallet whose PIN is too easy");
  await at("wallet-pin").fill(PIN);
  await at("wallet-repeated-pin").fill(PIN);
  await at("wallet-make").click();

  await expect(at("pay-shopper")).toContainText("Zoë Brandt");
  await payment.confirm.click();
  await payment.shows("PAID");

  const holds = (currency: string) => at(`wallet-balance-${currency}`).locator("[data-amount]");
  const said = (done: string) => expect(at("wallet-done")).toHaveAttribute("data-done", done);
  await page.goto(wallet);
  await expect(holds("EUR")).toHaveAttribute("data-amount", "38.00 EUR");
  await expectGood(page, "the wallet's home");

  await page.goto(`${wallet}/top-up`);
  await at("wallet-amount").fill("12");
  await at("wallet-top-up").click();
  await said("topped_up");
  await page.goto(`${wallet}/convert`);
  await at("wallet-amount").fill("10");
  await page.locator("select[name=to]").selectOption("XAF");
  await at("wallet-quote").click();
  const gets = (await at("wallet-gets").getAttribute("data-amount")) ?? "";
  await expectGood(page, "the price of a conversion");
  await at("wallet-convert").click();
  await said("converted");
  await page.goto(wallet);
  await expect(holds("EUR")).toHaveAttribute("data-amount", "40.00 EUR");
  await expect(holds("XAF")).toHaveAttribute("data-amount", gets);

  await page.goto(`${wallet}/activity`);
  await page.locator("a[data-kind=payment]").click();
  await expect(at("wallet-receipt-amount")).toHaveAttribute("data-amount", "12.00 EUR");
  await expect(at("wallet-receipt-amount")).toHaveAttribute("data-direction", "out");
  await expectGood(page, "the receipt of a payment");

  await page.goto(`${wallet}/security`);
  await at("wallet-old-pin").fill(PIN);
  await at("wallet-new-pin").fill(NEW_PIN);
  await at("wallet-repeated-pin").fill(NEW_PIN);
  await at("wallet-change-pin").click();
  await said("pin_changed");
  await expectGood(page, "the wallet's security");

  const elsewhere = await browser.newContext();
  try {
    const other = await elsewhere.newPage();
    await other.goto(`${wallet}/sign-in?mode=sandbox`);
    await other.getByTestId("pay-sign-in-identifier").fill(email);
    await other.getByTestId("pay-sign-in-pin").fill(NEW_PIN);
    await other.getByTestId("pay-sign-in").click();
    await expect(other.getByTestId("wallet-shopper")).toContainText("Zoë Brandt");
    await at("wallet-sign-out-everywhere").click();
    await said("signed_out_everywhere");
    await other.reload();
    await expect(other.getByTestId("pay-sign-in")).toBeVisible();
  } finally {
    await elsewhere.close();
  }
});
