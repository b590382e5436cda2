import { rawKey, signWebhook } from "@tillgate/webhooks";
import { openForeignSite } from "../fixtures/foreign-site.js";
import { expect, test } from "../fixtures/test.js";
import { PaymentPage } from "../pages/payment-page.js";

test("a webhook whose signature is invalid, missing, stale or another merchant's is rejected with 401 and changes nothing @one-width", async ({
  shop,
  sandbox,
  tillgate,
  storeOrders,
  request,
}) => {
  const order = await shop.placeOrder();
  const { order_id } = await tillgate.orderOf(order);
  const notes = await storeOrders.notes(order.id);
  const now = Math.floor(Date.now() / 1000);
  const timestamp = new Date(now * 1000).toISOString().replace(".000Z", "+00:00");
  const id = "evt_forged";
  const body = JSON.stringify({
    id,
    event: "pos.order.paid",
    timestamp,
    data: {
      order_id,
      amount: 18.5,
      currency: "EUR",
      status: "PAID",
      reference: String(order.id),
      terminal_id: null,
      trx_id: "TRX-000000000001",
      paid_at: timestamp,
      order_number: null,
      custom: null,
      refunded_amount: 0,
      version: 2,
    },
  });
  const signed = (secret: string, timestampSeconds = now) =>
    signWebhook({ id, event: "pos.order.paid", timestampSeconds, body, keys: [rawKey(secret)] });
  const right = signed(sandbox.merchant.client_secret);
  const forgeries: Record<string, Record<string, string>> = {
    "no signature": {},
    "another merchant's key": signed(sandbox.other_merchant.client_secret),
    "a signature of other bytes": { ...right, "webhook-id": "evt_another" },
    "a time of ten minutes ago": signed(sandbox.merchant.client_secret, now - 600),
    "a time in ten minutes": signed(sandbox.merchant.client_secret, now + 600),
    "X-Tillgate-Signature without webhook-signature": {
      "X-Tillgate-Event": right["X-Tillgate-Event"],
      "X-Tillgate-Signature": right["X-Tillgate-Signature"],
    },
    "a cut signature": { ...right, "webhook-signature": right["webhook-signature"].slice(0, -4) },
  };
  for (const [name, headers] of Object.entries(forgeries)) {
    const response = await request.post(`${sandbox.connector}/v1/stores/demo/webhook`, {
      headers: { ...headers, "Content-Type": "application/json" },
      data: Buffer.from(body),
    });
    expect(response.status(), name).toBe(401);
  }
  expect(await storeOrders.notes(order.id)).toEqual(notes);
  await shop.expectOrderStatus(order, "pending");
});

test("another site cannot frame the payment page @one-width", async ({ shop, page }) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const address = page.url();
  const { headers } = await page.request.get(address).then((response) => ({ headers: response.headers() }));
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");

  const site = await openForeignSite(`<iframe src="${address}"></iframe>`);
  try {
    await page.goto(site.origin);
    await expect
      .poll(() =>
        page
          .frames()
          .find((one) => one.parentFrame() !== null)
          ?.url(),
      )
      .toBe("chrome-error://chromewebdata/");
    await expect(page.frameLocator("iframe").getByTestId("pay-status")).toHaveCount(0);
  } finally {
    await site.close();
  }
  await payment.open(address);
  await payment.expectStatus("PENDING");
  await shop.expectOrderStatus(order, "pending");
});

test("a cross-site form is rejected, even with a valid form token @one-width", async ({
  shop,
  page,
  tillgate,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const address = page.url();
  const site = await openForeignSite(
    `<form method="post" action="${address}/sandbox-approve">
      <input type="hidden" name="form_token" value="${await payment.formToken()}"><button>Win a mug</button>
    </form>`,
  );
  try {
    await page.goto(site.origin);
    await page.getByRole("button").click();
    await payment.expectStatus("REFUSED");
    // Sent with the shopper's cookies, as a site on the same host could do.
    const response = await page.request.post(`${address}/sandbox-approve`, {
      form: { form_token: "x" },
      headers: { Origin: site.origin },
    });
    expect(response.status()).toBe(403);
  } finally {
    await site.close();
  }
  expect((await tillgate.orderOf(order)).status).toBe("PENDING");
  await shop.expectOrderStatus(order, "pending");
});

test("a form with an altered or empty token changes nothing, and the page works afterwards @one-width", async ({
  shop,
  tillgate,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const token = await payment.formToken();
  // Change a significant character: some bits of the last character are ignored.
  const another = token.at(-9) === "A" ? "B" : "A";
  const forgeries = [
    `${token.slice(0, -9)}${another}${token.slice(-8)}`,
    "",
    token.replace(/^[^.]+/, "eyJhbGciOiJub25lIn0"),
  ];
  for (const forgery of forgeries) {
    await payment.page
      .locator('form[action$="/sandbox-approve"] input[name="form_token"]')
      .evaluate((field, value) => field.setAttribute("value", value), forgery);
    await payment.approve.click();
    await payment.expectNotice("form_rejected");
    expect((await tillgate.orderOf(order)).status).toBe("PENDING");
    // Start from a page without a notice.
    await payment.page.reload();
  }
  await payment.approve.click();
  await payment.expectStatus("PAID");
  await shop.expectOrderStatus(order, "processing");
});

test("a replayed form pays once, and a tampered session pays nothing @one-width", async ({
  payment,
  readyToPay,
  sandbox,
  books,
  context,
}) => {
  const { order, paidOnce, untouched } = await readyToPay();
  const form = { form_token: await payment.formToken() };
  const send = () =>
    payment.page.request.post(`${order.address}/pay`, {
      form,
      headers: { Origin: sandbox.pay },
      maxRedirects: 0,
    });

  const cookies = await context.cookies(order.address);
  const session = cookies.find(({ name }) => name.endsWith("tillgate_pay_session"));
  if (!session) throw new Error("No session cookie found.");
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  const changed = session.value.replace(/^./, (first) => (first === "A" ? "B" : "A"));
  await context.addCookies([{ ...session, value: changed }]);
  await send();
  await payment.page.reload();
  await expect(payment.identifier).toBeVisible();
  await untouched();

  await context.addCookies([session]);
  for (let count = 0; count < 3; count += 1) expect((await send()).status()).toBe(303);
  await payment.page.reload();
  await paidOnce();
  expect(await books.events(order.id, "pos.order.paid")).toBe(1);
});

test("GET requests change nothing, so link previews and QR scanners are harmless @one-width", async ({
  payment,
  tillgate,
  request,
}) => {
  const order = await tillgate.placeOrder();
  await payment.open(order.address);
  const before = await tillgate.orders.get(order.id);
  for (const path of ["", "?check=1", "?view=code", "?wallet=XAF", "/status", "/qr.svg"]) {
    expect((await request.get(`${order.address}${path}`)).status(), path).toBe(200);
  }
  for (const step of [
    "pay",
    "quote",
    "cancel",
    "sandbox-approve",
    "sandbox-decline",
    "sandbox-sign-in",
    "sign-out",
  ]) {
    expect((await request.get(`${order.address}/${step}`)).status(), step).toBe(405);
  }
  expect(await tillgate.orders.get(order.id)).toEqual(before);
  await payment.page.reload();
  await expect(payment.notice).toHaveCount(0);
});

test("a form token from another order or visitor is rejected @one-width", async ({
  shop,
  browser,
  sandbox,
  tillgate,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const address = payment.page.url();
  const other = await tillgate.orders.create({ amount: "3.00", currency: "EUR" });
  const otherPage = await new PaymentPage(await payment.page.context().newPage()).open(
    other.payment_url ?? "",
  );
  const tokenOfOther = await otherPage.formToken();
  const stranger = await browser.newContext();
  try {
    const theirs = await new PaymentPage(await stranger.newPage()).open(address);
    const tokenOfStranger = await theirs.formToken();
    for (const form_token of [tokenOfOther, tokenOfStranger]) {
      const response = await payment.page.request.post(`${address}/sandbox-approve`, {
        form: { form_token },
        headers: { Origin: sandbox.pay },
        maxRedirects: 0,
      });
      expect(response.status()).toBe(303);
      await payment.page.reload();
      await payment.expectNotice("form_rejected");
      await payment.expectStatus("PENDING");
    }
  } finally {
    await stranger.close();
  }
  await shop.expectOrderStatus(order, "pending");
});

test("an order's page reveals nothing about another order @one-width", async ({
  shop,
  shopper,
  tillgate,
  sandbox,
  page,
}) => {
  const order = await shop.placeOrder();
  const payment = await shop.payNow();
  const address = page.url();
  await payment.payFromWallet(shopper);
  const paid = await tillgate.orderOf(order);
  const other = await tillgate.orders.create({
    amount: "7.77",
    currency: "EUR",
    description: "Somebody else's lamp",
    reference: "lamp-7",
  });
  const traces = [other.order_id, other.payment_url?.split("/").at(-1), "7.77", "lamp"];
  for (const path of ["", "/status", "/qr.svg"]) {
    const text = await (await page.request.get(`${address}${path}`)).text();
    for (const trace of traces) expect(text).not.toContain(trace);
  }
  const otherPage = await payment.open(other.payment_url ?? "");
  await otherPage.expectStatus("PENDING");
  const html = await page.content();
  for (const trace of [paid.order_id, paid.trx_id ?? "", "18.50", `>${order.id}<`]) {
    expect(html).not.toContain(trace);
  }

  const unknown = `${sandbox.pay}/pay/${"A".repeat(43)}`;
  expect((await page.goto(unknown))?.status()).toBe(404);
  await payment.expectStatus("NOT_FOUND");
  // Another order's key opens nothing in the shop either.
  const foreign = await page.goto(
    `${sandbox.store}/checkout/order-received/${order.id - 1}?key=${order.key}`,
  );
  expect(foreign?.status()).toBe(404);
  await shop.expectOrderStatus(order, "processing");
});
