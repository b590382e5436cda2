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
  /** Returns the endpoint with its signing secret, which is shown only once. If you lose the secret, rotate it. */
  create(input: CreateWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointSecret>;
  /** Lists all endpoints, oldest first. */
  list(options?: CallOptions): Promise<WebhookEndpoint[]>;
  get(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Omitted fields keep their values. */
  change(
    endpointId: string,
    input: Partial<CreateWebhookEndpoint>,
    options?: CallOptions,
  ): Promise<WebhookEndpoint>;
  /** Holds the endpoint's deliveries until it is resumed. */
  pause(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  resume(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  enable(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  remove(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Returns the endpoint with its new secret, which is shown only once. For a day, both the old and the new secret sign webhooks. */
  rotateSecret(endpointId: string, options?: CallOptions): Promise<WebhookEndpointSecret>;
  /** Sends a test event. A failed test does not throw: check `delivered` and `error`. Never retried automatically. */
  test(endpointId: string, options?: CallOptions): Promise<WebhookTest>;
};

export function webhookEndpointsResource(transport: Transport): WebhookEndpoints {
  const base = "/webhooks/endpoints";
  const endpointPath = (endpointId: string, step = "") => `${base}/${encodeURIComponent(endpointId)}${step}`;
  const post = async <Data>(
    path: string,
    schema: ResponseSchema<{ data: Data }>,
    options: CallOptions = {},
    body: object = {},
  ): Promise<Data> => send(transport, { method: "POST", path, body, schema, ...options });
  const step =
    (name: string): WebhookEndpoints["pause"] =>
    (endpointId, options) =>
      post(endpointPath(endpointId, `/${name}`), endpointResponseSchema, options);

  return {
    create: (input, options) => post(base, endpointSecretResponseSchema, options, input),
    async list(options = {}) {
      const schema = endpointListResponseSchema;
      return (await send(transport, { method: "GET", path: base, schema, ...options })).endpoints;
    },
    async get(endpointId, options = {}) {
      const schema = endpointResponseSchema;
      return send(transport, { method: "GET", path: endpointPath(endpointId), schema, ...options });
    },
    change: (endpointId, input, options) =>
      post(endpointPath(endpointId), endpointResponseSchema, options, input),
    pause: step("pause"),
    resume: step("resume"),
    enable: step("enable"),
    remove: step("remove"),
    rotateSecret: (endpointId, options) =>
      post(endpointPath(endpointId, "/rotate-secret"), endpointSecretResponseSchema, options),
    async test(endpointId, options = {}) {
      const testTransport = {
        ...transport,
        timeoutMs: Math.max(transport.timeoutMs, TEST_TIMEOUT_MS),
        maxRetries: 0,
      };
      const path = endpointPath(endpointId, "/test");
      const schema = testWebhookResponseSchema;
      return send(testTransport, { method: "POST", path, body: {}, schema, ...options });
    },
  };
}

/** `GET /webhooks/deliveries`. */
export type ListWebhookDeliveries = {
  endpoint_id?: string;
  /** Selects only failed deliveries. */
  status?: "failed";
  /** The `next_cursor` of the previous page. */
  cursor?: string;
  per_page?: number;
};

export type WebhookDeliveries = {
  /** Returns a page of deliveries, newest first. */
  list(query?: ListWebhookDeliveries, options?: CallOptions): Promise<WebhookDeliveryList>;
  /** Iterates over all deliveries, newest first: `for await (const delivery of deliveries.all())`. */
  all(query?: ListWebhookDeliveries, options?: CallOptions): AsyncIterable<WebhookDelivery>;
  /** Returns a delivery with its attempts. */
  get(deliveryId: string, options?: CallOptions): Promise<WebhookDeliveryDetails>;
  resend(deliveryId: string, options?: CallOptions): Promise<ResendResult>;
};

export function webhookDeliveriesResource(transport: Transport): WebhookDeliveries {
  const base = "/webhooks/deliveries";
  const list: WebhookDeliveries["list"] = async (query = {}, options = {}) => {
    const schema = webhookDeliveryListResponseSchema;
    return send(transport, { method: "GET", path: base, query: { ...query }, schema, ...options });
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
      return send(transport, { method: "GET", path, schema: webhookDeliveryResponseSchema, ...options });
    },
    async resend(deliveryId, options = {}) {
      const path = `${base}/${encodeURIComponent(deliveryId)}/resend`;
      const schema = resendDeliveryResponseSchema;
      return send(transport, { method: "POST", path, body: {}, schema, ...options });
    },
  };
}
