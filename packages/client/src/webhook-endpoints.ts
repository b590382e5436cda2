import {
  type EventName,
  endpointListResponseSchema,
  endpointResponseSchema,
  endpointSecretResponseSchema,
  type ResendResult,
  resendDeliveryResponseSchema,
  testWebhookResponseSchema,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookDeliveryList,
  type WebhookEndpoint,
  type WebhookEndpointSecret,
  type WebhookTest,
  webhookDeliveryListResponseSchema,
  webhookDeliveryResponseSchema,
} from "@tillgate/contract";
import type { CallOptions } from "./call-options.js";
import { TEST_TIMEOUT_MS } from "./limits.js";
import { walk } from "./paging.js";
import { type ResponseSchema, send, type Transport } from "./send.js";

/** `POST /webhooks/endpoints`. */
export type CreateWebhookEndpoint = { address: string; events: readonly EventName[] };

export type WebhookEndpoints = {
  /** The secret is answered only here. Where that answer is lost, remove the endpoint and add it again. */
  create(input: CreateWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointSecret>;
  /** All of them, the oldest first. */
  list(options?: CallOptions): Promise<WebhookEndpoint[]>;
  get(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  /** What is left out does not change. */
  change(
    endpointId: string,
    input: Partial<CreateWebhookEndpoint>,
    options?: CallOptions,
  ): Promise<WebhookEndpoint>;
  /** Its deliveries are kept until it is resumed. */
  pause(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  resume(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  /** After it was disabled. */
  enable(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  remove(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Answers the new secret, once. For a day both sign. */
  rotateSecret(endpointId: string, options?: CallOptions): Promise<WebhookEndpointSecret>;
  /** A failed test is no error: read `delivered` and `error`. It is never retried automatically. */
  test(endpointId: string, options?: CallOptions): Promise<WebhookTest>;
};

export function webhookEndpointsOf(transport: Transport): WebhookEndpoints {
  const base = "/webhooks/endpoints";
  const pathOf = (endpointId: string, step = "") => `${base}/${encodeURIComponent(endpointId)}${step}`;
  const post = async <Data>(
    path: string,
    schema: ResponseSchema<{ data: Data }>,
    options: CallOptions = {},
    body: object = {},
  ): Promise<Data> => (await send(transport, { method: "POST", path, body, schema, ...options })).data;
  const step =
    (name: string): WebhookEndpoints["pause"] =>
    (endpointId, options) =>
      post(pathOf(endpointId, `/${name}`), endpointResponseSchema, options);

  return {
    create: (input, options) => post(base, endpointSecretResponseSchema, options, input),
    async list(options = {}) {
      const schema = endpointListResponseSchema;
      return (await send(transport, { method: "GET", path: base, schema, ...options })).data.endpoints;
    },
    async get(endpointId, options = {}) {
      const schema = endpointResponseSchema;
      return (await send(transport, { method: "GET", path: pathOf(endpointId), schema, ...options })).data;
    },
    change: (endpointId, input, options) => post(pathOf(endpointId), endpointResponseSchema, options, input),
    pause: step("pause"),
    resume: step("resume"),
    enable: step("enable"),
    remove: step("remove"),
    rotateSecret: (endpointId, options) =>
      post(pathOf(endpointId, "/rotate-secret"), endpointSecretResponseSchema, options),
    async test(endpointId, options = {}) {
      const patient = {
        ...transport,
        timeoutMs: Math.max(transport.timeoutMs, TEST_TIMEOUT_MS),
        maxRetries: 0,
      };
      const path = pathOf(endpointId, "/test");
      const schema = testWebhookResponseSchema;
      return (await send(patient, { method: "POST", path, body: {}, schema, ...options })).data;
    },
  };
}

/** `GET /webhooks/deliveries`. */
export type ListWebhookDeliveries = {
  endpoint_id?: string;
  /** Only those that were given up. */
  status?: "failed";
  /** The `next_cursor` of an earlier list. */
  cursor?: string;
  per_page?: number;
};

export type WebhookDeliveries = {
  /** One page, the newest first. */
  list(query?: ListWebhookDeliveries, options?: CallOptions): Promise<WebhookDeliveryList>;
  /** All of them, page by page: `for await (const delivery of deliveries.all())`. */
  all(query?: ListWebhookDeliveries, options?: CallOptions): AsyncIterable<WebhookDelivery>;
  /** With its attempts. */
  get(deliveryId: string, options?: CallOptions): Promise<WebhookDeliveryDetails>;
  resend(deliveryId: string, options?: CallOptions): Promise<ResendResult>;
};

export function webhookDeliveriesOf(transport: Transport): WebhookDeliveries {
  const base = "/webhooks/deliveries";
  const list: WebhookDeliveries["list"] = async (query = {}, options = {}) => {
    const schema = webhookDeliveryListResponseSchema;
    return (await send(transport, { method: "GET", path: base, query: { ...query }, schema, ...options }))
      .data;
  };
  return {
    list,
    all: (filters = {}, options = {}) =>
      walk(filters, async (query) => {
        const page = await list(query, options);
        return { items: page.deliveries, next: page.next_cursor };
      }),
    async get(deliveryId, options = {}) {
      const path = `${base}/${encodeURIComponent(deliveryId)}`;
      return (
        await send(transport, { method: "GET", path, schema: webhookDeliveryResponseSchema, ...options })
      ).data;
    },
    async resend(deliveryId, options = {}) {
      const path = `${base}/${encodeURIComponent(deliveryId)}/resend`;
      const schema = resendDeliveryResponseSchema;
      return (await send(transport, { method: "POST", path, body: {}, schema, ...options })).data;
    },
  };
}
