import {
  type Payment,
  paymentCreatedResponseSchema,
  paymentResponseSchema,
  tokenResponseSchema,
} from "@tillgate/contract";
import { expect } from "vitest";
import type { ApiProcess } from "./api-process.js";
import type { Access } from "./parties.js";
import { type Answer, send } from "./requests.js";

/** The fields that every payment needs. */
export const REQUIRED = {
  amount: 41.5,
  currency: "EUR",
  return_url: "https://shop.example/thanks?order=7&x=%20",
  product_name: "One mug",
  order_number: "WC-7",
};

type PaymentCreated = { token: string; payment_url: string };

/** The payment endpoints as one merchant calls them, with an access token of its own. */
export type Payments = {
  create(fields: unknown): Promise<Answer>;
  /** Sends a body as it stands. */
  createText(body: string, headers?: Record<string, string>): Promise<Answer>;
  get(token: string): Promise<Answer>;
  /** Creates a payment with the given fields changed. */
  created(fields?: Record<string, unknown>): Promise<PaymentCreated>;
  read(token: string): Promise<Payment>;
};

export async function paymentsOf(
  { url }: Pick<ApiProcess, "url">,
  { client_id, client_secret }: Access,
  path = "/pay/sandbox/api/v1",
): Promise<Payments> {
  const base = url + path;
  const json = { "content-type": "application/json" };
  const issued = await send(`${base}/authentication/token`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ client_id, secret_id: client_secret }),
  });
  const authorization = `Bearer ${tokenResponseSchema.parse(issued.body).data.access_token}`;
  const api: Payments = {
    create: (fields) => api.createText(JSON.stringify(fields)),
    createText: (body, headers = {}) =>
      send(`${base}/payment/create`, {
        method: "POST",
        headers: { ...json, authorization, ...headers },
        body,
      }),
    get: (token) => send(`${base}/payment/${token}`, { headers: { authorization } }),
    created: async (fields = {}) => readCreated(await api.create({ ...REQUIRED, ...fields })),
    read: async (token) => readPayment(await api.get(token)),
  };
  return api;
}

/** A whole answer of `POST /payment/create`. Unknown keys are refused. */
export function readCreated({ status, body, text }: Answer): PaymentCreated {
  expect({ status, text }).toMatchObject({ status: 200 });
  const answer = paymentCreatedResponseSchema.strict().parse(body);
  expect(answer).toEqual(body);
  expect(answer.message).toEqual({ code: 200, success: ["Payment created successfully"] });
  expect(Object.keys(answer.data)).toEqual(["token", "payment_url"]);
  return answer.data;
}

function readPayment({ status, body, text }: Answer): Payment {
  expect({ status, text }).toMatchObject({ status: 200 });
  const answer = paymentResponseSchema.strict().parse(body);
  expect(answer).toEqual(body);
  expect(answer.message).toEqual({ code: 200, success: ["Payment status retrieved"] });
  return answer.data;
}
