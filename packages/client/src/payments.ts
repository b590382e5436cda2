import { type Payment, paymentCreatedResponseSchema, paymentResponseSchema } from "@tillgate/contract";
import { type CallOptions, withIdempotencyKey } from "./call-options.js";
import { send, type Transport } from "./send.js";

/** `POST /payment/create`. The amount is rounded to two decimals, half up. */
export type CreatePayment = {
  amount: string | number;
  currency: string;
  return_url: string;
  cancel_url?: string;
  product_name: string;
  order_number: string;
  custom?: string;
  /** Seconds until the payment expires, 60 to 86400. */
  expires_in?: number;
  /** Your own key-value pairs, returned unchanged: up to 20 keys of up to 40 characters, with values of up to 500. */
  metadata?: Record<string, string>;
  /** Language of the payment page and receipt: `fr`, `pt-BR`. */
  locale?: string;
  /** Generated if omitted. */
  idempotency_key?: string;
};

export type Payments = {
  /** Creates a payment. @returns its token and the URL to redirect the customer to. */
  create(input: CreatePayment, options?: CallOptions): Promise<{ token: string; payment_url: string }>;
  get(token: string, options?: CallOptions): Promise<Payment>;
};

export function paymentsResource(transport: Transport): Payments {
  return {
    async create(input, options = {}) {
      const { signal } = options;
      const schema = paymentCreatedResponseSchema;
      const call = { method: "POST", path: "/payment/create", schema, signal } as const;
      return send(transport, { ...call, ...withIdempotencyKey(input, options) });
    },
    async get(token, options = {}) {
      const path = `/payment/${encodeURIComponent(token)}`;
      return send(transport, { method: "GET", path, schema: paymentResponseSchema, ...options });
    },
  };
}
