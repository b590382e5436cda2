import { request } from "node:http";
import {
  addDays,
  type Comparison,
  type ComparisonInput,
  comparisonResponseSchema,
  MAX_COMPARED_ORDERS,
  MAX_COMPARED_REFUNDS,
  MAX_COMPARED_SHOPS,
  MAX_COMPARISON_BODY_BYTES,
  MAX_MERCHANT_DIFFERENCES,
  MAX_SHOP_DIFFERENCES,
  toLocalDay,
  UTC,
} from "@tillgate/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_COMPARISONS, MAX_COMPARISONS_PER_MERCHANT } from "../../../src/http/pay/comparisons.js";
import { reserveSlot } from "../../../src/platform/slots.js";
import { createOrder, makeOverdue } from "../../support/orders.js";
import { addCredential, addLiveCredential } from "../../support/parties.js";
import { errorCodeOf, errorOf, fieldError, type PayApi, payApi, send } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const { sandbox, server, api, merchantId } = await createTestApi({
  environment: { TILLGATE_PAY_REQUESTS_PER_MINUTE: "100000", TILLGATE_CREDENTIAL_CACHE_MS: "0" },
});
const { pool, prisma } = sandbox.database;

const DAY = toLocalDay(new Date(), UTC);
const SITE = "shop.example; id=0123abcd";

type Order = ComparisonInput["orders"][number];
type ShopOrder = NonNullable<Order["shop_order"]>;

/** Builds the row of a shop order that matches a paid order of 41.50 EUR in all but the transaction ID. */
const orderOf = (
  order_id: string,
  { shop, ...fields }: Partial<Order> & { shop?: Partial<ShopOrder> } = {},
) => ({
  order_id,
  order_number: "1001",
  order_url: "https://shop.example/orders/1001",
  current: true,
  recorded: "PAID",
  amount: "41.50",
  currency: "EUR",
  other_trx_ids: [],
  recorded_refund_ids: [],
  ...fields,
  shop_order: {
    status: "processing",
    counts_as: "processing",
    total: "41.50",
    currency: "EUR",
    pays_with_tillgate: true,
    changed_seconds_ago: 86_400,
    refunds: [],
    ...shop,
  },
});

/** Builds the row of a shop order that Tillgate does not have, which is a difference. */
const missing = (number: number) => orderOf(`POS-20261121-M${number}`, { order_number: String(number) });

type CallOptions = { of?: PayApi; day?: string; site?: string };
const put = (body: unknown, { of = api, day = DAY, site = SITE }: CallOptions = {}) =>
  of.put(`/comparisons/${day}`, body, { "tillgate-site": site });

async function compare(body: unknown, options?: CallOptions): Promise<Comparison["orders"]> {
  const { status, text, body: response } = await put(body, options);
  expect({ status, text }).toMatchObject({ status: 200 });
  return comparisonResponseSchema.parse(response).data.orders;
}

const kindsOf = (orders: Comparison["orders"]) =>
  orders.map(({ order_id, differences }) => [order_id, differences.map(({ kind }) => kind)]);

const stored = async (site = SITE) =>
  (
    await prisma.shopDifference.findMany({ where: { site }, orderBy: [{ orderId: "asc" }, { kind: "asc" }] })
  ).map(({ orderId, kind }) => `${orderId} ${kind}`);
const runOf = (site = SITE) => prisma.shopComparison.findFirst({ where: { site } });

async function pay(): Promise<{ orderId: string; trxId: string }> {
  const { order_id: orderId } = await createOrder(api);
  const { body } = await api.post(`/orders/${orderId}/simulate`, { outcome: "paid" });
  return { orderId, trxId: (body as { data: { trx_id: string } }).data.trx_id };
}

beforeEach(() => pool.query("DELETE FROM shop_comparisons"));

describe("PUT /comparisons/{day}", () => {
  it("returns an order's differences with text, advice and values, and stores them with the shop's order number and URL", async () => {
    const { orderId, trxId } = await pay();
    const agreeing = await pay();
    const found = await compare({
      orders: [
        orderOf(agreeing.orderId, { shop: { trx_id: agreeing.trxId } }),
        orderOf(orderId, { shop: { trx_id: trxId, total: "60.00" } }),
      ],
      progress: { compared: 2, skipped: 0, completed: true },
    });
    expect(found).toEqual([
      {
        order_id: orderId,
        differences: [
          {
            subject: "order",
            subject_id: orderId,
            field: "amount",
            kind: "amount_differs",
            repair: null,
            text: "The order total in the shop is 60.00 EUR, but 41.50 EUR was paid in Tillgate.",
            advice: "Refund the excess, or ask the customer to pay the rest.",
            values: { store_total: "60.00 EUR", amount: "41.50 EUR" },
            accepted: false,
          },
        ],
      },
    ]);
    const [difference, ...others] = await prisma.shopDifference.findMany({ where: { site: SITE } });
    expect(others).toEqual([]);
    expect(difference).toMatchObject({
      ...{ merchantId, mode: "sandbox", orderId, orderNumber: "1001" },
      ...{ orderUrl: "https://shop.example/orders/1001", kind: "amount_differs" },
      textValues: { store_total: "60.00 EUR", amount: "41.50 EUR" },
    });
  });

  it("does not report a payment made in the last few minutes that the shop has not applied yet, but reports an order that is unpaid in the shop after the payment was applied", async () => {
    const { orderId } = await pay();
    const pending = { status: "pending", counts_as: "pending" } as const;
    expect(await compare({ orders: [orderOf(orderId, { recorded: "PENDING", shop: pending })] })).toEqual([]);
    const [order] = kindsOf(await compare({ orders: [orderOf(orderId, { shop: pending })] }));
    expect(order).toEqual([orderId, ["paid_shop_unpaid"]]);
  });

  it("counts a pending order past its expiry as expired, without changing it", async () => {
    const { order_id: orderId } = await createOrder(api);
    await makeOverdue(sandbox, orderId);
    const found = await compare({ orders: [orderOf(orderId, { recorded: "EXPIRED" })] });
    expect(kindsOf(found)).toEqual([[orderId, ["unpaid_shop_paid"]]]);
    expect(await prisma.order.findUnique({ where: { id: orderId } })).toMatchObject({ status: "PENDING" });
  });

  it("reports a cancellation that the shop has not applied, but only after a few minutes, even before the order's expiry", async () => {
    const { order_id: orderId } = await createOrder(api);
    await api.post(`/orders/${orderId}/cancel`);
    const sent = { orders: [orderOf(orderId, { recorded: "PENDING" })] };
    expect(await compare(sent)).toEqual([]);
    await sandbox.executeAsSuperuser(
      `SET session_replication_role = replica; UPDATE events SET created_at = created_at - interval '10 minutes' WHERE order_id = '${orderId}'`,
    );
    expect(kindsOf(await compare(sent))).toEqual([[orderId, ["unpaid_shop_paid"]]]);
  });

  it("matches a shop's refund to Tillgate's refund by ID, by reference, and by an ID in its reason", async () => {
    const { orderId, trxId } = await pay();
    const refund = async (reference: string): Promise<string> => {
      const fields = { transaction_id: trxId, amount: 1, reference };
      return ((await api.post("/refunds", fields)).body as { data: { refund_id: string } }).data.refund_id;
    };
    const [byId, byReference, byReason] = [await refund("a"), await refund("b"), await refund("c")];
    const refunds = [
      { id: "1", amount: "1.00", sent: "completed", refund_id: byId, reference: "b" },
      { id: "2", amount: "1.00", sent: "calling", reference: "b" },
      { id: "3", amount: "1.00", sent: "no", mentioned_refund_id: byReason },
    ];
    const row = orderOf(orderId, { shop: { trx_id: trxId, refunds: refunds as ShopOrder["refunds"] } });
    expect(await compare({ orders: [row] })).toEqual([]);
    row.shop_order.refunds = row.shop_order.refunds.filter(({ id }) => id !== "2");
    row.recorded_refund_ids = [byReference];
    const [found] = await compare({ orders: [row] });
    expect(found?.differences).toMatchObject([
      { kind: "refund_missing_in_shop", subject_id: byReference, repair: "record_refund" },
    ]);
  });

  it("reports orders of another merchant or mode as missing at Tillgate", async () => {
    const { orderId } = await pay();
    const rival = payApi(server, sandbox.access.other_merchant);
    const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
    for (const of of [rival, live])
      expect(kindsOf(await compare({ orders: [orderOf(orderId)] }, { of }))).toEqual([
        [orderId, ["missing_at_tillgate"]],
      ]);
  });
});

describe("a comparison run", () => {
  const call = (numbers: number[], compared: number, completed = false, skipped: string[] = []) => ({
    orders: numbers.map(missing),
    skipped_orders: skipped,
    progress: { compared, skipped: skipped.length, completed },
  });

  it("keeps only the differences that it found and the earlier differences of skipped orders", async () => {
    await compare(call([1, 2, 3], 3, true));
    const before = await prisma.shopDifference.findFirstOrThrow({ where: { orderId: "POS-20261121-M1" } });
    await compare(call([1], 1));
    await compare(call([], 1, false, ["POS-20261121-M2"]));
    expect(await stored()).toHaveLength(3);
    await compare({ orders: [missing(4)], progress: { compared: 2, skipped: 1, completed: true } });
    expect(await stored()).toEqual([1, 2, 4].map((number) => `POS-20261121-M${number} missing_at_tillgate`));
    const { foundAt, lastSentAt } = await prisma.shopDifference.findFirstOrThrow({
      where: { orderId: "POS-20261121-M1" },
    });
    expect(foundAt).toEqual(before.foundAt);
    expect(lastSentAt.getTime()).toBeGreaterThan(before.lastSentAt.getTime());
  });

  it("continues where it was interrupted, and counts a repeated call once", async () => {
    await compare(call([1], 1));
    const first = await runOf();
    expect(first).toMatchObject({ compared: 1, completedAt: null });
    await compare(call([2], 2));
    await compare(call([2], 2));
    await compare(call([3], 3, true));
    await compare(call([3], 3, true));
    const last = await runOf();
    expect(last).toMatchObject({ compared: 3, skipped: 0, startedAt: first?.startedAt });
    expect(last?.completedAt).not.toBeNull();
    expect(await stored()).toHaveLength(3);
    await compare(call([5], 1));
    const next = await runOf();
    expect(next).toMatchObject({ compared: 1, completedAt: last?.completedAt, createdAt: first?.createdAt });
    expect(next?.startedAt.getTime()).toBeGreaterThan(last?.completedAt?.getTime() ?? 0);
  });

  it("of a shop that was removed during the run does not add the shop again; the next run does", async () => {
    await compare(call([1], 1));
    await pool.query("DELETE FROM shop_comparisons");
    expect(await compare(call([2], 2))).toHaveLength(1);
    await compare(call([], 2, true));
    expect(await runOf()).toBeNull();
    await compare(call([1], 1));
    await compare(call([2], 2, true));
    expect(await runOf()).toMatchObject({ compared: 2 });
    expect(await stored()).toHaveLength(2);
  });

  it("keeps its progress when individual orders are compared; only the differences of those orders are replaced", async () => {
    await compare(call([1, 2], 2, true));
    const { orderId, trxId } = await pay();
    await compare({ orders: [orderOf(orderId, { shop: { trx_id: trxId, total: "60.00" } })] });
    expect(await stored()).toHaveLength(3);
    await compare({ orders: [orderOf(orderId, { shop: { trx_id: trxId } })] });
    expect(await stored()).toHaveLength(2);
    expect(await runOf()).toMatchObject({ compared: 2 });
  });

  it("gives a difference a new date when its kind changes", async () => {
    const { orderId, trxId } = await pay();
    const saved = () => prisma.shopDifference.findFirstOrThrow({ where: { orderId } });
    const progress = { compared: 1, skipped: 0, completed: true };
    await compare({
      orders: [orderOf(orderId, { shop: { status: "pending", counts_as: "pending" } })],
      progress,
    });
    const first = await saved();
    await compare({
      orders: [orderOf(orderId, { shop: { status: "trash", counts_as: "trash", trx_id: trxId } })],
      progress,
    });
    const second = await saved();
    expect([first.kind, second.kind]).toEqual(["paid_shop_unpaid", "paid_shop_deleted"]);
    expect(second.foundAt.getTime()).toBeGreaterThan(first.foundAt.getTime());
  });

  it("is required before the differences of individual orders are stored", async () => {
    expect(await compare({ orders: [missing(1)] })).toHaveLength(1);
    expect(await runOf()).toBeNull();
  });

  it("is rejected for a day earlier than that of the stored run or later than tomorrow", async () => {
    await compare(call([1], 1, true));
    const yesterday = errorOf(await put(call([2], 1), { day: addDays(DAY, -1) }));
    expect(yesterday).toEqual(
      fieldError("day", "must not be earlier than the day of the shop's last comparison"),
    );
    const later = errorOf(await put(call([2], 1), { day: addDays(DAY, 2) }));
    expect(later).toEqual(fieldError("day", "must not be later than tomorrow"));
    expect(await stored()).toEqual(["POS-20261121-M1 missing_at_tillgate"]);
    await compare(call([2], 1, true), { day: addDays(DAY) });
    expect(await stored()).toEqual(["POS-20261121-M2 missing_at_tillgate"]);
  });

  it("belongs to the site in the header, or to the key if the header does not contain a valid site", async () => {
    const other = "other.example/de; id=4567cdef";
    await compare(call([1], 1, true));
    await compare(call([2], 1, true), { site: other });
    await compare(call([3], 1, true), { site: "not a site" });
    const keyName = `key ${sandbox.access.merchant.client_id}`;
    expect(await Promise.all([stored(), stored(other), stored(keyName)])).toEqual([
      ["POS-20261121-M1 missing_at_tillgate"],
      ["POS-20261121-M2 missing_at_tillgate"],
      ["POS-20261121-M3 missing_at_tillgate"],
    ]);
  });

  it("removes the run of the shop's old address once that address has sent no data for two days", async () => {
    const moved = "new.example; id=0123abcd";
    await compare(call([1], 1, true));
    await compare(call([1], 1, true), { site: moved });
    expect(await runOf()).not.toBeNull();
    await pool.query(
      "UPDATE shop_comparisons SET last_sent_at = last_sent_at - interval '49 hours' WHERE site = $1",
      [SITE],
    );
    await compare(call([1], 1, true), { site: "unrelated.example" });
    expect(await runOf()).not.toBeNull();
    await compare(call([1], 1, true), { site: moved });
    expect(await runOf()).toBeNull();
    expect(await stored()).toEqual([]);
  });

  it("replaces the run of the longest inactive shop if the limit on shops is reached", async () => {
    await pool.query(
      `INSERT INTO shop_comparisons (merchant_id, mode, site, credential_id, day, compared, skipped, last_sent_at)
       SELECT merchant_id, mode, 'shop-' || n, id, $2, 0, 0, clock_timestamp() - n * interval '1 minute'
       FROM credentials, generate_series(1, $3::int) AS n WHERE client_id = $1`,
      [sandbox.access.merchant.client_id, DAY, MAX_COMPARED_SHOPS],
    );
    await compare(call([1], 1));
    const sites = (await prisma.shopComparison.findMany()).map(({ site }) => site);
    expect(sites).toHaveLength(MAX_COMPARED_SHOPS);
    expect(sites).toContain(SITE);
    expect(sites).not.toContain(`shop-${MAX_COMPARED_SHOPS}`);
  });

  it("stores the differences of concurrent calls", async () => {
    await compare(call([0], 1));
    await Promise.all(
      [1, 2].map((number) =>
        compare({ orders: [missing(number)], progress: { compared: 3, skipped: 0, completed: false } }),
      ),
    );
    expect(await stored()).toHaveLength(3);
  });
});

describe("a difference that the shop marked as correct", () => {
  const progress = { compared: 1, skipped: 0, completed: true };
  const differing = async () => {
    const { orderId, trxId } = await pay();
    const shop = { trx_id: trxId, total: "60.00" };
    const [found] = await compare({ orders: [orderOf(orderId, { shop })], progress });
    const [difference] = found?.differences ?? [];
    if (difference === undefined) throw new Error("the comparison found no difference");
    const { subject, subject_id, field, kind, text } = difference;
    return { orderId, shop, accepted: { subject, subject_id, field, kind, text } };
  };

  it("is returned as accepted and not stored, until the shop removes the mark", async () => {
    const { orderId, shop, accepted } = await differing();
    const also = { shop: { ...shop, currency: "USD" }, accepted: [accepted] };
    for (const more of [{}, { progress }]) {
      const [found] = await compare({ orders: [orderOf(orderId, { shop, accepted: [accepted] })], ...more });
      expect(found?.differences).toMatchObject([{ kind: "amount_differs", accepted: true }]);
      expect(await stored()).toEqual([]);
    }
    await compare({ orders: [orderOf(orderId, also)] });
    expect(await stored()).toEqual([`${orderId} currency_differs`]);
    const [found] = await compare({ orders: [orderOf(orderId, { shop })] });
    expect(found?.differences).toMatchObject([{ accepted: false }]);
    expect(await stored()).toEqual([`${orderId} amount_differs`]);
  });

  it("is reported as a difference again if its amount or any other field changes", async () => {
    const { orderId, shop, accepted } = await differing();
    const changes: Partial<typeof accepted>[] = [
      { subject: "record" },
      { subject_id: "POS-1" },
      { field: "state" },
      { kind: "currency_differs" },
      { text: accepted.text.replace("60", "61") },
    ];
    for (const change of changes) {
      const row = orderOf(orderId, { shop, accepted: [{ ...accepted, ...change }] });
      const [found] = await compare({ orders: [row] });
      expect(found?.differences, JSON.stringify(change)).toMatchObject([{ accepted: false }]);
    }
    const now = { shop: { ...shop, total: "61.00" }, accepted: [accepted] };
    const [found] = await compare({ orders: [orderOf(orderId, now)] });
    expect(found?.differences).toMatchObject([{ kind: "amount_differs", accepted: false }]);
    expect(await stored()).toEqual([`${orderId} amount_differs`]);
  });

  it("is rejected if it has an unknown field, an unknown kind or overlong text, or if the order has more than 100 such differences", async () => {
    const { orderId, shop, accepted } = await differing();
    const errorOfRow = async (...entries: object[]) =>
      errorOf(await put({ orders: [{ ...orderOf(orderId, { shop }), accepted: entries }] }));
    const at = (name: string) => `orders.0.accepted.0.${name}`;
    expect(await errorOfRow({ ...accepted, values: {} })).toEqual(fieldError(at("values"), "is unknown"));
    expect(await errorOfRow({ ...accepted, text: "x".repeat(10_001) })).toEqual(
      fieldError(at("text"), "must not be longer than 10000 characters"),
    );
    expect((await errorOfRow({ ...accepted, kind: "other" })).fields).toHaveProperty([at("kind")]);
    expect(await errorOfRow(...Array(101).fill(accepted))).toEqual(
      fieldError("orders.0.accepted", "must not have more than 100 entries"),
    );
    const full = { shop, accepted: Array(100).fill({ ...accepted, text: "x".repeat(10_000) }) };
    expect(await compare({ orders: [orderOf(orderId, full)] })).toHaveLength(1);
  });
});

describe("a comparison's limits", () => {
  const many = (count: number) => Array.from({ length: count }, (_, number) => missing(number));

  it(`are ${MAX_COMPARED_ORDERS} orders per call, and the same number of stored differences per shop`, async () => {
    const progress = { compared: MAX_COMPARED_ORDERS, skipped: 0, completed: false };
    // At the second call, all the differences are already stored.
    for (const _time of [1, 2])
      expect(await compare({ orders: many(MAX_COMPARED_ORDERS), progress })).toHaveLength(
        MAX_COMPARED_ORDERS,
      );
    expect(await prisma.shopDifference.count()).toBe(MAX_SHOP_DIFFERENCES);
    const { orderId, trxId } = await pay();
    const another = orderOf(orderId, { shop: { trx_id: trxId, total: "60.00" } });
    expect(await compare({ orders: [another, missing(7)] })).toHaveLength(2);
    expect(await prisma.shopDifference.count()).toBe(MAX_SHOP_DIFFERENCES);
    expect(await prisma.shopDifference.count({ where: { orderId } })).toBe(0);
    expect(errorOf(await put({ orders: many(MAX_COMPARED_ORDERS + 1) }))).toEqual(
      fieldError("orders", `must not have more than ${MAX_COMPARED_ORDERS} entries`),
    );
  });

  it(`are ${MAX_COMPARED_REFUNDS} refunds per call`, async () => {
    const refunds = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ id: String(id), amount: "1.00", sent: "no" }) as const);
    const full = Array.from({ length: MAX_COMPARED_REFUNDS / 100 }, (_, number) =>
      orderOf(`POS-20261121-F${number}`, { shop: { refunds: refunds(100) } }),
    );
    expect((await put({ orders: full })).status).toBe(200);
    const more = orderOf("POS-20261121-MORE", { shop: { refunds: refunds(1) } });
    expect(errorOf(await put({ orders: [...full, more] }))).toEqual(
      fieldError("orders", `must not have more than ${MAX_COMPARED_REFUNDS} refunds in all`),
    );
  });

  it(`are ${MAX_MERCHANT_DIFFERENCES} stored differences per merchant and mode`, async () => {
    const progress = { compared: 1, skipped: 0, completed: false };
    await compare({ orders: [missing(1)], progress });
    const columns = "merchant_id, mode, site, order_number, subject, subject_id, field, kind, text_values";
    await pool.query(
      `INSERT INTO shop_differences (${columns}, order_id) SELECT ${columns}, 'POS-' || number FROM shop_differences, generate_series(1, $1::int) AS number`,
      [MAX_MERCHANT_DIFFERENCES - 2],
    );
    for (const stored of [1, 0]) {
      await compare({ orders: [missing(1)], progress }, { site: `other-${stored}.example` });
      expect(await prisma.shopDifference.count({ where: { site: `other-${stored}.example` } })).toBe(stored);
    }
  });

  it("include the size of the body", async () => {
    const rest = JSON.stringify({ orders: [], note: "" }).length;
    const body = (bytes: number) => ({ orders: [], note: "x".repeat(bytes - rest) });
    expect(errorOf(await put(body(MAX_COMPARISON_BODY_BYTES)))).toEqual(fieldError("note", "is unknown"));
    expect((await put(body(MAX_COMPARISON_BODY_BYTES + 1))).status).toBe(413);
  });

  it("include the length of strings and lists", async () => {
    const at = (field: string, value: unknown, inShop = false) =>
      inShop ? orderOf("POS-1", { shop: { [field]: value } }) : { ...orderOf("POS-1"), [field]: value };
    const cases: [ok: unknown, tooLong: unknown, field: string, rest: string][] = [
      [
        at("order_number", "1".repeat(64)),
        at("order_number", "1".repeat(65)),
        "order_number",
        "must not be longer than 64 characters",
      ],
      [
        at("status", "é".repeat(64), true),
        at("status", "é".repeat(65), true),
        "shop_order.status",
        "must not be longer than 64 characters",
      ],
      [
        at("order_url", `https://x.example/${"a".repeat(482)}`),
        at("order_url", `https://x.example/${"a".repeat(483)}`),
        "order_url",
        "must not be longer than 500 characters",
      ],
      [
        at("other_trx_ids", Array(100).fill("T")),
        at("other_trx_ids", Array(101).fill("T")),
        "other_trx_ids",
        "must not have more than 100 entries",
      ],
    ];
    for (const [ok, tooLong, field, rest] of cases) {
      expect((await put({ orders: [ok] })).status).toBe(200);
      expect(errorOf(await put({ orders: [ok, tooLong] })).fields).toMatchObject({
        [`orders.1.${field}`]: [`The orders.1.${field} field ${rest}`],
      });
    }
  });

  it("do not allow unknown fields, repeated IDs, a total below the call's number of orders, an invalid day, or anything but an object", async () => {
    const twice = { orders: [missing(1), missing(1)] };
    const skippedToo = { orders: [missing(1)], skipped_orders: ["POS-20261121-M1"] };
    for (const body of [twice, skippedToo])
      expect(errorOf(await put(body))).toEqual(fieldError("orders", "must not have an ID twice"));
    const record = { id: "1", amount: "1.00", sent: "no" as const };
    expect(
      errorOf(await put({ orders: [orderOf("POS-1", { shop: { refunds: [record, record] } })] })),
    ).toEqual(fieldError("orders.0.shop_order.refunds", "must not have an ID twice"));
    expect(errorOf(await put({ orders: [{ ...missing(1), email: "ada@example.com" }] }))).toEqual(
      fieldError("orders.0.email", "is unknown"),
    );
    const progress = { compared: 1, skipped: 0, completed: false };
    expect(errorOf(await put({ orders: [missing(1), missing(2)], progress }))).toEqual(
      fieldError("progress.compared", "must include the orders of this call"),
    );
    for (const body of [null, [], "x"])
      expect(errorOf(await put(body)).fields).toEqual({ body: ["The body must be a JSON object"] });
    expect(errorOf(await put({ orders: [] }, { day: "2026-02-30" }))).toEqual(
      fieldError("day", "must be a date (YYYY-MM-DD)"),
    );
  });

  it("allow 100 fields in a validation error, each named with the order's position", async () => {
    const { fields = {} } = errorOf(await put({ orders: [...many(300), ...Array(300).fill({})] }));
    const names = Object.keys(fields);
    expect(names).toHaveLength(100);
    expect(names[0]).toBe("orders.300.order_id");
  });
});

describe("PUT /comparisons/{day}", () => {
  const LARGE = JSON.stringify({ orders: [], note: "x".repeat(1024 * 1024) });

  it("authenticates the caller before reading the body", async () => {
    const authorization = `Basic ${Buffer.from("nobody:nothing").toString("base64")}`;
    for (const body of [LARGE, "{"]) {
      const headers = { authorization, "content-type": "application/json" };
      expect((await send(url, { method: "PUT", headers, body })).status).toBe(401);
    }
  });

  it("requires an active merchant's key with permission to read and write orders", async () => {
    const withKey = async (permissions: Parameters<typeof addCredential>[3]) =>
      payApi(server, await addCredential(sandbox, merchantId, "sandbox", permissions));
    const codeOf = async (of: PayApi) => errorCodeOf(await put({ orders: [] }, { of })).code;
    expect(await codeOf(await withKey({ readOnly: true }))).toBe("read_only_credential");
    expect((await put({ orders: [] }, { of: await withKey({ orderOnly: true }) })).status).toBe(200);
    expect(await codeOf(await withKey({ reportsOnly: true }))).toBe("reports_only_credential");
    await pool.query("UPDATE merchants SET suspended_at = now() WHERE id = $1", [merchantId]);
    try {
      expect(await codeOf(api)).toBe("merchant_suspended");
    } finally {
      await pool.query("UPDATE merchants SET suspended_at = NULL WHERE id = $1", [merchantId]);
    }
  });

  const { comparisons } = server.context.memory;
  const countSlots = (): number => comparisons.get("all") ?? 0;
  const headersOf = ({ client_id, client_secret }: typeof sandbox.access.merchant) => ({
    authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`,
    "content-type": "application/json",
  });
  const url = `${server.url}/pay/sandbox/api/v1/comparisons/${DAY}`;

  /** Sends the head of a call, and holds back its body. @returns the function that ends the call */
  async function hold(credential: typeof sandbox.access.merchant): Promise<() => Promise<void>> {
    const before = countSlots();
    const headers = { ...headersOf(credential), "content-length": "100" };
    const held = request(url, { method: "PUT", headers });
    held.on("error", () => undefined).flushHeaders();
    await waitUntil("the call has a slot", async () => countSlots() > before);
    return async () => {
      held.destroy();
      await waitUntil("the slot is free", async () => countSlots() === before);
    };
  }

  it(`rejects more than ${MAX_COMPARISONS_PER_MERCHANT} concurrent calls of a merchant with 429, before reading the body`, async () => {
    const endFirst = await hold(sandbox.access.merchant);
    expect((await put({ orders: [] })).status).toBe(200);
    const endSecond = await hold(sandbox.access.merchant);
    const headers = headersOf(sandbox.access.merchant);
    const rejected = await send(url, { method: "PUT", headers, body: LARGE });
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "1"]);
    const rival = payApi(server, sandbox.access.other_merchant);
    expect((await put({ orders: [] }, { of: rival })).status).toBe(200);
    await endSecond();
    expect((await put({ orders: [] })).status).toBe(200);
    await endFirst();
    expect(comparisons.size).toBe(0);
  });

  it(`rejects more than ${MAX_COMPARISONS} concurrent calls of all merchants with 503, before reading the body`, async () => {
    const releases = Array.from({ length: MAX_COMPARISONS - 1 }, () =>
      reserveSlot(comparisons, "all", MAX_COMPARISONS),
    );
    expect((await put({ orders: [] })).status).toBe(200);
    const end = await hold(sandbox.access.other_merchant);
    const headers = headersOf(sandbox.access.merchant);
    const rejected = await send(url, { method: "PUT", headers, body: LARGE });
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([503, "2"]);
    await end();
    expect((await put({ orders: [] })).status).toBe(200);
    for (const release of releases) release?.();
    expect(comparisons.size).toBe(0);
  });

  it("is the only method allowed: GET gets 405 and Allow: PUT", async () => {
    const response = await api.get(`/comparisons/${DAY}`);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "PUT"]);
  });
});
