import { ErrorCode, FieldRule, oneOfRule, wholeNumberRule } from "../errors/index.js";
import { MAX_PER_PAGE } from "../fields.js";
import { MAX_RECEIVERS } from "../limits.js";
import { eventNames } from "../public/webhooks.js";
import type { JsonObject } from "./describe-schema.js";
import { type ErrorRow, wrongField } from "./errors.js";
import {
  CURSOR_PARAMETER,
  example,
  type Operation,
  PER_PAGE_PARAMETER,
  pathParameter,
  queryParameter,
  successExample,
} from "./operation.js";

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
  "The endpoint's ID.",
  "7d1f1f0e-6b0c-4c0e-9a2f-2f6f0d5f8a11",
);
const DELIVERY_ID = pathParameter(
  "delivery_id",
  "The delivery's ID.",
  "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e5f",
);

/** Describes a call that has no body and returns the changed endpoint. */
const step = (
  name: string,
  operation: Pick<Operation, "id" | "summary" | "description">,
  response: { message: string; data: JsonObject },
  errors: ErrorRow[] = [],
): Operation => ({
  ...operation,
  method: "post",
  path: `/webhooks/endpoints/{endpoint_id}/${name}`,
  tag: TAG,
  parameters: [ENDPOINT_ID],
  response: {
    schema: "secret" in response.data ? "WebhookEndpointSecretResponse" : "WebhookEndpointResponse",
    description: "The endpoint after the change.",
    examples: successExample("one", "The endpoint", response.message, response.data),
  },
  errors: [ErrorCode.ReceiverNotFound, ...errors],
});

const ENDPOINT_OPERATIONS: Operation[] = [
  {
    id: "createWebhookEndpoint",
    method: "post",
    path: "/webhooks/endpoints",
    tag: TAG,
    summary: "Create a webhook endpoint",
    description: `Creates an endpoint and returns its signing secret, once. If you lose the secret, remove the endpoint and create it again. Up to ${MAX_RECEIVERS} endpoints per mode. ${EVENTS}`,
    request: {
      schema: "CreateWebhookEndpointRequest",
      examples: example("shop", "A shop", {
        address: "https://shop.example/tillgate",
        events: ["pos.order.paid", "refund.completed"],
      }),
    },
    response: {
      schema: "WebhookEndpointSecretResponse",
      description: "The endpoint and its secret.",
      examples: successExample("one", "Created", "Endpoint created", SECRET),
    },
    errors: [
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
    path: "/webhooks/endpoints",
    tag: TAG,
    summary: "List webhook endpoints",
    description: "Returns all endpoints and their health, oldest first, without removed ones.",
    response: {
      schema: "WebhookEndpointListResponse",
      description: "The endpoints.",
      examples: successExample("one", "One endpoint", "Endpoints retrieved", { endpoints: [ENDPOINT] }),
    },
  },
  {
    id: "getWebhookEndpoint",
    method: "get",
    path: "/webhooks/endpoints/{endpoint_id}",
    tag: TAG,
    summary: "Get a webhook endpoint",
    description: "Retrieves an endpoint and its health, without the secret.",
    parameters: [ENDPOINT_ID],
    response: {
      schema: "WebhookEndpointResponse",
      description: "The endpoint.",
      examples: successExample("one", "The endpoint", "Endpoint retrieved", ENDPOINT),
    },
    errors: [ErrorCode.ReceiverNotFound],
  },
  {
    id: "changeWebhookEndpoint",
    method: "post",
    path: "/webhooks/endpoints/{endpoint_id}",
    tag: TAG,
    summary: "Update a webhook endpoint",
    description: `Changes the URL, the events, or both. Pending deliveries go to the new URL; new subscriptions apply to future events. ${EVENTS}`,
    parameters: [ENDPOINT_ID],
    request: {
      schema: "ChangeWebhookEndpointRequest",
      examples: example("events", "Change the events", { events: ["pos.order.paid"] }),
    },
    response: {
      schema: "WebhookEndpointResponse",
      description: "The endpoint after the change.",
      examples: successExample("one", "Updated", "Endpoint changed", {
        ...ENDPOINT,
        events: ["pos.order.paid"],
      }),
    },
    errors: [
      wrongField("address", FieldRule.WebAddress),
      ErrorCode.ReceiverNotFound,
      ErrorCode.ReceiverExists,
    ],
  },
  step(
    "pause",
    {
      id: "pauseWebhookEndpoint",
      summary: "Pause a webhook endpoint",
      description: "Holds the endpoint's deliveries until it is resumed. Safe to repeat. No body required.",
    },
    { message: "Endpoint paused", data: { ...ENDPOINT, state: "paused" } },
  ),
  step(
    "resume",
    {
      id: "resumeWebhookEndpoint",
      summary: "Resume a webhook endpoint",
      description: "Sends the held deliveries. Safe to repeat. No body required.",
    },
    { message: "Endpoint resumed", data: ENDPOINT },
  ),
  step(
    "enable",
    {
      id: "enableWebhookEndpoint",
      summary: "Enable a webhook endpoint",
      description:
        "Enables a disabled endpoint. Events missed in the meantime are not sent automatically. Safe to repeat. No body required.",
    },
    { message: "Endpoint enabled", data: ENDPOINT },
  ),
  step(
    "remove",
    {
      id: "removeWebhookEndpoint",
      summary: "Remove a webhook endpoint",
      description: "Removes an endpoint permanently; nothing more is sent to it. No body required.",
    },
    { message: "Endpoint removed", data: ENDPOINT },
  ),
  step(
    "rotate-secret",
    {
      id: "rotateWebhookEndpointSecret",
      summary: "Rotate an endpoint's signing secret",
      description:
        "Returns the new secret, once. Webhooks are signed with both secrets for a day; the next rotation is possible after that. No body required.",
    },
    {
      message: "Secret rotated",
      data: { ...SECRET, previous_secret_expires_at: "2026-11-22T09:30:00+00:00" },
    },
    [ErrorCode.ReceiverRotationUnderWay],
  ),
  {
    id: "testWebhookEndpoint",
    method: "post",
    path: "/webhooks/endpoints/{endpoint_id}/test",
    tag: TAG,
    summary: "Test a webhook endpoint",
    description:
      "Sends a `tillgate.test` event, signed like the endpoint's webhooks, even if the endpoint is paused or disabled. The endpoint's health is unaffected, but a 2xx verifies its URL. Limited to 10 per minute, together with `/webhooks/test`. No body required.",
    parameters: [ENDPOINT_ID],
    response: {
      schema: "WebhookTestResponse",
      description: "The result of the test. A failed test also returns 200.",
      examples: successExample("one", "Delivered", "Test event sent", {
        delivered: true,
        http_status: 204,
        latency_ms: 84,
        error: null,
        location: null,
      }),
    },
    errors: [ErrorCode.ReceiverNotFound],
  },
];

const DELIVERY_OPERATIONS: Operation[] = [
  {
    id: "listWebhookDeliveries",
    method: "get",
    path: "/webhooks/deliveries",
    tag: TAG,
    summary: "List deliveries",
    description:
      "Returns deliveries to your endpoints and to orders' `callback_url`, newest first. Paginate with `cursor`; new deliveries do not shift later pages.",
    parameters: [
      queryParameter("endpoint_id", "Only deliveries to this endpoint.", {
        type: "string",
        maxLength: 64,
      }),
      queryParameter("status", "Only failed deliveries.", {
        type: "string",
        enum: ["failed"],
      }),
      CURSOR_PARAMETER,
      PER_PAGE_PARAMETER,
    ],
    response: {
      schema: "WebhookDeliveryListResponse",
      description: "A page of deliveries.",
      examples: successExample("one", "One delivery", "Deliveries retrieved", {
        deliveries: [DELIVERY],
        next_cursor: null,
      }),
    },
    errors: [
      wrongField("status", oneOfRule(["failed"])),
      wrongField("cursor", FieldRule.EarlierCursor),
      wrongField("per_page", wholeNumberRule(1, MAX_PER_PAGE)),
      ErrorCode.ReceiverNotFound,
    ],
  },
  {
    id: "getWebhookDelivery",
    method: "get",
    path: "/webhooks/deliveries/{delivery_id}",
    tag: TAG,
    summary: "Get a delivery",
    description: "Retrieves a delivery and its attempts.",
    parameters: [DELIVERY_ID],
    response: {
      schema: "WebhookDeliveryResponse",
      description: "The delivery and its attempts.",
      examples: successExample("one", "Delivered on the first attempt", "Delivery retrieved", {
        ...DELIVERY,
        history: [ATTEMPT],
      }),
    },
    errors: [ErrorCode.DeliveryNotFound],
  },
  {
    id: "resendWebhookDelivery",
    method: "post",
    path: "/webhooks/deliveries/{delivery_id}/resend",
    tag: TAG,
    summary: "Resend a delivery",
    description:
      "Resends a failed or delivered delivery, or sends the next attempt of a pending one now. Concurrent calls resend it once. No body required.",
    parameters: [DELIVERY_ID],
    response: {
      schema: "DeliveryResentResponse",
      description: "The delivery is queued.",
      examples: successExample("one", "Resent", "Delivery sent again", {
        delivery_id: "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e5f",
        already_waiting: false,
      }),
    },
    errors: [ErrorCode.DeliveryNotFound, ErrorCode.ReceiverInactive],
  },
];

export const WEBHOOK_ENDPOINT_OPERATIONS: Operation[] = [...ENDPOINT_OPERATIONS, ...DELIVERY_OPERATIONS];
