import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { countOf, type ShopUnderTest, startShop } from "../support/shop-under-test.js";
import { goodForm, orderIn, Shopper } from "../support/shopper.js";

let shop: ShopUnderTest;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());
beforeEach(() => shop.connector.setState("pending"));

const orders = () => countOf(shop.database, "shop_order");

const statusOf = async (html: string): Promise<string | undefined> =>
  /data-testid="order-status">([^<]*)</.exec(html)?.[1];

describe("placing an order", () => {
  it("creates one order for simultaneous submissions", async () => {
    const shopper = await Shopper.enter(shop);
    await shopper.add("morning-mug", 2);
    const submission = await shopper.submission();
    const before = await orders();
    const responses = await Promise.all(Array.from({ length: 5 }, () => shopper.checkOut(submission)));
    expect(new Set(responses.map((response) => orderIn(response).id)).size).toBe(1);
    expect(await orders()).toBe(before + 1);
  });

  it("creates a pending store-api order in the shop's currency, with Tillgate as its payment method", async () => {
    const { id } = await (await Shopper.enter(shop)).order();
    expect((await shop.rest("GET", `orders/${id}`)).data).toMatchObject({
      status: "pending",
      created_via: "store-api",
      payment_method: "tillgate",
      currency: "EUR",
      total: "18.50",
      billing: goodForm,
    });
  });

  it("returns the same unpaid order, with the corrected address, for an unchanged cart", async () => {
    const shopper = await Shopper.enter(shop);
    const first = await shopper.order();
    const repeated = orderIn(await shopper.checkOut(await shopper.submission(), { last_name: "Corrected" }));
    expect(repeated).toEqual(first);
    expect((await shop.rest("GET", `orders/${first.id}`)).data).toMatchObject({
      billing: { last_name: "Corrected" },
    });
  });

  it("creates another order for a changed cart", async () => {
    const shopper = await Shopper.enter(shop);
    const first = await shopper.order();
    const second = await shopper.order("tall-carafe");
    expect(second.id).not.toBe(first.id);
    expect((await shop.rest("GET", `orders/${second.id}`)).data).toMatchObject({ total: "65.00" });
  });

  it("creates another order for the same cart after the first is cancelled", async () => {
    const shopper = await Shopper.enter(shop);
    const first = await shopper.order();
    await shop.rest("PUT", `orders/${first.id}`, { status: "cancelled" });
    const second = orderIn(await shopper.checkOut(await shopper.submission()));
    expect(second.id).not.toBe(first.id);
  });

  it("returns the paid order if its cart is submitted again", async () => {
    const shopper = await Shopper.enter(shop);
    const first = await shopper.order();
    const submission = await shopper.submission();
    await shop.rest("PUT", `orders/${first.id}`, { set_paid: true });
    expect(orderIn(await shopper.checkOut(submission))).toEqual(first);
  });

  it("creates no order if the cart changed in another tab, and reports the change", async () => {
    const shopper = await Shopper.enter(shop);
    await shopper.add("morning-mug");
    const submission = await shopper.submission();
    await shopper.add("tall-carafe");
    const before = await orders();
    const response = await shopper.checkOut(submission);
    expect(response.status).toBe(409);
    expect(response.html).toContain("Your cart has changed.");
    expect(await orders()).toBe(before);
  });

  it("rejects another shopper's submission token", async () => {
    const owner = await Shopper.enter(shop);
    await owner.add("morning-mug");
    const submission = await owner.submission();
    const stranger = await Shopper.enter(shop);
    await stranger.add("bud-vase");
    const before = await orders();
    expect((await stranger.checkOut(submission)).status).toBe(409);
    expect(await orders()).toBe(before);
  });

  it("shows an error for each invalid field and creates no order", async () => {
    const shopper = await Shopper.enter(shop);
    await shopper.add("morning-mug");
    const before = await orders();
    const response = await shopper.checkOut(await shopper.submission(), {
      email: "nobody",
      first_name: "",
      customer_note: "x".repeat(501),
    });
    expect(response.status).toBe(422);
    expect(response.html).toContain("Enter an e-mail address such as name@example.com.");
    expect(response.html).toContain("Please enter your first name.");
    expect(response.html).toContain("Your note can have up to 500 characters.");
    expect(await orders()).toBe(before);
  });

  it("rejects a quantity that is no longer in stock", async () => {
    const created = await shop.database.query("SELECT stock_quantity FROM product WHERE slug = 'bud-vase'");
    expect(created.rows).toEqual([{ stock_quantity: 3 }]);
    const shopper = await Shopper.enter(shop);
    await shopper.add("bud-vase", 3);
    const submission = await shopper.submission();
    await shop.database.query("UPDATE product SET stock_quantity = 1 WHERE slug = 'bud-vase'");
    const response = await shopper.checkOut(submission);
    expect(response.status).toBe(409);
    expect(response.html).toContain("Only 1 of “Bud vase” left.");
  });
});

describe("shop forms", () => {
  const posts: [string, Record<string, string>][] = [
    ["/cart/add", { product_id: "101", quantity: "1" }],
    ["/cart/update", { remove: "101" }],
    ["/checkout", { submission: "00000000-0000-4000-8000-000000000000", ...goodForm }],
    ["/owner/sign-in", { password: "the owner's password" }],
  ];
  for (const [path, fields] of posts) {
    it(`reject a missing CSRF token, another visitor's token, and another origin at ${path}`, async () => {
      const shopper = await Shopper.enter(shop);
      const other = await Shopper.enter(shop);
      const before = await orders();
      expect((await shopper.post(path, { ...fields, form_token: "" })).status).toBe(403);
      expect((await shopper.post(path, { ...fields, form_token: other.formToken })).status).toBe(403);
      expect((await shopper.post(path, fields, { Origin: "https://evil.example" })).status).toBe(403);
      expect((await shopper.post(path, fields, { Referer: "https://evil.example/page" })).status).toBe(403);
      expect(await orders()).toBe(before);
      expect(await shopper.cartIsEmpty()).toBe(true);
    });
  }

  it("reject an oversized body", async () => {
    const shopper = await Shopper.enter(shop);
    expect((await shopper.post("/cart/add", { product_id: "1".repeat(20_000) })).status).toBe(413);
  });

  it("reject an unknown product and an invalid quantity", async () => {
    const shopper = await Shopper.enter(shop);
    for (const fields of [
      { product_id: "999999", quantity: "1" },
      { product_id: "101", quantity: "-1" },
      { product_id: "101", quantity: "0" },
      { product_id: "x", quantity: "1" },
    ]) {
      await shopper.post("/cart/add", fields);
    }
    expect(await shopper.cartIsEmpty()).toBe(true);
  });
});

describe("order pages", () => {
  const paths = (id: string, key: string) => [
    `/checkout/order-pay/${id}?key=${key}`,
    `/checkout/status/${id}?key=${key}`,
    `/checkout/order-received/${id}?key=${key}`,
    `/checkout/return?order=${id}&key=${key}`,
  ];

  it("return 404 without the order's key", async () => {
    const shopper = await Shopper.enter(shop);
    const { id, key } = await shopper.order();
    const other = await (await Shopper.enter(shop)).order();
    const wrong = [
      ...paths(id, "wc_order_wrongwrongwro"),
      ...paths(id, other.key),
      ...paths(id, ""),
      ...paths("999999", key),
      ...paths("abc", key),
    ];
    for (const path of wrong) expect((await shopper.get(path)).status, path).toBe(404);
    expect(await shopper.cartIsEmpty()).toBe(false);
  });

  it("show the amount, and the QR code, link and time left of the payment requested from the connector", async () => {
    const shopper = await Shopper.enter(shop);
    const { id, key } = await shopper.order();
    const { status, html } = await shopper.get(`/checkout/order-pay/${id}?key=${key}`);
    expect(status).toBe(200);
    expect(html).toContain("€18.50");
    expect(html).toContain('href="https://pay.example/pay/token"');
    expect(html).toContain("<svg xmlns");
    expect(html).toContain('data-seconds-left="245"');
    expect(html).toContain("Time left: 04:05");
    expect(shop.connector.requested.at(-1)).toEqual({ locale: "en", order_id: Number(id), order_key: key });
  });

  it("redirect a phone to the payment page, and show the QR code only on request after the phone returns", async () => {
    const shopper = await Shopper.enter(shop);
    shopper.userAgent = "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0.0.0 Mobile Safari/537.36";
    const { id, key } = await shopper.order();
    const { html } = await shopper.get(`/checkout/order-pay/${id}?key=${key}`);
    expect(html).toContain('<meta http-equiv="refresh" content="0; url=https://pay.example/pay/token"/>');
    expect(html).toContain('href="https://pay.example/pay/token"');
    expect(html).not.toContain('data-testid="qr"');
    const back = await shopper.get(`/checkout/return?order=${id}&key=${key}`);
    expect(back.location).toBe(`/checkout/order-pay/${id}?key=${key}&show=code`);
    const visible = (await shopper.get(back.location ?? "")).html;
    expect(visible).toMatch(/<details><summary data-testid="show-code">.*data-testid="qr".*<\/details>/s);
    expect(visible).toContain("&amp;show=code&amp;looks=1");
  });

  it("show the test mode notice in test mode only", async () => {
    const shopper = await Shopper.enter(shop);
    const { id, key } = await shopper.order();
    const page = async () => (await shopper.get(`/checkout/order-pay/${id}?key=${key}`)).html;
    expect(await page()).toContain('data-testid="test-mode"');
    shop.connector.setMode("live");
    expect(await page()).not.toContain('data-testid="test-mode"');
    shop.connector.setMode("sandbox");
  });

  for (const [state, status, problem] of [
    ["down", 503, "does not respond"],
    ["refused", 502, "rejects the request"],
  ] as const) {
    it(`return ${status} and offer a retry if the connector ${problem}`, async () => {
      const shopper = await Shopper.enter(shop);
      const { id, key } = await shopper.order();
      shop.connector.setState(state);
      const response = await shopper.get(`/checkout/order-pay/${id}?key=${key}`);
      expect(response.status).toBe(status);
      expect(response.html).toContain('data-testid="retry"');
      shop.connector.setState("pending");
      expect((await shopper.get(`/checkout/order-pay/${id}?key=${key}`)).status).toBe(200);
    });
  }

  it("redirect to the order-received page for a paid order, and to the cart for a cancelled order", async () => {
    const shopper = await Shopper.enter(shop);
    const { id, key } = await shopper.order();
    await shop.rest("PUT", `orders/${id}`, { set_paid: true });
    const received = `/checkout/order-received/${id}?key=${key}`;
    expect((await shopper.get(`/checkout/order-pay/${id}?key=${key}`)).location).toBe(received);
    const other = await shopper.order("tall-carafe");
    await shop.rest("PUT", `orders/${other.id}`, { status: "cancelled" });
    shop.connector.setState("cancelled");
    expect((await shopper.get(`/checkout/order-pay/${other.id}?key=${other.key}`)).location).toBe(
      "/cart?notice=cancelled",
    );
  });

  it("show the order-received page for an order cancelled after its payment", async () => {
    const shopper = await Shopper.enter(shop);
    const { id, key } = await shopper.order();
    await shop.rest("PUT", `orders/${id}`, { set_paid: true });
    await shop.rest("PUT", `orders/${id}`, { status: "cancelled" });
    const received = `/checkout/order-received/${id}?key=${key}`;
    for (const path of [`/checkout/order-pay/${id}?key=${key}`, `/checkout/return?order=${id}&key=${key}`])
      expect((await shopper.get(path)).location).toBe(received);
    const { html } = await shopper.get(`/checkout/status/${id}?key=${key}`);
    expect(JSON.parse(html)).toMatchObject({ next: received });
    expect((await shopper.get(received)).html).toContain("This order was cancelled.");
  });

  for (const state of ["checking", "down", "paid", "pending", "expired", "refused"] as const) {
    it(`do not claim that nothing was charged if the shop cancelled the order and the connector's state is "${state}"`, async () => {
      const shopper = await Shopper.enter(shop);
      const { id, key } = await shopper.order();
      await shop.rest("PUT", `orders/${id}`, { status: "cancelled" });
      shop.connector.setState(state);
      const returned = `/checkout/return?order=${id}&key=${key}`;
      for (const path of [`/checkout/order-pay/${id}?key=${key}`, returned])
        expect((await shopper.get(path)).location).toBe("/cart?notice=order-cancelled");
      const { html } = await shopper.get(`/checkout/status/${id}?key=${key}`);
      expect(JSON.parse(html)).toMatchObject({ status: "checking", next: returned });
      expect((await shopper.get("/cart?notice=order-cancelled")).html).not.toContain("haven’t been charged");
    });
  }

  it("empty the cart only at the first view of the order-received page", async () => {
    const shopper = await Shopper.enter(shop);
    const { id, key } = await shopper.order();
    await shop.rest("PUT", `orders/${id}`, { set_paid: true });
    await shopper.get(`/checkout/order-pay/${id}?key=${key}`);
    await shopper.get(`/checkout/return?order=${id}&key=${key}`);
    expect(await shopper.cartIsEmpty()).toBe(false);
    const { html } = await shopper.get(`/checkout/order-received/${id}?key=${key}`);
    expect(await statusOf(html)).toBe("Processing");
    expect(await shopper.cartIsEmpty()).toBe(true);
    await shopper.add("breakfast-bowl");
    await shopper.get(`/checkout/order-received/${id}?key=${key}`);
    expect(await shopper.cartIsEmpty()).toBe(false);
  });

  it("show refunds on the order-received page", async () => {
    const { id, key } = await (await Shopper.enter(shop)).order();
    await shop.rest("PUT", `orders/${id}`, { set_paid: true });
    await shop.rest("POST", `orders/${id}/refunds`, { amount: "5.00", reason: "Chipped", api_refund: false });
    const { html } = await (await Shopper.enter(shop)).get(`/checkout/order-received/${id}?key=${key}`);
    expect(html).toContain("Refunded: Chipped");
    expect(html).toContain("-€5.00");
  });
});

describe("return from the payment page", () => {
  const back = async (state: Parameters<typeof shop.connector.setState>[0]) => {
    const shopper = await Shopper.enter(shop);
    const { id, key } = await shopper.order();
    shop.connector.setState(state);
    const response = await shopper.get(`/checkout/return?order=${id}&key=${key}&status=paid&token=t`);
    return { shopper, id, key, response };
  };

  for (const state of ["checking", "down", "paid"] as const) {
    it(`shows the checking page for the connector state "${state}", regardless of the status in the URL`, async () => {
      const { shopper, id, key, response } = await back(state);
      const cancelled = await shopper.get(`/checkout/return?order=${id}&key=${key}&status=cancelled`);
      for (const { status, html } of [response, cancelled]) {
        expect(status).toBe(200);
        expect(html).toContain('data-testid="checking"');
      }
    });
  }

  it("refreshes the checking page outside <noscript>, in case the page's script does not load", async () => {
    const { response } = await back("checking");
    const [outside = ""] =
      response.html.replace(/<noscript>.*?<\/noscript>/gs, "").match(/<meta http-equiv.*?>/) ?? [];
    expect(outside).toContain("&amp;looks=1");
  });

  it("stops refreshing after 20 refreshes", async () => {
    const { shopper, id, key } = await back("checking");
    const { html } = await shopper.get(`/checkout/return?order=${id}&key=${key}&looks=20`);
    expect(html).toContain('data-testid="check-again"');
    expect(html).not.toContain('http-equiv="refresh"');
  });

  for (const state of ["pending", "expired"] as const) {
    it(`redirects to the order-pay page and keeps the cart if the payment is ${state}`, async () => {
      const { shopper, id, key, response } = await back(state);
      expect(response.location).toBe(`/checkout/order-pay/${id}?key=${key}`);
      expect(await shopper.cartIsEmpty()).toBe(false);
    });
  }

  it("redirects to the cart, without emptying it, after a cancellation", async () => {
    const { shopper, response } = await back("cancelled");
    expect(response.location).toBe("/cart?notice=cancelled");
    expect(await shopper.cartIsEmpty()).toBe(false);
  });

  it("redirects to the order-received page when the order is paid", async () => {
    const { shopper, id, key } = await back("paid");
    await shop.rest("PUT", `orders/${id}`, { set_paid: true });
    const response = await shopper.get(`/checkout/return?order=${id}&key=${key}`);
    expect(response.location).toBe(`/checkout/order-received/${id}?key=${key}`);
  });
});

describe("an open order-pay page", () => {
  it("gets the payment status and the next URL from GET /checkout/status", async () => {
    const shopper = await Shopper.enter(shop);
    const { id, key } = await shopper.order();
    const readStatus = async (more = "") =>
      JSON.parse((await shopper.get(`/checkout/status/${id}?key=${key}${more}`)).html);
    expect(await readStatus()).toEqual({ status: "payable", order_status: "pending", next: null });
    shop.connector.setState("paid");
    expect(await readStatus("&ask=1")).toMatchObject({
      status: "paid",
      next: `/checkout/return?order=${id}&key=${key}`,
    });
    shop.connector.setState("expired");
    await shop.rest("PUT", `orders/${id}`, { status: "failed" });
    expect(await readStatus()).toEqual({ status: "expired", order_status: "failed", next: null });
    await shop.rest("PUT", `orders/${id}`, { set_paid: true });
    expect(await readStatus()).toEqual({
      status: "paid",
      order_status: "processing",
      next: `/checkout/order-received/${id}?key=${key}`,
    });
  });

  it.each([
    ["pending", "payable"],
    ["checking", "checking"],
    ["down", "checking"],
  ] as const)(
    "never reports a failed order's new payment as expired while the connector's state is %s",
    async (state, status) => {
      const shopper = await Shopper.enter(shop);
      const { id, key } = await shopper.order();
      await shop.rest("PUT", `orders/${id}`, { status: "failed" });
      shop.connector.setState(state);
      const { html } = await shopper.get(`/checkout/status/${id}?key=${key}`);
      expect(JSON.parse(html)).toMatchObject({ status, order_status: "failed" });
      const refreshed = await shopper.get(`/checkout/order-pay/${id}?key=${key}&looks=1`);
      expect(refreshed.html).not.toContain("haven’t been charged");
    },
  );

  it("starts no payment at a refresh while the outcome of a failed order's last payment is unknown", async () => {
    const shopper = await Shopper.enter(shop);
    const { id, key } = await shopper.order();
    await shop.rest("PUT", `orders/${id}`, { status: "failed" });
    shop.connector.setState("checking");
    const before = shop.connector.requested.length;
    await shopper.get(`/checkout/order-pay/${id}?key=${key}&looks=1`);
    expect(shop.connector.requested).toHaveLength(before);
  });
});

describe("the storefront", () => {
  it("forbids inline scripts and styles, framing, and form targets and resources on other origins", async () => {
    const response = await fetch(shop.url);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain("unsafe");
    expect(policy).not.toMatch(/https?:|\*/);
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/\son\w+=|\sstyle=/);
    expect(html).not.toMatch(/(src|href)="https?:/);
  });
});
