import { ErrorCode, FieldRule, oneOfRule, wholeNumberRule } from "../errors/index.js";
import { MAX_PER_PAGE } from "../fields.js";
import { MAX_RECEIVERS } from "../limits.js";
import { eventNames } from "../public/webhooks.js";
import type { Json, JsonObject } from "./describe-schema.js";
import { BASIC_ERRORS, type ErrorRow, wrongField } from "./errors.js";
import {
  CURSOR_PARAMETER,
  type Operation,
  type Path,
  PER_PAGE_PARAMETER,
  pathParameter,
  queryParameter,
} from "./operation.js";
import { succeeded } from "./orders.js";

const TAG = "Webhooks";
const EVENTS = `Events: ${eventNames.join(", ")}.`;

const ENDPOINT: JsonObject = {
  endpoint_id: "7d1f1f0e-6b0c-4c0e-9a2f-2f6f0d5f8a11",
  address: "https://shop.example/tillgate",
  events: ["pos.order.paid", "refund.completed"],
  state: "active",
  disabled_reason: null,
  disabled_at: null,
  verified_at: "2026-11-21T09:31:00+00:00",
  last_success_at: "2026-11-21T09:35:01+00:00",
  last_failure_at: null,
  likely_cause: null,
  failures_in_row: 0,
  failing_since: null,
  previous_secret_expires_at: null,
  created_at: "2026-11-21T09:30:00+00:00",
};
const NEW: JsonObject = { ...ENDPOINT, verified_at: null, last_success_at: null };
const SECRET: JsonObject = { ...NEW, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwq0Ycjv1Vv0A=" };

const DELIVERY: JsonObject = {
  delivery_id: "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e5f",
  event_id: "evt_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d",
  event: "pos.order.paid",
  endpoint_id: "7d1f1f0e-6b0c-4c0e-9a2f-2f6f0d5f8a11",
  address: "https://shop.example/tillgate",
  status: "delivered",
  given_up_because: null,
  attempts: 1,
  next_attempt_at: null,
  created_at: "2026-11-21T09:35:00+00:00",
  settled_at: "2026-11-21T09:35:01+00:00",
};
const ATTEMPT: JsonObject = {
  number: 1,
  started_at: "2026-11-21T09:35:00+00:00",
  latency_ms: 84,
  http_status: 204,
  error: null,
  likely_cause: null,
  answer_start: null,
};

const ENDPOINT_ID = pathParameter(
  "endpoint_id",
  "The endpoint's id.",
  "7d1f1f0e-6b0c-4c0e-9a2f-2f6f0d5f8a11",
);
const DELIVERY_ID = pathParameter(
  "delivery_id",
  "The delivery's id.",
  "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e5f",
);

const one = (summary: string, message: string, data: Json) => ({
  one: { summary, value: succeeded(message, data) },
});

/** A step of one endpoint: a call without a body that answers the endpoint as it is then. */
const step = (
  name: string,
  operation: Pick<Operation, "id" | "summary" | "description">,
  answer: { message: string; data: JsonObject },
  errors: ErrorRow[] = [],
): Path => ({
  path: `/webhooks/endpoints/{endpoint_id}/${name}`,
  api: "pay",
  operations: [
    {
      ...operation,
      method: "post",
      tag: TAG,
      security: "clientCredentials",
      parameters: [ENDPOINT_ID],
      answer: {
        schema: "secret" in answer.data ? "WebhookEndpointSecretAnswer" : "WebhookEndpointAnswer",
        description: "The endpoint as it is then.",
        examples: one("The endpoint", answer.message, answer.data),
      },
      errors: [...BASIC_ERRORS, ErrorCode.ReceiverNotFound, ...errors],
    },
  ],
});

/** `/webhooks/endpoints`: what the console does with them. */
const ENDPOINT_PATHS: Path[] = [
  {
    path: "/webhooks/endpoints",
    api: "pay",
    operations: [
      {
        id: "createWebhookEndpoint",
        method: "post",
        tag: TAG,
        summary: "Add a webhook endpoint",
        description: `The secret is answered once. Where that answer is lost, remove the endpoint and add it again. At most ${MAX_RECEIVERS} for each mode. ${EVENTS}`,
        security: "clientCredentials",
        request: {
          schema: "CreateWebhookEndpointRequest",
          examples: {
            shop: {
              summary: "A shop",
              value: {
                address: "https://shop.example/tillgate",
                events: ["pos.order.paid", "refund.completed"],
              },
            },
          },
        },
        answer: {
          schema: "WebhookEndpointSecretAnswer",
          description: "The endpoint and its secret.",
          examples: one("Added", "Endpoint created", SECRET),
        },
        errors: [
          ...BASIC_ERRORS,
          wrongField("address", FieldRule.Required),
          wrongField("address", FieldRule.WebAddress),
          wrongField("events", FieldRule.Required),
          ErrorCode.ReceiverExists,
          ErrorCode.TooManyReceivers,
        ],
      },
      {
        id: "listWebhookEndpoints",
        method: "get",
        tag: TAG,
        summary: "List webhook endpoints",
        description: "All of them with their health, the oldest first; removed ones are not among them.",
        security: "clientCredentials",
        answer: {
          schema: "WebhookEndpointListAnswer",
          description: "The endpoints.",
          examples: one("One endpoint", "Endpoints retrieved", { endpoints: [ENDPOINT] }),
        },
        errors: BASIC_ERRORS,
      },
    ],
  },
  {
    path: "/webhooks/endpoints/{endpoint_id}",
    api: "pay",
    operations: [
      {
        id: "getWebhookEndpoint",
        method: "get",
        tag: TAG,
        summary: "Get a webhook endpoint",
        description: "With its health. The secret is not answered again.",
        security: "clientCredentials",
        parameters: [ENDPOINT_ID],
        answer: {
          schema: "WebhookEndpointAnswer",
          description: "The endpoint.",
          examples: one("The endpoint", "Endpoint retrieved", ENDPOINT),
        },
        errors: [...BASIC_ERRORS, ErrorCode.ReceiverNotFound],
      },
      {
        id: "changeWebhookEndpoint",
        method: "post",
        tag: TAG,
        summary: "Change a webhook endpoint",
        description: `Another address, other events, or both. Waiting deliveries go to the new address; the events count from now on. ${EVENTS}`,
        security: "clientCredentials",
        parameters: [ENDPOINT_ID],
        request: {
          schema: "ChangeWebhookEndpointRequest",
          examples: { events: { summary: "Other events", value: { events: ["pos.order.paid"] } } },
        },
        answer: {
          schema: "WebhookEndpointAnswer",
          description: "The endpoint as it is then.",
          examples: one("Changed", "Endpoint changed", { ...ENDPOINT, events: ["pos.order.paid"] }),
        },
        errors: [
          ...BASIC_ERRORS,
          wrongField("address", FieldRule.WebAddress),
          ErrorCode.ReceiverNotFound,
          ErrorCode.ReceiverExists,
        ],
      },
    ],
  },
  step(
    "pause",
    {
      id: "pauseWebhookEndpoint",
      summary: "Pause a webhook endpoint",
      description: "Its deliveries are kept, and sent once it is resumed. Safe to repeat. Needs no body.",
    },
    { message: "Endpoint paused", data: { ...ENDPOINT, state: "paused" } },
  ),
  step(
    "resume",
    {
      id: "resumeWebhookEndpoint",
      summary: "Resume a webhook endpoint",
      description: "What was kept is sent. Safe to repeat. Needs no body.",
    },
    { message: "Endpoint resumed", data: ENDPOINT },
  ),
  step(
    "enable",
    {
      id: "enableWebhookEndpoint",
      summary: "Enable a webhook endpoint",
      description:
        "After it was disabled. What it missed meanwhile is not sent by itself. Safe to repeat. Needs no body.",
    },
    { message: "Endpoint enabled", data: ENDPOINT },
  ),
  step(
    "remove",
    {
      id: "removeWebhookEndpoint",
      summary: "Remove a webhook endpoint",
      description: "For good: nothing more is sent to it. Needs no body.",
    },
    { message: "Endpoint removed", data: ENDPOINT },
  ),
  step(
    "rotate-secret",
    {
      id: "rotateWebhookEndpointSecret",
      summary: "Rotate an endpoint's secret",
      description:
        "Answers the new secret, once. For a day webhooks are signed with both; it is rotated once at a time. Needs no body.",
    },
    {
      message: "Secret rotated",
      data: { ...SECRET, previous_secret_expires_at: "2026-11-22T09:30:00+00:00" },
    },
    [ErrorCode.ReceiverRotationUnderWay],
  ),
  {
    path: "/webhooks/endpoints/{endpoint_id}/test",
    api: "pay",
    operations: [
      {
        id: "testWebhookEndpoint",
        method: "post",
        tag: TAG,
        summary: "Test a webhook endpoint",
        description:
          "Sends it one `tillgate.test` event, signed as its webhooks are; also to a paused or disabled one. Its health does not change, but a 2xx verifies its address. Counted with the tests of addresses: at most 10 a minute. Needs no body.",
        security: "clientCredentials",
        parameters: [ENDPOINT_ID],
        answer: {
          schema: "WebhookTestAnswer",
          description: "The result of the test; a failed test is a 200 too.",
          examples: one("Received", "Test event sent", {
            delivered: true,
            http_status: 204,
            latency_ms: 84,
            error: null,
            location: null,
          }),
        },
        errors: [...BASIC_ERRORS, ErrorCode.ReceiverNotFound],
      },
    ],
  },
];

/** `/webhooks/deliveries`: what was sent, and how that went. */
const DELIVERY_PATHS: Path[] = [
  {
    path: "/webhooks/deliveries",
    api: "pay",
    operations: [
      {
        id: "listWebhookDeliveries",
        method: "get",
        tag: TAG,
        summary: "List deliveries",
        description:
          "To your endpoints and to orders' own addresses, the newest first. Go on with `cursor`: nothing shifts when deliveries are added.",
        security: "clientCredentials",
        parameters: [
          queryParameter("endpoint_id", "Only deliveries to this endpoint.", {
            type: "string",
            maxLength: 64,
          }),
          queryParameter("status", "Only deliveries that were given up.", {
            type: "string",
            enum: ["failed"],
          }),
          CURSOR_PARAMETER,
          PER_PAGE_PARAMETER,
        ],
        answer: {
          schema: "WebhookDeliveryListAnswer",
          description: "A page of deliveries.",
          examples: one("One delivery", "Deliveries retrieved", {
            deliveries: [DELIVERY],
            next_cursor: null,
          }),
        },
        errors: [
          ...BASIC_ERRORS,
          wrongField("status", oneOfRule(["failed"])),
          wrongField("cursor", FieldRule.EarlierCursor),
          wrongField("per_page", wholeNumberRule(1, MAX_PER_PAGE)),
          ErrorCode.ReceiverNotFound,
        ],
      },
    ],
  },
  {
    path: "/webhooks/deliveries/{delivery_id}",
    api: "pay",
    operations: [
      {
        id: "getWebhookDelivery",
        method: "get",
        tag: TAG,
        summary: "Get a delivery",
        description: "With its attempts.",
        security: "clientCredentials",
        parameters: [DELIVERY_ID],
        answer: {
          schema: "WebhookDeliveryAnswer",
          description: "The delivery and its attempts.",
          examples: one("Delivered at once", "Delivery retrieved", { ...DELIVERY, history: [ATTEMPT] }),
        },
        errors: [...BASIC_ERRORS, ErrorCode.DeliveryNotFound],
      },
    ],
  },
  {
    path: "/webhooks/deliveries/{delivery_id}/resend",
    api: "pay",
    operations: [
      {
        id: "resendWebhookDelivery",
        method: "post",
        tag: TAG,
        summary: "Send a delivery again",
        description:
          "One that was given up, one that arrived, or one whose next attempt is still to come. Two calls at once send it once. Needs no body.",
        security: "clientCredentials",
        parameters: [DELIVERY_ID],
        answer: {
          schema: "DeliveryResentAnswer",
          description: "It is sent as soon as possible.",
          examples: one("Sent again", "Delivery sent again", {
            delivery_id: "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e5f",
            already_waiting: false,
          }),
        },
        errors: [...BASIC_ERRORS, ErrorCode.DeliveryNotFound, ErrorCode.ReceiverInactive],
      },
    ],
  },
];

export const WEBHOOK_ENDPOINT_PATHS: Path[] = [...ENDPOINT_PATHS, ...DELIVERY_PATHS];
