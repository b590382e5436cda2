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
import { type Replays, replaysOf } from "./replays.js";
import { send, type Transport } from "./send.js";
import { type ReceivedWebhook, replayOfWebhook, type UnwrapOptions, unwrapWebhook } from "./unwrap.js";
import {
  type WebhookDeliveries,
  type WebhookEndpoints,
  webhookDeliveriesOf,
  webhookEndpointsOf,
} from "./webhook-endpoints.js";

export type Webhooks = {
  /**
   * Has one `tillgate.test` event sent to an address, signed like an order's events. A failed test is no error: read
   * `delivered` and `error`. It is never retried automatically.
   */
  test(input: { callback_url: string }, options?: CallOptions): Promise<WebhookTest>;
  /**
   * Verifies a received webhook, and returns its event. Nothing is called.
   * @throws TillgateWebhookError for one that is not genuine, is stale or is no event: its `status` is what to answer.
   */
  unwrap(received: ReceivedWebhook, options?: UnwrapOptions): WebhookEvent;
  /**
   * The replay that sends a webhook again: then decide the event again, and restore what you lost. Ask only about a webhook that
   * {@link unwrap} accepted.
   * @returns undefined for one that is sent for the first time or retried
   */
  replayIdOf(
    received: Pick<ReceivedWebhook, "headers">,
    options?: Pick<UnwrapOptions, "secrets">,
  ): string | undefined;
  readonly endpoints: WebhookEndpoints;
  readonly deliveries: WebhookDeliveries;
  readonly replays: Replays;
};

/** @param clientSecret signs what goes to an order's `callback_url` */
export function webhooksOf(transport: Transport, clientSecret: string): Webhooks {
  return {
    unwrap: (received, options = {}) => unwrapWebhook(received, { secrets: [clientSecret], ...options }),
    replayIdOf: (received, { secrets = [clientSecret] } = {}) => replayOfWebhook(received, { secrets }),
    endpoints: webhookEndpointsOf(transport),
    deliveries: webhookDeliveriesOf(transport),
    replays: replaysOf(transport),
    async test(input, options = {}) {
      const patient = {
        ...transport,
        timeoutMs: Math.max(transport.timeoutMs, TEST_TIMEOUT_MS),
        maxRetries: 0,
      };
      const schema = testWebhookResponseSchema;
      return (
        await send(patient, { method: "POST", path: "/webhooks/test", body: input, schema, ...options })
      ).data;
    },
  };
}

/** `GET /events`. */
export type ListEvents = {
  /** The `next` of an earlier list, or `now`. Left out: from the oldest event. */
  after?: string;
  types?: readonly EventName[];
  per_page?: number;
  /** How long to wait for an event when there is none, in seconds, at most 30. */
  wait?: number;
};

export type Events = {
  /** Events in the order they were committed, the oldest first. Go on with `after: list.next`. */
  list(query?: ListEvents, options?: CallOptions): Promise<EventList>;
  /**
   * Every list up to the newest event, without waiting: `for await (const { events, next } of events.pages({ after }))`. Keep `next`
   * once its events are done; a later walk goes on from there.
   */
  pages(query?: Omit<ListEvents, "wait">, options?: CallOptions): AsyncIterable<EventList>;
};

export function eventsOf(transport: Transport): Events {
  const list: Events["list"] = async ({ types, ...query } = {}, options = {}) => {
    const waitMs = (query.wait ?? 0) * 1_000;
    const patient = { ...transport, timeoutMs: Math.max(transport.timeoutMs, waitMs + LONG_POLL_MARGIN_MS) };
    const fields = { ...query, types: types?.join(",") };
    const schema = eventListResponseSchema;
    return (await send(patient, { method: "GET", path: "/events", query: fields, schema, ...options })).data;
  };
  return {
    list,
    async *pages(query = {}, options = {}) {
      for (let asked = query; ; ) {
        const page = await list(asked, options);
        yield page;
        if (!page.has_more) return;
        asked = { ...query, after: page.next };
      }
    },
  };
}
