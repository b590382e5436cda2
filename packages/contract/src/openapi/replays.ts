import { ErrorCode, FieldRule, wholeNumberRule } from "../errors/index.js";
import { MAX_PER_PAGE } from "../fields.js";
import { MAX_REPLAY_EVENTS } from "../limits.js";
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
const ENDPOINT = "7d1f1f0e-6b0c-4c0e-9a2f-2f6f0d5f8a11";
const REPLAY_ID = pathParameter("replay_id", "The replay's ID.", "5b0c2a1e-7f52-4d6e-8a0b-3c9d1e2f4a60");

const RUNNING: JsonObject = {
  replay_id: "5b0c2a1e-7f52-4d6e-8a0b-3c9d1e2f4a60",
  endpoint_id: ENDPOINT,
  callback_url: null,
  from: "2026-11-20T00:00:00+00:00",
  to: "2026-11-21T00:00:00+00:00",
  events: ["pos.order.paid", "refund.completed"],
  skip_failed: false,
  state: "running",
  total: 3,
  sent: 1,
  failed: 0,
  cursor: "2231.17",
  event_id: "evt_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d",
  delivery_id: "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e5f",
  created_at: "2026-11-21T09:35:00+00:00",
  ended_at: null,
};

const TARGET_ERRORS: ErrorRow[] = [
  wrongField("callback_url", FieldRule.RequiredWithoutEndpoint),
  wrongField("callback_url", FieldRule.NotWithEndpoint),
  wrongField("from", FieldRule.IsoTime),
  wrongField("from", FieldRule.NotLaterThanNow),
  wrongField("to", FieldRule.LaterThanFrom),
  ErrorCode.ReceiverNotFound,
];

/** Describes a call that has no body and returns the changed replay. */
const step = (
  name: "cancel" | "resume",
  operation: Pick<Operation, "id" | "summary" | "description">,
  response: { message: string; data: JsonObject },
  errors: ErrorRow[] = [],
): Operation => ({
  ...operation,
  method: "post",
  path: `/webhooks/replays/{replay_id}/${name}`,
  tag: TAG,
  parameters: [REPLAY_ID],
  response: {
    schema: "ReplayResponse",
    description: "The replay after the change.",
    examples: successExample("one", "The replay", response.message, response.data),
  },
  errors: [ErrorCode.ReplayNotFound, ErrorCode.ReplayOver, ...errors],
});

export const REPLAY_OPERATIONS: Operation[] = [
  {
    id: "previewReplay",
    method: "post",
    path: "/webhooks/replays/preview",
    tag: TAG,
    summary: "Preview a replay",
    description:
      "Counts the events that a replay would send, and returns the first of them. Nothing is sent or stored.",
    request: {
      schema: "PreviewReplayRequest",
      examples: example("all", "All of an endpoint's events", { endpoint_id: ENDPOINT }),
    },
    response: {
      schema: "ReplayPreviewResponse",
      description: "The events that the replay would send.",
      examples: successExample("one", "One event", "Replay previewed", {
        total: 1,
        more: false,
        by_event: [{ event: "pos.order.paid", count: 1 }],
        first_at: "2026-11-20T09:35:00+00:00",
        last_at: "2026-11-20T09:35:00+00:00",
        first: [
          {
            id: "evt_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d",
            event: "pos.order.paid",
            order_id: "POS-20261120-7KQ2MX",
            created_at: "2026-11-20T09:35:00+00:00",
          },
        ],
      }),
    },
    errors: TARGET_ERRORS,
  },
  {
    id: "createReplay",
    method: "post",
    path: "/webhooks/replays",
    tag: TAG,
    summary: "Create a replay",
    description: `Resends every event of a time range in order, each after the previous one was acknowledged with a 2xx. Failed events are retried on the usual schedule. New events take precedence. An endpoint or URL has at most one running replay, of up to ${MAX_REPLAY_EVENTS} events. Progress is stored, so a replay survives restarts of Tillgate.`,
    replays: true,
    request: {
      schema: "CreateReplayRequest",
      examples: example("day", "One day's events, to an endpoint", {
        endpoint_id: ENDPOINT,
        from: "2026-11-20T00:00:00Z",
        to: "2026-11-21T00:00:00Z",
        idempotency_key: "replay-20-november",
      }),
    },
    response: {
      schema: "ReplayResponse",
      description: "The replay.",
      examples: successExample("one", "Started", "Replay started", { ...RUNNING, sent: 0, cursor: null }),
    },
    errors: [
      ...TARGET_ERRORS,
      wrongField("idempotency_key", FieldRule.KeyAsInHeader),
      wrongField("callback_url", FieldRule.WebAddress),
      ErrorCode.ReceiverInactive,
      ErrorCode.ReplayUnderWay,
      ErrorCode.IdempotencyKeyReused,
    ],
  },
  {
    id: "listReplays",
    method: "get",
    path: "/webhooks/replays",
    tag: TAG,
    summary: "List replays",
    description: "Returns replays, newest first. Paginate with `cursor`.",
    parameters: [
      queryParameter("endpoint_id", "Only replays to this endpoint.", { type: "string", maxLength: 64 }),
      CURSOR_PARAMETER,
      PER_PAGE_PARAMETER,
    ],
    response: {
      schema: "ReplayListResponse",
      description: "A page of replays.",
      examples: successExample("one", "One replay", "Replays retrieved", {
        replays: [RUNNING],
        next_cursor: null,
      }),
    },
    errors: [
      wrongField("cursor", FieldRule.EarlierCursor),
      wrongField("per_page", wholeNumberRule(1, MAX_PER_PAGE)),
      ErrorCode.ReceiverNotFound,
    ],
  },
  {
    id: "getReplay",
    method: "get",
    path: "/webhooks/replays/{replay_id}",
    tag: TAG,
    summary: "Get a replay",
    description: "Retrieves a replay and its progress.",
    parameters: [REPLAY_ID],
    response: {
      schema: "ReplayResponse",
      description: "The replay.",
      examples: successExample("one", "Running", "Replay retrieved", RUNNING),
    },
    errors: [ErrorCode.ReplayNotFound],
  },
  step(
    "cancel",
    {
      id: "cancelReplay",
      summary: "Cancel a replay",
      description:
        "Stops sending events; one that is already being sent may still arrive. Safe to repeat. No body required.",
    },
    {
      message: "Replay cancelled",
      data: { ...RUNNING, state: "cancelled", ended_at: "2026-11-21T09:36:00+00:00" },
    },
  ),
  step(
    "resume",
    {
      id: "resumeReplay",
      summary: "Resume a stopped replay",
      description: "Continues with the event that could not be delivered. Safe to repeat. No body required.",
    },
    { message: "Replay resumed", data: RUNNING },
    [ErrorCode.ReceiverInactive, ErrorCode.ReplayUnderWay],
  ),
];
