import { parseRetryAfter } from "@tillgate/contract";
import type { Keyring } from "@tillgate/database";
import { placeOf, spanned, withTraceparent } from "@tillgate/service/tracing";
import type pg from "pg";
import type { Logger } from "pino";
import type { buildConnector } from "undici";
import type { Counters } from "../metrics/counters.js";
import { deliveryHeaders } from "./delivery-headers.js";
import { hostOf } from "./host-of.js";
import { giveUp, holdDelivery, type LeasedDelivery, putBack, type Settlement } from "./queries.js";
import { nextDelayMs } from "./schedule.js";
import { type AttemptOutcome, sendAttempt } from "./send-attempt.js";
import type { Settler } from "./settle-together.js";
import { signingKeys } from "./signing-keys.js";
import { keysOfNobody, type MetControl, meetControl } from "./test-control.js";

/** Headers that prove the sender of a delivery: never stored. */
const SIGNATURE_HEADERS = new Set(["webhook-signature", "x-tillgate-signature"]);
const GONE = 410;

export type DeliverOptions = {
  settler: Settler;
  keyring: Keyring;
  log: Pick<Logger, "info" | "warn">;
  counters: Pick<Counters, "attempt">;
  connector: buildConnector.connector;
  privateAllowed: boolean;
  /** How long the attempt may take, in milliseconds. */
  timeoutMs: number;
  /** Gives the attempt up, when the process ends. */
  abandon: AbortSignal;
  /** The worker that holds the lease. */
  worker: string;
};

/** A leased delivery, and the time by the database's clock, whatever the process's own clock says. */
export type PreparedDelivery = { delivery: LeasedDelivery; now: () => Date };

/**
 * Makes one attempt of a leased delivery, and writes the attempt and the delivery's new state in one transaction. After a
 * crash at any point the lease ends, and another worker takes over. So the receiver may see an event twice, but never not
 * at all.
 */
export async function deliver(options: DeliverOptions, prepared: PreparedDelivery): Promise<void> {
  const { settler, worker } = options;
  const { delivery } = prepared;
  const { id, receiverState } = delivery;
  const finish = async (write: (client: pg.PoolClient) => Promise<unknown>): Promise<void> => {
    await settler.end({ write });
  };
  if (receiverState === "disabled" || receiverState === "removed")
    return finish((client) => giveUp(client, id, `receiver_${receiverState}`));
  if (receiverState === "paused")
    return finish(async (client) => {
      if (!(await holdDelivery(client, id))) await putBack(client, id, worker);
    });

  const control = await meetControl(settler, delivery, worker);
  if (control === "held") return;
  if (control === "delivery_never") return finish((client) => giveUp(client, id, "test_control"));

  const made = await spanned(
    `deliver ${delivery.eventName}`,
    {
      kind: "PRODUCER",
      parent: placeOf(delivery.traceparent),
      attributes: { "tillgate.event_id": delivery.eventId, "tillgate.delivery_id": id },
    },
    async (span) => {
      const attempt = await makeAttempt(options, prepared, control);
      span?.setAttributes({
        "http.response.status_code": attempt?.httpStatus ?? undefined,
        "error.type": attempt?.errorKind ?? undefined,
      });
      return attempt;
    },
  );
  if (!made) return finish((client) => putBack(client, id, worker));

  const attempt = settlementOf(delivery, made);
  options.counters.attempt(delivery.mode, made.errorKind ?? "delivered", made.latencyMs / 1_000);
  logAttempt(options.log, delivery, attempt, await settler.end({ attempt }));
}

type MadeAttempt = AttemptOutcome & { startedAt: Date; requestHeaders: Record<string, string> };

async function makeAttempt(
  options: DeliverOptions,
  { delivery, now }: PreparedDelivery,
  control: MetControl,
): Promise<MadeAttempt | null> {
  const { connector, privateAllowed, timeoutMs, abandon } = options;
  const startedAt = now();
  const signing =
    control === "delivery_badly_signed" ? keysOfNobody() : signingKeys(delivery, options.keyring);
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
  const headers = deliveryHeaders({
    id: delivery.eventId,
    event: delivery.eventName,
    timestampSeconds: Math.floor(startedAt.getTime() / 1_000),
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
  // The second one is the receiver's to know again; the first one counts.
  if (control === "delivery_twice") await sendAttempt(sent);
  if (!outcome) return null;
  const requestHeaders = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !SIGNATURE_HEADERS.has(name.toLowerCase())),
  );
  return { startedAt, requestHeaders, ...outcome };
}

/** The delivery's state after an attempt: delivered, failed for good, or due again by the schedule. */
export function settlementOf(
  delivery: Pick<LeasedDelivery, "id" | "attemptCount" | "attemptsBefore" | "address" | "queueId">,
  attempt: MadeAttempt,
): Settlement {
  const { retryAfter, ...kept } = attempt;
  const number = delivery.attemptCount + 1;
  const { id: deliveryId, address, queueId, attemptsBefore } = delivery;
  const base = { deliveryId, number, address, queueId, nextDelayMs: 0, givenUpBecause: null, ...kept };
  if (attempt.errorKind === null) return { ...base, status: "delivered" };
  if (attempt.httpStatus === GONE) return { ...base, status: "failed", givenUpBecause: "gone" };
  const delay = nextDelayMs({
    attempts: number - attemptsBefore,
    retryAfterMs: parseRetryAfter(retryAfter, attempt.startedAt.getTime() + attempt.latencyMs),
  });
  return delay === null
    ? { ...base, status: "failed", givenUpBecause: "attempts_over" }
    : { ...base, status: "pending", nextDelayMs: delay };
}

/** One line per attempt. The host only: an address may carry a secret in its path or query. */
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
    host: hostOf(delivery.address),
    attempt: settlement.number,
    status: settlement.httpStatus,
    error: settlement.errorKind,
    latencyMs: settlement.latencyMs,
    ...(settlement.status === "pending" && { nextAttemptInMs: settlement.nextDelayMs }),
  };
  if (!settled) log.warn(line, "an attempt had been settled by another worker already");
  else if (settlement.status === "delivered") log.info(line, "event delivered");
  else if (settlement.status === "failed") log.warn(line, "delivery given up");
  else log.info(line, "delivery failed, will be tried again");
}
