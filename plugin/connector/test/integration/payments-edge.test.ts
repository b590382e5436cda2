import { errorEnvelopeSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp();
});
afterAll(() => bench.close());

/** Expects equal responses, except for `expires_in`, which decreases. */
function expectSamePayment(
  again: Record<string, unknown>,
  { expires_in, ...first }: Record<string, unknown>,
): void {
  expect(again).toEqual({ ...first, expires_in: expect.any(Number) });
  expect(Math.abs(Number(again.expires_in) - Number(expires_in))).toBeLessThan(3);
}

describe("starting a payment", () => {
  it("returns the payment link, QR data and the exact total of the store's order", async () => {
    const { store, tillgate } = bench;
    store.add({ id: 1 });
    const response = await bench.start(1);
    const order = tillgate.orderOf("1");
    expect(response).toMatchObject({
      status: 200,
      body: {
        payment_url: order.payment_url,
        qr_data: order.qr_data,
        amount: "41.50",
        currency: "EUR",
        expires_at: order.expires_at,
        expires_in: expect.any(Number),
        status: "pending",
      },
    });
    const left = (Date.parse(order.expires_at) - Date.now()) / 1000;
    expect(Math.abs(Number(response.body.expires_in) - left)).toBeLessThan(3);
    expect(order).toMatchObject({
      raw_amount: 41.5,
      payment_method: "both",
      callback_url: "http://connector.test/v1/stores/demo/webhook",
    });
  });

  it("sends Tillgate a description and the shop's locale, and rejects an invalid locale", async () => {
    const { order_key } = bench.store.add({ id: 5, line_items: [{ name: "Stoneware mug", quantity: 2 }] });
    const request = (locale: string) =>
      bench.call("/v1/stores/demo/payments", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ order_id: 5, order_key, locale }),
      });
    expect(await request("no language")).toMatchObject({ status: 400, body: { param: "locale" } });
    expect((await request("pt-BR")).status).toBe(200);
    expect(bench.tillgate.orderOf("5")).toMatchObject({
      description: "2 × Stoneware mug",
      locale: "pt-BR",
      reference: "5",
    });
  });

  it("returns the same Tillgate order while the total is unchanged", async () => {
    bench.store.add({ id: 2 });
    const first = await bench.start(2);
    const second = await bench.start(2);
    expectSamePayment(second.body, first.body);
    expect([...bench.tillgate.orders.values()].filter((order) => order.reference === "2")).toHaveLength(1);
  });

  it("creates one Tillgate order for two concurrent requests", async () => {
    bench.store.add({ id: 3 });
    const [one, other] = await Promise.all([bench.start(3), bench.start(3)]);
    expect(one.status).toBe(200);
    expectSamePayment(other.body, one.body);
    expect([...bench.tillgate.orders.values()].filter((order) => order.reference === "3")).toHaveLength(1);
  });

  it("cancels the old Tillgate order and creates a new one for a changed total, without cancelling the store's order", async () => {
    const { store, tillgate } = bench;
    store.add({ id: 4 });
    await bench.start(4);
    const old = tillgate.orderOf("4").order_id;
    store.edit(4, { total: "50.00" });
    const response = await bench.start(4);
    expect(response.body).toMatchObject({ amount: "50.00", status: "pending" });
    expect(tillgate.order(old).status).toBe("CANCELLED");
    expect(tillgate.orderOf("4").order_id).not.toBe(old);
    // The connector's own cancellation does not change the store order.
    expect((await bench.deliver(tillgate.event("pos.order.cancelled", old))).status).toBe(200);
    expect(store.order(4).status).toBe("pending");
    expect(store.notesOf(4)).toEqual([expect.stringContaining("because the order total is now 50.00 EUR")]);
  });

  it("creates a new payment with a new idempotency key after the previous payment expired", async () => {
    const { store, tillgate } = bench;
    store.add({ id: 5 });
    await bench.start(5);
    const old = tillgate.orderOf("5");
    tillgate.set(old.order_id, "EXPIRED");
    const response = await bench.start(5);
    expect(response.body.status).toBe("pending");
    const fresh = tillgate.orderOf("5");
    expect(fresh.order_id).not.toBe(old.order_id);
    expect(fresh.key).not.toBe(old.key);
  });

  it("applies a payment made in the meantime instead of starting another", async () => {
    const { store, tillgate } = bench;
    store.add({ id: 6 });
    await bench.start(6);
    tillgate.set(tillgate.orderOf("6").order_id, "PAID");
    expect((await bench.start(6)).body.status).toBe("paid");
    expect(store.order(6).status).toBe("processing");
  });

  it("creates no second Tillgate order if an interrupted request is repeated", async () => {
    const { store, tillgate } = bench;
    store.add({ id: 7 });
    tillgate.afterCreate = (response) => {
      response.destroy();
      return true;
    };
    expect((await bench.start(7)).status).toBe(503);
    tillgate.afterCreate = null;
    expect((await bench.start(7)).body.status).toBe("pending");
    expect([...tillgate.orders.values()].filter((order) => order.reference === "7")).toHaveLength(1);
  });

  it("responds with the same 404 to a wrong order key and an unknown order", async () => {
    bench.store.add({ id: 8 });
    const wrong = await bench.start(8, "wc_order_wrong");
    const unknown = await bench.start(999, "wc_order_wrong");
    expect(wrong.status).toBe(404);
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual(wrong.body);
    expect([...bench.tillgate.orders.values()].some((order) => order.reference === "8")).toBe(false);
  });

  it("rejects a total with more decimals than its currency, unless they are zeros", async () => {
    bench.store.add({ id: 9, currency: "XAF", total: "5000.50" });
    bench.store.add({ id: 10, currency: "XAF", total: "5000.00" });
    const refused = await bench.start(9);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain("more decimals than XAF");
    expect((await bench.start(10)).body).toMatchObject({ amount: "5000", currency: "XAF" });
  });

  it("rejects an order that needs no payment or has another payment method", async () => {
    bench.store.add({ id: 11, status: "processing" });
    bench.store.add({ id: 12, payment_method: "bacs" });
    expect((await bench.start(11)).status).toBe(422);
    expect((await bench.start(12)).status).toBe(422);
  });

  it("returns Tillgate's rejection, after which a payment can be started again", async () => {
    const { store, tillgate } = bench;
    store.add({ id: 13 });
    tillgate.fault = (method, _path, response) => {
      if (method !== "POST") return false;
      response.writeHead(400, { "content-type": "application/json" });
      const message = { code: 400, error: ["The currency field must be one you hold a wallet in"] };
      response.end(JSON.stringify({ message, data: [], type: "error" }));
      return true;
    };
    const refused = await bench.start(13);
    tillgate.fault = null;
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain("The currency field");
    expect((await bench.start(13)).status).toBe(200);
  });

  it("rejects an invalid body with 400, 413 or 415, another method with 405, and an unknown store or route with 404", async () => {
    const post = (body: string, type = "application/json") =>
      bench.call("/v1/stores/demo/payments", { method: "POST", headers: { "content-type": type }, body });
    expect(await post('{"order_id":"1","order_key":"x"}')).toMatchObject({ status: 400 });
    expect((await post('{"order_id":1}')).body.errors).toEqual({
      order_key: ["The order_key field is required"],
    });
    expect((await post("{")).status).toBe(400);
    expect((await post("a=1", "text/plain")).status).toBe(415);
    expect((await post(`{"order_key":"${"x".repeat(70_000)}"}`)).status).toBe(413);
    const wrong = await bench.call("/v1/stores/demo/payments", { method: "PUT" });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("POST");
    expect((await bench.call("/v1/stores/other/payments/1?order_key=x")).status).toBe(404);
    expect((await bench.call("/nothing")).status).toBe(404);
  });

  it("returns an error_code with each error, and param if exactly one field is invalid", async () => {
    const payments = "/v1/stores/demo/payments";
    const post = (body: string, type = "application/json") =>
      bench.call(payments, { method: "POST", headers: { "content-type": type }, body });
    bench.store.add({ id: 14, status: "completed" });
    bench.store.add({ id: 15 });
    const responses: [string, Awaited<ReturnType<typeof bench.call>>][] = [
      ["invalid_fields", await post('{"order_id":1}')],
      ["malformed_json", await post("{")],
      ["not_json", await post("a=1", "text/plain")],
      ["body_too_large", await post(`{"order_key":"${"x".repeat(70_000)}"}`)],
      ["method_not_allowed", await bench.call(payments, { method: "PUT" })],
      ["store_not_found", await bench.call("/v1/stores/other/payments/1?order_key=x")],
      ["order_not_found", await bench.start(999, "wc_order_wrong")],
      ["not_payable", await bench.start(14)],
      ["payment_not_found", await bench.read(15)],
      ["bad_signature", await bench.call("/v1/stores/demo/store-webhook", { method: "POST", body: "{}" })],
      ["missing_header", await bench.call("/v1/stores/demo/webhook", { method: "POST", body: "{}" })],
      ["unknown_route", await bench.call("/nothing")],
    ];
    for (const [code, { body, status }] of responses) {
      const envelope = errorEnvelopeSchema.parse(body);
      expect([code, envelope.error_code]).toEqual([code, code]);
      expect(envelope.message.code).toBe(status);
    }
    expect(responses[0]?.[1].body.param).toBe("order_key");
    expect((await post("{}")).body).not.toHaveProperty("param");
  });
});

describe("reading a payment", () => {
  it("applies the payment to the store before returning the status `paid`", async () => {
    const { store, tillgate } = bench;
    store.add({ id: 20 });
    await bench.start(20);
    expect((await bench.read(20)).body).toMatchObject({ status: "pending", shop_status: "pending" });
    tillgate.set(tillgate.orderOf("20").order_id, "PAID");
    expect((await bench.read(20)).body).toMatchObject({ status: "paid", shop_status: "processing" });
    expect(store.order(20).transaction_id).toBe(tillgate.orderOf("20").trx_id);
  });

  it("returns the status `expired` or `cancelled`, with the store order's status", async () => {
    const { store, tillgate } = bench;
    store.add({ id: 21 });
    store.add({ id: 22 });
    await bench.start(21);
    await bench.start(22);
    tillgate.set(tillgate.orderOf("21").order_id, "EXPIRED");
    tillgate.set(tillgate.orderOf("22").order_id, "CANCELLED");
    expect((await bench.read(21)).body).toMatchObject({ status: "expired", shop_status: "failed" });
    expect((await bench.read(22)).body).toMatchObject({ status: "cancelled", shop_status: "cancelled" });
  });

  it("returns the status `checking` while Tillgate is unreachable or the store doesn't accept the payment", async () => {
    const { store, tillgate } = bench;
    store.add({ id: 23 });
    await bench.start(23);
    tillgate.set(tillgate.orderOf("23").order_id, "PAID");
    tillgate.fault = (_method, _path, response) => {
      response.destroy();
      return true;
    };
    expect((await bench.read(23)).body.status).toBe("checking");
    tillgate.fault = null;
    store.fault = (call, response) => {
      if (call.method !== "PUT") return false;
      response.writeHead(503, { "content-type": "text/html" }).end("<h1>Maintenance</h1>");
      return true;
    };
    expect((await bench.read(23)).body.status).toBe("checking");
    store.fault = null;
    expect((await bench.read(23)).body.status).toBe("paid");
  });

  it("responds with 404 to a wrong order key, an unknown order and an order without a payment", async () => {
    bench.store.add({ id: 24 });
    await bench.start(24);
    bench.store.add({ id: 25 });
    expect((await bench.read(24, "wc_order_wrong")).status).toBe(404);
    expect((await bench.read(998, "x")).status).toBe(404);
    expect((await bench.call("/v1/stores/demo/payments/abc?order_key=x")).status).toBe(404);
    expect((await bench.read(25)).status).toBe(404);
  });
});

it("GET /healthz and /readyz report health and readiness", async () => {
  expect(await bench.call("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
  expect(await bench.call("/readyz")).toMatchObject({ status: 200, body: { status: "ok" } });
});
