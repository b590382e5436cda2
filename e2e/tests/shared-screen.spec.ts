import { expectPageQuality } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

test("a later visitor to a paid order's link sees the receipt, but not the URL that returns to the shop", async ({
  shop,
  shopper,
  browser,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const address = payment.page.url();
  await payment.payFromWallet(shopper);
  await expect(payment.returnLink).toBeVisible();
  const stranger = await browser.newContext();
  try {
    const late = await new PaymentPage(await stranger.newPage()).open(address);
    await late.expectStatus("PAID");
    await expect(late.transaction).toBeVisible();
    await expect(late.returnLink).toHaveCount(0);
    const returnTo = (await payment.returnLink.getAttribute("href")) ?? "";
    expect(await late.page.content()).not.toContain(new URL(returnTo).pathname);
  } finally {
    await stranger.close();
  }
  await payment.returnLink.click();
  await shop.expectOrderStatus(order, "processing");
});

test("on a shared screen the receipt offers sign-out below the return link, and the link remains after sign-out", async ({
  shop,
  shopper,
}) => {
  await shop.placeOrder();
  const payment = await shop.payNow();
  await expect(payment.page.getByTestId("pay-stay-signed-in")).not.toBeChecked();
  await payment.payFromWallet(shopper);
  await payment.stopRedirect();
  await expect(payment.page.getByTestId("pay-shopper")).toContainText(shopper.name);
  await expectPageQuality(payment.page, "a receipt that offers to sign out");
  const [leave, returned] = await Promise.all([
    payment.page.getByTestId("pay-sign-out").boundingBox(),
    payment.returnLink.boundingBox(),
  ]);
  expect(returned?.y ?? 0).toBeLessThan(leave?.y ?? 0);
  await payment.page.getByTestId("pay-sign-out").click();
  await expect(payment.page.getByTestId("pay-shopper")).toHaveCount(0);
  await payment.expectStatus("PAID");
  await expect(payment.page.locator("body")).not.toContainText(shopper.name);
  await expect(payment.returnLink).toBeVisible();
});

for (const stays of [false, true]) {
  test(`a wallet session ${stays ? "outlives the browser if the shopper chose to stay signed in" : "ends with the browser"}, and the next order needs the PIN again @one-width`, async ({
    payment,
    shopper,
    tillgate,
    context,
  }) => {
    const order = await tillgate.placeOrder();
    await payment.open(order.address);
    if (stays) await payment.page.getByTestId("pay-stay-signed-in").check();
    await payment.signIn(shopper.phone, shopper.pin);
    await expect(payment.confirm).toBeVisible();
    const cookies = await context.cookies(order.address);
    const expires = (name: string) => cookies.find((cookie) => cookie.name.endsWith(name))?.expires ?? 0;
    // Playwright reports -1 for session cookies.
    expect(expires("tillgate_pay_session") === -1).toBe(!stays);
    expect(expires("tillgate_pay_device")).toBeGreaterThan(Date.now() / 1_000 + 100 * 86_400);

    // A PIN entered for the previous order is not valid for this one.
    await payment.open((await tillgate.placeOrder("3.00")).address);
    await expect(payment.page.getByTestId("pay-shopper")).toContainText(shopper.name);
    await expect(payment.confirmPin).toBeVisible();
    if (stays) await expectPageQuality(payment.page, "remembered, at another order");
  });
}

test("after someone else's wrong PINs lock the account, a trusted device shows a warning and can still pay", async ({
  payment,
  shopper,
  tillgate,
  browser,
  books,
}) => {
  const order = await tillgate.placeOrder();
  await payment.open(order.address);
  await payment.signIn(shopper.email, shopper.pin);
  await expect(payment.confirm).toBeVisible();
  const wrong = shopper.pin === "482915" ? "482916" : "482915";
  const strangers = await browser.newContext();
  try {
    const there = await new PaymentPage(await strangers.newPage()).open(order.address);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await there.signIn(shopper.email, wrong);
      await there.expectNotice("wrong_sign_in");
      await there.page.reload();
    }
    await there.signIn(shopper.email, shopper.pin);
    await there.expectNotice("locked");
    await expect(there.notice).toContainText("Devices you’ve signed in on before still work");
    await expectPageQuality(there.page, "locked out");
    await payment.page.reload();
    await expect(payment.page.getByTestId("pay-wrong-pins-elsewhere")).toContainText(
      "Someone has been entering wrong PINs",
    );
    await expectPageQuality(payment.page, "wrong PINs elsewhere");
    await payment.confirm.click();
    await payment.expectStatus("PAID");
  } finally {
    await strangers.close();
    // The next test of this worker signs the same shopper in with another new browser.
    await books.clearWrongPinsOf(shopper);
  }
});
