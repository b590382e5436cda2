import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { makeOverdue } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { PAYMENT_FIELDS, type PaymentApi, paymentApi, readCreated } from "../../support/payments.js";
import { errorOf } from "../../support/requests.js";
import { expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

let api: PaymentApi;

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  api = await paymentApi(server, sandbox.access.merchant);
});
afterAll(() => expectValidEvents(sandbox));

describe("GET /payment/{token}", () => {
  it("returns fourteen keys, with trx_id and paid_at once paid", async () => {
    const { token } = await api.createPayment({ custom: "é" });
    const pending = await api.readPayment(token);
    expect(Object.keys(pending)).toEqual([
      "token",
      "order_id",
      "status",
      "amount",
      "raw_amount",
      "currency",
      "order_number",
      "custom",
      "metadata",
      "locale",
      "trx_id",
      "paid_at",
      "expires_at",
      "created_at",
    ]);
    expect(pending).toMatchObject({
      token,
      status: "PENDING",
      amount: "41.50 EUR",
      raw_amount: 41.5,
      currency: "EUR",
      order_number: "WC-7",
      custom: "é",
      trx_id: null,
      paid_at: null,
    });
    await openPage(server, token).act("sandbox-approve");
    expect(await api.readPayment(token)).toEqual({
      ...pending,
      status: "PAID",
      trx_id: expect.stringMatching(/^TRX-\d{12}$/),
      paid_at: expect.any(String),
    });
  });

  it("expires an overdue payment, which can then no longer be paid", async () => {
    const { token } = await api.createPayment();
    const { order_id } = await api.readPayment(token);
    await makeOverdue(sandbox, order_id);
    expect((await api.readPayment(token)).status).toBe("EXPIRED");
    await openPage(server, token).act("sandbox-approve");
    expect((await api.readPayment(token)).status).toBe("EXPIRED");
  });

  it("returns the same 404 for unknown tokens, order IDs and payments of another merchant or mode", async () => {
    const { token } = await api.createPayment();
    const notFound = { status: 404, texts: ["Order not found"] };
    const { order_id } = await api.readPayment(token);
    for (const id of ["x", order_id, "%00", "a".repeat(2_000)])
      expect(errorOf(await api.get(id))).toEqual(notFound);
    const other = await paymentApi(server, sandbox.access.other_merchant);
    expect(errorOf(await other.get(token))).toEqual(notFound);
    const live = await paymentApi(
      server,
      await addLiveCredential(sandbox, sandbox.access.merchant.client_id),
      "/pay/api/v1",
    );
    expect(errorOf(await live.get(token))).toEqual(notFound);
    const created = readCreated(await live.create(PAYMENT_FIELDS));
    expect(errorOf(await api.get(created.token))).toEqual(notFound);
  });
});
