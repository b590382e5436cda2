import type { Keyring } from "@tillgate/database";
import { signWebhook } from "@tillgate/webhooks";
import type pg from "pg";
import type { Logger } from "pino";
import type { buildConnector } from "undici";
import type { ClaimedJob, Lane } from "./delivery-queue.js";
import { hostOf } from "./host-of.js";
import {
  giveUp,
  holdDelivery,
  putBack,
  type QueuedDelivery,
  readHosts,
  readQueued,
  type Settlement,
} from "./queries.js";
import { nextDelayMs, parseRetryAfter } from "./schedule.js";
import { type AttemptOutcome, sendAttempt } from "./send-attempt.js";
import type { Settler } from "./settle-together.js";
import { signingKeys } from "./signing-keys.js";

const USER_AGENT = "Tillgate-Webhooks/1";
/** Headers that prove who sent a delivery: never stored. */
const SIGNATURE_HEADERS = new Set(["webhook-signature", "x-tillgate-signature"]);
const GONE = 410;

export type DeliverOptions = {
  settler: Settler;
  keyring: Keyring;
  log: Pick<Logger, "info" | "warn">;
  connector: buildConnector.connector;
  privateAllowed: boolean;
  /** How long the attempt may take, in milliseconds. */
  timeoutMs: number;
  /** Gives the attempt up, when the process ends. */
  abandon: AbortSignal;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
};

/** A fetched job with what its attempt needs. */
export type PreparedJob = {
  job: ClaimedJob;
  /** Undefined when another worker has settled it. */
  delivery: QueuedDelivery | undefined;
  /** Whether the job has a place in the prompt lane and its host hangs by now. */
  isMisplaced: boolean;
};

/** Reads what the attempts of fetched jobs need, all at once. */
export async function prepareJobs(pool: pg.Pool, jobs: ClaimedJob[], lane: Lane): Promise<PreparedJob[]> {
  const queued = await readQueued(
    pool,
    jobs.map(({ id }) => id),
  );
  const hosts =
    lane === "prompt"
      ? await readHosts(pool, [...new Set([...queued.values()].map(({ address }) => hostOf(address)))])
      : undefined;
  return jobs.map((job) => {
    const delivery = queued.get(job.id);
    const isMisplaced = hosts !== undefined && delivery !== undefined && !hosts.get(hostOf(delivery.address));
    return { job, delivery, isMisplaced };
  });
}

/**
 * Makes one attempt of the delivery that a job names, and writes the attempt, what it makes of the delivery, and the
 * end of the job in one transaction. A crash at any point leaves the job, which then goes to another worker: the
 * receiver may see an event twice, never not at all. A job of the prompt lane whose host hangs by now goes back to the
 * relay, which gives it a place in the careful lane.
 */
export async function deliver(
  options: DeliverOptions,
  { job, delivery, isMisplaced }: PreparedJob,
): Promise<void> {
  const finish = async (write: (client: pg.PoolClient) => Promise<unknown>): Promise<void> => {
    await options.settler.end(job, { write });
  };
  if (!delivery) return finish(async () => {});
  const { receiverState } = delivery;
  if (receiverState === "disabled" || receiverState === "removed")
    return finish((client) => giveUp(client, job.id, `receiver_${receiverState}`));
  if (receiverState === "paused")
    return finish(async (client) => {
      if (!(await holdDelivery(client, job.id))) await putBack(client, job.id, delivery.attemptCount);
    });

  const back = () => finish((client) => putBack(client, job.id, delivery.attemptCount));
  if (isMisplaced) return back();
  const made = await makeAttempt(options, delivery);
  if (!made) return back();

  const attempt = settlementOf(job.id, delivery, made);
  const settled = await options.settler.end(job, { attempt });
  logAttempt(options.log, delivery, attempt, settled);
}

type MadeAttempt = AttemptOutcome & { startedAt: Date; requestHeaders: Record<string, string> };

async function makeAttempt(options: DeliverOptions, delivery: QueuedDelivery): Promise<MadeAttempt | null> {
  const { now = Date.now, connector, privateAllowed, timeoutMs, abandon } = options;
  const startedAt = new Date(now());
  const signing = signingKeys(delivery, options.keyring);
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
  const headers = {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    ...signWebhook({
      id: delivery.eventId,
      event: delivery.eventName,
      timestampSeconds: Math.floor(startedAt.getTime() / 1_000),
      body: delivery.body,
      ...signing,
    }),
  };
  const { address, mode, body } = delivery;
  const outcome = await sendAttempt({
    address,
    mode,
    headers,
    body,
    connector,
    privateAllowed,
    timeoutMs,
    abandon,
  });
  if (!outcome) return null;
  const requestHeaders = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !SIGNATURE_HEADERS.has(name.toLowerCase())),
  );
  return { startedAt, requestHeaders, ...outcome };
}

/** What an attempt makes of its delivery: delivered, failed for good, or due again by the schedule. */
export function settlementOf(
  deliveryId: string,
  delivery: Pick<QueuedDelivery, "attemptCount" | "attemptsBefore" | "address" | "receiverId">,
  attempt: MadeAttempt,
): Settlement {
  const { retryAfter, ...kept } = attempt;
  const number = delivery.attemptCount + 1;
  const { address, receiverId, attemptsBefore } = delivery;
  const base = { deliveryId, number, address, receiverId, nextDelayMs: 0, givenUpBecause: null, ...kept };
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
  delivery: QueuedDelivery,
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
