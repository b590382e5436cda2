import { expect, test } from "../fixtures/test.js";

test("an order goes from the cart to Processing when approved in the sandbox", async ({
  shop,
  storeOrders,
  tillgate,
}) => {
  const order = await shop.checkOut();
  expect((await storeOrders.read(order.id)).status).toBe("pending");

  const payment = await shop.payNow();
  await expect(payment.amount).toHaveText("€18.50");
  await payment.approve.click();
  await payment.expectStatus("PAID");
  const transaction = await payment.transaction.textContent();

  await payment.returnLink.click();
  await shop.expectReceived("processing");
  const known = await shop.expectOrderStatus(order, "processing");
  expect(known).toMatchObject({ total: "18.50", payment_method: "tillgate", transaction_id: transaction });
  expect(await tillgate.orderOf(order)).toMatchObject({ status: "PAID", trx_id: transaction });
});

test("a shopper signs in with phone number and PIN and pays the exact amount", async ({
  shop,
  shopper,
  books,
}) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.checkOut({ quantity: 2 });
  const payment = await shop.payNow();
  await payment.signIn(shopper.phone, shopper.pin);
  await expect(payment.page.getByTestId("pay-shopper")).toContainText(shopper.name);
  await expect(payment.confirm).toContainText("€37.00");
  await payment.confirm.click();
  await payment.expectStatus("PAID");

  await shop.expectOrderStatus(order, "processing");
  expect(await books.balance(shopper, "EUR")).toBe(before - 3700n);
});

test("sign-in by e-mail address ignores letter case", async ({ shop, shopper, books }) => {
  const before = await books.balance(shopper, "EUR");
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const [name = "", host = ""] = shopper.email.split("@");
  await payment.signIn(`${name.toUpperCase()}@${host.replace("example", "Example")}`, shopper.pin);
  await payment.confirm.click();
  await payment.expectStatus("PAID");

  await shop.expectOrderStatus(order, "processing");
  expect(await books.balance(shopper, "EUR")).toBe(before - 1850n);
});

test("an order of a downloadable product is Completed when paid @one-width", async ({ shop }) => {
  const order = await shop.checkOut({ product: "glaze-notebook" });
  const payment = await shop.payNow();
  await payment.approve.click();
  await payment.expectStatus("PAID");
  await shop.expectOrderStatus(order, "completed");
});

test("a declined payment leaves the order payable, and a later approval pays it", async ({
  shop,
  storeOrders,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await payment.decline.click();
  await payment.expectNotice("declined");
  await payment.expectStatus("PENDING");
  expect((await storeOrders.read(order.id)).status).toBe("pending");

  await payment.approve.click();
  await payment.expectStatus("PAID");
  await expect(payment.notice).toHaveCount(0);
  await shop.expectOrderStatus(order, "processing");
});

test("the page of a paid order returns to the shop automatically", async ({ page, shop }) => {
  // Only the page's clock is faked.
  await page.clock.install();
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  await payment.approve.click();
  await payment.expectStatus("PAID");
  await expect(payment.page.getByTestId("pay-returning")).toBeVisible();
  await page.clock.runFor(10_000);
  await shop.expectReceived("processing");
  await shop.expectOrderStatus(order, "processing");
});

test("a button copies the receipt as lines of text @one-width", async ({
  payment,
  tillgate,
  context,
  page,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const order = await tillgate.placeOrder();
  await payment.open(order.address);
  await payment.approve.click();
  await payment.expectStatus("PAID");
  const transaction = (await payment.transaction.textContent()) ?? "";
  await page.getByTestId("pay-copy-receipt").click();
  await expect(page.getByTestId("pay-copy-receipt")).toHaveText("Copied");
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
  expect(lines.slice(0, 6)).toEqual([
    "Paid €12.00",
    "Kiln & Clover",
    "Two lemons",
    "TEST MODE: no real money was involved.",
    `Transaction: ${transaction}`,
    `Order: ${order.id}`,
  ]);
});

test("the payment page shows the merchant's name, logo and colour @one-width", async ({
  payment,
  tillgate,
  page,
}) => {
  await payment.open((await tillgate.placeOrder()).address);
  await expect(page.getByTestId("pay-merchant")).toHaveText("Kiln & Clover");
  const logo = page.getByTestId("pay-logo");
  expect(
    await logo.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
  ).toBeGreaterThan(0);
  await expect(page.getByTestId("pay-sign-in")).toHaveCSS("background-color", "rgb(154, 74, 43)");
});

test("a button copies the payment URL @one-width", async ({ shop, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const order = await shop.placeOrder();
  const { page } = await shop.payNow();
  await page.getByTestId("pay-copy").click();
  await expect(page.getByTestId("pay-copy")).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await shop.expectOrderStatus(order, "pending");
});
