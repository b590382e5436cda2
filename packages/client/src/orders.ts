import {
  type Order,
  type OrderList,
  type OrderStatus,
  orderListResponseSchema,
  orderPageResponseSchema,
  orderResponseSchema,
  type PaymentMethod,
  type SimulatedOutcome,
} from "@tillgate/contract";
import { type CallOptions, type ListQuery, type WalkQuery, withIdempotencyKey } from "./call-options.js";
import { TillgateApiError } from "./errors.js";
import { walk } from "./paging.js";
import { send, type Transport } from "./send.js";

/** `POST /orders`. Amounts are in the currency's main unit, best as decimal text: `"41.50"`. */
export type CreateOrder = {
  amount: string | number;
  currency: string;
  payment_method?: PaymentMethod;
  reference?: string;
  description?: string;
  terminal_id?: string;
  callback_url?: string;
  return_url?: string;
  cancel_url?: string;
  /** Seconds, 60 to 3600. */
  expires_in?: number;
  /** Your own texts by key, given back as sent: up to 20 keys of 40 characters, values of 500. */
  metadata?: Record<string, string>;
  /** The language of page and receipt, `fr` or `pt-BR`. */
  locale?: string;
  /** Made for the call where left out. Give your own to repeat a call after a restart without a second order. */
  idempotency_key?: string;
};

/** Filters of `GET /orders`. */
export type ListOrders = ListQuery<OrderStatus>;

export type Orders = {
  create(input: CreateOrder, options?: CallOptions): Promise<Order>;
  get(orderId: string, options?: CallOptions): Promise<Order>;
  list(query?: ListOrders, options?: CallOptions): Promise<OrderList>;
  /** All of them, the newest first, page by page: `for await (const order of orders.all())`. */
  all(query?: WalkQuery<ListOrders>, options?: CallOptions): AsyncIterable<Order>;
  /** Only a PENDING order can be cancelled; else TillgateApiError with status 422. */
  cancel(orderId: string, options?: CallOptions): Promise<Order>;
  /** Plays the shopper, for tests: `paid`, `declined`, `cancelled` or `expired`. The sandbox only has it. Safe to repeat. */
  simulate(orderId: string, outcome: SimulatedOutcome, options?: CallOptions): Promise<Order>;
};

export function ordersOf(transport: Transport): Orders {
  const get = async (orderId: string, options: CallOptions = {}) => {
    const path = `/orders/${encodeURIComponent(orderId)}`;
    return (await send(transport, { method: "GET", path, schema: orderResponseSchema, ...options })).data;
  };

  return {
    get,
    async create(input, options = {}) {
      const { signal } = options;
      const schema = orderResponseSchema;
      return (
        await send(transport, {
          method: "POST",
          path: "/orders",
          ...withIdempotencyKey(input, options),
          schema,
          signal,
        })
      ).data;
    },
    all: (filters = {}, options = {}) =>
      walk(filters, async (query) => {
        const schema = orderListResponseSchema;
        const { data } = await send(transport, { method: "GET", path: "/orders", query, schema, ...options });
        return { items: data.orders, next: data.next_cursor };
      }),
    async list(query = {}, options = {}) {
      const schema = orderPageResponseSchema;
      return (
        await send(transport, { method: "GET", path: "/orders", query: { ...query }, schema, ...options })
      ).data;
    },
    async cancel(orderId, options = {}) {
      const path = `/orders/${encodeURIComponent(orderId)}/cancel`;
      try {
        return (
          await send(transport, { method: "POST", path, body: {}, schema: orderResponseSchema, ...options })
        ).data;
      } catch (error) {
        // A cancel carries no key. If an earlier try went through and only its answer was lost, the repeat is refused
        // although the order is cancelled. So read the order itself.
        if (!(error instanceof TillgateApiError) || error.status !== 422 || error.attempts === 1) throw error;
        const order = await get(orderId, options);
        if (order.status === "CANCELLED") return order;
        throw error;
      }
    },
    async simulate(orderId, outcome, options = {}) {
      const path = `/orders/${encodeURIComponent(orderId)}/simulate`;
      const body = { outcome };
      return (await send(transport, { method: "POST", path, body, schema: orderResponseSchema, ...options }))
        .data;
    },
  };
}
