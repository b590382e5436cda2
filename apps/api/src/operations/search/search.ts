import { type ConsoleSearchHit, hasRight } from "@tillgate/contract";
import { type OrderModel, type PayoutModel, Prisma, type RefundModel } from "@tillgate/database";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { findNewest, inOrder } from "../../readers/find-keyed-page.js";
import { askFor, ordersMatching, payoutsMatching, refundsMatching } from "../../readers/matching-rows.js";
import { moneyFilters } from "../../readers/money-filters.js";
import type { ConsoleAccess } from "../console/console-access.js";

/** The most hits of one kind. */
const MAX_OF_KIND = 10;
/** An amount as it is shown, without its currency. */
const AMOUNT = /^\d{1,13}(\.\d{1,4})?$/;

/** What `X-Request-Id` says. */
const REQUEST_ID = /^req_[0-9a-f]{32}$/;

/** What was found; amounts in minor units. */
export type SearchHit = Omit<ConsoleSearchHit, "money" | "at"> & {
  amount: bigint | null;
  currency: string | null;
  at: Date;
};

type Listed = { id: string; createdAt: Date; amount: bigint };
const newest = { orderBy: { createdAt: "desc" }, take: MAX_OF_KIND } as const;

const otherSchema = z.object({
  kind: z.enum(["event", "delivery", "endpoint", "credential", "request", "link", "till", "batch"]),
  id: z.string(),
  title: z.string().nullable(),
  status: z.string().nullable(),
  at: z.date(),
});

/** What has an id of its own beside orders, refunds and payouts. Each part is one look into an index. */
const OTHERS = `
  SELECT 'event' AS kind, id, name AS title, NULL AS status, created_at AS at FROM events WHERE id = $3 AND merchant_id = $1 AND mode = $2
  UNION ALL SELECT 'delivery', d.id::text, e.name, d.status::text, d.created_at
    FROM deliveries d JOIN events e ON e.id = d.event_id WHERE d.id = $4 AND e.merchant_id = $1 AND e.mode = $2
  UNION ALL SELECT 'endpoint', id::text, address, NULL, created_at FROM receivers
    WHERE id = $4 AND merchant_id = $1 AND mode = $2 AND removed_at IS NULL
  UNION ALL SELECT 'credential', id::text, client_id, NULL, created_at FROM credentials
    WHERE (id = $4 OR client_id = $3) AND merchant_id = $1 AND mode = $2 AND kind <> 'console' AND $5::boolean
  UNION ALL (SELECT 'request', id::text, method || ' ' || path, NULL, at FROM api_requests
    WHERE request_id = $3 AND merchant_id = $1 AND mode = $2 AND $6::boolean LIMIT 1)
  UNION ALL SELECT 'link', id::text, description, NULL, created_at FROM payment_links
    WHERE (id = $4 OR token = $3) AND merchant_id = $1 AND mode = $2
  UNION ALL SELECT 'till', id::text, name, NULL, created_at FROM tills
    WHERE (id = $4 OR token = $3) AND merchant_id = $1 AND mode = $2 AND $7::boolean
  UNION ALL SELECT 'batch', id::text, name, NULL, created_at FROM payout_batches
    WHERE id = $4 AND merchant_id = $1 AND mode = $2 AND discarded_at IS NULL`;

/**
 * Finds what a merchant's people paste or type: exact ids of every kind first, then of each kind what has the text as its reference or
 * order number, then words of texts, people and amounts, the newest first.
 */
export async function search(
  context: Context,
  { merchantId, mode, role }: ConsoleAccess & MerchantScope,
  typed: string,
): Promise<SearchHit[]> {
  const scope = { merchantId, mode };
  const { prisma } = context.database;
  const text = typed.trim();
  const asked = await askFor(context, scope, text);
  const ofOrders = ordersMatching(context, scope, text, asked);
  const ofRefunds = ofOrders.then((found) => refundsMatching(context, scope, text, { asked, orders: found }));
  const [orders, ofAmount, others, foundOrders, foundRefunds, foundPayouts] = await Promise.all([
    ofOrders,
    ordersOfAmount(context, scope, text),
    rowsOf(context.database.pool, otherSchema, OTHERS, [
      merchantId,
      mode,
      text,
      isIssuedId(text) ? text : null,
      hasRight(role, "credentials.view"),
      hasRight(role, "requests.view"),
      hasRight(role, "tills.use"),
    ]),
    ofOrders.then((ids) =>
      namedFirst(
        ids,
        (id) =>
          prisma.order.findMany({
            where: { id, OR: [{ reference: text }, { orderNumber: text }] },
            ...newest,
          }),
        (id) => prisma.order.findMany({ where: { id }, ...newest }),
      ),
    ),
    ofRefunds.then((ids) =>
      namedFirst(
        ids,
        (id) => prisma.refund.findMany({ where: { id, reference: text }, ...newest }),
        (id) => prisma.refund.findMany({ where: { id }, ...newest }),
      ),
    ),
    payoutsMatching(context, scope, text, asked).then((ids) =>
      namedFirst(
        ids,
        (id) => prisma.payout.findMany({ where: { id, reference: text }, ...newest }),
        (id) => prisma.payout.findMany({ where: { id }, ...newest }),
      ),
    ),
  ]);
  const isExact = (...ids: (string | null)[]) =>
    ids.some((id) => id !== null && id.toLowerCase() === text.toLowerCase());
  // A call that the log still has is what its id names; of any other, what it made or changed.
  const byRequest = REQUEST_ID.test(text) && !others.some(({ kind }) => kind === "request");
  const hits: SearchHit[] = [
    ...others.map((other) => ({ ...other, exact: true, amount: null, currency: null })),
    ...[...foundOrders, ...ofAmount.filter(({ id }) => !orders.includes(id))].map((order) =>
      hitOfOrder(order, byRequest || isExact(order.id, order.trxId, order.token)),
    ),
    ...foundRefunds.map((refund) =>
      hitOfRefund(refund, (byRequest && !orders.includes(refund.orderId)) || isExact(refund.id)),
    ),
    ...foundPayouts.map((payout) => hitOfPayout(payout, byRequest || isExact(payout.id, payout.trxId))),
  ];
  return [...hits.filter(({ exact }) => exact), ...hits.filter(({ exact }) => !exact)];
}

/** The newest orders of an amount, where the text is one. */
async function ordersOfAmount(context: Context, scope: MerchantScope, text: string): Promise<OrderModel[]> {
  if (!AMOUNT.test(text)) return [];
  const { prisma } = context.database;
  const amount = { min_amount: text, max_amount: text };
  const filters = await moneyFilters(context, amount, Prisma.sql`currency`);
  const ids = await findNewest(prisma, { ...scope, kind: "order", filters }, MAX_OF_KIND);
  return inOrder(ids, await prisma.order.findMany({ where: { id: { in: ids } } }));
}

/** The rows that some looks among ids find, in their order: those that the whole text names come before those that only have its words, which may be many and newer. */
async function namedFirst<Row extends { id: string }>(
  ids: string[],
  ...finds: ((among: { in: string[] }) => Promise<Row[]>)[]
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const found = await Promise.all(finds.map((find) => find({ in: ids })));
  return [...new Map(found.flat().map((row) => [row.id, row])).values()].slice(0, MAX_OF_KIND);
}

const hitOf = ({ id, createdAt, amount }: Listed, exact: boolean) => ({ id, exact, at: createdAt, amount });

const hitOfOrder = (order: OrderModel, exact: boolean): SearchHit => ({
  kind: "order",
  ...hitOf(order, exact),
  title: order.reference ?? order.orderNumber ?? order.description,
  status: order.state,
  currency: order.currency,
});

const hitOfRefund = (refund: RefundModel, exact: boolean): SearchHit => ({
  kind: "refund",
  ...hitOf(refund, exact),
  title: refund.reference ?? refund.reason,
  status: refund.status,
  currency: refund.currency,
});

const hitOfPayout = (payout: PayoutModel, exact: boolean): SearchHit => ({
  kind: "payout",
  ...hitOf(payout, exact),
  title: payout.reference,
  status: payout.status,
  currency: payout.senderCurrency,
});
