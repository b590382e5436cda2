import { balancesResponseSchema, eventListResponseSchema } from "@tillgate/contract";
import { queryOneRow } from "@tillgate/service";
import { z } from "zod";
import type { ModelState } from "../../support/quint.js";
import { waitUntil } from "../../support/wait-until.js";
import { type Kind, readOrder, readPayout, readRefund, type Scene, toMinor } from "./calls.js";

const STATE = `
  SELECT json_build_object(
    'orders', (SELECT coalesce(json_agg(json_build_object('id', id, 'seen', json_build_object('amount', amount, 'state', state,
        'overdue', expires_at <= clock_timestamp(), 'refunded', refunded, 'refundPending', refund_pending))), '[]')
      FROM orders WHERE merchant_id = $1),
    'refunds', (SELECT coalesce(json_agg(json_build_object('id', id, 'seen', json_build_object('order', order_id, 'amount', amount,
        'status', status))), '[]') FROM refunds WHERE merchant_id = $1),
    'payouts', (SELECT coalesce(json_agg(json_build_object('id', id, 'seen', json_build_object('amount', amount, 'fee', fee,
        'status', status))), '[]') FROM payouts WHERE merchant_id = $1),
    'wallets', json_build_object(
      'payer', (SELECT balance FROM accounts WHERE id = $2),
      'merchant', (SELECT balance FROM accounts WHERE id = $3),
      'hold', (SELECT coalesce(sum(balance), 0) FROM accounts WHERE merchant_id = $1 AND kind = 'hold'),
      'recipient', (SELECT balance FROM accounts WHERE id = $4),
      'fees', (SELECT coalesce(sum(e.amount), 0) FROM entries e JOIN accounts a ON a.id = e.account_id
        WHERE a.kind = 'fees' AND e.transfer_id IN (SELECT transfer_id FROM payouts WHERE merchant_id = $1))),
    'keys', (SELECT coalesce(json_agg(json_build_array(CASE operation WHEN 'create_order' THEN 'order'
        WHEN 'refund_payment' THEN 'refund' WHEN 'execute_payout' THEN 'payout' END, key)), '[]')
      FROM idempotency_keys WHERE merchant_id = $1),
    'events', (SELECT coalesce(json_agg(json_build_object('name', name, 'id', coalesce(refund_id, payout_id, order_id))
        ORDER BY turn, number), '[]') FROM events WHERE merchant_id = $1)) AS state`;

const rowsSchema = z.array(z.object({ id: z.string(), seen: z.record(z.string(), z.unknown()) }));
const storedSchema = z.object({
  state: z.object({
    orders: rowsSchema,
    refunds: rowsSchema,
    payouts: rowsSchema,
    wallets: z.record(z.string(), z.number()),
    keys: z.array(z.tuple([z.string(), z.string()])),
    events: z.array(z.object({ name: z.string(), id: z.string() })),
  }),
});

const kindOfEvent = (name: string): Kind =>
  name.startsWith("pos.order.") ? "order" : name.startsWith("refund.") ? "refund" : "payout";

const sorted = <Value>(values: readonly Value[]): Value[] =>
  [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Reads the merchant's state in the form of the model. Unknown rows have index -1. */
export async function readState({ sandbox, merchantId, wallets, ids }: Scene): Promise<object> {
  const { payer, merchant, recipient } = wallets;
  const { state } = await queryOneRow(sandbox.database.pool, storedSchema, STATE, [
    merchantId,
    payer,
    merchant,
    recipient,
  ]);
  const inOrder = (kind: Kind, rows: z.output<typeof rowsSchema>) =>
    [...rows].sort((a, b) => ids[kind].indexOf(a.id) - ids[kind].indexOf(b.id)).map(({ seen }) => seen);
  return {
    orders: inOrder("order", state.orders),
    refunds: inOrder("refund", state.refunds).map((refund) => ({
      ...refund,
      order: ids.order.indexOf(String(refund.order)),
    })),
    payouts: inOrder("payout", state.payouts),
    wallets: state.wallets,
    keys: sorted(state.keys),
    events: state.events.map(({ name, id }) => ({ name, subject: ids[kindOfEvent(name)].indexOf(id) })),
  };
}

export const toComparable = ({ refundsNeedApproval: _, keys, ...state }: ModelState): object => ({
  ...state,
  keys: sorted(keys),
});

/** Returns what a response must contain about a resource, according to the model. */
export function expectResource(state: ModelState, kind: Kind, index: number): Record<string, unknown> {
  const order = state.orders[index];
  if (kind === "order") return { amount: order?.amount, state: order?.state, refunded: order?.refunded };
  const refund = state.refunds[index];
  if (kind === "refund") return { amount: refund?.amount, status: refund?.status };
  return { ...state.payouts[index] };
}

const resourceIdSchema = z.object({
  payout_id: z.string().optional(),
  data: z.object({ order_id: z.string(), refund_id: z.string().optional() }).optional(),
});

/**
 * Reads the merchant's events from `GET /events` once it lists as many as the state has. Other transactions
 * may delay events.
 */
const readFeed = ({ pay, ids }: Scene, { events: { length } }: ModelState) =>
  waitUntil(`the feed has ${length} events`, async () => {
    const { events } = eventListResponseSchema.parse(
      (await pay.get("/events", { per_page: "100" })).body,
    ).data;
    if (events.length < length) return undefined;
    return events.map(({ event, body }) => {
      const { payout_id, data } = resourceIdSchema.parse(JSON.parse(body));
      const id = payout_id ?? data?.refund_id ?? data?.order_id ?? "";
      return { name: event, subject: ids[kindOfEvent(event)].indexOf(id) };
    });
  });

const KINDS = ["payout", "refund", "order"] as const;

/**
 * Reads what the merchant can read after the last call. Orders come last, because reading an overdue order
 * expires it.
 */
export async function readByApi(scene: Scene, state: ModelState): Promise<object> {
  const { pay, payouts, ids } = scene;
  const [balance] = balancesResponseSchema.parse((await payouts.get("/balance")).body).data.balances;
  const read = {
    order: async (id: string) => readOrder(await pay.get(`/orders/${id}`)).seen,
    refund: async (id: string) => readRefund(await pay.get(`/refunds/${id}`)).seen,
    payout: async (id: string) => readPayout(await payouts.get(`/payout/${id}`)).seen,
  };
  const seen: Record<string, unknown[]> = {};
  const feed = await readFeed(scene, state);
  for (const kind of KINDS) seen[kind] = await Promise.all(ids[kind].map(read[kind]));
  return { merchant: toMinor(balance?.balance ?? 0), feed, ...seen };
}

export const expectByApi = (state: ModelState): object => ({
  merchant: state.wallets.merchant,
  feed: state.events,
  payout: state.payouts,
  refund: state.refunds.map(({ amount, status }) => ({ amount, status })),
  order: state.orders.map((order, index) => ({
    ...expectResource(state, "order", index),
    ...(order.overdue && order.state === "PENDING" && { state: "EXPIRED" }),
  })),
});
