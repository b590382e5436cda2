import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proveLedger } from "../../../src/prove-ledger.js";
import {
  cancelOrder,
  codeOf,
  createOrder,
  paidOrder,
  payOrder,
  readOrder,
  refundPayment,
} from "../../ledger-calls.js";
import {
  balanceOf,
  countOf,
  openSandboxDatabase,
  record,
  type SandboxDatabase,
} from "../../sandbox-database.js";
import { share } from "./outcomes.js";

const CONNECTIONS = 50;

describe("idempotency keys", () => {
  let database: SandboxDatabase;

  beforeAll(async () => {
    database = await openSandboxDatabase(CONNECTIONS);
  });
  afterAll(async () => {
    const { rules } = await proveLedger(database.url);
    await database.drop();
    expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  const keysNamed = (key: string) => countOf(database, "idempotency_keys WHERE key = $1", [key]);

  it("create one order for 50 concurrent calls with one key, and return it to every caller", async () => {
    const before = await countOf(database, "orders");
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => createOrder(database, { key: "order-1" })),
    );
    expect(await countOf(database, "orders")).toBe(before + 1);
    expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(
      new Set(responses.map((response) => JSON.stringify({ ...response, replayed: 0 }, text))).size,
    ).toBe(1);
  });

  it("create one refund for 50 concurrent calls with one key, and return it to every caller", async () => {
    const order = await paidOrder(database, { amount: 1_000n });
    const wallet = record(database.testShopper, "EUR");
    const before = await balanceOf(database, wallet);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => refundPayment(database, order, { amount: 10n, key: "refund-1" })),
    );
    expect(await balanceOf(database, wallet)).toBe(before + 10n);
    expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(
      new Set(responses.map((response) => JSON.stringify({ ...response, replayed: 0 }, text))).size,
    ).toBe(1);
    expect(await readOrder(database, order.id)).toMatchObject({ refunded: 10n });
  });

  it("return the current state of the resource on a repeat", async () => {
    const first = await createOrder(database, { key: "as-now" });
    await cancelOrder(database, first);
    await createOrder(database);
    expect(await createOrder(database, { key: "as-now" })).toMatchObject({
      id: first.id,
      replayed: true,
      status: "CANCELLED",
      version: 2,
    });
  });

  it("return the original full refund on a repeat", async () => {
    const order = await paidOrder(database, { amount: 70n });
    await refundPayment(database, order, { amount: 1n });
    const first = await refundPayment(database, order, { key: "full" });
    expect(await refundPayment(database, order, { key: "full" })).toEqual({ ...first, replayed: true });
  });

  it("reject concurrent calls that reuse a stored key with other fields", async () => {
    const order = await paidOrder(database, { amount: 1_000n });
    const first = await refundPayment(database, order, { amount: 10n, key: "reused" });
    const before = [await countOf(database, "refunds"), await countOf(database, "orders")];
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        codeOf(refundPayment(database, order, { amount: 11n + BigInt(i), key: "reused" })),
      ),
    );
    expect(share(codes)).toEqual({ TG030: 10 });
    expect([await countOf(database, "refunds"), await countOf(database, "orders")]).toEqual(before);
    expect(await refundPayment(database, order, { amount: 10n, key: "reused" })).toEqual({
      ...first,
      replayed: true,
    });
  });

  it("let only one of 20 concurrent, different requests with the same new key succeed", async () => {
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        codeOf(createOrder(database, { amount: BigInt(i + 1), key: "contended" })),
      ),
    );
    expect(share(codes)).toEqual({ done: 1, TG030: 19 });
    expect(await keysNamed("contended")).toBe(1);
  });

  it("are not stored by a rejected call, so the key can be used again", async () => {
    expect(await codeOf(createOrder(database, { currency: "KWD", key: "refused", fields: "first" }))).toBe(
      "TG023",
    );
    expect(await keysNamed("refused")).toBe(0);
    expect(await createOrder(database, { key: "refused", fields: "second" })).toMatchObject({
      replayed: false,
    });

    const order = await paidOrder(database, { amount: 10n });
    expect(await codeOf(refundPayment(database, order, { amount: 11n, key: "too-much" }))).toBe("TG021");
    expect(await keysNamed("too-much")).toBe(0);
    expect(await refundPayment(database, order, { amount: 10n, key: "too-much" })).toMatchObject({
      replayed: false,
    });
  });

  it("let all valid calls succeed among concurrent rejected calls with the same key", async () => {
    const order = await paidOrder(database, { amount: 100n });
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        codeOf(
          refundPayment(database, order, {
            amount: i % 3 ? 100n : 101n,
            key: "waiting",
            fields: i % 3 ? "good" : "bad",
          }),
        ),
      ),
    );
    expect(outcomes.filter((code) => code === "done")).toHaveLength(20);
    for (const code of outcomes) expect(["done", "TG021", "TG030"]).toContain(code);
    expect(await readOrder(database, order.id)).toMatchObject({ refunded: 100n });
  });

  it("fail a call if they are deleted each time it stores them", async () => {
    const owner = await database.ownerPool.connect();
    try {
      await owner.query(`BEGIN;
        CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER forgets BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION forget()`);
      expect(await codeOf(createOrder(database, { key: "deleted" }, owner))).toBe("40001");
    } finally {
      await owner.query("ROLLBACK");
      owner.release();
    }
  });

  it("are scoped to merchant and operation", async () => {
    const order = await createOrder(database, { key: "shared" });
    const foreign = await createOrder(database, { key: "shared", merchant: database.otherMerchant });
    expect([order.replayed, foreign.replayed]).toEqual([false, false]);
    const paid = await payOrder(database, order, record(record(database.shoppers, "Amélie"), "EUR"));
    expect(await refundPayment(database, paid, { key: "shared" })).toMatchObject({ replayed: false });
    expect(await keysNamed("shared")).toBe(3);
  });
});

const text = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
