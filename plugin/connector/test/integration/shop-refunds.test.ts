import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { refundKey } from "../../src/payments/create-outgoing-refund.js";
import { paidOrder, sweepNow } from "./fakes/orders.js";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp({ maxFailedChecks: 3 });
});
beforeEach(() => {
  bench.tillgate.refundAsUsual();
  bench.store.fault = null;
  return bench.forgetDue();
});
afterAll(() => bench.close());

describe("a refund made in the shop", () => {
  it("moves the money once, with an idempotency key derived from the earlier refunds, and adds a note", async () => {
    const { id, trxId } = await paidOrder(bench);
    const storeRefund = bench.store.refundByHand(id, "10.00");
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await sweepNow(bench);
    const key = refundKey({
      site: bench.store.url,
      storeOrderId: id,
      trxId: trxId ?? "",
      beforeMinor: 0n,
      amountMinor: 1000n,
    });
    expect(bench.tillgate.refundCallsOf(trxId)).toEqual([
      {
        transaction_id: trxId,
        amount: "10.00",
        reason: "Broken",
        reference: `${id} ${key.slice(0, 16)}`,
        idempotency_key: key,
      },
    ]);
    expect(bench.tillgate.refundsOf(trxId)).toMatchObject([{ raw_amount: 10, status: "completed" }]);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
    expect(bench.store.notesOf(id).at(-1)).toContain(`refund #${storeRefund} made in the shop was completed`);
  });

  it("gets no second record from its event, even if the event is delivered repeatedly", async () => {
    const { id, trxId } = await paidOrder(bench);
    bench.store.refundByHand(id, "10.00");
    await sweepNow(bench);
    const [refund] = bench.tillgate.refundsOf(trxId);
    if (refund === undefined) throw new Error("no refund");
    const notes = bench.store.notesOf(id).length;
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect((await bench.deliver(bench.tillgate.refundEvent(refund))).status).toBe(200);
    }
    expect(bench.store.refundsOf(id)).toHaveLength(1);
    expect(bench.store.notesOf(id)).toHaveLength(notes);
  });

  it("for the full amount is one refund, and pos.order.refunded adds no second record", async () => {
    const { id, tillgateOrder, trxId } = await paidOrder(bench);
    bench.store.refundByHand(id, "41.50");
    await sweepNow(bench);
    const refunded = bench.tillgate.event("pos.order.refunded", tillgateOrder);
    expect((await bench.deliver(refunded)).status).toBe(200);
    expect(bench.tillgate.refundsOf(trxId)).toHaveLength(1);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
    expect(bench.store.order(id).status).toBe("refunded");
  });

  it("is sent separately from an earlier refund of the same amount", async () => {
    const { id, trxId } = await paidOrder(bench);
    bench.store.refundByHand(id, "10.00");
    bench.store.refundByHand(id, "10.00");
    await sweepNow(bench);
    await sweepNow(bench);
    expect(bench.tillgate.refundsOf(trxId).map(({ raw_amount }) => raw_amount)).toEqual([10, 10]);
    expect(
      new Set(bench.tillgate.refundCallsOf(trxId).map(({ idempotency_key }) => idempotency_key)).size,
    ).toBe(2);
    expect(bench.store.refundsOf(id)).toHaveLength(2);
  });

  it("is one refund and one record even if the response is lost and only the event arrives", async () => {
    const { id, trxId } = await paidOrder(bench);
    bench.store.refundByHand(id, "10.00");
    bench.tillgate.afterRefund = (response) => {
      response.destroy();
      return true;
    };
    await sweepNow(bench);
    bench.tillgate.afterRefund = null;
    const [refund] = bench.tillgate.refundsOf(trxId);
    if (refund === undefined) throw new Error("no refund");
    expect((await bench.deliver(bench.tillgate.refundEvent(refund))).status).toBe(200);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
    expect(bench.store.notesOf(id).at(-1)).toContain("was completed");
    const calls = bench.tillgate.refundCallsOf(trxId).length;
    await sweepNow(bench);
    expect(bench.tillgate.refundCallsOf(trxId)).toHaveLength(calls);
    expect(bench.tillgate.refundsOf(trxId)).toHaveLength(1);
  });

  it("is retried once with the same key if it gets no response, and completed by the sweep if both responses are lost", async () => {
    const { id, trxId } = await paidOrder(bench);
    bench.store.refundByHand(id, "10.00");
    bench.tillgate.afterRefund = (response) => {
      response.destroy();
      return true;
    };
    await sweepNow(bench);
    expect(bench.tillgate.refundCallsOf(trxId)).toHaveLength(2);
    bench.tillgate.afterRefund = null;
    await sweepNow(bench);
    expect(new Set(bench.tillgate.refundCallsOf(trxId).map((call) => JSON.stringify(call))).size).toBe(1);
    expect(bench.tillgate.refundsOf(trxId)).toHaveLength(1);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
    expect(bench.store.notesOf(id).at(-1)).toContain("was completed");
  });

  it("is abandoned, reported and not sent again if its outcome stays unknown", async () => {
    const { id, trxId } = await paidOrder(bench);
    bench.store.refundByHand(id, "10.00");
    bench.tillgate.fault = (method, path, response) => {
      if (method !== "POST" || path !== "/refunds") return false;
      response.destroy();
      return true;
    };
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await sweepNow(bench);
    bench.tillgate.fault = null;
    expect(bench.store.notesOf(id).at(-1)).toContain("is unknown and is no longer checked");
    const { problems } = await bench.connector.health();
    expect(problems).toContainEqual(expect.objectContaining({ kind: "given_up", order_id: id }));
    bench.store.edit(id, {});
    await sweepNow(bench);
    expect(bench.tillgate.refundsOf(trxId)).toEqual([]);
  });

  it.each([
    ["below", "11.49"],
    ["equal to", "11.50"],
  ])("is sent if it is %s the remaining amount after a refund at Tillgate", async (_where, amount) => {
    const { id, tillgateOrder, trxId } = await paidOrder(bench);
    bench.tillgate.refund(tillgateOrder, 30);
    bench.store.refundByHand(id, amount);
    await sweepNow(bench);
    await sweepNow(bench);
    expect(bench.tillgate.refundsOf(trxId).map(({ raw_amount }) => raw_amount)).toEqual([30, Number(amount)]);
    expect(bench.store.refundsOf(id)).toHaveLength(2);
  });

  it("is rejected without a retry if it exceeds the remaining amount, with a note and a problem on the health page", async () => {
    const { id, tillgateOrder, trxId } = await paidOrder(bench);
    bench.tillgate.refund(tillgateOrder, 30);
    const storeRefund = bench.store.refundByHand(id, "11.51");
    for (let sweeps = 0; sweeps < 4; sweeps += 1) await sweepNow(bench);
    expect(bench.tillgate.refundCallsOf(trxId)).toHaveLength(1);
    expect(bench.tillgate.refundsOf(trxId)).toHaveLength(1);
    const refused = `refund #${storeRefund} of 11.51 EUR made in the shop was rejected: Refund exceeds original amount.`;
    expect(bench.store.notesOf(id)).toContainEqual(expect.stringContaining(refused));
    const { problems } = await bench.connector.health();
    expect(problems).toContainEqual(expect.objectContaining({ kind: "refund_refused", order_id: id }));
  });

  it("succeeds when recreated after a rejection for insufficient balance", async () => {
    const { id, trxId } = await paidOrder(bench);
    bench.tillgate.refundRefusal = "Insufficient balance.";
    bench.store.refundByHand(id, "10.00");
    await sweepNow(bench);
    expect(bench.store.notesOf(id).at(-1)).toContain("was rejected: Insufficient balance.");
    bench.tillgate.refundRefusal = null;
    bench.store.refunds.set(id, []);
    bench.store.refundByHand(id, "10.00");
    await sweepNow(bench);
    expect(bench.tillgate.refundsOf(trxId)).toHaveLength(1);
    expect(bench.store.notesOf(id).at(-1)).toContain("was completed");
    const { problems } = await bench.connector.health();
    expect(problems.filter(({ order_id }) => order_id === id)).toEqual([]);
  });

  it("that is deleted and made again after Tillgate executed it adds a note and is not sent twice", async () => {
    const { id, trxId } = await paidOrder(bench);
    bench.store.refundByHand(id, "10.00");
    await sweepNow(bench);
    const [refund] = bench.tillgate.refundsOf(trxId);
    bench.store.refunds.set(id, []);
    // The deletion triggers no webhook; the scheduled check finds it.
    await sweepNow(bench);
    expect(bench.store.notesOf(id).at(-1)).toContain("was deleted in the shop");
    bench.store.refundByHand(id, "10.00");
    await sweepNow(bench);
    expect(bench.store.notesOf(id).at(-1)).toContain(`It repeats ${refund?.refund_id}`);
    expect(bench.tillgate.refundsOf(trxId)).toHaveLength(1);
  });
});

it("a refund made in the shop that is deleted and made again before its outcome is known is executed once", async () => {
  const { id, trxId } = await paidOrder(bench);
  bench.store.refundByHand(id, "10.00");
  bench.tillgate.fault = (method, path, response) => {
    if (method !== "POST" || path !== "/refunds") return false;
    response.destroy();
    return true;
  };
  await sweepNow(bench);
  bench.tillgate.fault = null;
  bench.store.refunds.set(id, []);
  bench.store.refundByHand(id, "10.00");
  await sweepNow(bench);
  await sweepNow(bench);
  expect(bench.tillgate.refundsOf(trxId)).toHaveLength(1);
  expect(bench.store.refundsOf(id)).toHaveLength(1);
  expect(bench.store.notesOf(id).at(-1)).toContain("was completed");
});

describe("a shop refund that is pending approval", () => {
  async function waiting() {
    const order = await paidOrder(bench);
    bench.tillgate.refundsNeedApproval = true;
    const storeRefund = bench.store.refundByHand(order.id, "10.00");
    await sweepNow(bench);
    bench.tillgate.refundsNeedApproval = false;
    const [refund] = bench.tillgate.refundsOf(order.trxId);
    if (refund === undefined) throw new Error("no refund");
    expect(bench.store.notesOf(order.id).at(-1)).toContain(`pending approval (refund ${refund.refund_id}`);
    return { ...order, storeRefund, refundId: refund.refund_id };
  }

  it.each(["by its event", "by the scheduled check if the event was lost"])(
    "is completed on approval, %s",
    async (how) => {
      const { id, trxId, refundId } = await waiting();
      const approved = bench.tillgate.decide(refundId, "completed");
      if (how === "by its event") expect((await bench.deliver(approved)).status).toBe(200);
      else await sweepNow(bench);
      expect(bench.store.notesOf(id).at(-1)).toContain("was completed");
      expect(bench.store.refundsOf(id)).toHaveLength(1);
      expect(bench.tillgate.refundCallsOf(trxId)).toHaveLength(1);
    },
  );

  it("adds a note and a problem on the health page on rejection, and can be made again", async () => {
    const { id, trxId, refundId } = await waiting();
    expect((await bench.deliver(bench.tillgate.decide(refundId, "failed"))).status).toBe(200);
    expect(bench.store.notesOf(id).at(-1)).toContain("failed");
    const { problems } = await bench.connector.health();
    expect(problems).toContainEqual(expect.objectContaining({ kind: "refund_failed", order_id: id }));
    bench.store.refunds.set(id, []);
    bench.store.refundByHand(id, "10.00");
    await sweepNow(bench);
    expect(bench.tillgate.refundsOf(trxId).map(({ status }) => status)).toEqual(["failed", "completed"]);
    expect(bench.store.notesOf(id).at(-1)).toContain("was completed");
  });

  it("gets a new record on approval if its record has since been deleted", async () => {
    const { id, refundId } = await waiting();
    bench.store.refunds.set(id, []);
    await sweepNow(bench);
    expect((await bench.deliver(bench.tillgate.decide(refundId, "completed"))).status).toBe(200);
    expect(bench.store.refundsOf(id)).toMatchObject([
      { amount: "10.00", meta_data: [{ key: "_tillgate_refund_id", value: refundId }] },
    ]);
    await sweepNow(bench);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
  });
});
