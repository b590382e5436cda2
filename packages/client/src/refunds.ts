import {
  type Refund,
  type RefundList,
  type RefundStatus,
  refundListResponseSchema,
  refundPageResponseSchema,
  refundResponseSchema,
} from "@tillgate/contract";
import { type CallOptions, type WalkQuery, withIdempotencyKey } from "./call-options.js";
import { type ListPage, walk, walkPages } from "./paging.js";
import { send, type Transport } from "./send.js";

/** `POST /refunds`. */
export type CreateRefund = {
  /** The `trx_id` of the paid order. */
  transaction_id: string;
  /** In the currency's main unit, preferably as a decimal string. Omit it to refund the full remainder. */
  amount?: string | number;
  reason?: string;
  reference?: string;
  /** Your own key-value pairs, returned unchanged: up to 20 keys of up to 40 characters, with values of up to 500. */
  metadata?: Record<string, string>;
  /** Generated if omitted. */
  idempotency_key?: string;
};

/** Filters of `GET /refunds`; days are whole UTC days, `YYYY-MM-DD`. */
export type ListRefunds = {
  transaction_id?: string;
  status?: RefundStatus;
  from_date?: string;
  to_date?: string;
  page?: number;
  per_page?: number;
};

export type Refunds = {
  create(input: CreateRefund, options?: CallOptions): Promise<Refund>;
  get(refundId: string, options?: CallOptions): Promise<Refund>;
  list(query?: ListRefunds, options?: CallOptions): Promise<RefundList>;
  /** Iterates over all refunds, newest first: `for await (const refund of refunds.all())`. */
  all(query?: WalkQuery<ListRefunds>, options?: CallOptions): AsyncIterable<Refund>;
  /** Iterates over pages, each with the cursor of the next page, so that you can continue from there later. */
  pages(query?: WalkQuery<ListRefunds>, options?: CallOptions): AsyncIterable<ListPage<Refund>>;
};

export function refundsResource(transport: Transport): Refunds {
  const loadPage = async (query: WalkQuery<ListRefunds>, options: CallOptions): Promise<ListPage<Refund>> => {
    const schema = refundListResponseSchema;
    const data = await send(transport, { method: "GET", path: "/refunds", query, schema, ...options });
    return { items: data.refunds, next: data.next_cursor };
  };
  return {
    async create(input, options = {}) {
      const { signal } = options;
      const schema = refundResponseSchema;
      return send(transport, {
        method: "POST",
        path: "/refunds",
        ...withIdempotencyKey(input, options),
        schema,
        signal,
      });
    },
    async get(refundId, options = {}) {
      const path = `/refunds/${encodeURIComponent(refundId)}`;
      return send(transport, { method: "GET", path, schema: refundResponseSchema, ...options });
    },
    all: (filters = {}, options = {}) => walk(filters, (query) => loadPage(query, options)),
    pages: (filters = {}, options = {}) => walkPages(filters, (query) => loadPage(query, options)),
    async list(query = {}, options = {}) {
      const schema = refundPageResponseSchema;
      return send(transport, { method: "GET", path: "/refunds", query: { ...query }, schema, ...options });
    },
  };
}
