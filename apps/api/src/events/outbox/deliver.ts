import { randomBytes } from "node:crypto";
import { DELIVERY_CONTROLS, type DeliveryControl, parseRetryAfter } from "@tillgate/contract";
import type { Keyring } from "@tillgate/database";
import { queryFirstRow, queryOneRow } from "@tillgate/service";
import { parseTraceparent, withSpan, withTraceparent } from "@tillgate/service/tracing";
import { rawKey } from "@tillgate/webhooks";
import type pg from "pg";
import type { Logger } from "pino";
import type { buildConnector } from "undici";
import { z } from "zod";
import type { Counters } from "../../metrics/counters.js";
import { TAKE_CONTROL } from "../../platform/test-controls.js";
import { hostForLog } from "./address-guard.js";
import {
  abandonDelivery,
  holdDelivery,
  type LeasedDelivery,
  postpone,
  releaseDelivery,
  type Settlement,
} from "./queries.js";
import { computeRetryDelayMs } from "./retry-schedule.js";
import { type AttemptOutcome, createDeliveryHeaders, sendAttempt } from "./send-attempt.js";
import type { Settler } from "./settler.js";
import { type SigningKeys, unsealSigningKeys } from "./signing-keys.js";

/** Poll interval of a delivery that is held until a later event has been delivered, in milliseconds. */
const CONTROL_POLL_MS = 500;

/** `held` means that no attempt is made now. */
type AppliedControl = "held" | "delivery_never" | "delivery_twice" | "delivery_badly_signed" | undefined;

const controlSchema = z.object({ control: z.enum(DELIVERY_CONTROLS), seconds: z.int() });

/** Consumes the oldest matching control and stores it with the delivery, in one statement. */
const ASSIGN_CONTROL = `
  WITH taken AS (${TAKE_CONTROL})
  UPDATE deliveries SET test_control = taken.control, held_seconds = taken.seconds, controlled_at = clock_timestamp() FROM taken
  WHERE id = $3 AND leased_by = $4 AND test_control IS NULL RETURNING taken.control, taken.seconds`;

/** Whether a later event of the merchant has arrived at the same receiver, or the hold has timed out. */
const HOLD_ENDED = `
  SELECT clock_timestamp() >= d.controlled_at + d.held_seconds * interval '1 second' OR EXISTS (
    SELECT FROM events later JOIN deliveries arrived ON arrived.event_id = later.id
    WHERE later.merchant_id = d.merchant_id AND later.mode = d.mode AND (later.turn, later.number) > (e.turn, e.number)
      AND arrived.queue_id = d.queue_id AND arrived.status = 'delivered') AS free
  FROM deliveries d JOIN events e ON e.id = d.event_id WHERE d.id = $1`;

/** Applies the delivery's test control, if any. A delivery that is delayed, or held until a later event has arrived, releases its lease. */
async function takeDeliveryControl(
  settler: Settler,
  delivery: LeasedDelivery,
  worker: string,
): Promise<AppliedControl> {
  if (delivery.testControl === "delivery_reversed" && delivery.attemptCount === 0)
    return settleAs(settler, async (client) => {
      const { free } = await queryOneRow(client, z.object({ free: z.boolean() }), HOLD_ENDED, [delivery.id]);
      if (free) return undefined;
      await postpone(client, [delivery.id], worker, CONTROL_POLL_MS);
      return "held";
    });
  if (!delivery.controlled) return undefined;
  return settleAs(settler, async (client) => {
    const values = [delivery.merchantId, DELIVERY_CONTROLS, delivery.id, worker];
    const assigned = await queryFirstRow(client, controlSchema, ASSIGN_CONTROL, values);
    return assigned && applyDelay(client, { ...assigned, id: delivery.id, worker });
  });
}

async function applyDelay(
  client: pg.PoolClient,
  { control, seconds, id, worker }: { control: DeliveryControl; seconds: number; id: string; worker: string },
): Promise<AppliedControl> {
  if (control !== "delivery_late" && control !== "delivery_reversed") return control;
  await postpone(client, [id], worker, control === "delivery_late" ? seconds * 1_000 : CONTROL_POLL_MS);
  return "held";
}

function createUnknownSigningKeys(): SigningKeys {
  const key = rawKey(randomBytes(32).toString("hex"));
  return { keys: [key], simpleKey: key };
}

async function settleAs(
  settler: Settler,
  work: (client: pg.PoolClient) => Promise<AppliedControl>,
): Promise<AppliedControl> {
  let applied: AppliedControl;
  await settler.end({
    write: async (client) => {
      applied = await work(client);
    },
  });
  return applied;
}

/** Headers that are never stored. */
const SIGNATURE_HEADERS = new Set(["webhook-signature", "x-tillgate-signature"]);
const GONE = 410;

export type DeliverOptions = {
  settler: Settler;
  keyring: Keyring;
  log: Pick<Logger, "info" | "warn">;
  counters: Pick<Counters, "attempt">;
  connector: buildConnector.connector;
  privateAllowed: boolean;
  /** Time limit of the attempt, in milliseconds. */
  timeoutMs: number;
  /** Aborts the attempt when the process shuts down. */
  abandon: AbortSignal;
  /** The worker that holds the lease. */
  worker: string;
};

/** `now` is synchronized with the database's clock. `signingClock` is the clock whose time is signed. */
export type PreparedDelivery = { delivery: LeasedDelivery; now: () => Date; signingClock: () => Date };

/**
 * Attempts a delivery; abandons it if the endpoint is disabled or removed, and holds it if the endpoint is paused. After a crash the lease expires
 * and another worker takes over, so a receiver may get an event twice.
 */
export async function deliver(options: DeliverOptions, prepared: PreparedDelivery): Promise<void> {
  const { settler, worker } = options;
  const { delivery } = prepared;
  const { id, receiverState } = delivery;
  const finish = async (write: (client: pg.PoolClient) => Promise<unknown>): Promise<void> => {
    await settler.end({ write });
  };
  if (receiverState === "disabled" || receiverState === "removed")
    return finish((client) => abandonDelivery(client, id, `receiver_${receiverState}`));
  if (receiverState === "paused")
    return finish(async (client) => {
      if (!(await holdDelivery(client, id))) await releaseDelivery(client, id, worker);
    });

  const control = await takeDeliveryControl(settler, delivery, worker);
  if (control === "held") return;
  if (control === "delivery_never") return finish((client) => abandonDelivery(client, id, "test_control"));

  const result = await withSpan(
    `deliver ${delivery.eventName}`,
    {
      kind: "PRODUCER",
      parent: parseTraceparent(delivery.traceparent),
      attributes: { "tillgate.event_id": delivery.eventId, "tillgate.delivery_id": id },
    },
    async (span) => {
      const attempt = await runAttempt(options, prepared, control);
      span?.setAttributes({
        "http.response.status_code": attempt?.httpStatus ?? undefined,
        "error.type": attempt?.errorKind ?? undefined,
      });
      return attempt;
    },
  );
  if (!result) return finish((client) => releaseDelivery(client, id, worker));

  const attempt = toSettlement(delivery, result);
  options.counters.attempt(delivery.mode, result.errorKind ?? "delivered", result.latencyMs / 1_000);
  logAttempt(options.log, delivery, attempt, await settler.end({ attempt }));
}

type AttemptResult = AttemptOutcome & { startedAt: Date; requestHeaders: Record<string, string> };

async function runAttempt(
  options: DeliverOptions,
  { delivery, now, signingClock }: PreparedDelivery,
  control: AppliedControl,
): Promise<AttemptResult | null> {
  const { connector, privateAllowed, timeoutMs, abandon } = options;
  const startedAt = now();
  const signing =
    control === "delivery_badly_signed"
      ? createUnknownSigningKeys()
      : unsealSigningKeys(delivery, options.keyring);
  if (!signing)
    return {
      startedAt,
      requestHeaders: {},
      latencyMs: 0,
      httpStatus: null,
      errorKind: "no_key",
      answerStart: null,
      retryAfter: undefined,
    };
  const headers = createDeliveryHeaders({
    id: delivery.eventId,
    event: delivery.eventName,
    timestampSeconds: Math.floor(signingClock().getTime() / 1_000),
    body: delivery.body,
    replayId: delivery.replayId,
    ...signing,
  });
  const { address, mode, body } = delivery;
  const sent = {
    address,
    mode,
    headers: withTraceparent(headers),
    body,
    connector,
    privateAllowed,
    timeoutMs,
    abandon,
  };
  const outcome = await sendAttempt(sent);
  // Sends a duplicate for the receiver to detect. Only the first attempt is recorded.
  if (control === "delivery_twice") await sendAttempt(sent);
  if (!outcome) return null;
  const requestHeaders = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !SIGNATURE_HEADERS.has(name.toLowerCase())),
  );
  return { startedAt, requestHeaders, ...outcome };
}

export function toSettlement(
  delivery: Pick<LeasedDelivery, "id" | "attemptCount" | "attemptsBefore" | "address" | "queueId">,
  attempt: AttemptResult,
): Settlement {
  const { retryAfter, ...result } = attempt;
  const number = delivery.attemptCount + 1;
  const { id: deliveryId, address, queueId, attemptsBefore } = delivery;
  const base = { deliveryId, number, address, queueId, nextDelayMs: 0, givenUpBecause: null, ...result };
  if (attempt.errorKind === null) return { ...base, status: "delivered" };
  if (attempt.httpStatus === GONE) return { ...base, status: "failed", givenUpBecause: "gone" };
  const delay = computeRetryDelayMs({
    attempts: number - attemptsBefore,
    retryAfterMs: parseRetryAfter(retryAfter, attempt.startedAt.getTime() + attempt.latencyMs),
  });
  return delay === null
    ? { ...base, status: "failed", givenUpBecause: "attempts_over" }
    : { ...base, status: "pending", nextDelayMs: delay };
}

/** Logs an attempt, with only the URL's host, because path and query may contain a secret. */
function logAttempt(
  log: DeliverOptions["log"],
  delivery: LeasedDelivery,
  settlement: Settlement,
  settled: boolean,
): void {
  const line = {
    delivery: settlement.deliveryId,
    event: delivery.eventId,
    name: delivery.eventName,
    host: hostForLog(delivery.address),
    attempt: settlement.number,
    status: settlement.httpStatus,
    error: settlement.errorKind,
    latencyMs: settlement.latencyMs,
    ...(settlement.status === "pending" && { nextAttemptInMs: settlement.nextDelayMs }),
  };
  if (!settled) log.warn(line, "another worker has already recorded this attempt or settled the delivery");
  else if (settlement.status === "delivered") log.info(line, "event delivered");
  else if (settlement.status === "failed") log.warn(line, "delivery abandoned");
  else log.info(line, "delivery attempt failed; it will be retried");
}
