import { shopperNamed } from "../fixtures/sandbox.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

test("a wrong PIN shows an error and keeps the phone number, and the right PIN pays", async ({
  shop,
  shopper,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const wrong = shopper.pin === "482915" ? "482916" : "482915";
  await payment.signIn(shopper.phone, wrong);
  await payment.expectNotice("wrong_sign_in");
  await expect(payment.notice).toContainText("Incorrect phone number, e-mail or PIN");
  await expect(payment.identifier).toHaveValue(shopper.phone);
  await expect(payment.pin).toHaveValue("");
  await expect(payment.pin).toBeFocused();

  await payment.pin.fill(shopper.pin);
  await payment.page.keyboard.press("Enter");
  await payment.confirm.click();
  await payment.expectStatus("PAID");
  await shop.expectOrderStatus(order, "processing");
});

test("a deactivated shopper and an unknown phone number get the same message at sign-in @one-width", async ({
  shop,
  sandbox,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const inactive = shopperNamed(sandbox, "Ivo");
  await payment.signIn(inactive.phone, inactive.pin);
  await payment.expectNotice("wrong_sign_in");
  const message = await payment.notice.textContent();
  await payment.signIn("+4915112345678", "482915");
  await expect(payment.identifier).toHaveValue("+4915112345678");
  await expect(payment.notice).toHaveText(message ?? "");
  await shop.expectOrderStatus(order, "pending");
});

test("the payment page shows by how much a balance is short, and nothing is charged", async ({
  shop,
  shopper,
  books,
}) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.placeOrder({ quantity: 99 });
  const payment = await shop.payNow();
  await payment.signIn(shopper.phone, shopper.pin);
  const advice = payment.page.getByTestId("pay-insufficient");
  await expect(advice).toContainText("Not enough money in your EUR wallet");
  await expect(advice).toContainText("€1,831.50");
  await expect(payment.confirm).toHaveCount(0);
  await shop.expectOrderStatus(order, "pending");
  expect(await books.balance(shopper, "EUR")).toBe(before);
});

test("the server rejects Pay from a wallet with an insufficient balance @one-width", async ({
  page,
  sandbox,
  tillgate,
  books,
}) => {
  const dana = shopperNamed(sandbox, "Dana");
  const before = await books.balance(dana, "USD");
  const order = await tillgate.orders.create({ amount: "12.00", currency: "USD", description: "Two lemons" });
  const payment = await new PaymentPage(page).open(order.payment_url ?? "");
  await payment.signIn(dana.email, dana.pin);
  await expect(payment.balance).toHaveAttribute("data-amount", "0.75 USD");
  await expect(page.getByTestId("pay-insufficient")).toContainText("$12.00");

  // The page offers no button, so the form is sent directly.
  await page.request.post(`${order.payment_url}/pay`, {
    form: { form_token: await payment.formToken() },
    headers: { Origin: sandbox.pay },
    maxRedirects: 0,
  });
  await page.reload();
  await payment.expectNotice("insufficient_balance");
  await payment.expectStatus("PENDING");
  expect((await tillgate.orders.get(order.order_id)).status).toBe("PENDING");
  expect(await books.balance(dana, "USD")).toBe(before);
});

test("a shopper without a wallet in the order's currency gets an explanation, and another shopper can pay the order", async ({
  shop,
  sandbox,
  shopper,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const dana = shopperNamed(sandbox, "Dana");
  await payment.signIn(dana.phone, dana.pin);
  await expect(payment.page.getByTestId("pay-no-wallet")).toContainText(
    "have a wallet that can make this payment",
  );
  await expect(payment.confirm).toHaveCount(0);
  await payment.page.getByTestId("pay-sign-out").click();
  await payment.payFromWallet(shopper);
  await shop.expectOrderStatus(order, "processing");
});
