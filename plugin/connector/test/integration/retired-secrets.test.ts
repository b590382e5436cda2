import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StoreCredential } from "../../src/settings.js";
import { CLIENT_SECRET, type Delivery, sendError } from "./fakes/fake-tillgate.js";
import { sweepNow } from "./fakes/orders.js";
import { type Bench, setUp } from "./fakes/set-up.js";

const inUse: StoreCredential = { mode: "sandbox", clientId: "ci_demo", clientSecret: CLIENT_SECRET };
const retired: StoreCredential = { ...inUse, clientSecret: "the secret before the rotation" };
const otherClient: StoreCredential = {
  mode: "sandbox",
  clientId: "ci_other",
  clientSecret: "another client's secret",
};
const otherMode: StoreCredential = { mode: "live", clientId: "ci_demo", clientSecret: "the live secret" };

let bench: Bench;
beforeAll(async () => {
  bench = await setUp({ credentials: [inUse, retired, otherClient, otherMode] });
});
afterAll(() => bench.close());
beforeEach(() => {
  bench.tillgate.fault = null;
  bench.tillgate.requests.length = 0;
});

let lastOrder = 0;
async function startedOrder(): Promise<{ id: number; tillgateOrder: string }> {
  lastOrder += 1;
  bench.store.add({ id: lastOrder });
  expect((await bench.start(lastOrder)).status).toBe(200);
  bench.tillgate.requests.length = 0;
  return { id: lastOrder, tillgateOrder: bench.tillgate.orderOf(String(lastOrder)).order_id };
}

/** Signs an event with another secret. */
function signedBy({ clientSecret }: StoreCredential, { body }: Delivery): Delivery {
  const { id, event, data } = JSON.parse(body);
  return bench.tillgate.sign(id, event, data, { secret: clientSecret });
}

const confirmations = () => bench.tillgate.requests.filter((call) => call.includes("GET"));

describe("an event signed with a retired secret of the payment's client", () => {
  it("marks the order as paid when the API confirms the event", async () => {
    const { id, tillgateOrder } = await startedOrder();
    const paid = signedBy(retired, bench.tillgate.set(tillgateOrder, "PAID"));
    expect(await bench.deliver(paid)).toMatchObject({ status: 200, body: { status: "applied" } });
    expect(confirmations()).toEqual([`ci_demo GET /orders/${tillgateOrder}`]);
    expect(bench.store.order(id).status).toBe("processing");
  });

  it.each(["paid", "expired", "cancelled"])(
    "is rejected with 401 if it falsely reports the order as %s",
    async (name) => {
      const { id, tillgateOrder } = await startedOrder();
      const changes = { status: name.toUpperCase(), trx_id: name === "paid" ? "TRX-000000999999" : null };
      const forged = bench.tillgate.event(`pos.order.${name}`, tillgateOrder, changes);
      expect((await bench.deliver(signedBy(retired, forged))).status).toBe(401);
      expect(bench.store.order(id)).toMatchObject({ status: "pending", transaction_id: "" });
      expect(bench.store.notesOf(id)).toEqual([]);
      const { problems } = await bench.connector.health();
      expect(problems).toContainEqual(
        expect.objectContaining({
          kind: "webhook_refused",
          text: expect.stringContaining("revoke it in Tillgate"),
        }),
      );
    },
  );

  it("uses the transaction ID from the API, not the one in the event", async () => {
    const { id, tillgateOrder } = await startedOrder();
    bench.tillgate.set(tillgateOrder, "PAID");
    const real = bench.tillgate.order(tillgateOrder).trx_id;
    const forged = bench.tillgate.event("pos.order.paid", tillgateOrder, { trx_id: "TRX-000000999999" });
    expect((await bench.deliver(signedBy(retired, forged))).status).toBe(200);
    expect(bench.store.order(id)).toMatchObject({ status: "processing", transaction_id: real });
  });

  it("creates no refund record if it reports a refund that does not exist in Tillgate", async () => {
    const { id, tillgateOrder } = await startedOrder();
    await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"));
    const [real] = bench.tillgate.refund(tillgateOrder, 5);
    if (real === undefined) throw new Error("The fake made no refund.");
    const { id: eventId, data } = JSON.parse(real.body);
    const forged = { ...data, refund_id: "RF-20261122-FAKE23", raw_amount: 36.5, amount: "36.50 EUR" };
    const { clientSecret: secret } = retired;
    const delivery = bench.tillgate.sign("evt_99999999999999999999", "refund.completed", forged, { secret });
    expect((await bench.deliver(delivery)).status).toBe(401);
    expect(bench.store.refundsOf(id)).toEqual([]);
    const genuine = bench.tillgate.sign(eventId, "refund.completed", data, { secret });
    expect((await bench.deliver(genuine)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toMatchObject([{ amount: "5.00" }]);
  });

  it("gets 503 while the API is unreachable", async () => {
    const { id, tillgateOrder } = await startedOrder();
    const paid = signedBy(retired, bench.tillgate.set(tillgateOrder, "PAID"));
    bench.tillgate.fault = (_method, _path, response) => {
      response.writeHead(503).end();
      return true;
    };
    expect((await bench.deliver(paid)).status).toBe(503);
    expect(bench.store.order(id).status).toBe("pending");
    bench.tillgate.fault = null;
    expect((await bench.deliver(paid)).status).toBe(200);
    expect(bench.store.order(id).status).toBe("processing");
  });
});

it.each([
  ["mode", otherMode],
  ["client", otherClient],
])(
  "an event signed with a secret of another %s gets 401 without a request to the API",
  async (_of, credential) => {
    const { id, tillgateOrder } = await startedOrder();
    const paid = signedBy(credential, bench.tillgate.set(tillgateOrder, "PAID"));
    expect((await bench.deliver(paid)).status).toBe(401);
    expect(confirmations()).toEqual([]);
    expect(bench.store.order(id).status).toBe("pending");
  },
);

it("an event signed with the current secret is applied without confirmation", async () => {
  const { id, tillgateOrder } = await startedOrder();
  expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
  expect(confirmations()).toEqual([]);
  expect(bench.store.order(id).status).toBe("processing");
});

it("a delivery signed with a secret removed from the settings is rejected", async () => {
  const other = await setUp({ credentials: [inUse] });
  try {
    other.store.add({ id: 1 });
    await other.start(1);
    const { order_id } = other.tillgate.orderOf("1");
    const paid = other.tillgate.set(order_id, "PAID");
    expect((await other.deliver(signedBy(retired, paid))).status).toBe(401);
    expect(other.store.order(1).status).toBe("pending");
  } finally {
    await other.close();
  }
});

it("an event for a payment without a stored credential is confirmed with the API", async () => {
  const { id, tillgateOrder } = await startedOrder();
  await bench.database.query("UPDATE payments SET mode = NULL, client_id = NULL WHERE store_order_id = $1", [
    id,
  ]);
  const { data } = JSON.parse(bench.tillgate.event("pos.order.paid", tillgateOrder).body);
  const forged = bench.tillgate.sign("evt_88888888888888888888", "pos.order.paid", {
    ...data,
    status: "PAID",
    trx_id: "TRX-000000999999",
  });
  expect((await bench.deliver(forged)).status).toBe(401);
  expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
  expect(bench.store.order(id).status).toBe("processing");
});

describe("a payment started with another client ID", () => {
  const startedWith = (id: number, clientId: string) =>
    bench.database.query("UPDATE payments SET client_id = $2 WHERE store_order_id = $1", [id, clientId]);

  it("is checked with that client ID, and sets the order to Processing when paid", async () => {
    const { id, tillgateOrder } = await startedOrder();
    await startedWith(id, "ci_other");
    bench.tillgate.set(tillgateOrder, "PAID");
    await bench.makeDue();
    await bench.connector.sweep();
    expect(confirmations()).toContain(`ci_other GET /orders/${tillgateOrder}`);
    expect(bench.store.order(id).status).toBe("processing");
  });

  it("has its pending refund checked with that client ID after the order was paid again with the current client ID", async () => {
    const { id, tillgateOrder } = await startedOrder();
    await startedWith(id, "ci_other");
    await bench.start(id);
    const again = bench.tillgate.orderOf(String(id)).order_id;
    await bench.deliver(bench.tillgate.set(again, "PAID"));
    bench.tillgate.refundsNeedApproval = true;
    await bench.deliver(signedBy(otherClient, bench.tillgate.set(tillgateOrder, "PAID")));
    bench.tillgate.refund(again, 5);
    bench.tillgate.refundAsUsual();
    const [ofFirst = "", ofSecond = ""] = bench.tillgate.refunds.slice(-2).map(({ refund_id }) => refund_id);
    await sweepNow(bench);
    for (const refundId of [ofFirst, ofSecond]) bench.tillgate.decide(refundId, "completed");
    bench.tillgate.fault = (_method, _path, response) => {
      const isOtherClients = [
        `ci_demo GET /refunds/${ofFirst}`,
        `ci_other GET /refunds/${ofSecond}`,
      ].includes(bench.tillgate.requests.at(-1) ?? "");
      if (isOtherClients) sendError(response, 404, "Refund not found");
      return isOtherClients;
    };
    await sweepNow(bench);
    expect(bench.store.notesOf(id)).toContainEqual(
      expect.stringContaining(`refund ${ofFirst} of 41.50 EUR for`),
    );
    expect(bench.store.refundsOf(id)).toMatchObject([{ amount: "5.00" }]);
  });

  it.each([401, 403])(
    "does not block the refund check of the order's next payment if Tillgate rejects that client ID with %i",
    async (status) => {
      const { id, tillgateOrder } = await startedOrder();
      await startedWith(id, "ci_other");
      await bench.start(id);
      const again = bench.tillgate.orderOf(String(id)).order_id;
      await bench.deliver(bench.tillgate.set(again, "PAID"));
      bench.tillgate.refundsNeedApproval = true;
      await bench.deliver(signedBy(otherClient, bench.tillgate.set(tillgateOrder, "PAID")));
      bench.tillgate.refund(again, 5);
      bench.tillgate.refundAsUsual();
      const refundId = bench.tillgate.refunds.at(-1)?.refund_id ?? "";
      await sweepNow(bench);
      bench.tillgate.decide(refundId, "completed");
      bench.tillgate.fault = (_method, _path, response) => {
        const isRejected = bench.tillgate.requests.at(-1)?.startsWith("ci_other ") === true;
        if (isRejected) sendError(response, status, "The key was revoked");
        return isRejected;
      };
      await sweepNow(bench);
      expect(confirmations()).toContain(`ci_other GET /refunds/${refundId}`);
      expect(bench.store.refundsOf(id)).toMatchObject([{ amount: "5.00" }]);
    },
  );

  it("is abandoned with an order note when that client ID is removed, and the order can be paid again", async () => {
    const { id, tillgateOrder } = await startedOrder();
    await startedWith(id, "ci_gone");
    await bench.makeDue();
    await bench.connector.sweep();
    const { problems } = await bench.connector.health();
    expect(problems).toContainEqual(
      expect.objectContaining({
        kind: "given_up",
        order_id: id,
        text: expect.stringContaining("ci_gone (sandbox)"),
      }),
    );
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("ci_gone (sandbox)")]);
    expect((await bench.read(id)).body).toMatchObject({ status: "expired" });
    expect(await bench.start(id)).toMatchObject({ status: 200, body: { status: "pending" } });
    expect(bench.tillgate.orderOf(String(id)).order_id).not.toBe(tillgateOrder);
  });
});

it.each([
  ["mode", "mode = 'live'", "ci_demo"],
  ["client", "client_id = 'ci_other'", "ci_other"],
])(
  "a payment started with another %s is cancelled and replaced by a new one",
  async (_what, change, cancelledBy) => {
    const { id, tillgateOrder } = await startedOrder();
    expect((await bench.start(id)).body.payment_url).toContain(tillgateOrder);
    await bench.database.query(`UPDATE payments SET ${change} WHERE store_order_id = $1`, [id]);
    bench.tillgate.requests.length = 0;
    const { status, body } = await bench.start(id);
    expect({ status, mode: body.mode }).toEqual({ status: 200, mode: "sandbox" });
    const newOrder = bench.tillgate.orderOf(String(id)).order_id;
    expect(newOrder).not.toBe(tillgateOrder);
    expect(body.payment_url).toContain(newOrder);
    expect(bench.tillgate.order(tillgateOrder).status).toBe("CANCELLED");
    expect(bench.tillgate.requests).toContain(`${cancelledBy} POST /orders/${tillgateOrder}/cancel`);
    expect(bench.tillgate.requests).toContain("ci_demo POST /orders");
  },
);
