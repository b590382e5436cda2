import { orderPageResponseSchema, refundPageResponseSchema } from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { countOf } from "../../support/counts.js";
import { createPaidOrder } from "../../support/orders.js";
import { merchantIdOf } from "../../support/parties.js";
import { type PayApi, payApi } from "../../support/requests.js";
import {
  countAccessedPages,
  expectIndexScans,
  recordStatements,
  type Statement,
} from "../../support/statements.js";
import { createTestSandbox } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const ROWS = countOf({ full: 1_000_000, reduced: 40_000 });
/** Nine tenths of the rows were created this many days ago, and the others on many days before and after. */
const BUSY_DAYS_AGO = 200;
const NEWER = ROWS / 20;
const BUSY = ROWS - 2 * NEWER;
/** Every twentieth order has this reference, and every twentieth refund is of the filtered payment. */
const REFERENCE = "subscription 7";
const IN_FILTER = 20;
const PER_PAGE = 20;
/**
 * Maximum ratio of the database pages accessed for a far list page to those for a near page, besides the
 * index entries of one ten-minute span.
 */
const MAX_FACTOR = 4;
const SPAN_PAGES = BUSY / 144 / 50;

let api: PayApi;
let merchantId: string;
let trxId: string;
let statements: Statement[];

const sandbox = await createTestSandbox();
beforeAll(async () => {
  const server = await sandbox.startApi();
  statements = recordStatements(server.context.database);
  api = payApi(server, sandbox.access.merchant);
  merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
  const { orderId } = await createPaidOrder(server, api);
  const requested = await createPaidOrder(server, api);
  trxId = requested.trxId;
  // Inserted without triggers, which would take minutes.
  const busyDay = `date_trunc('day', now(), 'UTC') - interval '${BUSY_DAYS_AGO} days'`;
  const createdAt = `CASE
    WHEN n <= ${NEWER} THEN now() - n * ${BUSY_DAYS_AGO - 1} / ${NEWER}::float8 * interval '1 day'
    WHEN n <= ${NEWER + BUSY} THEN ${busyDay} + interval '1 day' - (n - ${NEWER}) / ${BUSY}::float8 * interval '1 day'
    ELSE ${busyDay} - (n - ${NEWER + BUSY}) / ${NEWER}::float8 * interval '200 days' END`;
  const columns = "mode, merchant_id, credential_id, amount, currency, payment_method, expires_at";
  // Counters are inserted in chronological order, as in production. If they were scattered, each counter of a
  // day could be on a different page. The failed refunds are not rolled up yet.
  const counted = (part: string, counter: string) => `
    INSERT INTO ${counter} SELECT merchant_id, mode, 'refund', ${part}, status::text, count(*) FROM refunds
      WHERE status <> 'failed' GROUP BY 1, 2, 4, 5 ORDER BY 4;
    INSERT INTO ${counter} SELECT merchant_id, mode, 'order', ${part}, state::text, count(*) FROM orders
      WHERE id LIKE 'POS-19990101-%' GROUP BY 1, 2, 4, 5 ORDER BY 4;`;
  await sandbox.plantRows(`
    SET session_replication_role = replica;
    INSERT INTO orders (id, token, status, state, reference, created_at, ${columns})
      SELECT 'POS-19990101-' || lpad(upper(to_hex(n)), 6, '0'), 'far' || n, 'CANCELLED', 'CANCELLED',
        CASE WHEN n % ${IN_FILTER} = 0 THEN '${REFERENCE}' END, ${createdAt}, ${columns}
      FROM orders, generate_series(1, ${ROWS}) n WHERE id = '${orderId}';
    INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, created_at, settled_at, transfer_id, hold_transfer_id, payer_amount)
      SELECT 'RF-19990101-' || lpad(upper(to_hex(n)), 6, '0'), 'sandbox', '${merchantId}',
        CASE WHEN n % ${IN_FILTER} = 0 THEN '${requested.orderId}' ELSE '${orderId}' END, 1, 'EUR',
        CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'completed' END::refund_status, ${createdAt}, clock_timestamp(),
        gen_random_uuid(), gen_random_uuid(), CASE WHEN n % 10 = 0 THEN NULL ELSE 1 END
      FROM generate_series(1, ${ROWS}) n;
    ${counted("(created_at AT TIME ZONE 'UTC')::date", "day_counts")}
    ${counted("span_of(created_at)", "span_counts")}
    INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, change)
      SELECT merchant_id, mode, 'refund', span_of(created_at), status::text, count(*) FROM refunds WHERE status = 'failed' GROUP BY 1, 2, 4, 5
        ORDER BY 4;
    ANALYZE day_counts; ANALYZE span_counts; ANALYZE count_deltas;`);
  // Leaves the tables as autovacuum does. A vacuum during another transaction, such as autovacuum's, cannot
  // mark pages all-visible.
  await waitUntil(
    "the new rows are known to be visible to all",
    async () => {
      for (const table of ["orders", "refunds"])
        await sandbox.executeAsSuperuser(`VACUUM (ANALYZE) ${table}`);
      const { rows } = await sandbox.database.pool.query(
        "SELECT FROM pg_class WHERE relname IN ('orders', 'refunds') AND relallvisible < relpages * 0.9",
      );
      return rows.length === 0;
    },
    60_000,
  );
}, 600_000);

type Page = { ids: string[]; total: number; last: number };

async function page(
  list: "refunds" | "orders",
  number: number,
  filter: Record<string, string> = {},
): Promise<Page> {
  const { status, body, text } = await api.get(`/${list}`, {
    ...filter,
    page: String(number),
    per_page: String(PER_PAGE),
  });
  expect({ status, text: text.slice(0, 300) }).toMatchObject({ status: 200 });
  const { pagination, ids } =
    list === "refunds"
      ? (({ refunds, ...rest }) => ({ ...rest, ids: refunds.map(({ refund_id }) => refund_id) }))(
          refundPageResponseSchema.parse(body).data,
        )
      : (({ orders, ...rest }) => ({ ...rest, ids: orders.map(({ order_id }) => order_id) }))(
          orderPageResponseSchema.parse(body).data,
        );
  return { ids, total: pagination.total, last: pagination.last_page };
}

const GROWING = ["orders", "refunds", "span_counts"];

function indexOf(list: "refunds" | "orders", filter: Record<string, string>): string {
  if ("transaction_id" in filter) return "refunds_order_id_created_at_id_status_idx";
  if ("reference" in filter) return "orders_merchant_id_mode_reference_created_at_id_state_idx";
  const status = "status" in filter ? `${list === "refunds" ? "status" : "state"}_` : "";
  return `${list}_merchant_id_mode_${status}created_at_id_idx`;
}

/** Returns the UTC day on which nine tenths of the rows were created. */
const busyDay = () => new Date(Date.now() - BUSY_DAYS_AGO * 86_400_000).toISOString().slice(0, 10);
const far = (n: number) => n.toString(16).toUpperCase().padStart(6, "0");

describe(`lists of ${ROWS.toLocaleString("en")} rows`, () => {
  const filtered: [list: "refunds" | "orders", filter: () => Record<string, string>][] = [
    ["refunds", () => ({})],
    ["refunds", () => ({ status: "failed" })],
    ["refunds", () => ({ from_date: "2000-01-01", to_date: "2999-12-31" })],
    ["refunds", () => ({ from_date: busyDay(), to_date: busyDay() })],
    ["refunds", () => ({ transaction_id: trxId })],
    ["refunds", () => ({ transaction_id: trxId, status: "failed" })],
    ["orders", () => ({})],
    ["orders", () => ({ status: "CANCELLED" })],
    ["orders", () => ({ reference: REFERENCE })],
    ["orders", () => ({ reference: REFERENCE, status: "CANCELLED" })],
  ];

  it("contain exactly the expected refunds on near and far pages, none missing or repeated", async () => {
    const { total, last } = await page("refunds", 1);
    expect(total).toBe(ROWS);
    expect(last).toBe(ROWS / PER_PAGE);
    const busy = NEWER / PER_PAGE;
    for (const number of [
      1,
      2,
      busy,
      busy + 1,
      busy + 101,
      last / 4,
      last / 2,
      last * 0.9,
      last - busy,
      last - 1,
      last,
    ]) {
      const start = (number - 1) * PER_PAGE;
      const expected = Array.from(
        { length: PER_PAGE },
        (_, index) => `RF-19990101-${far(start + index + 1)}`,
      );
      expect((await page("refunds", number)).ids).toEqual(expected);
    }
    expect((await page("refunds", last + 1)).ids).toEqual([]);
    expect((await page("refunds", 1_000_000)).ids).toEqual([]);
  });

  it("contain exactly the matching rows when filtered by payment or reference", async () => {
    for (const [list, filter, name] of [
      ["refunds", { transaction_id: trxId }, "RF"],
      ["orders", { reference: REFERENCE }, "POS"],
    ] as const) {
      const { total, last } = await page(list, 1, filter);
      expect(total).toBe(ROWS / IN_FILTER);
      for (const number of [1, last / 2, last / 2 + 1, last]) {
        const start = (number - 1) * PER_PAGE;
        const expected = Array.from(
          { length: PER_PAGE },
          (_, index) => `${name}-19990101-${far((start + index + 1) * IN_FILTER)}`,
        );
        expect((await page(list, number, filter)).ids).toEqual(expected);
      }
      expect((await page(list, last + 1, filter)).ids).toEqual([]);
    }
  });

  it("report the number of rows that match the filter as total", async () => {
    const failed = await page("refunds", ROWS / 10 / PER_PAGE, { status: "failed" });
    expect(failed.total).toBe(ROWS / 10);
    expect(failed.ids).toEqual(
      Array.from(
        { length: PER_PAGE },
        (_, index) => `RF-19990101-${far(ROWS - (PER_PAGE - 1 - index) * 10)}`,
      ),
    );
    const day = busyDay();
    const within = { from_date: day, to_date: day };
    const all: string[] = [];
    const { total, last } = await page("refunds", 1, within);
    for (let number = 1; number <= last; number += Math.max(1, last - 1))
      all.push(...(await page("refunds", number, within)).ids);
    expect(total).toBeGreaterThan(0);
    const { rows } = await sandbox.database.pool.query<{ id: string }>(
      "SELECT id FROM refunds WHERE (created_at AT TIME ZONE 'UTC')::date = $1 ORDER BY created_at DESC, id DESC",
      [day],
    );
    expect(total).toBe(rows.length);
    expect(all[0]).toBe(rows[0]?.id);
    expect(all.at(-1)).toBe(rows.at(-1)?.id);
  });

  it("start with the newest order and end with the oldest", async () => {
    const { total, last, ids } = await page("orders", 1);
    expect(total).toBe(ROWS + 2);
    expect(ids[0]).not.toMatch(/^POS-19990101/);
    expect((await page("orders", last)).ids.at(-1)).toBe(`POS-19990101-${far(ROWS)}`);
  });

  it.each(filtered)(
    "use an index for near and far pages of %s, skip rows with index-only scans, and read at most about four times as many blocks for far pages: %s",
    async (list, filter) => {
      const { last } = await page(list, 1, filter());
      const accessed: number[] = [];
      for (const number of [
        1,
        3,
        ...[0.3, 0.5, 0.7].map((part) => Math.floor(last * part)),
        last - 1,
        last,
      ]) {
        statements.length = 0;
        await page(list, number, filter());
        expect(statements.length).toBeGreaterThan(2);
        const sent = [...statements];
        const { indexes, steps } = await expectIndexScans(sandbox.database, sent, GROWING);
        expect([...indexes].join()).toContain(indexOf(list, filter()));
        const skipping = steps.filter((step) => step["Index Name"] === indexOf(list, filter()));
        expect(skipping.map((step) => step["Node Type"])).toEqual(skipping.map(() => "Index Only Scan"));
        accessed.push(await countAccessedPages(sandbox.database, sent));
      }
      const [, near = 0, ...others] = accessed;
      expect(Math.max(...others)).toBeLessThan(near * MAX_FACTOR + SPAN_PAGES);
    },
  );
});
