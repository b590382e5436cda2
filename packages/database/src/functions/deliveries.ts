import { z } from "zod";
import { ledgerFunction, nothing, row, value } from "./ledger-function.js";
import { toRowSchema } from "./rows.js";

/** Enqueues the next event of a running replay, or completes the replay. */
export const advanceReplay = ledgerFunction({
  name: "advance_replay",
  parameters: { replay: "uuid" },
  returns: nothing,
});

/** Leases due deliveries to a worker, round-robin over queues, within limits across all processes. */
export const claimDeliveries = ledgerFunction({
  name: "claim_deliveries",
  parameters: {
    worker: "uuid",
    leaseMs: "int",
    places: "int",
    carefulPlaces: "int",
    from: "uuid",
    after: "uuid",
    carefulAfter: "uuid",
    bounds: "jsonb",
  },
  returns: row(
    toRowSchema(
      z.object({
        ids: z.array(z.uuid()),
        classes: z.array(z.enum(["prompt", "first", "careful", "slow"])),
        next_from: z.guid(),
        next_after: z.guid(),
        next_careful_after: z.guid(),
        visited: z.int(),
        has_more: z.boolean(),
      }),
    ),
  ),
});

/** Applies an endpoint's state to up to `limit` of its deliveries; returns how many, or null if no unlocked endpoint has any to update. */
export const followReceiverState = ledgerFunction({
  name: "follow_receiver_state",
  parameters: { limit: "int" },
  returns: value(z.int().nullable()),
});

/** Holds a leased delivery of a paused endpoint; returns false if the endpoint was resumed or the delivery left the queue meanwhile. */
export const holdDelivery = ledgerFunction({
  name: "hold_delivery",
  parameters: { delivery: "uuid" },
  returns: value(z.boolean()),
});

/** Records an attempt and its outcome; returns false, without writing, if the delivery is no longer queued or its attempt count has changed. */
export const settleAttempt = ledgerFunction({
  name: "settle_attempt",
  parameters: {
    delivery: "uuid",
    number: "int",
    status: "delivery_status",
    nextDelayMs: "double precision",
    givenUpBecause: "text?",
    address: "text",
    host: "text",
    startedAt: "timestamp with time zone",
    latencyMs: "int",
    httpStatus: "int?",
    errorKind: "text?",
    answerStart: "text?",
    requestHeaders: "json",
  },
  returns: value(z.boolean()),
});
