import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { comparisonResponseSchema } from "@tillgate/contract";
import { getDigits } from "@tillgate/money";
import { expect, it } from "vitest";
import { z } from "zod";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, api, merchantId } = await createTestApi();

const refund = z.object({
  refund_id: z.string(),
  amount: z.number(),
  applied: z.boolean(),
  fresh: z.boolean(),
});
const shop = z.object({
  status: z.string(),
  payable: z.boolean(),
  paid: z.boolean(),
  total: z.string(),
  currency: z.string(),
  is_tillgate: z.boolean(),
  transaction_id: z.string(),
  fresh: z.boolean(),
  records: z.array(
    z.object({ id: z.int(), amount: z.string(), of: z.string().nullable(), sent: z.string() }),
  ),
});
const payment = z.object({
  tillgate_order: z.string(),
  amount_minor: z.string(),
  currency: z.string(),
  is_current: z.boolean(),
  applied: z.boolean(),
  siblings: z.array(z.string()),
});
const tillgate = z.object({
  status: z.enum(["PENDING", "PAID", "EXPIRED", "CANCELLED", "REFUND_PENDING", "REFUNDED"]),
  amount: z.number(),
  currency: z.string(),
  trx_id: z.string().nullable(),
  refunded_amount: z.number(),
  fresh: z.boolean(),
  refunds: z.array(refund),
});
const expected = z.array(
  z.object({
    subject: z.string(),
    id: z.string(),
    field: z.string(),
    difference: z.string(),
    repair: z.string().nullable(),
    text: z.string(),
  }),
);
const caseSchema = z.object({
  name: z.string(),
  shop: shop.nullable(),
  payment,
  tillgate: tillgate.nullable(),
  expect: expected,
});
const part = z.record(z.string(), z.unknown());
const vectorsSchema = z.object({
  usual: z.object({ shop: part, payment: part, tillgate: part }),
  cases: z.array(
    z.object({
      name: z.string(),
      shop: part.nullable(),
      payment: part,
      tillgate: part.nullable(),
      expect: expected,
    }),
  ),
});
type Tillgate = z.output<typeof tillgate>;

/** Replaces the IDs of a case with unique IDs, because all cases are sent together. */
const withIds = (text: string, index: number): string =>
  text
    .replaceAll("POS-20261121-ABC234", `POS-20261121-C${String(index).padStart(5, "0")}`)
    .replaceAll("TRX-000000123456", `TRX-${String(index).padStart(12, "0")}`)
    .replaceAll(/RF-20261121-XYZ(\d+)/g, `RF-20261121-C${index}X$1`);

const vectors = vectorsSchema.parse(
  JSON.parse(
    readFileSync(new URL("../../../../../plugin/vectors/comparisons.json", import.meta.url), "utf8"),
  ),
);
const cases = vectors.cases.map(({ name, expect: differences, ...each }, index) => {
  const { usual } = vectors;
  const merged = {
    name,
    shop: each.shop && { ...usual.shop, ...each.shop },
    payment: { ...usual.payment, ...each.payment },
    tillgate: each.tillgate && { ...usual.tillgate, ...each.tillgate },
    expect: differences,
  };
  return caseSchema.parse(JSON.parse(withIds(JSON.stringify(merged), index)));
});
type Case = (typeof cases)[number];

const STATUSES = [
  "pending",
  "on-hold",
  "failed",
  "cancelled",
  "processing",
  "completed",
  "refunded",
  "trash",
];
const toCountsAs = ({ status, payable, paid }: z.output<typeof shop>): string =>
  STATUSES.includes(status) ? status : payable ? "pending" : paid ? "processing" : "other";

const toRecorded = ({ payment: { applied }, tillgate: remote }: Case): string => {
  if (!applied || remote === null) return "PENDING";
  return remote.status === "REFUND_PENDING" ? "PAID" : remote.status;
};

const toRow = (each: Case, index: number) => ({
  order_id: each.payment.tillgate_order,
  order_number: String(index),
  order_url: `https://shop.example/orders/${index}`,
  current: each.payment.is_current,
  recorded: toRecorded(each),
  amount: "41.50",
  currency: each.payment.currency,
  other_trx_ids: each.payment.siblings,
  shop_order: each.shop && {
    status: each.shop.status,
    counts_as: toCountsAs(each.shop),
    total: each.shop.total,
    currency: each.shop.currency,
    pays_with_tillgate: each.shop.is_tillgate,
    trx_id: each.shop.transaction_id,
    changed_seconds_ago: each.shop.fresh ? 60 : 86_400,
    refunds: each.shop.records.map(({ id, amount, of, sent }) => ({
      id: String(id),
      amount,
      refund_id: of,
      sent,
    })),
  },
  recorded_refund_ids: (each.tillgate?.refunds ?? [])
    .filter(({ applied }) => applied)
    .map(({ refund_id }) => refund_id),
});

const toMinor = (amount: number, currency: string): number => Math.round(amount * 10 ** getDigits(currency));
const ageOf = (isFresh: boolean): string =>
  `clock_timestamp() - interval '${isFresh ? "1 minute" : "1 day"}'`;

/**
 * Returns SQL that inserts the order and refunds of a case in their last state. Triggers would
 * reject these rows.
 */
function toSql(orderId: string, { status, refunds, ...order }: Tillgate): string {
  const isPaid = !["PENDING", "EXPIRED", "CANCELLED"].includes(status);
  const expiresAt =
    status === "PENDING" ? "clock_timestamp() + interval '1 hour'" : ageOf(!isPaid && order.fresh);
  const payer = isPaid
    ? `${ageOf(order.fresh)}, '${order.trx_id}', '${randomUUID()}', '${randomUUID()}', '${order.currency}', ${toMinor(order.amount, order.currency)}`
    : "NULL, NULL, NULL, NULL, NULL, NULL";
  return [
    `INSERT INTO orders (id, mode, merchant_id, credential_id, token, amount, currency, payment_method, status, state, expires_at,
       paid_at, trx_id, transfer_id, payer_account_id, payer_currency, payer_amount, refunded, refund_pending)
     SELECT '${orderId}', 'sandbox', merchant_id, id, '${orderId}', ${toMinor(order.amount, order.currency)}, '${order.currency}', 'both',
       '${isPaid ? "PAID" : status}', '${status}', ${expiresAt}, ${payer}, ${toMinor(order.refunded_amount, order.currency)}, ${status === "REFUND_PENDING" ? 1 : 0}
     FROM credentials WHERE merchant_id = '${merchantId}' AND mode = 'sandbox' LIMIT 1;`,
    ...refunds.map(
      ({ refund_id, amount, fresh }, index) =>
        `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, transfer_id, created_at, settled_at, payer_amount)
         VALUES ('${refund_id}', 'sandbox', '${merchantId}', '${orderId}', ${toMinor(amount, order.currency)}, '${order.currency}', 'completed', '${randomUUID()}',
           ${ageOf(fresh)} - interval '${index} milliseconds', clock_timestamp(), ${toMinor(amount, order.currency)});`,
    ),
  ].join("\n");
}

it("PUT /comparisons/{day} finds the differences of every case in plugin/vectors/comparisons.json", async () => {
  const orders = cases.flatMap(({ payment: { tillgate_order }, tillgate: remote }) =>
    remote === null ? [] : [toSql(tillgate_order, remote)],
  );
  await sandbox.plantRows(`SET session_replication_role = replica; ${orders.join("\n")}`);
  const response = await api.put("/comparisons/2026-11-21", { orders: cases.map(toRow) });
  expect(response).toMatchObject({ status: 200 });
  const { data } = comparisonResponseSchema.parse(response.body);
  const found = new Map(data.orders.map(({ order_id, differences }) => [order_id, differences]));
  const described = cases.map(({ name, payment: { tillgate_order } }) => ({
    name,
    differences: (found.get(tillgate_order) ?? []).map(({ subject_id: id, kind: difference, ...each }) => ({
      subject: each.subject,
      id,
      field: each.field,
      difference,
      repair: each.repair,
      text: each.text,
    })),
  }));
  expect(described).toEqual(cases.map(({ name, expect: differences }) => ({ name, differences })));
  expect(data.orders.map(({ order_id }) => order_id)).toEqual(
    cases.filter((each) => each.expect.length > 0).map((each) => each.payment.tillgate_order),
  );
});
