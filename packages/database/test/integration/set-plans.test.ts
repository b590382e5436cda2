import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrder } from "../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../sandbox-database.js";

/** Enough rows that a sequential scan costs more than a few index lookups. */
const ROWS = 20_000;
/** Enough payments that PostgreSQL would scan all accounts by default. */
const PAYMENTS = 200;
const FILLED = ["accounts", "orders"];

let database: SandboxDatabase;
beforeAll(async () => {
  database = await openSandboxDatabase();
});
afterAll(() => database.drop());

type Step = { "Node Type": string; "Relation Name"?: string; Plans?: Step[] };
const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

it("triggers of a large payment group look up accounts and orders by index", async () => {
  const { merchant, shoppers } = database;
  const created = await Promise.all(
    Array.from({ length: PAYMENTS }, () =>
      createOrder(database, { callbackUrl: "https://shop.example.com" }),
    ),
  );
  const steps: Step[] = [];
  await database.breaking(async (client) => {
    await client.query(
      `INSERT INTO accounts (id, mode, currency, kind, wallet_user_id, balance)
       SELECT gen_random_uuid(), 'sandbox', 'EUR', 'shopper', gen_random_uuid(), 0 FROM generate_series(1, ${ROWS})`,
    );
    await client.query(
      `INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('id', 'copy ' || n, 'token', 'copy ' || n))).*
       FROM orders o, generate_series(1, ${ROWS}) AS n WHERE id = $1`,
      [created[0]?.id],
    );
    await client.query(
      "ANALYZE; SET session_replication_role = origin; LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0",
    );
    await client.query(
      `SET auto_explain.log_nested_statements = on; SET auto_explain.log_format = json; SET auto_explain.log_level = notice`,
    );
    await client.query(
      "BEGIN; CREATE TEMP TABLE paying (id text, transfer uuid, payer uuid, merchant uuid) ON COMMIT DROP",
    );
    await client.query("INSERT INTO paying SELECT unnest($1::text[]), unnest($2::uuid[]), $3, $4", [
      created.map(({ id }) => id),
      created.map(() => randomUUID()),
      record(record(shoppers, "Amélie"), "EUR"),
      record(merchant.wallets, "EUR"),
    ]);
    client.on("notice", ({ message = "" }) => {
      const plan: { Plan: Step } = JSON.parse(message.slice(message.indexOf("{")));
      steps.push(...stepsOf(plan.Plan));
    });
    await client.query(
      "INSERT INTO transfers (id, mode, kind) SELECT transfer, 'sandbox', 'payment' FROM paying",
    );
    await client.query(
      `INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
       SELECT transfer, account, 'sandbox', 'EUR', amount FROM paying, LATERAL (VALUES (payer, -1), (merchant, 1)) AS line (account, amount)`,
    );
    for (const { id } of created)
      await client.query(
        `UPDATE orders SET status = 'PAID', state = 'PAID', version = 2, paid_at = clock_timestamp(), trx_id = orders.id, transfer_id = p.transfer,
           payer_account_id = p.payer, payer_currency = 'EUR', payer_amount = amount FROM (SELECT * FROM paying WHERE id = $1) AS p WHERE orders.id = $1`,
        [id],
      );
    await client.query(
      "INSERT INTO events (id, mode, merchant_id, name, order_id) SELECT id, 'sandbox', $1, 'pos.order.paid', id FROM paying",
      [merchant.id],
    );
    await client.query("ROLLBACK");
  });
  const read = steps.filter((step) => FILLED.includes(step["Relation Name"] ?? ""));
  expect(new Set(read.map((step) => step["Relation Name"]))).toEqual(new Set(FILLED));
  expect(read.filter((step) => step["Node Type"] === "Seq Scan")).toEqual([]);
});
