import {
  type Payment,
  paymentCreatedResponseSchema,
  paymentResponseSchema,
  tokenResponseSchema,
} from "@tillgate/contract";
import { expect } from "vitest";
import type { ApiProcess } from "./api-process.js";
import type { ClientCredentials } from "./parties.js";
import { type ApiResponse, send } from "./requests.js";

export const PAYMENT_FIELDS = {
  amount: 41.5,
  currency: "EUR",
  return_url: "https://shop.example/thanks?order=7&x=%20",
  product_name: "One mug",
  order_number: "WC-7",
};

type PaymentCreated = { token: string; payment_url: string };

export type PaymentApi = {
  create(fields: unknown): Promise<ApiResponse>;
  createText(body: string, headers?: Record<string, string>): Promise<ApiResponse>;
  get(token: string): Promise<ApiResponse>;
  createPayment(fields?: Record<string, unknown>): Promise<PaymentCreated>;
  readPayment(token: string): Promise<Payment>;
};

export async function paymentApi(
  { url }: Pick<ApiProcess, "url">,
  { client_id, client_secret }: ClientCredentials,
  path = "/pay/sandbox/api/v1",
): Promise<PaymentApi> {
  const base = url + path;
  const json = { "content-type": "application/json" };
  const issued = await send(`${base}/authentication/token`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ client_id, secret_id: client_secret }),
  });
  const authorization = `Bearer ${tokenResponseSchema.parse(issued.body).data.access_token}`;
  const api: PaymentApi = {
    create: (fields) => api.createText(JSON.stringify(fields)),
    createText: (body, headers = {}) =>
      send(`${base}/payment/create`, {
        method: "POST",
        headers: { ...json, authorization, ...headers },
        body,
      }),
    get: (token) => send(`${base}/payment/${token}`, { headers: { authorization } }),
    createPayment: async (fields = {}) => readCreated(await api.create({ ...PAYMENT_FIELDS, ...fields })),
    readPayment: async (token) => readPayment(await api.get(token)),
  };
  return api;
}

/** Parses a response of `POST /payment/create`. Fails on an error response and on unknown keys. */
export function readCreated({ status, body, text }: ApiResponse): PaymentCreated {
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = paymentCreatedResponseSchema.strict().parse(body);
  expect(response).toEqual(body);
  expect(response.message).toEqual({ code: 200, success: ["Payment created successfully"] });
  expect(Object.keys(response.data)).toEqual(["token", "payment_url"]);
  return response.data;
}

function readPayment({ status, body, text }: ApiResponse): Payment {
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = paymentResponseSchema.strict().parse(body);
  expect(response).toEqual(body);
  expect(response.message).toEqual({ code: 200, success: ["Payment status retrieved"] });
  return response.data;
}
