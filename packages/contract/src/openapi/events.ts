import type { EventName } from "../public/webhooks.js";
import { type JsonObject, reference } from "./describe-schema.js";
import { PAYOUT_TERMS } from "./payouts.js";
import type { RESPONSE_SCHEMAS } from "./response-schemas.js";

const ID = "evt_2m8kq4w0z7c1v5b9n3x6d";
const TIME = "2026-11-21T10:02:41+00:00";

const orderBody = (event: EventName, changes: JsonObject): JsonObject => ({
  id: ID,
  event,
  timestamp: TIME,
  data: {
    order_id: "POS-20261121-7KQ2MX",
    amount: 41.5,
    currency: "EUR",
    status: "PAID",
    reference: "till-3/1001",
    terminal_id: "till-3",
    trx_id: "TRX-482913750264",
    paid_at: "2026-11-21T09:31:12+00:00",
    order_number: null,
    custom: null,
    refunded_amount: 0,
    metadata: { cashier: "7" },
    version: 2,
    ...changes,
  },
});

const refundBody = (event: EventName, status: "completed" | "failed"): JsonObject => ({
  id: ID,
  event,
  timestamp: TIME,
  data: {
    refund_id: "RF-20261121-3HV9PA",
    transaction_id: "TRX-482913750264",
    amount: "10.00 EUR",
    raw_amount: 10,
    currency: "EUR",
    status,
    reason: "One coffee was cold",
    reference: "till-3/1001/r1",
    created_at: TIME,
    order_id: "POS-20261121-7KQ2MX",
  },
});

const payoutBody = (event: EventName, status: "completed" | "failed"): JsonObject => ({
  id: ID,
  event,
  payout_id: "PO7KQ2MX9A",
  ...PAYOUT_TERMS,
  status,
  processed_at: TIME,
  metadata: null,
  timestamp: TIME,
});

type Event = { summary: string; schema: keyof typeof RESPONSE_SCHEMAS; body: JsonObject };

const NEVER_PAID: JsonObject = { trx_id: null, paid_at: null };

const EVENTS: Record<EventName, Event> = {
  "pos.order.paid": {
    summary: "An order was paid",
    schema: "OrderEvent",
    body: orderBody("pos.order.paid", {}),
  },
  "pos.order.expired": {
    summary: "An order expired before it was paid",
    schema: "OrderEvent",
    body: orderBody("pos.order.expired", { ...NEVER_PAID, status: "EXPIRED" }),
  },
  "pos.order.cancelled": {
    summary: "An order was cancelled",
    schema: "OrderEvent",
    body: orderBody("pos.order.cancelled", { ...NEVER_PAID, status: "CANCELLED" }),
  },
  "pos.order.refunded": {
    summary: "A payment was refunded in full",
    schema: "OrderEvent",
    body: orderBody("pos.order.refunded", { status: "REFUNDED", refunded_amount: 41.5, version: 4 }),
  },
  "refund.completed": {
    summary: "A full or partial refund was completed",
    schema: "RefundEvent",
    body: refundBody("refund.completed", "completed"),
  },
  "refund.failed": {
    summary: "A refund was rejected",
    schema: "RefundEvent",
    body: refundBody("refund.failed", "failed"),
  },
  "payout.completed": {
    summary: "A payout was completed",
    schema: "PayoutEvent",
    body: payoutBody("payout.completed", "completed"),
  },
  "payout.failed": {
    summary: "A payout was rejected",
    schema: "PayoutEvent",
    body: payoutBody("payout.failed", "failed"),
  },
  "report.ready": {
    summary: "A day on which a wallet has entries was closed",
    schema: "ReportEvent",
    body: {
      id: ID,
      event: "report.ready",
      timestamp: "2026-11-22T00:01:07+00:00",
      data: { wallet: "EUR", date: "2026-11-21", time_zone: "UTC" },
    },
  },
};

const header = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

export const DELIVERY_HEADERS: Record<string, JsonObject> = {
  WebhookId: header("webhook-id", "The event's ID, the same for every attempt (Standard Webhooks).", ID),
  WebhookTimestamp: header("webhook-timestamp", "The time of this attempt, in Unix seconds.", "1795255361"),
  WebhookSignature: header(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; during a rotation, one signature per active secret, separated by spaces. Verify the signature, and that the timestamp is within 300 seconds, before parsing the body.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
  TillgateEvent: header("X-Tillgate-Event", "The event's name.", "pos.order.paid"),
  TillgateSignature: header(
    "X-Tillgate-Signature",
    "`sha256=` and the hex HMAC-SHA256 of the body only. It does not cover the timestamp, so it does not protect against replayed requests.",
    "sha256=7d38cdd689735b008b3c702edd92eea23791c5f6a9e0d1b3b7d3a5e8f4c2b1a0",
  ),
  TillgateReplay: {
    ...header(
      "X-Tillgate-Replay",
      "The ID of the replay that resends the event; otherwise absent. Ignore it unless `X-Tillgate-Replay-Signature` is valid.",
      "0d5f2a4e-6f3f-4d8f-9a57-4f0c8f0b1c11",
    ),
    required: false,
  },
  TillgateReplaySignature: {
    ...header(
      "X-Tillgate-Replay-Signature",
      "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.replay.` followed by the replay's ID, one per active secret, separated by spaces.",
      "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
    required: false,
  },
};

const describeRecipients = (schema: Event["schema"]): string =>
  schema === "PayoutEvent" || schema === "ReportEvent"
    ? "Sent to the endpoints subscribed to it."
    : "Sent to the order's `callback_url`, signed with the current secret of the API key that created the order, and to the endpoints subscribed to it.";

export const describeWebhooks = (): JsonObject =>
  Object.fromEntries(
    Object.entries(EVENTS).map(([name, { summary, schema, body }]) => [
      name,
      {
        post: {
          operationId: `on.${name}`,
          tags: ["Events"],
          summary,
          description: `${describeRecipients(schema)} Delivered at least once, with retries over about 76 hours; process each event ID once.`,
          security: [],
          parameters: Object.keys(DELIVERY_HEADERS).map((header) => reference("parameters", header)),
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: reference("schemas", schema),
                examples: { event: { summary, value: body } },
              },
            },
          },
          responses: {
            "2XX": {
              description: "Acknowledged within 15 seconds. Any other response is a failure and is retried.",
            },
            410: { description: "Stops all deliveries to this URL." },
          },
        },
      },
    ]),
  );
