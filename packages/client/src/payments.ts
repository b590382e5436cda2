import { randomUUID } from "node:crypto";
import { type Payment, paymentAnswerSchema, paymentCreatedAnswerSchema } from "@tillgate/contract";
import type { CallOptions } from "./orders.js";
import { type Line, send } from "./send.js";

/** `POST /payment/create`. The amount is rounded to two decimals, half up. */
export interface CreatePayment {
  amount: string | number;
  currency: string;
  return_url: string;
  cancel_url?: string;
  product_name: string;
  order_number: string;
  custom?: string;
  /** Seconds, 60 to 86400. */
  expires_in?: number;
  /** Made for the call where left out. */
  idempotency_key?: string;
}

export interface Payments {
  /** @returns the payment's token and the address to send the customer to */
  create(input: CreatePayment, options?: CallOptions): Promise<{ token: string; payment_url: string }>;
  /** What became of a payment: to be asked after the customer's return. */
  get(token: string, options?: CallOptions): Promise<Payment>;
}

export function paymentsOf(line: Line): Payments {
  return {
    async create(input, options = {}) {
      const body = { ...input, idempotency_key: input.idempotency_key ?? randomUUID() };
      const answer = paymentCreatedAnswerSchema;
      return (await send(line, { method: "POST", path: "/payment/create", body, answer, ...options })).data;
    },
    async get(token, options = {}) {
      const path = `/payment/${encodeURIComponent(token)}`;
      return (await send(line, { method: "GET", path, answer: paymentAnswerSchema, ...options })).data;
    },
  };
}
