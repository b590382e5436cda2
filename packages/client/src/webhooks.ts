import {
  type EventList,
  type EventName,
  eventListResponseSchema,
  testWebhookResponseSchema,
  type WebhookEvent,
  type WebhookTest,
} from "@tillgate/contract";
import type { CallOptions } from "./call-options.js";
import { LONG_POLL_MARGIN_MS, TEST_TIMEOUT_MS } from "./limits.js";
import { type Replays, replaysResource } from "./replays.js";
import { send, type Transport } from "./send.js";
import { type ReceivedWebhook, replayOfWebhook, type UnwrapOptions, unwrapWebhook } from "./unwrap.js";
import {
  type WebhookDeliveries,
  type WebhookEndpoints,
  webhookDeliveriesResource,
  webhookEndpointsResource,
} from "./webhook-endpoints.js";

export type Webhooks = {
  /**
   * Sends a `tillgate.test` event, signed like an order's events. A failed test does not throw: check `delivered` and `error`. The call is never
   * retried.
   */
  test(input: { callback_url: string }, options?: CallOptions): Promise<WebhookTest>;
  /**
   * Verifies a webhook without calling the API, and returns its event.
   * @throws TillgateWebhookError if a header is missing, the signature or timestamp is not valid, or the event is unknown or unreadable; respond with
   * the error's `status`
   * @throws WebhookKeyError for an invalid secret
   */
  unwrap(received: ReceivedWebhook, options?: UnwrapOptions): WebhookEvent;
  /**
   * Returns the ID of the replay that sent a webhook. If an ID is returned, process the event again, even if you have processed it before. Call this
   * only for a webhook that {@link unwrap} accepted.
   * @returns undefined if no replay sent the webhook, or if the replay's signature is missing or not valid
   * @throws WebhookKeyError for an invalid secret
   */
  replayIdOf(
    received: Pick<ReceivedWebhook, "headers">,
    options?: Pick<UnwrapOptions, "secrets">,
  ): string | undefined;
  readonly endpoints: WebhookEndpoints;
  readonly deliveries: WebhookDeliveries;
  readonly replays: Replays;
};

/** @param clientSecret signs webhooks to an order's `callback_url`. */
export function webhooksResource(transport: Transport, clientSecret: string): Webhooks {
  return {
    unwrap: (received, options = {}) => unwrapWebhook(received, { secrets: [clientSecret], ...options }),
    replayIdOf: (received, { secrets = [clientSecret] } = {}) => replayOfWebhook(received, { secrets }),
    endpoints: webhookEndpointsResource(transport),
    deliveries: webhookDeliveriesResource(transport),
    replays: replaysResource(transport),
    async test(input, options = {}) {
      const testTransport = {
        ...transport,
        timeoutMs: Math.max(transport.timeoutMs, TEST_TIMEOUT_MS),
        maxRetries: 0,
      };
      const schema = testWebhookResponseSchema;
      return send(testTransport, { method: "POST", path: "/webhooks/test", body: input, schema, ...options });
    },
  };
}

/** `GET /events`. */
export type ListEvents = {
  /** The `next` of the previous response, or `now`. Omit it to start with the oldest event. */
  after?: string;
  /** Defaults to the events of orders, refunds and payouts. */
  types?: readonly EventName[];
  per_page?: number;
  /** Seconds to wait for an event if there is none, up to 30. */
  wait?: number;
};

export type Events = {
  /** Lists events, oldest first; the events of one order are in commit order. Continue with `after: list.next`. */
  list(query?: ListEvents, options?: CallOptions): Promise<EventList>;
  /**
   * Iterates up to the newest event, without waiting: `for await (const { events, next } of events.pages({ after }))`. Store `next` after processing
   * the events, and continue from there later.
   */
  pages(query?: Omit<ListEvents, "wait">, options?: CallOptions): AsyncIterable<EventList>;
};

export function eventsResource(transport: Transport): Events {
  const list: Events["list"] = async ({ types, ...query } = {}, options = {}) => {
    const waitMs = (query.wait ?? 0) * 1_000;
    const longPollTransport = {
      ...transport,
      timeoutMs: Math.max(transport.timeoutMs, waitMs + LONG_POLL_MARGIN_MS),
    };
    const fields = { ...query, types: types?.join(",") };
    const schema = eventListResponseSchema;
    return send(longPollTransport, { method: "GET", path: "/events", query: fields, schema, ...options });
  };
  return {
    list,
    async *pages(query = {}, options = {}) {
      for (let pageQuery = query; ; ) {
        const page = await list(pageQuery, options);
        yield page;
        if (!page.has_more) return;
        pageQuery = { ...query, after: page.next };
      }
    },
  };
}
