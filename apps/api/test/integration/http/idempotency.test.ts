import { afterAll, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import {
  createOrder,
  getOrder,
  makeOverdue,
  ORDER_CREATED,
  paymentTokenOf,
  readOrder,
  readRefund,
} from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { errorOf, payApi } from "../../support/requests.js";
import { countRows, eventNamesOf, expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const REUSED = {
  status: 409,
  texts: ["The idempotency key was already used for a request with other fields"],
};
const REFUNDED = "Refund created successfully";

const { sandbox, server, api } = await createTestApi();
afterAll(() => expectValidEvents(sandbox));

async function createPaidTransaction(fields: Record<string, unknown> = {}): Promise<string> {
  const order = await createOrder(api, fields);
  await openPage(server, paymentTokenOf(order)).act("sandbox-approve");
  return (await getOrder(api, order.order_id)).trx_id ?? "";
}

describe("POST /orders with an idempotency key", () => {
  it("returns the order in its current state on a retry, marked as replayed, and writes nothing", async () => {
    const fields = { amount: 10, currency: "EUR", reference: "a", idempotency_key: "repeat" };
    const first = await api.post("/orders", fields);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const order = readOrder(first, ORDER_CREATED);
    const again = await expectNoWrites(sandbox, () => api.post("/orders", fields));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(readOrder(again, ORDER_CREATED)).toEqual(order);

    await openPage(server, paymentTokenOf(order)).act("sandbox-approve");
    const paid = await api.post("/orders", fields);
    expect(readOrder(paid, ORDER_CREATED)).toEqual(await getOrder(api, order.order_id));
    expect(readOrder(paid, ORDER_CREATED).status).toBe("PAID");
  });

  it("expires an overdue order on a retry, and returns it as EXPIRED", async () => {
    const fields = { amount: 10, currency: "EUR", idempotency_key: "expired" };
    const { order_id } = readOrder(await api.post("/orders", fields), ORDER_CREATED);
    await makeOverdue(sandbox, order_id);
    expect(readOrder(await api.post("/orders", fields), ORDER_CREATED).status).toBe("EXPIRED");
    expect(await eventNamesOf(sandbox, order_id)).toEqual(["pos.order.expired"]);
  });

  it('treats 10, 10.0, "10" and "10.00", and omitted, null and default values as the same request', async () => {
    const ids = new Set<string>();
    for (const amount of ["10", "10.0", '"10"', '"10.00"'])
      for (const rest of [
        "",
        ',"reference":null,"expires_in":300',
        ',"payment_method":"both","reference":""',
        ',"unknown":1',
      ]) {
        const response = await api.postText(
          "/orders",
          `{"amount":${amount},"currency":"EUR","idempotency_key":"same"${rest}}`,
        );
        ids.add(readOrder(response, ORDER_CREATED).order_id);
      }
    expect(ids.size).toBe(1);
  });

  it.each([
    { amount: 10.01 },
    { currency: "USD" },
    { payment_method: "qr_only" },
    { reference: "b" },
    { description: "b" },
    { terminal_id: "b" },
    { callback_url: "https://shop.example/b" },
    { return_url: "https://shop.example/b" },
    { cancel_url: "https://shop.example/b" },
    { expires_in: 301 },
  ])("rejects the same key with the changed field %j, and writes nothing", async (changed) => {
    const fields = { amount: 10, currency: "EUR", idempotency_key: "other fields" };
    await api.post("/orders", fields);
    const response = await expectNoWrites(sandbox, () => api.post("/orders", { ...fields, ...changed }));
    expect(errorOf(response)).toEqual(REUSED);
  });

  it("rejects the same key if a text has moved to another field", async () => {
    const key = { amount: 10, currency: "EUR", idempotency_key: "moved" };
    await api.post("/orders", { ...key, reference: "x" });
    expect(errorOf(await api.post("/orders", { ...key, description: "x" }))).toEqual(REUSED);
  });

  it("does not store the key of a rejected request", async () => {
    const fields = { currency: "EUR", idempotency_key: "refused first" };
    for (const amount of [0, "x", 10.001])
      await expectNoWrites(sandbox, () => api.post("/orders", { ...fields, amount }));
    await expectNoWrites(sandbox, () => api.post("/orders", { ...fields, currency: "JPY", amount: 5 }));
    const created = await api.post("/orders", { ...fields, amount: 10 });
    expect(created.headers.get("idempotent-replayed")).toBeNull();
    readOrder(created, ORDER_CREATED);
  });

  it("keeps keys separate per merchant, mode and operation", async () => {
    const fields = { amount: 10, currency: "EUR", idempotency_key: "scoped" };
    const live = await addLiveCredential(sandbox, sandbox.access.merchant.client_id);
    const orders = [
      await api.post("/orders", fields),
      await payApi(server, sandbox.access.other_merchant).post("/orders", fields),
      await payApi(server, live, "live").post("/orders", fields),
    ].map((response) => readOrder(response, ORDER_CREATED).order_id);
    expect(new Set(orders).size).toBe(3);
    const refund = { transaction_id: await createPaidTransaction(), amount: 1, idempotency_key: "scoped" };
    readRefund(await api.post("/refunds", refund), REFUNDED);
  });

  it("compares keys exactly, including case and spaces", async () => {
    const ids = new Set<string>();
    for (const idempotency_key of ["Key", "key", " key", "key "])
      ids.add((await createOrder(api, { idempotency_key })).order_id);
    expect(ids.size).toBe(4);
  });
});

describe("POST /refunds with an idempotency key", () => {
  it("moves money once, and responds to a retry with the same refund", async () => {
    const fields = { transaction_id: await createPaidTransaction(), amount: 5, idempotency_key: "refund" };
    const refund = readRefund(await api.post("/refunds", fields), REFUNDED);
    const again = await expectNoWrites(sandbox, () => api.post("/refunds", { ...fields, amount: "5.00" }));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(readRefund(again, REFUNDED)).toEqual(refund);
  });

  it("responds to a retry with the same full refund even though nothing is left to refund", async () => {
    const fields = { transaction_id: await createPaidTransaction(), idempotency_key: "whole" };
    const refund = readRefund(await api.post("/refunds", fields), REFUNDED);
    expect(readRefund(await api.post("/refunds", fields), REFUNDED)).toEqual(refund);
    const other = await expectNoWrites(sandbox, () => api.post("/refunds", { ...fields, amount: 41.5 }));
    expect(errorOf(other)).toEqual(REUSED);
  });

  it.each([{ amount: 6 }, { reason: "b" }, { reference: "b" }])(
    "rejects the same key with the changed field %j, and writes nothing",
    async (changed) => {
      const fields = {
        transaction_id: await createPaidTransaction(),
        amount: 5,
        idempotency_key: `other ${Object.keys(changed)}`,
      };
      await api.post("/refunds", fields);
      const response = await expectNoWrites(sandbox, () => api.post("/refunds", { ...fields, ...changed }));
      expect(errorOf(response)).toEqual(REUSED);
    },
  );

  it("rejects the same key for another payment", async () => {
    const fields = { amount: 5, idempotency_key: "other payment" };
    await api.post("/refunds", { ...fields, transaction_id: await createPaidTransaction() });
    const second = await createPaidTransaction();
    const response = await expectNoWrites(sandbox, () =>
      api.post("/refunds", { ...fields, transaction_id: second }),
    );
    expect(errorOf(response)).toEqual(REUSED);
  });

  it("does not store the key of a rejected refund", async () => {
    const transaction_id = await createPaidTransaction();
    const fields = { transaction_id, idempotency_key: "refund refused first" };
    await expectNoWrites(sandbox, () => api.post("/refunds", { ...fields, amount: 41.51 }));
    await expectNoWrites(sandbox, () => api.post("/refunds", { ...fields, transaction_id: "TRX-1" }));
    const before = await countRows(sandbox);
    const created = await api.post("/refunds", { ...fields, amount: 41.5 });
    expect(created.headers.get("idempotent-replayed")).toBeNull();
    expect((await countRows(sandbox)).refunds).toBe((before.refunds ?? 0) + 1);
  });
});
