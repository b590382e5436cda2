import { orderListAnswerSchema, refundListAnswerSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { countOf } from "../../support/counts.js";
import { createOrder, tokenOf } from "../../support/orders.js";
import { merchantIdOf } from "../../support/parties.js";
import { type PayApi, payApi } from "../../support/requests.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";
import { expectIndexed, noteStatements, type Statement } from "../../support/statements.js";

const ROWS = countOf({ full: 1_000_000, reduced: 100_000 });
/** Over how many days they spread: the newest are of today. */
const DAYS = 400;
const PER_PAGE = 20;
/** What a page may take longer than the first, and what the machine's noise may add to it. */
const TIMES = 3;
const NOISE_MS = 10;

let sandbox: Sandbox;
let api: PayApi;
let merchantId: string;
let noted: Statement[];

beforeAll(async () => {
  sandbox = await openSandbox();
  const server = await sandbox.startApi();
  noted = noteStatements(server.context.database);
  api = payApi(server, sandbox.access.merchant);
  merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
  const order = await createOrder(api);
  await openPage(server, tokenOf(order)).act("sandbox-approve");
  const { order_id } = order;
  // Written past the triggers, which would take minutes; taken out again before the ledger is proved.
  const age = `(n::bigint * ${DAYS} * 86400 / ${ROWS}) * interval '1 second'`;
  const columns = "mode, merchant_id, credential_id, amount, currency, payment_method, expires_at";
  await sandbox.administer(`
    SET session_replication_role = replica;
    INSERT INTO orders (id, token, status, state, created_at, ${columns})
      SELECT 'POS-19990101-' || lpad(upper(to_hex(n)), 6, '0'), 'far' || n, 'CANCELLED', 'CANCELLED', clock_timestamp() - ${age}, ${columns}
      FROM orders, generate_series(1, ${ROWS}) n WHERE id = '${order_id}';
    INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, created_at, settled_at, transfer_id, hold_transfer_id, payer_amount)
      SELECT 'RF-19990101-' || lpad(upper(to_hex(n)), 6, '0'), 'sandbox', '${merchantId}', '${order_id}', 1, 'EUR',
        CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'completed' END::refund_status, clock_timestamp() - ${age}, clock_timestamp(),
        gen_random_uuid(), gen_random_uuid(), CASE WHEN n % 10 = 0 THEN NULL ELSE 1 END
      FROM generate_series(1, ${ROWS}) n;
    INSERT INTO day_counts (merchant_id, mode, kind, day, status, slot, count)
      SELECT merchant_id, mode, 'refund', (created_at AT TIME ZONE 'UTC')::date, status::text, 3, count(*) FROM refunds GROUP BY 1, 2, 4, 5;
    INSERT INTO day_counts (merchant_id, mode, kind, day, status, slot, count)
      SELECT merchant_id, mode, 'order', (created_at AT TIME ZONE 'UTC')::date, state::text, 3, count(*) FROM orders
      WHERE id LIKE 'POS-19990101-%' GROUP BY 1, 2, 4, 5;
    ANALYZE orders; ANALYZE refunds; ANALYZE day_counts;`);
}, 600_000);

afterAll(async () => {
  await sandbox.administer(`
    SET session_replication_role = replica;
    DELETE FROM refunds WHERE id LIKE 'RF-19990101-%';
    DELETE FROM orders WHERE id LIKE 'POS-19990101-%';
    DELETE FROM day_counts WHERE slot = 3 AND (kind = 'refund' OR status = 'CANCELLED');`);
  await sandbox.close();
}, 120_000);

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
          refundListAnswerSchema.parse(body).data,
        )
      : (({ orders, ...rest }) => ({ ...rest, ids: orders.map(({ order_id }) => order_id) }))(
          orderListAnswerSchema.parse(body).data,
        );
  return { ids, total: pagination.total, last: pagination.last_page };
}

/** The middle of several measurements of each, taken in turn so that the machine's mood is shared. */
async function medians(works: (() => Promise<unknown>)[]): Promise<number[]> {
  const ROUNDS = 15;
  const times = works.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      times[index]?.push(performance.now() - start);
    }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN);
}

const far = (n: number) => n.toString(16).toUpperCase().padStart(6, "0");

describe(`lists of ${ROWS.toLocaleString("en")} rows`, () => {
  it.each([
    ["refunds", {}],
    ["refunds", { status: "failed" }],
    ["refunds", { from_date: "2000-01-01", to_date: "2999-12-31" }],
    ["orders", {}],
    ["orders", { status: "CANCELLED" }],
  ] as const)(
    "a page of %s far away takes at most three times the first one's time (%j)",
    async (list, filter) => {
      const { last } = await page(list, 1, filter);
      const [first = 0, ...others] = await medians(
        [1, Math.floor(last / 2), last - 1, last, last + 1_000].map(
          (number) => () => page(list, number, filter),
        ),
      );
      for (const other of others) expect(other).toBeLessThan(first * TIMES + NOISE_MS);
    },
  );

  it("the pages far away hold exactly the rows that follow: none is left out, none comes twice", async () => {
    const { total, last } = await page("refunds", 1);
    expect(total).toBe(ROWS);
    expect(last).toBe(ROWS / PER_PAGE);
    for (const number of [1, 2, 100, last / 2, last - 1, last]) {
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

  it("a filter counts its own rows", async () => {
    const failed = await page("refunds", ROWS / 10 / PER_PAGE, { status: "failed" });
    expect(failed.total).toBe(ROWS / 10);
    expect(failed.ids).toEqual(
      Array.from(
        { length: PER_PAGE },
        (_, index) => `RF-19990101-${far(ROWS - (PER_PAGE - 1 - index) * 10)}`,
      ),
    );
    const day = new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 10);
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

  it("orders: the newest is the one just made, the farthest the oldest", async () => {
    const { total, last, ids } = await page("orders", 1);
    expect(total).toBe(ROWS + 1);
    expect(ids[0]).not.toMatch(/^POS-19990101/);
    expect((await page("orders", last)).ids).toEqual([`POS-19990101-${far(ROWS)}`]);
  });

  it("every statement of a list uses an index", async () => {
    for (const list of ["refunds", "orders"] as const)
      for (const filter of [{}, { status: list === "refunds" ? "failed" : "CANCELLED" }]) {
        noted.length = 0;
        await page(list, 1_000, filter);
        await page(list, 3, filter);
        expect(noted.length).toBeGreaterThan(2);
        const indexes = await expectIndexed(sandbox.database, [...noted], ["orders", "refunds"]);
        expect([...indexes].join()).toMatch(new RegExp(`${list}_merchant_id_mode_`));
      }
  });
});
