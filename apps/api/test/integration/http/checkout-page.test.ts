import { CHECKOUT_PATH } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { INTERNAL_KEY, PAY_URL } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, makeOverdue, paymentTokenOf } from "../../support/orders.js";
import { errorOf, send } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api } = await createTestApi();

describe("payment page", () => {
  it("shows a pending order with its merchant, its URLs and the time left", async () => {
    const order = await createOrder(api, { description: "Two mugs", reference: "cart 7", expires_in: 120 });
    const view = await openPage(server, paymentTokenOf(order)).view();
    expect(view).toEqual({
      order: {
        order_id: order.order_id,
        mode: "sandbox",
        status: "PENDING",
        version: 1,
        merchant_name: sandbox.access.merchant.name,
        description: "Two mugs",
        reference: "cart 7",
        amount: "41.50 EUR",
        currency: "EUR",
        payment_method: "both",
        locale: null,
        qr_data: order.qr_data,
        payment_url: order.payment_url,
        trx_id: null,
        paid_at: null,
        refunded_amount: null,
        refund_pending_amount: null,
        created_at: order.created_at,
        expires_at: order.expires_at,
      },
      merchant: {
        name: sandbox.access.merchant.name,
        accent: {
          light: { color: "#9a4a2b", text: "#ffffff" },
          dark: { color: "#a55435", text: "#ffffff" },
        },
        logo: { id: expect.stringMatching(/^[0-9a-f]{64}$/), type: "image/png", width: 64, height: 64 },
      },
      expires_in_ms: expect.any(Number),
      return_to: null,
      leads_back: false,
      payment: null,
      shopper: null,
      open_shopper: "Amélie Laurent",
      recognised: null,
      quote: null,
      landings: null,
      form_token: expect.any(String),
      witness: { token: expect.any(String), max_age_seconds: expect.any(Number) },
    });
    // The cookie is valid for an hour longer than the order.
    expect(view.witness?.max_age_seconds).toBeGreaterThan(3_600);
    expect(view.witness?.max_age_seconds).toBeLessThanOrEqual(3_721);
    expect(view.expires_in_ms).toBeGreaterThan(90_000);
    expect(view.expires_in_ms).toBeLessThanOrEqual(120_000);
  });

  it("shows the host and result of the webhook in the sandbox once the order is paid", async () => {
    const callback_url = "https://shop.example/hook?key=secret";
    const page = openPage(server, paymentTokenOf(await createOrder(api, { callback_url, locale: "fr-CM" })));
    const view = await page.view();
    expect([view.order.locale, view.landings]).toEqual(["fr-CM", null]);
    await page.act("sandbox-approve");
    const [landing] = (await page.view()).landings ?? [];
    // The host only: the rest of a URL may hold a secret.
    expect(landing).toEqual({
      id: expect.any(String),
      host: "shop.example",
      state: "waiting",
      http_status: null,
      order_status: null,
    });
    await sandbox.executeAsSuperuser(
      `INSERT INTO attempts (delivery_id, number, started_at, latency_ms, http_status, error_kind, request_headers) VALUES ('${landing?.id}', 1, now(), 5, 500, 'status', '{}')`,
    );
    expect((await page.view()).landings).toEqual([{ ...landing, http_status: 500 }]);
    await sandbox.executeAsSuperuser(
      `INSERT INTO attempts (delivery_id, number, started_at, latency_ms, http_status, request_headers, answer_start) VALUES ('${landing?.id}', 2, now(), 5, 200, '{}', '{"status":"applied","order_status":"processing"}')`,
    );
    expect((await page.view()).landings).toEqual([
      { ...landing, http_status: 200, order_status: "processing" },
    ]);
  });

  it.each([
    ["a QR code", "qr_only", true],
    ["a QR code", "both", true],
    ["no QR code", "payment_page", false],
  ])("has a payment URL and %s for payment_method %s", async (_what, payment_method, qr) => {
    const order = await createOrder(api, { payment_method });
    const view = await openPage(server, paymentTokenOf(order)).view();
    expect(view.order.payment_url).toBe(`${PAY_URL}/pay/${paymentTokenOf(order)}`);
    expect(view.order.qr_data !== null).toBe(qr);
  });

  it("shows an overdue order as EXPIRED, with no time left", async () => {
    const order = await createOrder(api);
    await makeOverdue(sandbox, order.order_id);
    const { order: shown, expires_in_ms } = await openPage(server, paymentTokenOf(order)).view();
    expect({ status: shown.status, expires_in_ms }).toEqual({ status: "EXPIRED", expires_in_ms: 0 });
  });

  it("shows the amount refunded", async () => {
    const order = await createOrder(api);
    const page = openPage(server, paymentTokenOf(order));
    await page.act("sandbox-approve");
    const { trx_id } = await getOrder(api, order.order_id);
    await api.post("/refunds", { transaction_id: trx_id, amount: 1.5 });
    expect((await page.view()).order).toMatchObject({ status: "PAID", refunded_amount: "1.50 EUR", trx_id });
    await api.post("/refunds", { transaction_id: trx_id });
    expect((await page.view()).order).toMatchObject({ status: "REFUNDED", refunded_amount: "41.50 EUR" });
  });

  it("returns 404 for unknown and malformed tokens", async () => {
    const order = await createOrder(api);
    for (const token of [
      "x",
      order.order_id,
      `${paymentTokenOf(order)}x`,
      paymentTokenOf(order).slice(1),
      "%00",
      "x".repeat(4000),
    ]) {
      const response = await expectNoWrites(sandbox, () => openPage(server, token).viewResponse());
      expect(errorOf(response)).toEqual({ status: 404, texts: ["Order not found"], reason: "not_found" });
    }
  });
});

describe("payment page redirect", () => {
  const shop = {
    reference: "cart 7/ü",
    return_url: "https://shop.example/thanks?key=wc_order_1&a=%C3%BC+b#top",
    cancel_url: "https://shop.example/cart?empty=",
  };

  it("goes to return_url for a paid order, keeps the shop's query and appends the status", async () => {
    const order = await createOrder(api, shop);
    const page = openPage(server, paymentTokenOf(order));
    expect((await page.view()).return_to).toBeNull();
    await page.act("sandbox-approve");
    const { trx_id } = await getOrder(api, order.order_id);
    const { return_to } = await page.view();
    expect(return_to).toBe(
      `https://shop.example/thanks?key=wc_order_1&a=%C3%BC+b&token=${paymentTokenOf(order)}&status=paid&reference=cart+7%2F%C3%BC&trx_id=${trx_id}#top`,
    );
    await api.post("/refunds", { transaction_id: trx_id });
    expect((await page.view()).return_to).toBe(return_to);
  });

  async function viewPending(order: Awaited<ReturnType<typeof createOrder>>) {
    const page = openPage(server, paymentTokenOf(order));
    await page.view();
    return page;
  }

  it("goes to cancel_url for a cancelled or expired order", async () => {
    const cancelled = await createOrder(api, shop);
    const page = await viewPending(cancelled);
    await page.act("cancel");
    expect((await page.view()).return_to).toBe(
      `https://shop.example/cart?empty=&token=${paymentTokenOf(cancelled)}&status=cancelled&reference=cart+7%2F%C3%BC`,
    );
    const expired = await createOrder(api, shop);
    const late = await viewPending(expired);
    await makeOverdue(sandbox, expired.order_id);
    expect((await late.view()).return_to).toContain("/cart?empty=&token=");
    expect((await late.view()).return_to).toContain("&status=expired&");
  });

  it("goes to return_url for a cancelled order without cancel_url, and is absent for a paid order without return_url", async () => {
    const order = await createOrder(api, { return_url: "https://shop.example/thanks" });
    const page = await viewPending(order);
    await page.act("cancel");
    expect((await page.view()).return_to).toBe(
      `https://shop.example/thanks?token=${paymentTokenOf(order)}&status=cancelled`,
    );
    const paidOnly = await createOrder(api, { cancel_url: "https://shop.example/cart" });
    const paid = await viewPending(paidOnly);
    await paid.act("sandbox-approve");
    expect(await paid.view()).toMatchObject({ return_to: null, leads_back: false });
  });

  it("preserves the shop's host and path even if the reference contains URL syntax", async () => {
    const order = await createOrder(api, {
      reference: "&status=paid#@evil.example/\\..//?",
      cancel_url: "https://shop.example/cart",
    });
    const page = await viewPending(order);
    await page.act("cancel");
    const url = new URL((await page.view()).return_to ?? "");
    expect(url.origin + url.pathname + url.hash).toBe("https://shop.example/cart");
    expect(url.searchParams.getAll("status")).toEqual(["cancelled"]);
    expect(url.searchParams.get("reference")).toBe("&status=paid#@evil.example/\\..//?");
  });
});

describe("internal checkout API", () => {
  it("is hidden without the internal key, and responds as for an unknown route", async () => {
    const order = await createOrder(api);
    const paths = ["", "/events", "/pay", "/sign-in", "/cancel", "/sandbox-approve", "/nothing"];
    const keys = [undefined, "", INTERNAL_KEY.slice(0, -1), `${INTERNAL_KEY}x`, INTERNAL_KEY.toUpperCase()];
    for (const path of paths)
      for (const key of keys)
        for (const method of ["GET", "POST", "DELETE"]) {
          const url = `${server.url}${CHECKOUT_PATH}/orders/${paymentTokenOf(order)}${path}`;
          const headers = key === undefined ? {} : { "x-tillgate-internal-key": key };
          const response = await send(url, { method, headers });
          expect(errorOf(response)).toEqual({ status: 404, texts: ["Unknown route"] });
          expect(response.headers.get("allow")).toBeNull();
        }
    expect((await getOrder(api, order.order_id)).status).toBe("PENDING");
  });

  it("has a key that the Pay API rejects", async () => {
    const order = await createOrder(api);
    const authorization = `Basic ${Buffer.from(`x:${INTERNAL_KEY}`).toString("base64")}`;
    const asMerchant = await send(`${server.url}/pay/sandbox/api/v1/orders/${order.order_id}`, {
      headers: { authorization, "x-tillgate-internal-key": INTERNAL_KEY },
    });
    expect(asMerchant.status).toBe(401);
  });
});
