import { afterAll, beforeAll, expect, it } from "vitest";
import { cancelOrder, createOrder } from "../ledger-calls.js";
import { openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";

let database: SandboxDatabase;
let other: SandboxDatabase;
beforeAll(async () => {
  database = await openSandboxDatabase();
  other = await openSandboxDatabase();
});
afterAll(() => Promise.all([database.drop(), other.drop()]));

/** Opens a transaction that has an ID. */
async function begin({ pool }: SandboxDatabase) {
  const client = await pool.connect();
  await client.query("BEGIN; SELECT pg_current_xact_id()");
  return client;
}

it("an event's turn is its transaction's ID, even if a later transaction has already written an event of another order", async () => {
  const [order, later] = [await createOrder(database), await createOrder(database)];
  const client = await begin(database);
  await cancelOrder(database, later);
  await client.query("SELECT cancel_order($1, 'sandbox')", [order.id]);
  const { rows } = await client.query(
    "SELECT turn = pg_current_xact_id()::text::bigint AS own FROM events WHERE order_id = $1",
    [order.id],
  );
  await client.query("ROLLBACK");
  client.release();
  expect(rows).toEqual([{ own: true }]);
});

it("the event floor is not raised if it is above the given turn", async () => {
  const readFloor = async () => (await database.pool.query("SELECT turn FROM event_floor")).rows;
  const before = await readFloor();
  await database.pool.query("SELECT raise_event_floor($1)", [before[0].turn - 1n]);
  expect(await readFloor()).toEqual(before);
});

it.each([
  ["a transaction that only read the events", () => database, "SELECT FROM events"],
  ["a transaction that writes events in another database", () => other, "DELETE FROM events WHERE false"],
])("the event horizon does not wait for %s", async (_, of, sql) => {
  const client = await begin(of());
  await client.query(sql);
  // The floor rises above the transaction's ID once a later transaction has ended.
  await database.pool.query("SELECT pg_current_xact_id()");
  await database.pool.query("SELECT raise_event_floor(turn) FROM event_floor");
  const { rows } = await database.pool.query("SELECT process FROM event_horizon()");
  await client.query("ROLLBACK");
  client.release();
  expect(rows).toEqual([{ process: null }]);
});
