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

/** `POST /orders`. Amounts are in the currency's main unit, preferably as decimal strings: `"41.50"`. */
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
  /** Seconds until the order expires, 60 to 3600. */
  expires_in?: number;
  /** Your own key-value pairs, returned unchanged: up to 20 keys of up to 40 characters, with values of up to 500. */
  metadata?: Record<string, string>;
  /** Language of the payment page and receipt: `fr`, `pt-BR`. */
  locale?: string;
  /** Generated if omitted. Pass your own so that a call repeated after a restart does not create a second order. */
  idempotency_key?: string;
};

export type ListOrders = ListQuery<OrderStatus>;

export type Orders = {
  create(input: CreateOrder, options?: CallOptions): Promise<Order>;
  get(orderId: string, options?: CallOptions): Promise<Order>;
  list(query?: ListOrders, options?: CallOptions): Promise<OrderList>;
  /** Iterates over all orders, newest first: `for await (const order of orders.all())`. */
  all(query?: WalkQuery<ListOrders>, options?: CallOptions): AsyncIterable<Order>;
  /**
   * Cancels a PENDING order.
   * @throws TillgateApiError with status 422 for any other order, except an order that an earlier attempt of this call cancelled.
   */
  cancel(orderId: string, options?: CallOptions): Promise<Order>;
  /** Simulates the customer, in the sandbox only: `paid`, `declined`, `cancelled`, `expired`, … Safe to repeat. */
  simulate(orderId: string, outcome: SimulatedOutcome, options?: CallOptions): Promise<Order>;
};

export function ordersResource(transport: Transport): Orders {
  const get = async (orderId: string, options: CallOptions = {}) => {
    const path = `/orders/${encodeURIComponent(orderId)}`;
    return send(transport, { method: "GET", path, schema: orderResponseSchema, ...options });
  };

  return {
    get,
    async create(input, options = {}) {
      const { signal } = options;
      const schema = orderResponseSchema;
      return send(transport, {
        method: "POST",
        path: "/orders",
        ...withIdempotencyKey(input, options),
        schema,
        signal,
      });
    },
    all: (filters = {}, options = {}) =>
      walk(filters, async (query) => {
        const schema = orderListResponseSchema;
        const data = await send(transport, { method: "GET", path: "/orders", query, schema, ...options });
        return { items: data.orders, next: data.next_cursor };
      }),
    async list(query = {}, options = {}) {
      const schema = orderPageResponseSchema;
      return send(transport, { method: "GET", path: "/orders", query: { ...query }, schema, ...options });
    },
    async cancel(orderId, options = {}) {
      const path = `/orders/${encodeURIComponent(orderId)}/cancel`;
      try {
        return await send(transport, {
          method: "POST",
          path,
          body: {},
          schema: orderResponseSchema,
          ...options,
        });
      } catch (error) {
        // Cancelling has no idempotency key. If only the response of an earlier attempt was lost, the retry is rejected although the order is
        // cancelled; the order's status shows whether it is.
        if (!(error instanceof TillgateApiError) || error.status !== 422 || error.attempts === 1) throw error;
        const order = await get(orderId, options);
        if (order.status === "CANCELLED") return order;
        throw error;
      }
    },
    async simulate(orderId, outcome, options = {}) {
      const path = `/orders/${encodeURIComponent(orderId)}/simulate`;
      const body = { outcome };
      return send(transport, { method: "POST", path, body, schema: orderResponseSchema, ...options });
    },
  };
}
