import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { proveLedger } from "../../src/prove-ledger.js";
import { createOrder, type NewOrder, payOrder } from "../ledger-calls.js";
import { type Merchant, openSandboxDatabase, record, type SandboxDatabase } from "../sandbox-database.js";

let database: SandboxDatabase;
beforeAll(async () => {
  database = await openSandboxDatabase();
});
afterAll(async () => {
  const { rules } = await proveLedger(database.url);
  await database.drop();
  expect(rules.flatMap(({ violations }) => violations)).toEqual([]);
});

async function addReceiver(
  merchant: Merchant,
  events: string[],
  state = "created_at = now()",
): Promise<string> {
  const id = randomUUID();
  await database.pool.query(
    `INSERT INTO receivers (id, mode, merchant_id, address, events, secret_ciphertext, encryption_key_id)
     VALUES ($1, 'sandbox', $2, $4, $3, 'x', 'test')`,
    [id, merchant.id, events, `https://receiver.example.com/${id}`],
  );
  await database.pool.query(`UPDATE receivers SET ${state} WHERE id = $1`, [id]);
  return id;
}

it("each pos.order.paid event gets one delivery for its order's callback_url and one per endpoint of its merchant that subscribes to it and is not disabled or removed", async () => {
  const { merchant, otherMerchant, pool } = database;
  const shopper = record(record(database.shoppers, "Amélie"), "EUR");
  const paid = async (order: NewOrder) =>
    (await payOrder(database, await createOrder(database, order), shopper)).id;
  const [called, silent, other] = [
    await paid({ callbackUrl: "https://shop.example.com/hook", amount: 1n }),
    await paid({ amount: 1n }),
    await paid({ merchant: otherMerchant, callbackUrl: "https://other.example.com/hook", amount: 1n }),
  ];
  const [first, second, others] = [
    await addReceiver(merchant, ["pos.order.paid", "pos.order.expired"]),
    await addReceiver(merchant, ["pos.order.paid"], "paused_at = now()"),
    await addReceiver(otherMerchant, ["pos.order.paid"]),
  ];
  await addReceiver(merchant, ["pos.order.expired"]);
  await addReceiver(merchant, ["pos.order.paid"], "disabled_at = now(), disabled_reason = 'administrator'");
  await addReceiver(merchant, ["pos.order.paid"], "removed_at = now()");
  await database.breaking(async (client) => {
    await client.query("DELETE FROM deliveries; DELETE FROM events");
  });

  await pool.query(
    `INSERT INTO events (id, mode, merchant_id, name, order_id)
     SELECT 'evt_' || id, mode, merchant_id, 'pos.order.paid', id FROM orders WHERE id = ANY ($1)`,
    [[called, silent, other]],
  );
  const { rows } = await pool.query<{ event: string; to: string; merchant: string }>(
    "SELECT event_id AS event, coalesce(receiver_id::text, address) AS to, merchant_id AS merchant FROM deliveries",
  );
  const expected = (order: string, { id }: Merchant, ...addresses: string[]) =>
    addresses.map((to) => ({ event: `evt_${order}`, to, merchant: id }));
  const wanted = [
    ...expected(called, merchant, "https://shop.example.com/hook", first, second),
    ...expected(silent, merchant, first, second),
    ...expected(other, otherMerchant, "https://other.example.com/hook", others),
  ];
  expect(rows).toHaveLength(wanted.length);
  for (const delivery of wanted) expect(rows).toContainEqual(delivery);
});

it("a replay to the order's callback_url adds a delivery", async () => {
  const { pool } = database;
  const shopper = record(record(database.shoppers, "Amélie"), "EUR");
  const order = await createOrder(database, { callbackUrl: "https://shop.example.com/replayed", amount: 1n });
  await payOrder(database, order, shopper);
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO replays (merchant_id, mode, credential_id, address, from_time, to_time, events, last_turn, last_number, total)
     SELECT o.merchant_id, o.mode, o.credential_id, o.callback_url, e.created_at, e.created_at + interval '1 ms', ARRAY[e.name], e.turn,
       e.number, 1 FROM orders o JOIN events e ON e.order_id = o.id WHERE o.id = $1 RETURNING id`,
    [order.id],
  );
  await pool.query("SELECT advance_replay($1)", [rows[0]?.id]);
  const { rowCount } = await pool.query("SELECT FROM deliveries WHERE address = $1", [
    "https://shop.example.com/replayed",
  ]);
  expect(rowCount).toBe(2);
});
