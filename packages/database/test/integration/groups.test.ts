import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callGroup, type LedgerGroup } from "../../src/functions/ledger-function.js";
import * as ledger from "../../src/ledger.js";
import { proveLedger } from "../../src/prove-ledger.js";
import {
  codeOf,
  createOrder,
  type NewRefund,
  newRefundId,
  orderItem,
  paidOrder,
  paymentItem,
  payOrder,
  quoteOrder,
  refundItem,
} from "../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../sandbox-database.js";
import { createQuote, executePayout, payoutItem } from "./payouts/payout-calls.js";

let database: SandboxDatabase;
let amelie: string;
let samuel: string;
let francs: string;
/** Samuel's user ID. */
let shopper: string;

const run = (sql: string, ...values: unknown[]) => database.pool.query(sql, values);

beforeAll(async () => {
  database = await openSandboxDatabase();
  amelie = record(record(database.shoppers, "Amélie"), "EUR");
  samuel = record(record(database.shoppers, "Samuel"), "EUR");
  francs = record(record(database.shoppers, "Samuel"), "XAF");
  const { rows } = await run("SELECT wallet_user_id FROM accounts WHERE id = $1", samuel);
  shopper = rows[0].wallet_user_id;
});
afterAll(async () => {
  const { rules } = await proveLedger(database.url);
  await database.drop();
  expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

const payment = async () => paymentItem(await createOrder(database), { payerAccountId: amelie });

/** Creates an order through a payment link that can be used once. @returns the arguments of the order's payment. */
async function paymentByLink(link: string = randomUUID()) {
  await run(
    `INSERT INTO payment_links (id, merchant_id, mode, token, description, currency, amount, max_uses, created_by_id)
     SELECT $1::uuid, $2, 'sandbox', $1::text, 'a link', 'EUR', 1250, 1, id FROM console_users LIMIT 1 ON CONFLICT DO NOTHING`,
    link,
    database.merchant.id,
  );
  const item = await payment();
  await run(
    "INSERT INTO payment_link_orders (order_id, link_id, merchant_id, mode, visitor_hash) VALUES ($1, $2, $3, 'sandbox', '')",
    item.orderId,
    link,
    database.merchant.id,
  );
  return { ...item, link };
}

async function paymentByQuote() {
  const order = await createOrder(database);
  const { id } = await quoteOrder(database, order, { wallet: francs, rate: "0.0015" });
  return paymentItem(order, { quoteId: id, walletUserId: shopper });
}

/** Reason, and a group of which only the last item is rejected. */
type Case<Item> = [reason: RegExp, items: () => Promise<Item[]>];

function describeGroup<Args extends Record<string, unknown>>(
  fn: LedgerGroup<Args, unknown>,
  idOf: (item: Args) => unknown,
  cases: Case<Args>[],
) {
  it.each(cases)(`of ${fn.name} names only its rejected item: %s`, async (reason, create) => {
    const items = await create();
    await expect(callGroup(database.pool, fn, items)).rejects.toMatchObject({
      code: "TG080",
      message: expect.stringMatching(reason),
      detail: items.map(idOf).at(-1),
    });
  });
}

describe("a group", () => {
  describeGroup(ledger.createOrders, ({ id }) => id, [
    [/no open wallet/, async () => [orderItem(database), orderItem(database, { currency: "JPY" })]],
    [
      /key reused/,
      async () => {
        await createOrder(database, { key: "known" });
        return [orderItem(database, { key: "new" }), orderItem(database, { key: "known" })];
      },
    ],
  ]);

  it("fails if a row of one of its items stays locked", async () => {
    const items = [await payment(), await payment()];
    const connection = await database.pool.connect();
    try {
      await connection.query("BEGIN");
      await connection.query("SELECT FROM orders WHERE id = $1 FOR UPDATE", [items[0]?.orderId]);
      expect(await codeOf(callGroup(database.pool, ledger.payOrders, items))).toBe("55P03");
    } finally {
      await connection.query("ROLLBACK");
      connection.release();
    }
  });

  it("of create_orders accepts items with and without a key", async () => {
    const items = [orderItem(database, { key: "one of two" }), orderItem(database)];
    expect(await callGroup(database.pool, ledger.createOrders, items)).toHaveLength(2);
  });

  describeGroup(ledger.payOrders, ({ orderId }) => orderId, [
    [/not found/, async () => [await payment(), { ...(await payment()), orderId: "POS-20000101-AAAAAA" }]],
    [
      /left PENDING/,
      async () => [await payment(), { ...(await payment()), orderId: (await paidOrder(database)).id }],
    ],
    [
      /link is used up/,
      async () => {
        const { link, orderId } = await paymentByLink();
        await payOrder(database, { id: orderId, mode: "sandbox" }, samuel);
        return [await payment(), await paymentByLink(), await paymentByLink(link)];
      },
    ],
    [
      /quote cannot be used/,
      async () => [
        await payment(),
        await paymentByQuote(),
        { ...(await paymentByQuote()), quoteId: randomUUID() },
      ],
    ],
    [/wallet cannot pay/, async () => [await payment(), { ...(await payment()), payerAccountId: francs }]],
    [
      /is closed/,
      async () => {
        const ivo = record(record(database.shoppers, "Ivo"), "EUR");
        await run("UPDATE wallet_users SET active = true WHERE name LIKE 'Ivo %'");
        await run("UPDATE accounts SET closed_at = now() WHERE id = $1", ivo);
        return [await payment(), { ...(await payment()), payerAccountId: ivo }];
      },
    ],
    [
      /is insufficient/,
      async () => {
        const order = await createOrder(database, { amount: 1_000_000_000_000n });
        return [await payment(), paymentItem(order, { payerAccountId: samuel })];
      },
    ],
    [
      /is suspended/,
      async () => {
        const { otherMerchant: merchant } = database;
        const order = await createOrder(database, { merchant });
        await run("UPDATE merchants SET suspended_at = now() WHERE id = $1", merchant.id);
        return [await payment(), paymentItem(order, { payerAccountId: samuel })];
      },
    ],
  ]);

  const payout = (amount: bigint) => payoutItem(database, { amount });
  describeGroup(ledger.executePayouts, ({ payoutId }) => payoutId, [
    [
      /reference is already used/,
      async () => {
        const { reference } = await executePayout(database);
        return [await payout(5n), await payoutItem(database, { reference })];
      },
    ],
    [
      /quote cannot be used/,
      async () => {
        const [quoteId, expired] = [await createQuote(database), await createQuote(database)];
        await run("UPDATE quotes SET expires_at = clock_timestamp() WHERE id = $1", expired);
        const without = await payout(5n);
        const quoted = await payoutItem(database, { quoteId });
        return [without, quoted, await payoutItem(database, { quoteId: expired })];
      },
    ],
    [
      /above the limit/,
      async () => {
        await run("UPDATE payout_terms SET per_transaction = 2000");
        return [await payout(5n), await payout(2_001n)];
      },
    ],
    [
      /currency is inactive/,
      async () => {
        const item = await payoutItem(database, { francs: 6_493n, rate: "649.39743" });
        await run("UPDATE currencies SET active = false WHERE code = 'XAF'");
        return [await payout(5n), item];
      },
    ],
  ]);

  const refund = async (changed: NewRefund = {}) => refundItem(database, await paidOrder(database), changed);
  describeGroup(ledger.refundPayments, ({ refundId }) => refundId, [
    [
      /payment not found/,
      async () => {
        const item = await refund();
        return [item, { ...item, refundId: newRefundId(), merchantId: database.otherMerchant.id }];
      },
    ],
    [/exceeds what remains/, async () => [await refund(), await refund({ amount: 1_251n })]],
    [
      /key reused/,
      async () => {
        await callGroup(database.pool, ledger.refundPayments, [await refund({ key: "known refund" })]);
        return [await refund(), await refund({ key: "known refund" })];
      },
    ],
    [
      /merchant is suspended/,
      async () => {
        const { otherMerchant: merchant } = database;
        await run("UPDATE merchants SET suspended_at = NULL WHERE id = $1", merchant.id);
        const order = await payOrder(database, await createOrder(database, { merchant }), samuel);
        await run("UPDATE merchants SET suspended_at = now() WHERE id = $1", merchant.id);
        return [await refund(), refundItem(database, order, { merchant })];
      },
    ],
    [
      /payer's wallet is closed/,
      async () => {
        const dana = record(record(database.shoppers, "Dana"), "USD");
        const { rows } = await run("SELECT balance FROM accounts WHERE id = $1", dana);
        const order = await createOrder(database, { currency: "USD", amount: rows[0].balance });
        const paid = await payOrder(database, order, dana);
        await run("UPDATE accounts SET closed_at = now() WHERE id = $1", dana);
        await run("UPDATE merchants SET refunds_need_approval = true WHERE id = $1", database.merchant.id);
        return [await refund(), refundItem(database, paid)];
      },
    ],
  ]);

  it("of refund_payments completes refunds, holds those that need approval, and reports full refunds", async () => {
    const { merchant, otherMerchant } = database;
    await run("UPDATE merchants SET suspended_at = NULL, refunds_need_approval = id = $1", otherMerchant.id);
    const held = await payOrder(database, await createOrder(database, { merchant: otherMerchant }), samuel);
    const items = [
      await refund({ amount: 1_250n }),
      await refund({ amount: 1_249n }),
      await refund(),
      refundItem(database, held, { merchant: otherMerchant }),
    ];
    const made = await callGroup(database.pool, ledger.refundPayments, items);
    const byId = new Map(made.map(({ result }) => [result.id, result]));
    expect(items.map(({ refundId }) => [byId.get(refundId)?.status, byId.get(refundId)?.amount])).toEqual([
      ["completed", 1_250n],
      ["completed", 1_249n],
      ["completed", 1_250n],
      ["pending", 1_250n],
    ]);
    const { rows } = await run(
      `SELECT array_agg(v.name ORDER BY v.number) AS names FROM unnest($1::text[]) WITH ORDINALITY AS one (id, at)
       JOIN refunds r ON r.id = one.id LEFT JOIN events v ON v.order_id = r.order_id AND v.name LIKE '%refund%' GROUP BY at ORDER BY at`,
      items.map(({ refundId }) => refundId),
    );
    expect(rows.map(({ names }) => names)).toEqual([
      ["refund.completed", "pos.order.refunded"],
      ["refund.completed"],
      ["refund.completed", "pos.order.refunded"],
      [null],
    ]);
    expect(byId.get(items[0]?.refundId ?? "")?.merchantId).toBe(merchant.id);
  });

  it("of refund_payments refunds nothing if two of its refunds are for the same payment", async () => {
    const order = await paidOrder(database);
    const items = [refundItem(database, order), refundItem(database, order)];
    expect(await codeOf(callGroup(database.pool, ledger.refundPayments, items))).toBe("23514");
    const { rows } = await run("SELECT refunded::int FROM orders WHERE id = $1", order.id);
    expect(rows).toEqual([{ refunded: 0 }]);
  });
});
