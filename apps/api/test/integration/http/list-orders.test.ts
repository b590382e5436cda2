import { type OrderList, orderPageResponseSchema } from "@tillgate/contract";
import { beforeAll, expect, it } from "vitest";
import { insertDatedOrders } from "../../../../../scripts/testing/administration.js";
import { createOrder } from "../../support/orders.js";
import { errorOf, fieldError, type PayApi, payApi } from "../../support/requests.js";
import { createTestSandbox } from "../../support/test-api.js";

let api: PayApi;
let other: PayApi;
let ids: string[];

/** Creation times on four UTC days, including the first and last instant of 2 March. */
const CREATED = [
  "2026-03-01T23:59:59.999Z",
  "2026-03-02T00:00:00.000Z",
  "2026-03-02T12:00:00.000Z",
  "2026-03-02T23:59:59.999Z",
  "2026-03-03T00:00:00.000Z",
  "2026-03-05T08:00:00.000Z",
];

const sandbox = await createTestSandbox();
beforeAll(async () => {
  const server = await sandbox.startApi();
  api = payApi(server, sandbox.access.merchant);
  other = payApi(server, sandbox.access.other_merchant);
  const createdItems: string[] = [];
  for (const [i, created] of CREATED.entries())
    createdItems.push(await createdAt(created, { reference: `cart ${i % 2}` }));
  ids = createdItems.reverse();
  await createOrder(other, { reference: "cart 0" });
});

async function createdAt(time: string, fields: Record<string, unknown>): Promise<string> {
  const like = await createOrder(other, fields);
  const id = `POS-${time.slice(0, 10).replaceAll("-", "")}-${like.order_id.slice(-6)}`;
  await sandbox.executeAsSuperuser(
    insertDatedOrders(
      `INSERT INTO orders (id, mode, merchant_id, credential_id, token, amount, currency, payment_method, reference, created_at, expires_at)
       SELECT '${id}', mode, merchant_id, id, '${id}', 4150, 'EUR', 'both', '${like.reference}', '${time}', now() + interval '1 hour'
       FROM credentials WHERE client_id = '${sandbox.access.merchant.client_id}'`,
    ),
  );
  return id;
}

async function list(query: Record<string, string> = {}, from = api): Promise<OrderList> {
  const { status, body, text } = await from.get("/orders", query);
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = orderPageResponseSchema.strict().parse(body);
  expect(response.message.success).toEqual(["Orders retrieved"]);
  expect(response).toEqual(body);
  return response.data;
}
const idsOf = ({ orders }: OrderList): string[] => orders.map(({ order_id }) => order_id);

it("GET /orders lists the newest orders first, with a default page size of twenty, the page number and the total", async () => {
  const page = await list();
  expect(idsOf(page)).toEqual(ids);
  expect(page.pagination).toEqual({ current_page: 1, per_page: 20, total: 6, last_page: 1 });
});

it("GET /orders pages contain every order once, in a consistent sequence", async () => {
  const pages = [await list({ per_page: "4" }), await list({ per_page: "4", page: "2" })];
  expect(pages.flatMap(idsOf)).toEqual(ids);
  expect(pages[1]?.pagination).toEqual({ current_page: 2, per_page: 4, total: 6, last_page: 2 });
});

it("GET /orders lists orders with the same creation time in a stable sequence across pages", async () => {
  const same = "2026-02-01T00:00:00.000Z";
  const created = new Set<string>();
  for (let i = 0; i < 5; i += 1) created.add(await createdAt(same, { reference: "same" }));
  const seen: string[] = [];
  for (let page = 1; page <= 5; page += 1)
    seen.push(...idsOf(await list({ reference: "same", per_page: "1", page: String(page) })));
  expect(seen).toEqual([...created].sort().reverse());
});

it("GET /orders returns an empty page after the last page, and reports the number of the last page", async () => {
  const page = await list({ page: "1000000", per_page: "100" });
  expect(page.orders).toEqual([]);
  expect(page.pagination).toMatchObject({ current_page: 1_000_000, last_page: 1 });
});

it("GET /orders returns one empty page if no order matches", async () => {
  const page = await list({ reference: "nobody's" });
  expect(page).toEqual({
    orders: [],
    pagination: { current_page: 1, per_page: 20, total: 0, last_page: 1 },
    next_cursor: null,
  });
});

it.each([
  [{ from_date: "2026-03-02", to_date: "2026-03-02" }, [1, 2, 3]],
  [{ from_date: "2026-03-03" }, [4, 5]],
  [{ from_date: "2026-03-01", to_date: "2026-03-02" }, [0, 1, 2, 3]],
  [{ from_date: "2026-03-04", to_date: "2026-03-04" }, []],
  [{ from_date: "2026-03-03", to_date: "2026-03-01" }, []],
  [{ from_date: "2024-02-29", to_date: "2024-02-29" }, []],
  [{ from_date: "9999-12-31" }, []],
  [{ to_date: "1970-01-01" }, []],
])("GET /orders filters by whole UTC days, inclusive: %j", async (query, expected) => {
  const page = await list(query);
  const wanted = expected.map((i) => ids[CREATED.length - 1 - i]).reverse();
  expect(idsOf(page)).toEqual(wanted);
  expect(page.pagination.total).toBe(wanted.length);
});

it("GET /orders accepts the first and the last representable day as filters", async () => {
  expect((await list({ from_date: "0001-01-01", to_date: "9999-12-31" })).pagination.total).toBe(11);
  expect((await list({ to_date: "9999-12-31" })).pagination.total).toBe(11);
  expect((await list({ from_date: "0001-01-01" })).pagination.total).toBe(11);
});

it("GET /orders filters by exact reference, by status, and by both", async () => {
  const byReference = await list({ reference: "cart 1" });
  expect(byReference.pagination.total).toBe(3);
  expect(new Set(byReference.orders.map(({ reference }) => reference))).toEqual(new Set(["cart 1"]));
  expect((await list({ reference: "cart" })).pagination.total).toBe(0);
  expect((await list({ reference: "CART 1" })).pagination.total).toBe(0);
  expect((await list({ reference: "cart %" })).pagination.total).toBe(0);

  const cancelled = ids[0] ?? "";
  await api.post(`/orders/${cancelled}/cancel`);
  expect(idsOf(await list({ status: "CANCELLED" }))).toEqual([cancelled]);
  expect((await list({ status: "PENDING", from_date: "2026-03-01" })).pagination.total).toBe(5);
  expect(idsOf(await list({ status: "CANCELLED", reference: "cart 1" }))).toEqual([cancelled]);
  expect(idsOf(await list({ status: "CANCELLED", reference: "cart 0" }))).toEqual([]);
  expect((await list({ status: "REFUNDED" })).orders).toEqual([]);
});

it("GET /orders reports the number of matching orders as total, with and without filters", async () => {
  for (const query of [{}, { status: "PENDING" }, { from_date: "2026-03-02" }, { to_date: "2026-03-02" }]) {
    const { orders, pagination } = await list({ ...query, per_page: "100" });
    expect(pagination.total).toBe(orders.length);
  }
});

it("GET /orders lists only the merchant's orders", async () => {
  const mine = new Set(idsOf(await list({ per_page: "100" })));
  const theirs = idsOf(await list({ per_page: "100" }, other));
  expect(theirs.length).toBeGreaterThan(0);
  expect(theirs.filter((id) => mine.has(id))).toEqual([]);
});

const wholeNumber = (max: number) => `must be a whole number from 1 to ${max}`;
const aDate = "must be a date (YYYY-MM-DD)";
const aStatus = "must be one of PENDING, PAID, EXPIRED, CANCELLED, REFUND_PENDING, REFUNDED";

it.each([
  ["status=paid", "status", aStatus],
  ["status=", "status", aStatus],
  ["status=PAID&status=PAID", "status", aStatus],
  ["status=toString", "status", aStatus],
  ["page=0", "page", wholeNumber(1_000_000)],
  ["page=-1", "page", wholeNumber(1_000_000)],
  ["page=1.5", "page", wholeNumber(1_000_000)],
  ["page=1e1", "page", wholeNumber(1_000_000)],
  ["page=", "page", wholeNumber(1_000_000)],
  ["page=1000001", "page", wholeNumber(1_000_000)],
  ["page=99999999999999999999", "page", wholeNumber(1_000_000)],
  ["page=1&page=2", "page", wholeNumber(1_000_000)],
  ["per_page=0", "per_page", wholeNumber(100)],
  ["per_page=101", "per_page", wholeNumber(100)],
  ["per_page=ten", "per_page", wholeNumber(100)],
  ["from_date=2026-02-30", "from_date", aDate],
  ["from_date=2026-13-01", "from_date", aDate],
  ["from_date=2025-02-29", "from_date", aDate],
  ["from_date=0000-01-01", "from_date", aDate],
  ["from_date=20260301", "from_date", aDate],
  ["from_date=2026-03-01T00:00:00Z", "from_date", aDate],
  ["from_date=", "from_date", aDate],
  ["to_date=yesterday", "to_date", aDate],
  ["to_date=%2B10000-01-01", "to_date", aDate],
  ["to_date=2026-03-01&to_date=2026-03-02", "to_date", aDate],
  ["reference=a%00b", "reference", "must not contain NUL characters or invalid Unicode"],
  ["reference=a&reference=b", "reference", "must be given once"],
  [`reference=${"a".repeat(256)}`, "reference", "must not be longer than 255 characters"],
])("GET /orders rejects %s and reports the parameter", async (query, field, rest) => {
  expect(errorOf(await api.get(`/orders?${query}`))).toEqual(fieldError(field, rest));
});

it("GET /orders ignores unknown parameters, including names from Object.prototype", async () => {
  const { status } = await api.get(
    "/orders?__proto__=x&constructor=y&hasOwnProperty=1&foo[bar]=2&%ff=%&merchant_id=1&per_page=1",
  );
  expect(status).toBe(200);
  expect((await list({ per_page: "100" })).orders.length).toBeGreaterThan(1);
});
