import { FieldRule, wholeNumberRule } from "../errors/index.js";
import { MAX_PER_PAGE } from "../fields.js";
import { eventNames, FROM_NOW, MAX_EVENT_WAIT_SECONDS } from "../public/webhooks.js";
import type { JsonObject } from "./describe-schema.js";
import { BASIC_ERRORS, wrongField } from "./errors.js";
import { type Path, queryParameter } from "./operation.js";
import { succeeded } from "./orders.js";

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

/** `/webhooks/test` and `/events`. */
export const WEBHOOK_PATHS: Path[] = [
  {
    path: "/webhooks/test",
    api: "pay",
    operations: [
      {
        id: "testWebhook",
        method: "post",
        tag: TAG,
        summary: "Send a test event",
        description:
          "Sends one `tillgate.test` event to the address, signed as an order's events are: with the client secret of this call, during a rotation with both. It is sent once and not stored. A receiver verifies it, answers 2xx and changes nothing. At most 10 a minute for each merchant and mode.",
        security: "clientCredentials",
        request: {
          schema: "TestWebhookRequest",
          examples: {
            address: { summary: "An address", value: { callback_url: "https://shop.example/tillgate" } },
          },
        },
        answer: {
          schema: "WebhookTestAnswer",
          description: "The result of the test; a failed test is a 200 too.",
          examples: {
            delivered: { summary: "Received", value: succeeded("Test event sent", DELIVERED) },
            refused: {
              summary: "The address answered 401",
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
          ...BASIC_ERRORS,
          wrongField("callback_url", FieldRule.Required),
          wrongField("callback_url", FieldRule.WebAddress),
        ],
      },
    ],
  },
  {
    path: "/events",
    api: "pay",
    operations: [
      {
        id: "listEvents",
        method: "get",
        tag: TAG,
        summary: "Read events, also live",
        description:
          "All events of the account and mode in the order they were committed, the oldest first, whether or not a webhook was sent for them. Follow them with `after`: no event is missed or told twice, however late it is committed. With `wait` the answer waits for an event when there is none yet.",
        security: "clientCredentials",
        parameters: [
          queryParameter(
            "after",
            `Only what follows this place: the \`next\` of an earlier answer. \`${FROM_NOW}\` begins with the next event. Left out: from the oldest event.`,
            { type: "string", pattern: "^(now|\\d{1,18}\\.\\d{1,18})$" },
          ),
          queryParameter("types", `Only these events, separated by commas: ${eventNames.join(", ")}.`, {
            type: "string",
          }),
          queryParameter("per_page", "Events an answer.", {
            type: "integer",
            minimum: 1,
            maximum: MAX_PER_PAGE,
            default: 20,
          }),
          queryParameter("wait", "How long to wait for an event when there is none, in seconds.", {
            type: "integer",
            minimum: 0,
            maximum: MAX_EVENT_WAIT_SECONDS,
            default: 0,
          }),
        ],
        answer: {
          schema: "EventListAnswer",
          description: "Events and the place behind them; no event when none came in time.",
          examples: {
            page: {
              summary: "One event",
              value: succeeded("Events retrieved", { events: [EVENT], next: "5213.881", has_more: false }),
            },
            none: {
              summary: "None yet",
              value: succeeded("Events retrieved", { events: [], next: "5214.0", has_more: false }),
            },
          },
        },
        errors: [
          ...BASIC_ERRORS,
          wrongField("after", FieldRule.EarlierNext),
          wrongField("types", FieldRule.EventNames),
          wrongField("per_page", wholeNumberRule(1, MAX_PER_PAGE)),
          wrongField("wait", wholeNumberRule(0, MAX_EVENT_WAIT_SECONDS)),
        ],
      },
    ],
  },
];
