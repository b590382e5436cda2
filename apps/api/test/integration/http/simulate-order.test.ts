import { SIMULATED_OUTCOMES } from "@tillgate/contract";
import { afterAll, expect, it } from "vitest";
import { createOrder, getOrder, makeOverdue, readOrder } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { errorCodeOf, errorOf, fieldError, payApi } from "../../support/requests.js";
import { eventNamesOf, expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api } = await createTestApi();
afterAll(() => expectValidEvents(sandbox));

const OUTCOMES = `must be one of ${SIMULATED_OUTCOMES.join(", ")}`;
const simulate = (orderId: string, outcome?: unknown) => api.post(`/orders/${orderId}/simulate`, { outcome });

it.each([
  ["paid", "PAID", ["pos.order.paid"]],
  ["cancelled", "CANCELLED", ["pos.order.cancelled"]],
  ["expired", "EXPIRED", ["pos.order.expired"]],
] as const)(
  "POST /orders/{id}/simulate: %s sets the order to %s with one event, and a retry writes nothing",
  async (outcome, status, events) => {
    const { order_id } = await createOrder(api);
    const simulated = readOrder(await simulate(order_id, outcome), "Outcome simulated");
    expect(simulated.status).toBe(status);
    expect(await getOrder(api, order_id)).toEqual(simulated);
    const again = await expectNoWrites(sandbox, () => simulate(order_id, outcome));
    expect(readOrder(again, "Outcome simulated")).toEqual(simulated);
    expect(await eventNamesOf(sandbox, order_id)).toEqual(events);
  },
);

it("POST /orders/{id}/simulate uses a quote to pay from a wallet in another currency, and the payment can be refunded", async () => {
  const { order_id } = await createOrder(api);
  const simulated = readOrder(await simulate(order_id, "paid_converted"), "Outcome simulated");
  expect(simulated).toMatchObject({ status: "PAID", currency: "EUR" });
  const again = await expectNoWrites(sandbox, () => simulate(order_id, "paid_converted"));
  expect(readOrder(again, "Outcome simulated")).toEqual(simulated);
  const { rows } = await sandbox.database.pool.query<{ payer_currency: string; used: boolean }>(
    `SELECT o.payer_currency, q.used_at IS NOT NULL AS used FROM orders o JOIN shopper_quotes q ON q.id = o.quote_id WHERE o.id = $1`,
    [order_id],
  );
  expect(rows).toMatchObject([{ used: true }]);
  expect(rows[0]?.payer_currency).not.toBe("EUR");
  expect((await api.post("/refunds", { transaction_id: simulated.trx_id, amount: 1 })).status).toBe(200);
  expect(await eventNamesOf(sandbox, order_id)).toEqual(["pos.order.paid", "refund.completed"]);
});

it("POST /orders/{id}/simulate pays once for concurrent converted payments, and returns 200 to every caller", async () => {
  const { order_id } = await createOrder(api);
  const responses = await Promise.all(Array.from({ length: 6 }, () => simulate(order_id, "paid_converted")));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await eventNamesOf(sandbox, order_id)).toEqual(["pos.order.paid"]);
});

it.each(["declined", "insufficient_balance"])(
  "POST /orders/{id}/simulate: %s leaves the order payable and writes nothing",
  async (outcome) => {
    const order = await createOrder(api);
    const declined = await expectNoWrites(sandbox, () => simulate(order.order_id, outcome));
    expect(readOrder(declined, "Outcome simulated")).toEqual(order);
    expect(readOrder(await simulate(order.order_id, "paid"), "Outcome simulated").status).toBe("PAID");
  },
);

it("POST /orders/{id}/simulate rejects a different outcome for an order in a final state, and reports its status", async () => {
  const outcomes = ["paid", "cancelled", "expired"];
  const codes = { paid: "order_already_paid", cancelled: "order_cancelled", expired: "order_expired" };
  for (const [outcome, code] of Object.entries(codes)) {
    const { order_id } = await createOrder(api);
    await simulate(order_id, outcome);
    for (const other of [...outcomes.filter((item) => item !== outcome), "declined"]) {
      const rejected = await expectNoWrites(sandbox, () => simulate(order_id, other));
      expect([outcome, other, rejected.status, errorCodeOf(rejected).code]).toEqual([
        outcome,
        other,
        422,
        code,
      ]);
    }
  }
});

it("POST /orders/{id}/simulate expires an overdue order instead of paying it, with one event", async () => {
  const { order_id } = await createOrder(api);
  await makeOverdue(sandbox, order_id);
  expect(errorCodeOf(await simulate(order_id, "paid")).code).toBe("order_expired");
  expect(await eventNamesOf(sandbox, order_id)).toEqual(["pos.order.expired"]);
});

it("POST /orders/{id}/simulate applies only one of several concurrent payments, cancellations and expiries, with one event", async () => {
  const { order_id } = await createOrder(api);
  const outcomes = Array.from({ length: 6 }, () => ["paid", "cancelled", "expired"]).flat();
  const responses = await Promise.all(outcomes.map((outcome) => simulate(order_id, outcome)));
  const { status } = await getOrder(api, order_id);
  const won = { PAID: "paid", CANCELLED: "cancelled", EXPIRED: "expired" };
  for (const [index, response] of responses.entries())
    if (response.status === 200)
      expect({ [status]: outcomes[index] }).toMatchObject({ [status]: Reflect.get(won, status) });
    else expect(response.status).toBe(422);
  expect(await eventNamesOf(sandbox, order_id)).toEqual([`pos.order.${Reflect.get(won, status)}`]);
});

it.each([
  [undefined, "is required"],
  [null, "is required"],
  ["", OUTCOMES],
  ["PAID", OUTCOMES],
  [["paid"], OUTCOMES],
])("POST /orders/{id}/simulate rejects the outcome %j and writes nothing", async (outcome, rest) => {
  const { order_id } = await createOrder(api);
  const rejected = await expectNoWrites(sandbox, () => simulate(order_id, outcome));
  expect(errorOf(rejected)).toEqual(fieldError("outcome", rest));
});

it("POST /orders/{id}/simulate returns 404 for another merchant's order", async () => {
  const { order_id } = await createOrder(api);
  const other = payApi(server, sandbox.access.other_merchant);
  const foreign = await expectNoWrites(sandbox, () =>
    other.post(`/orders/${order_id}/simulate`, { outcome: "paid" }),
  );
  expect(errorOf(foreign)).toEqual({ status: 404, texts: ["Order not found"] });
});

it("POST /orders/{id}/simulate is not served in live mode, for live or sandbox orders", async () => {
  const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
  const liveOrder = await createOrder(live);
  const { order_id } = await createOrder(api);
  for (const id of [liveOrder.order_id, order_id]) {
    const response = await expectNoWrites(sandbox, () =>
      live.post(`/orders/${id}/simulate`, { outcome: "paid" }),
    );
    expect([response.status, errorCodeOf(response).code]).toEqual([404, "unknown_route"]);
  }
  expect((await getOrder(live, liveOrder.order_id)).status).toBe("PENDING");
  const fromSandbox = await expectNoWrites(sandbox, () => simulate(liveOrder.order_id, "paid"));
  expect(errorOf(fromSandbox)).toEqual({ status: 404, texts: ["Order not found"] });
});
