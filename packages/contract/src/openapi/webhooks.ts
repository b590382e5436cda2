import { FieldRule, wholeNumberRule } from "../errors/index.js";
import { MAX_PER_PAGE } from "../fields.js";
import { eventNames, FROM_NOW, MAX_EVENT_WAIT_SECONDS } from "../public/webhooks.js";
import type { JsonObject } from "./describe-schema.js";
import { wrongField } from "./errors.js";
import { example, type Operation, queryParameter, succeeded } from "./operation.js";

const TAG = "Webhooks";

const EVENT: JsonObject = {
  id: "evt_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d",
  event: "pos.order.expired",
  created_at: "2026-11-21T09:35:00+00:00",
  order_id: "POS-20261121-7KQ2MX",
  body: '{"id":"evt_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d","event":"pos.order.expired","timestamp":"2026-11-21T09:35:00+00:00","data":{"order_id":"POS-20261121-7KQ2MX","amount":41.50,"currency":"EUR","status":"EXPIRED","reference":"till-3/1001","terminal_id":"till-3","trx_id":null,"paid_at":null,"order_number":null,"custom":null,"refunded_amount":0.00,"version":2}}',
};

const DELIVERED: JsonObject = {
  delivered: true,
  http_status: 204,
  latency_ms: 84,
  error: null,
  location: null,
};

export const WEBHOOK_OPERATIONS: Operation[] = [
  {
    id: "testWebhook",
    method: "post",
    path: "/webhooks/test",
    tag: TAG,
    summary: "Send a test event",
    description:
      "Sends a `tillgate.test` event to a URL, signed like an order's events with the client secret of this call, or with both secrets during a rotation. It is sent once and not stored. Your server should verify it and return 2xx without side effects. Limited to 10 per minute, merchant and mode.",
    request: {
      schema: "TestWebhookRequest",
      examples: example("address", "A URL", { callback_url: "https://shop.example/tillgate" }),
    },
    response: {
      schema: "WebhookTestResponse",
      description: "The result of the test. A failed test also returns 200.",
      examples: {
        delivered: { summary: "Delivered", value: succeeded("Test event sent", DELIVERED) },
        refused: {
          summary: "The URL returned 401",
          value: succeeded("Test event sent", {
            ...DELIVERED,
            delivered: false,
            http_status: 401,
            error: "status",
          }),
        },
        unresolved: {
          summary: "The host name doesn't resolve",
          value: succeeded("Test event sent", {
            delivered: false,
            http_status: null,
            latency_ms: 12,
            error: "dns",
            location: null,
          }),
        },
      },
    },
    errors: [
      wrongField("callback_url", FieldRule.Required),
      wrongField("callback_url", FieldRule.WebAddress),
    ],
  },
  {
    id: "listEvents",
    method: "get",
    path: "/events",
    tag: TAG,
    summary: "List events",
    description:
      "Returns the events of the account and mode, oldest first, whether or not a webhook was sent for them; `report.ready` only if `types` includes it. Events of one order are in commit order. Paginate with `after`: no event is missed or returned twice, however late it is committed. With `wait`, the request waits for the next event if there is none (long polling).",
    parameters: [
      queryParameter(
        "after",
        `Only events after this position: the \`next\` of the previous response. \`${FROM_NOW}\` starts with the next event. Omit it to start with the oldest event.`,
        { type: "string", pattern: "^(now|\\d{1,18}\\.\\d{1,18})$" },
      ),
      queryParameter(
        "types",
        `Only these events, comma-separated: ${eventNames.join(", ")}. Defaults to those of orders, refunds and payouts.`,
        {
          type: "string",
        },
      ),
      queryParameter("per_page", "Number of events per response.", {
        type: "integer",
        minimum: 1,
        maximum: MAX_PER_PAGE,
        default: 20,
      }),
      queryParameter("wait", "Seconds to wait for an event if there is none.", {
        type: "integer",
        minimum: 0,
        maximum: MAX_EVENT_WAIT_SECONDS,
        default: 0,
      }),
    ],
    response: {
      schema: "EventListResponse",
      description: "Events, and the position after them; no events if none occurred in time.",
      examples: {
        page: {
          summary: "One event",
          value: succeeded("Events retrieved", { events: [EVENT], next: "5213.881", has_more: false }),
        },
        none: {
          summary: "No events",
          value: succeeded("Events retrieved", { events: [], next: "5214.0", has_more: false }),
        },
      },
    },
    errors: [
      wrongField("after", FieldRule.EarlierNext),
      wrongField("types", FieldRule.EventNames),
      wrongField("per_page", wholeNumberRule(1, MAX_PER_PAGE)),
      wrongField("wait", wholeNumberRule(0, MAX_EVENT_WAIT_SECONDS)),
    ],
  },
];
