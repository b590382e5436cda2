import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callRows } from "../../src/functions/ledger-function.js";
import { expireDueOrders } from "../../src/ledger.js";
import { createOrder, payOrder, refundPayment } from "../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../sandbox-database.js";

/** Enough rows, over many merchants, that a sequential scan is far from the best plan. */
const ORDERS = 20_000;
const MERCHANTS = 50;

type Plan = { "Node Type": string; "Index Name"?: string; "Relation Name"?: string; Plans?: Plan[] };
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe("hot queries", () => {
  let database: SandboxDatabase;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    await database.breaking(async (client) => {
      await client.query(
        `WITH made AS (INSERT INTO merchants (id, name) SELECT gen_random_uuid(), 'Merchant ' || i FROM generate_series(1, ${MERCHANTS}) AS i RETURNING id)
         INSERT INTO credentials (id, merchant_id, mode, kind, client_id, secret_hash, secret_ciphertext, encryption_key_id)
         SELECT gen_random_uuid(), id, 'sandbox', 'client', 'client ' || id, uuid_send(id), 'x', 'test' FROM made`,
      );
      // Written without triggers: only the number and distribution of the rows matter here.
      await client.query(
        `INSERT INTO orders (id, mode, merchant_id, credential_id, token, amount, currency, payment_method, status, state, reference,
           expires_at, created_at, paid_at, trx_id, transfer_id, payer_account_id, payer_currency, payer_amount, version)
         SELECT 'order ' || i, 'sandbox', c.merchant_id, c.id, 'token ' || i, 100, 'EUR', 'both', s.status::order_status, s.status::order_state,
           'cart ' || i, now() + (i % 600 - 10) * interval '1 second', now() - i * interval '1 minute', s.paid_at, s.trx_id, s.id, s.id,
           CASE k.kind WHEN 'PAID' THEN 'EUR' END, CASE k.kind WHEN 'PAID' THEN 100 END, 1
         FROM generate_series(1, ${ORDERS}) AS i
         JOIN (SELECT *, row_number() OVER () AS n, count(*) OVER () AS of FROM credentials WHERE kind = 'client') AS c ON c.n = 1 + i % c.of
         CROSS JOIN LATERAL (SELECT CASE WHEN i % 10 = 0 THEN 'PENDING' WHEN i % 3 = 0 THEN 'EXPIRED' ELSE 'PAID' END AS kind) AS k
         CROSS JOIN LATERAL (SELECT k.kind AS status, CASE k.kind WHEN 'PAID' THEN now() END AS paid_at,
           CASE k.kind WHEN 'PAID' THEN 'TRX-' || i END AS trx_id, CASE k.kind WHEN 'PAID' THEN gen_random_uuid() END AS id) AS s`,
      );
      await client.query(
        `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, transfer_id, created_at, settled_at, payer_amount)
         SELECT 'refund ' || id, mode, merchant_id, id, 1, currency, 'completed', gen_random_uuid(), created_at, now(), 1
         FROM orders WHERE status = 'PAID'`,
      );
      await client.query(
        `INSERT INTO payouts (id, mode, merchant_id, reference, wallet_user_id, recipient_account_id, amount, sender_currency, fee, rate,
           receiver_amount, receiver_currency, status, transfer_id, trx_id, created_at, processed_at)
         SELECT 'payout ' || id, mode, merchant_id, 'salary ' || id, gen_random_uuid(), gen_random_uuid(), 1, 'EUR', 0, 1, 1, 'EUR', 'completed',
           gen_random_uuid(), 'PP' || id, created_at, now()
         FROM orders WHERE status = 'PAID'`,
      );
      await client.query(
        `INSERT INTO events (id, mode, merchant_id, name, order_id, body)
         SELECT 'event ' || id, mode, merchant_id, 'pos.order.paid', id, '{}' FROM orders WHERE status = 'PAID'`,
      );
      await client.query(
        `INSERT INTO deliveries (mode, event_id, merchant_id, queue_id, lane_id, credential_id, address, status, next_attempt_at, settled_at)
         SELECT o.mode, e.id, o.merchant_id, o.merchant_id, o.merchant_id, o.credential_id, 'https://shop.example.com', d.status::delivery_status, now() + (random() * 600 - 10) * interval '1 second',
           CASE d.status WHEN 'delivered' THEN now() END
         FROM events e JOIN orders o ON o.id = e.order_id
         CROSS JOIN LATERAL (SELECT (ARRAY['pending', 'queued', 'delivered', 'delivered', 'delivered'])[1 + floor(random() * 5 + length(o.id) * 0)::int]) AS d (status)`,
      );
      await client.query(
        "INSERT INTO transfers (id, mode, kind) SELECT transfer_id, mode, 'payment' FROM orders WHERE status = 'PAID'",
      );
      await client.query(
        `INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
         SELECT transfer_id, payer_account_id, mode, currency, sign * amount FROM orders, (VALUES (1), (-1)) AS signs (sign)
         WHERE status = 'PAID'`,
      );
      await client.query(
        `INSERT INTO credentials (id, merchant_id, mode, kind, client_id, secret_hash, secret_ciphertext, encryption_key_id)
         SELECT gen_random_uuid(), id, 'live', 'client', 'live client ' || id || i, uuid_send(gen_random_uuid()), 'x', 'test'
         FROM merchants, generate_series(1, 40) AS i`,
      );
      await client.query("ANALYZE");
    });
  });
  afterAll(() => database.drop());

  async function explain(sql: string, values: unknown[]): Promise<Plan[]> {
    const { rows } = await database.pool.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
      `EXPLAIN (FORMAT JSON) ${sql}`,
      values,
    );
    const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
    if (!plan) throw new Error("no plan");
    return nodesOf(plan);
  }

  type Query = [name: string, index: string, sql: string, values: () => unknown[]];
  const merchant = () => database.merchant.id;
  const queries: Query[] = [
    [
      "the first page of a merchant's orders",
      "orders_merchant_id_mode_created_at_id_idx",
      "SELECT * FROM orders WHERE merchant_id = $1 AND mode = 'sandbox' ORDER BY created_at DESC, id DESC LIMIT 20",
      () => [merchant()],
    ],
    [
      "a merchant's orders in a date range",
      "orders_merchant_id_mode_created_at_id_idx",
      `SELECT * FROM orders WHERE merchant_id = $1 AND mode = 'sandbox' AND created_at >= now() - interval '3 days'
       AND created_at < now() - interval '1 day' ORDER BY created_at DESC, id DESC LIMIT 20`,
      () => [merchant()],
    ],
    [
      "a merchant's orders by state",
      "orders_merchant_id_mode_state_created_at_id_idx",
      "SELECT * FROM orders WHERE merchant_id = $1 AND mode = 'sandbox' AND state = 'PENDING' ORDER BY created_at DESC, id DESC LIMIT 20",
      () => [merchant()],
    ],
    [
      "a merchant's orders by number",
      "orders_by_order_number",
      "SELECT id FROM orders WHERE merchant_id = $1 AND mode = 'sandbox' AND order_number = $2 ORDER BY created_at DESC, id DESC LIMIT 20",
      () => [merchant(), "1007"],
    ],
    [
      "a merchant's refunds by reference",
      "refunds_by_reference",
      "SELECT id FROM refunds WHERE merchant_id = $1 AND mode = 'sandbox' AND reference = $2 ORDER BY created_at DESC, id DESC LIMIT 20",
      () => [merchant(), "RMA 7"],
    ],
    [
      "the first page of a merchant's refunds",
      "refunds_merchant_id_mode_created_at_id_idx",
      "SELECT * FROM refunds WHERE merchant_id = $1 AND mode = 'sandbox' ORDER BY created_at DESC, id DESC LIMIT 20",
      () => [merchant()],
    ],
    [
      "a merchant's refunds by status",
      "refunds_merchant_id_mode_status_created_at_id_idx",
      "SELECT * FROM refunds WHERE merchant_id = $1 AND mode = 'sandbox' AND status = 'completed' ORDER BY created_at DESC, id DESC LIMIT 20",
      () => [merchant()],
    ],
    [
      "the first page of a merchant's payouts",
      "payouts_merchant_id_mode_created_at_id_idx",
      "SELECT * FROM payouts WHERE merchant_id = $1 AND mode = 'sandbox' ORDER BY created_at DESC, id DESC LIMIT 20",
      () => [merchant()],
    ],
    [
      "a merchant's payouts by status",
      "payouts_merchant_id_mode_status_created_at_id_idx",
      "SELECT * FROM payouts WHERE merchant_id = $1 AND mode = 'sandbox' AND status = 'completed' ORDER BY created_at DESC, id DESC LIMIT 20",
      () => [merchant()],
    ],
    [
      "a merchant's payout by reference",
      "payouts_merchant_id_mode_reference_key",
      "SELECT * FROM payouts WHERE merchant_id = $1 AND mode = 'sandbox' AND reference = $2",
      () => [merchant(), "salary 7"],
    ],
    [
      "a merchant's overdue orders",
      "orders_merchant_id_mode_state_created_at_id_idx",
      `SELECT * FROM orders o WHERE merchant_id = $1 AND mode = 'sandbox' AND state = 'PENDING' AND status = 'PENDING' AND expires_at <= now()
         AND NOT EXISTS (SELECT FROM expiry_failures f WHERE f.order_id = o.id AND f.next_attempt_at > now())`,
      () => [merchant()],
    ],
    ["an order by its token", "orders_token_key", "SELECT * FROM orders WHERE token = $1", () => ["token 7"]],
    [
      "an order by its transaction id",
      "orders_trx_id_key",
      "SELECT * FROM orders WHERE trx_id = $1",
      () => ["TRX-7"],
    ],
    [
      "a credential by its client id",
      "credentials_client_id_idx",
      "SELECT * FROM credentials c JOIN merchants m ON m.id = c.merchant_id WHERE client_id = $1",
      () => ["client x"],
    ],
    [
      "due deliveries",
      "deliveries_due",
      "SELECT * FROM deliveries WHERE status = 'pending' AND next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT 100 FOR UPDATE SKIP LOCKED",
      () => [new Date()],
    ],
    [
      "queued deliveries",
      "deliveries_in_turn",
      "SELECT * FROM deliveries WHERE status = 'queued' AND leased_until IS NULL AND queue_id > $1 ORDER BY queue_id LIMIT 1",
      () => [merchant()],
    ],
    [
      "deliveries with an expired lease",
      "deliveries_leased",
      "SELECT * FROM deliveries WHERE leased_until <= $1",
      () => [new Date()],
    ],
    [
      "an order's events",
      "events_order_id_turn_idx",
      "SELECT * FROM events WHERE order_id = $1",
      () => ["order 7"],
    ],
    [
      "the position of an order's next event",
      "events_order_id_turn_idx",
      "SELECT max(turn) FROM events WHERE order_id = $1",
      () => ["order 7"],
    ],
    [
      "an order's event by name",
      "events_once_per_order",
      "SELECT FROM events WHERE order_id = $1 AND name = $2 AND name LIKE 'pos.order.%'",
      () => ["order 7", "pos.order.paid"],
    ],
  ];

  it.each(queries)(
    "use an index even though sequential scans are allowed: %s: %s",
    async (_, index, sql, values) => {
      const nodes = await explain(sql, values());
      expect(nodes.map((node) => node["Index Name"])).toContain(index);
      // Queues may sort the few due rows; pages of a list are read in index order.
      if (!sql.includes("next_attempt_at"))
        expect(nodes.map((node) => node["Node Type"])).not.toContain("Sort");
      const wholeTables = nodes
        .filter((node) => node["Node Type"] === "Seq Scan")
        .map((node) => node["Relation Name"]);
      // A sequential scan is right for a table of a few rows.
      expect(wholeTables.filter((table) => table !== "merchants" && table !== "expiry_failures")).toEqual([]);
    },
  );

  it("read a merchant's orders with one reference by index", async () => {
    const nodes = await explain(
      "SELECT * FROM orders WHERE merchant_id = $1 AND mode = 'sandbox' AND reference = $2 ORDER BY created_at DESC, id DESC LIMIT 20",
      [merchant(), "cart 7"],
    );
    expect(nodes.map((node) => node["Index Name"])).toContain(
      "orders_merchant_id_mode_reference_created_at_id_state_idx",
    );
  });

  it("scan no large table in money functions, and find due orders by index in the expiry job", async () => {
    const plans: { text: string; nodes: Plan[] }[] = [];
    // auto_explain shows the plans of the statements inside the functions; only a superuser may load it.
    await database.breaking(async (client) => {
      await client.query("UPDATE report_cursors SET next_date = next_date - 9");
      await client.query("SET session_replication_role = origin");
      await client.query("LOAD 'auto_explain'");
      await client.query(
        `SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; SET auto_explain.log_format = json;
         SET auto_explain.log_level = notice; SET client_min_messages = notice`,
      );
      client.on("notice", ({ message }) => {
        const json = message?.slice(message.indexOf("{"));
        if (!message?.includes("plan:") || json === undefined) return;
        const explained: { "Query Text": string; Plan: Plan } = JSON.parse(json);
        plans.push({ text: explained["Query Text"], nodes: nodesOf(explained.Plan) });
      });
      const wallet = record(record(database.shoppers, "Amélie"), "EUR");
      const created = { callbackUrl: "https://shop.example.com", key: "plan", amount: 100n };
      const order = await createOrder(database, created, client);
      const paid = await payOrder(database, order, wallet, { connection: client });
      await refundPayment(database, paid, { amount: 1n, key: "plan" }, client);
      await callRows(client, expireDueOrders, { limit: 10 });
      await client.query("SELECT report_is_ready($1, current_date - 1)", [wallet]);
      await client.query("SELECT write_report_events(10)");
    });
    expect(plans.length).toBeGreaterThan(30);
    const big = ["orders", "refunds", "events", "deliveries", "entries", "transfers"];
    const read = plans.filter(({ nodes }) =>
      nodes.some((node) => node["Node Type"] === "Seq Scan" && big.includes(node["Relation Name"] ?? "")),
    );
    expect(read.map(({ text }) => text)).toEqual([]);
    const due = plans.find(({ text }) => text.includes("SKIP LOCKED"));
    const scan = due?.nodes.find((node) => node["Index Name"] === "orders_due");
    expect(scan).toMatchObject({ "Index Cond": expect.stringContaining("expires_at <=") });
  });
});
