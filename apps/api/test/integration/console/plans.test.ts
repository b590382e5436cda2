import { createHash } from "node:crypto";
import {
  balanceEntryListResponseSchema,
  consoleOrderListResponseSchema,
  consolePeriodResponseSchema,
  consoleSearchResponseSchema,
  endpointSecretResponseSchema,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { createPaidOrder } from "../../support/orders.js";
import { type PartnerApi, partnerApi } from "../../support/partner.js";
import { type PayApi, payApi } from "../../support/requests.js";
import { expectIndexScans, recordStatements, type Statement } from "../../support/statements.js";
import { createTestApi } from "../../support/test-api.js";
import { type ConsoleClient, createConsoleParties, dataOf, merchantConsole } from "./console-client.js";

/** Enough rows that a sequential scan is never the best plan. */
const ROWS = 60_000;
const GROWING = [
  "orders",
  "refunds",
  "payouts",
  "events",
  "deliveries",
  "entries",
  "transfers",
  "timeline_entries",
  "api_requests",
  "shop_differences",
];

const { sandbox, server, api, merchantId } = await createTestApi();
const { pool } = sandbox.database;
let recorded: Statement[];
let shop: ConsoleClient;
let payClient: PayApi;
let partner: PartnerApi;
let endpointId: string;
let paid: { orderId: string; trxId: string };

beforeAll(async () => {
  const { user } = await createConsoleParties(sandbox);
  paid = await createPaidOrder(server, api, { reference: "cart 1" });
  await api.post("/refunds", { transaction_id: paid.trxId, amount: 1 });
  const endpoint = await api.post("/webhooks/endpoints", {
    address: "https://shop.example.com/hook",
    events: ["pos.order.paid"],
  });
  endpointId = endpointSecretResponseSchema.parse(endpoint.body).data.endpoint_id;
  // Inserted without triggers, which would take minutes.
  await sandbox.plantRows(`
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE many AS SELECT n, gen_random_uuid() AS id, now() - n * interval '20 seconds' AS at FROM generate_series(1, ${ROWS}) n;
    INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, status, state, reference, created_at,
        expires_at, paid_at, trx_id, transfer_id, payer_account_id, payer_currency, payer_amount)
      SELECT 'POS-19990101-' || lpad(n::text, 6, '0'), 'many' || n, o.mode, o.merchant_id, o.credential_id, n, 'EUR', 'both', 'PAID', 'PAID', 'many ' || n,
        many.at, many.at, many.at, 'TRX-1999' || n, many.id, o.payer_account_id, 'EUR', n
      FROM many, orders o WHERE o.id = '${paid.orderId}';
    INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, created_at, settled_at, transfer_id, payer_amount)
      SELECT 'RF-19990101-' || lpad(n::text, 6, '0'), 'sandbox', '${merchantId}', 'POS-19990101-' || lpad(n::text, 6, '0'), 1, 'EUR', 'completed', at, at,
        gen_random_uuid(), 1 FROM many;
    INSERT INTO payouts (id, mode, merchant_id, reference, wallet_user_id, recipient_account_id, amount, sender_currency, fee, rate, receiver_amount,
        receiver_currency, status, transfer_id, trx_id, created_at, processed_at)
      SELECT 'PO1999' || n, 'sandbox', '${merchantId}', 'many ' || n, id, id, n, 'EUR', 0, 1, n, 'EUR', 'completed', gen_random_uuid(), 'PP1999' || n, at, at FROM many;
    INSERT INTO transfers (id, mode, kind) SELECT id, 'sandbox', 'payment' FROM many;
    INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
      SELECT many.id, a.id, 'sandbox', 'EUR', 1 FROM many, accounts a WHERE a.merchant_id = '${merchantId}' AND a.mode = 'sandbox'
        AND a.currency = 'EUR' AND a.kind = 'merchant';
    INSERT INTO events (id, mode, merchant_id, name, order_id, body, created_at, turn, number)
      SELECT 'evt_' || n, 'sandbox', '${merchantId}', 'pos.order.paid', 'POS-19990101-' || lpad(n::text, 6, '0'), '{}', at, 1, -n FROM many;
    INSERT INTO deliveries (mode, event_id, merchant_id, queue_id, lane_id, receiver_id, address, status, created_at, settled_at)
      SELECT 'sandbox', 'evt_' || n, '${merchantId}', id, id, '${endpointId}', 'https://shop.example', 'delivered', at, at FROM many;
    INSERT INTO api_requests (merchant_id, mode, at, request_id, method, path, status, about)
      SELECT '${merchantId}', 'sandbox', at, 'req_' || n, 'POST', '/pay/sandbox/api/v1/orders', 200, 'POS-19990101-' || lpad(n::text, 6, '0') FROM many;
    INSERT INTO shop_comparisons (merchant_id, mode, site, credential_id, day, compared, skipped, completed_at)
      SELECT o.merchant_id, o.mode, 'shop' || n || '.example', o.credential_id, current_date, 1, 0, now()
      FROM generate_series(1, 100) n, orders o WHERE o.id = '${paid.orderId}';
    INSERT INTO shop_differences (merchant_id, mode, site, order_id, order_number, subject, subject_id, field, kind, text_values)
      SELECT '${merchantId}', 'sandbox', 'shop' || n % 60 + 1 || '.example', 'POS-19990101-' || lpad(n::text, 6, '0'), n, 'order', 'x', 'state', 'open_not_wanted', '{}'
      FROM many;
    INSERT INTO quarter_hour_sums SELECT merchant_id, mode, 'order', quarter_hour_of(created_at), 'PAID', currency, count(*), sum(amount) FROM orders
      WHERE id LIKE 'POS-19990101-%' GROUP BY 1, 2, 4, 6;
    ANALYZE;`);
  // Another API, whose connections are recorded from their first statement.
  const measured = await sandbox.startApi();
  recorded = recordStatements(measured.context.database);
  shop = merchantConsole(measured, { user, merchantId });
  payClient = payApi(measured, sandbox.access.merchant);
  partner = partnerApi(measured, sandbox.access.merchant.api_token);
}, 120_000);

type Node = {
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Node[];
};
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

async function mostRowsRead({ text, values }: Statement): Promise<number> {
  if (!/^\s*\(?(SELECT|WITH)/i.test(text)) return 0;
  const { rows } = await pool.query<{ "QUERY PLAN": { Plan: Node }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  const nodes = rows.flatMap((row) => row["QUERY PLAN"].flatMap(({ Plan }) => nodesOf(Plan)));
  // An index scan over time with an ID filter does not report the rows it skips.
  const walks = nodes.filter(
    ({ "Index Name": index = "", "Index Cond": condition = "" }) =>
      index.includes("mode_created_at") && condition.includes("(id = ANY"),
  );
  expect(walks, text).toEqual([]);
  const read = nodes
    .filter((node) => GROWING.includes(node["Relation Name"] ?? ""))
    .map(
      (node) =>
        ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) * (node["Actual Loops"] ?? 1),
    );
  return Math.max(0, ...read);
}

const FAR = `POS-19990101-0${ROWS - 100}`;
/** The key of a difference, encoded as a cursor. */
const AMONG_DIFFERENCES = Buffer.from(
  JSON.stringify(["POS-19990101-030000", "order", "x", "state"]),
).toString("base64url");
const SHOP = createHash("md5").update("shop1.example").digest("hex");
const consoleReads: [path: string, query: Record<string, string>, most: number][] = [
  ["/home", {}, 250],
  ["/orders", {}, 60],
  ["/orders", { before: FAR }, 60],
  ["/orders", { after: FAR, status: "PAID" }, 60],
  ["/orders", { q: "many 500" }, 1_100],
  ["/orders", { q: "nobody@example.com" }, 1_100],
  ["/orders", { status: "PARTLY_REFUNDED" }, 60],
  ["/orders", { currency: "USD" }, 20_100],
  ["/orders", { min_amount: "599.99" }, 20_100],
  ["/orders", { sort: "created_at" }, 60],
  ["/orders", { sort: "created_at", before: FAR, status: "PAID" }, 60],
  ["/orders", { sort: "-amount" }, 20_100],
  ["/orders", { sort: "amount", before: FAR, status: "PAID", currency: "EUR" }, 20_100],
  ["/payouts", { sort: "-amount" }, 20_100],
  ["/orders/ORDER", {}, 60],
  ["/orders/ORDER/timeline", {}, 60],
  ["/refunds", {}, 60],
  ["/refunds", { q: "many 700" }, 1_100],
  ["/payouts", { status: "completed" }, 60],
  ["/payouts", { q: "many 9" }, 1_100],
  ["/wallets/EUR/statement", {}, 60],
  // All differences of the shop are counted.
  ["/reports/shops/SHOP", {}, 1_000],
  ["/reports/shops/SHOP", { before: AMONG_DIFFERENCES }, 1_000],
  ["/search", { q: "many 77" }, 1_100],
  ["/search", { q: "TRX-1999123" }, 1_100],
  ["/search", { q: "EUR 599.99" }, 1_100],
  ["/orders", { q: "many", before: FAR }, 20_100],
];

async function expectBoundedReads(answering: Promise<{ text: string }>, most: number): Promise<void> {
  recorded.length = 0;
  const response = await answering;
  expect(response.text.slice(0, 300)).toContain('"success"');
  const statements = [...recorded];
  expect(statements.length).toBeGreaterThan(1);
  if (most < 20_000) await expectIndexScans(sandbox.database, statements, GROWING);
  for (const statement of statements)
    expect(await mostRowsRead(statement), statement.text).toBeLessThanOrEqual(most);
}

it.each(consoleReads)(
  "console pages read at most a few more rows than they show or are allowed to search: %s %o",
  (path, query, most) =>
    expectBoundedReads(shop.get(path.replace("ORDER", paid.orderId).replace("SHOP", SHOP), query), most),
);

const days = { from_date: "2020-01-01", to_date: "2100-01-01" };
const deepReads: [path: string, query: Record<string, string>, most?: number][] = [
  ["/orders", { cursor: FAR }],
  ["/orders", { cursor: FAR, status: "PAID" }],
  ["/orders", { cursor: FAR, ...days }],
  ["/orders", { cursor: FAR, reference: "many 59950" }],
  ["/refunds", { cursor: FAR.replace("POS", "RF") }],
  ["/refunds", { cursor: FAR.replace("POS", "RF"), status: "completed", ...days }],
  ["/refunds", { cursor: FAR.replace("POS", "RF"), transaction_id: `TRX-1999${ROWS - 50}` }],
  ["/balances/EUR/entries", { cursor: "ENTRY" }],
  ["/webhooks/deliveries", {}],
  ["/webhooks/deliveries", { cursor: "DELIVERY" }],
  // None of these deliveries failed.
  ["/webhooks/deliveries", { cursor: "DELIVERY", status: "failed" }, 150],
  ["/webhooks/deliveries", { cursor: "DELIVERY", endpoint_id: "ENDPOINT" }],
  ["/webhooks/deliveries", { cursor: "DELIVERY", endpoint_id: "ENDPOINT", status: "failed" }],
];

describe("deep pages of Partner and Pay API lists", () => {
  let cursors: Readonly<Record<string, string | undefined>>;
  beforeAll(async () => {
    const { rows } = await pool.query<{ id: string }>("SELECT id FROM deliveries WHERE event_id = $1", [
      `evt_${ROWS - 100}`,
    ]);
    const entries = await payClient.get("/balances/EUR/entries", { per_page: "100" });
    const { next_cursor: entry } = balanceEntryListResponseSchema.parse(entries.body).data;
    cursors = { ENTRY: entry ?? undefined, DELIVERY: rows[0]?.id, ENDPOINT: endpointId };
  });

  it.each(deepReads)("use an index and read a bounded number of rows: %s %o", (path, query, most = 60) => {
    const requested = Object.entries(query).map(([name, value]) => [name, cursors[value] ?? value]);
    return expectBoundedReads(payClient.get(path, Object.fromEntries(requested)), most);
  });

  it("use an index and read a bounded number of rows: /payouts of the Partner API", () =>
    expectBoundedReads(partner.get(`/payouts?cursor=PO1999${ROWS - 100}`), 60));
});

it.each(["orders", "refunds", "payouts"])(
  "full-text search of %s uses its index, even for a frequent word",
  async (table) => {
    const { rows } = await pool.query<{ prosrc: string; proconfig: string[] }>(
      "SELECT prosrc, proconfig FROM pg_proc WHERE proname = $1",
      [`${table}_with_words`],
    );
    expect(rows[0]?.proconfig).toEqual(["enable_seqscan=off", "max_parallel_workers_per_gather=0"]);
    // A function's plan is not part of its caller's plan.
    const values = [merchantId, "sandbox", "many"];
    const text = (rows[0]?.prosrc ?? "")
      .replaceAll("p_merchant_id", "$1::uuid")
      .replaceAll("p_mode", "$2::mode")
      .replaceAll("p_words", "search_query($1::uuid, $2::mode, $3)")
      .replaceAll("p_limit", "1000");
    await pool.query("SET enable_seqscan = off");
    const { indexes } = await expectIndexScans(sandbox.database, [{ text, values }], GROWING);
    await pool.query("RESET enable_seqscan");
    expect([...indexes]).toEqual([`${table}_by_word`]);
  },
);

it("search finds an old order by its amount, and a filtered list finds old orders by a word that is frequent in newer orders", async () => {
  const { hits } = dataOf(consoleSearchResponseSchema, await shop.get("/search", { q: "599.99" }));
  expect(hits.map(({ id }) => id)).toContain(`POS-19990101-0${ROWS - 1}`);
  const { items } = dataOf(
    consoleOrderListResponseSchema,
    await shop.get("/orders", { q: "many", before: FAR, per_page: "3" }),
  );
  expect(items.map(({ order_id }) => order_id)).toEqual(
    [99, 98, 97].map((left) => `POS-19990101-0${ROWS - left}`),
  );
});

it("a filtered list without a match reports how far it searched, and returns a cursor to continue the search", async () => {
  const read = async (query: Record<string, string>) =>
    dataOf(consoleOrderListResponseSchema, await shop.get("/orders", { method: "qr_only", ...query }));
  const { items, next, looked_to: lookedTo, partial } = await read({});
  expect([items, partial, next]).toEqual([[], true, "POS-19990101-019999"]);
  const { rows } = await pool.query<{ created_at: Date }>("SELECT created_at FROM orders WHERE id = $1", [
    next,
  ]);
  expect(Date.parse(lookedTo ?? "")).toBe(Math.floor(Number(rows[0]?.created_at) / 1000) * 1000);
  // The next two searches stop in the middle, and the fourth search reaches the end.
  let page = await read({ before: next ?? "" });
  for (let i = 0; i < 2; i += 1) page = await read({ before: page.next ?? "" });
  expect([page.items, page.partial, page.looked_to, page.next]).toEqual([[], false, null, null]);
});

it("sorting a long list by amount covers only its newest rows and reports that older rows are omitted", async () => {
  const read = async (query: Record<string, string>) =>
    dataOf(
      consoleOrderListResponseSchema,
      await shop.get("/orders", { sort: "-amount", status: "PAID", ...query }),
    );
  const all = await read({ per_page: "1" });
  // Older orders have larger amounts here.
  const amount = Number(all.items[0]?.money.amount);
  expect([all.partial, amount > 199 && amount <= 200]).toEqual([true, true]);
  const day = new Date().toISOString().slice(0, 10);
  expect((await read({ per_page: "1", from: day })).partial).toBe(false);
});

it("a printed statement with more entries than the row limit contains only the number of entries and the opening and closing balances", async () => {
  const response = await shop.get("/wallets/EUR/statement/period");
  const { items, total, opening, closing } = dataOf(consolePeriodResponseSchema, response);
  expect([items, total > ROWS, opening.amount]).toEqual([[], true, "0.00"]);
  expect(Number(closing.amount)).toBeGreaterThan(ROWS / 100);
});
