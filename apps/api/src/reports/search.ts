import { type ConsoleSearchHit, type ConsoleSearchResponse, hasRight } from "@tillgate/contract";
import type { OrderModel, PayoutModel, RefundModel } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import type { ConsoleAccess } from "../identity/console/access.js";
import type { MerchantScope } from "../identity/credentials/authenticate.js";
import { consoleStatus } from "../money/orders/list.js";
import { matchOrders, matchPayouts, matchRefunds, parseSearch } from "../pagination/matching-rows.js";
import { isIssuedId } from "../platform/ids.js";

const MAX_OF_KIND = 10;

/** The format of `X-Request-Id`. */
const REQUEST_ID = /^req_[0-9a-f]{32}$/;

/** `amount` is in minor units. */
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
  exact: z.boolean(),
});

/** Matches the search words against names, among the newest rows of a table. */
const NAMED = `ORDER BY created_at DESC, id DESC LIMIT 1000) AS newest
  WHERE search_words(NULL::uuid, mode, ARRAY[name]) @@ $8::tsquery ORDER BY created_at DESC LIMIT ${MAX_OF_KIND}`;

/** Each part looks up an ID, or reads a table's newest rows, by index. */
const OTHERS = `
  SELECT 'event' AS kind, id, name AS title, NULL AS status, created_at AS at, true AS exact FROM events WHERE id = $3 AND merchant_id = $1 AND mode = $2
  UNION ALL SELECT 'delivery', d.id::text, e.name, d.status::text, d.created_at, true
    FROM deliveries d JOIN events e ON e.id = d.event_id WHERE d.id = $4 AND e.merchant_id = $1 AND e.mode = $2
  UNION ALL SELECT 'endpoint', id::text, address, NULL, created_at, true FROM receivers
    WHERE (id = $4 OR address = $3) AND merchant_id = $1 AND mode = $2 AND removed_at IS NULL
  UNION ALL SELECT 'credential', id::text, client_id, NULL, created_at, true FROM credentials
    WHERE (id = $4 OR client_id = $3) AND merchant_id = $1 AND mode = $2 AND kind <> 'console' AND $5::boolean
  UNION ALL (SELECT 'request', id::text, method || ' ' || path, NULL, at, true FROM api_requests
    WHERE request_id = $3 AND merchant_id = $1 AND mode = $2 AND $6::boolean LIMIT 1)
  UNION ALL SELECT 'link', id::text, description, NULL, created_at, true FROM payment_links
    WHERE (id = $4 OR token = $3) AND merchant_id = $1 AND mode = $2
  UNION ALL SELECT 'till', id::text, name, NULL, created_at, true FROM tills
    WHERE (id = $4 OR token = $3) AND merchant_id = $1 AND mode = $2 AND $7::boolean
  UNION ALL SELECT 'batch', id::text, name, NULL, created_at, true FROM payout_batches
    WHERE id = $4 AND merchant_id = $1 AND mode = $2 AND discarded_at IS NULL
  UNION ALL (SELECT 'link', id::text, name, NULL, created_at, false FROM (
    SELECT id, mode, description AS name, created_at FROM payment_links WHERE merchant_id = $1 AND mode = $2 ${NAMED})
  UNION ALL (SELECT 'till', id::text, title, NULL, created_at, false FROM (
    SELECT id, mode, name AS title, concat_ws(' ', name, terminal_id) AS name, created_at FROM tills WHERE merchant_id = $1 AND mode = $2 AND $7::boolean ${NAMED})
  UNION ALL (SELECT 'batch', id::text, name, NULL, created_at, false FROM (
    SELECT id, mode, name, created_at FROM payout_batches WHERE merchant_id = $1 AND mode = $2 AND discarded_at IS NULL ${NAMED})`;

/** `more`: which of orders, refunds and payouts have more hits than returned. */
export type Found = { hits: SearchHit[]; more: ConsoleSearchResponse["more"] };

/** Finds a merchant's objects. Exact IDs and tokens come first, then exact references and order numbers, then matches by words, person or amount. */
export async function search(
  context: Context,
  { merchantId, mode, role }: ConsoleAccess & MerchantScope,
  typed: string,
): Promise<Found> {
  const scope = { merchantId, mode };
  const { prisma } = context.database;
  const parsed = await parseSearch(context, scope, typed);
  const { text } = parsed;
  const ofOrders = matchOrders(context, scope, typed, parsed);
  const ofRefunds = ofOrders.then((orderMatches) =>
    matchRefunds(context, scope, typed, { search: parsed, orders: orderMatches }),
  );
  const [others, { ids: matching }, orders, refunds, payouts] = await Promise.all([
    queryRows(context.database.pool, otherSchema, OTHERS, [
      merchantId,
      mode,
      text,
      isIssuedId(text) ? text : null,
      hasRight(role, "credentials.view"),
      hasRight(role, "requests.view"),
      hasRight(role, "tills.use"),
      parsed.names,
    ]),
    ofOrders,
    ofOrders.then(({ ids }) =>
      findExactMatchesFirst(
        ids,
        (id) =>
          prisma.order.findMany({
            where: { id, OR: [{ reference: text }, { orderNumber: text }] },
            ...newest,
          }),
        (id) => prisma.order.findMany({ where: { id }, ...newest }),
      ),
    ),
    ofRefunds.then(({ ids }) =>
      findExactMatchesFirst(
        ids,
        (id) => prisma.refund.findMany({ where: { id, reference: text }, ...newest }),
        (id) => prisma.refund.findMany({ where: { id }, ...newest }),
      ),
    ),
    matchPayouts(context, scope, typed, parsed).then(({ ids }) =>
      findExactMatchesFirst(
        ids,
        (id) => prisma.payout.findMany({ where: { id, reference: text }, ...newest }),
        (id) => prisma.payout.findMany({ where: { id }, ...newest }),
      ),
    ),
  ]);
  const isExact = (...ids: (string | null)[]) =>
    ids.some((id) => id !== null && id.toLowerCase() === text.toLowerCase());
  // The request ID of a logged call identifies that call. Any other request ID identifies the objects that the call created or changed.
  const byRequest = REQUEST_ID.test(text) && !others.some(({ kind }) => kind === "request");
  const hits: SearchHit[] = [
    ...others.map((other) => ({ ...other, amount: null, currency: null })),
    ...orders.rows.map((order) =>
      orderToHit(order, byRequest || isExact(order.id, order.trxId, order.token)),
    ),
    ...refunds.rows.map((refund) =>
      refundToHit(refund, (byRequest && !matching.includes(refund.orderId)) || isExact(refund.id)),
    ),
    ...payouts.rows.map((payout) => payoutToHit(payout, byRequest || isExact(payout.id, payout.trxId))),
  ];
  return {
    hits: [...hits.filter(({ exact }) => exact), ...hits.filter(({ exact }) => !exact)],
    more: [
      ...(orders.more ? (["order"] as const) : []),
      ...(refunds.more ? (["refund"] as const) : []),
      ...(payouts.more ? (["payout"] as const) : []),
    ],
  };
}

/** Reads up to {@link MAX_OF_KIND} matches. Exact matches come first, because word matches may be many and newer. */
async function findExactMatchesFirst<Row extends { id: string }>(
  ids: string[],
  ...finds: ((among: { in: string[] }) => Promise<Row[]>)[]
): Promise<{ rows: Row[]; more: boolean }> {
  if (ids.length === 0) return { rows: [], more: false };
  const matches = await Promise.all(finds.map((find) => find({ in: ids })));
  const rows = [...new Map(matches.flat().map((row) => [row.id, row])).values()];
  return { rows: rows.slice(0, MAX_OF_KIND), more: ids.length > MAX_OF_KIND };
}

const toHit = ({ id, createdAt, amount }: Listed, exact: boolean) => ({ id, exact, at: createdAt, amount });

const orderToHit = (order: OrderModel, exact: boolean): SearchHit => ({
  kind: "order",
  ...toHit(order, exact),
  title: order.reference ?? order.orderNumber ?? order.description,
  status: consoleStatus(order),
  currency: order.currency,
});

const refundToHit = (refund: RefundModel, exact: boolean): SearchHit => ({
  kind: "refund",
  ...toHit(refund, exact),
  title: refund.reference ?? refund.reason,
  status: refund.status,
  currency: refund.currency,
});

const payoutToHit = (payout: PayoutModel, exact: boolean): SearchHit => ({
  kind: "payout",
  ...toHit(payout, exact),
  title: payout.reference,
  status: payout.status,
  currency: payout.senderCurrency,
});
