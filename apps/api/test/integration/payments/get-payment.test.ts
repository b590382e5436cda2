import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { passExpiry } from "../../support/orders.js";
import { addLiveSide } from "../../support/parties.js";
import { type Payments, paymentsOf, REQUIRED, readCreated } from "../../support/payments.js";
import { told } from "../../support/requests.js";
import { expectEventsOfTheContract } from "../../support/rows.js";
import { sceneOfFile } from "../../support/scene.js";

let api: Payments;

const { sandbox, server } = await sceneOfFile();
beforeAll(async () => {
  api = await paymentsOf(server, sandbox.access.merchant);
});
afterAll(() => expectEventsOfTheContract(sandbox));

describe("GET /payment/{token}", () => {
  it("returns fourteen keys, and the payment details once paid", async () => {
    const { token } = await api.created({ custom: "é" });
    const pending = await api.read(token);
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
    expect(await api.read(token)).toEqual({
      ...pending,
      status: "PAID",
      trx_id: expect.stringMatching(/^TRX-\d{12}$/),
      paid_at: expect.any(String),
    });
  });

  it("expires an overdue payment with its event, which is no longer payable", async () => {
    const { token } = await api.created();
    const { order_id } = await api.read(token);
    await passExpiry(sandbox, order_id);
    expect((await api.read(token)).status).toBe("EXPIRED");
    await openPage(server, token).act("sandbox-approve");
    expect((await api.read(token)).status).toBe("EXPIRED");
  });

  it("answers the same 404 for unknown tokens, order IDs and payments of another merchant or mode", async () => {
    const { token } = await api.created();
    const notFound = { status: 404, texts: ["Order not found"] };
    const { order_id } = await api.read(token);
    for (const id of ["x", order_id, "%00", "a".repeat(2_000)])
      expect(told(await api.get(id))).toEqual(notFound);
    const other = await paymentsOf(server, sandbox.access.other_merchant);
    expect(told(await other.get(token))).toEqual(notFound);
    const live = await paymentsOf(
      server,
      await addLiveSide(sandbox, sandbox.access.merchant.client_id),
      "/pay/api/v1",
    );
    expect(told(await live.get(token))).toEqual(notFound);
    const made = readCreated(await live.create(REQUIRED));
    expect(told(await api.get(made.token))).toEqual(notFound);
  });
});
