import { createHash } from "node:crypto";
import { Refusal } from "@tillgate/contract";
import type { RateLimiterPostgres } from "rate-limiter-flexible";
import type { Context } from "../context.js";
import { OperationError } from "../operation-error.js";
import { BoundedMap } from "./bounded-map.js";
import { clientNetwork } from "./client-network.js";
import { createCounter, NO_LIMIT } from "./counters.js";

/** How long a failure counts, in seconds. */
const REMEMBER_SECONDS = 900;
/** The first wait, doubled with each further failure, and the longest, in seconds. */
const FIRST_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 60;
/** How many waits one process keeps in memory; the others are read from the database. */
const MAX_KEYS = 10_000;

type Failures = {
  counted: RateLimiterPostgres;
  waits: RateLimiterPostgres;
  /** Until when which key waits, in milliseconds since 1970. */
  known: BoundedMap<number>;
};

const failuresOf = new WeakMap<Context["database"], Failures>();

function failures(context: Context): Failures {
  const known = failuresOf.get(context.database);
  if (known) return known;
  const made = {
    counted: createCounter(context, {
      name: "wrong-secret",
      points: NO_LIMIT,
      windowSeconds: REMEMBER_SECONDS,
    }),
    waits: createCounter(context, {
      name: "wrong-secret-wait",
      points: 1,
      windowSeconds: LONGEST_WAIT_SECONDS,
    }),
    known: new BoundedMap<number>(MAX_KEYS),
  };
  failuresOf.set(context.database, made);
  return made;
}

/** How long a key waits after its n-th failure, in seconds; 0 for the first `free` ones. */
export const waitSeconds = (failed: number, free: number): number =>
  failed <= free ? 0 : Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (failed - free - 1));

/** How long a key still has to wait, in milliseconds. */
async function pendingMs({ waits, known }: Failures, key: string): Promise<number> {
  const until = known.get(key) ?? 0;
  if (until > Date.now()) return until - Date.now();
  const wait = await waits.get(key);
  const ms = Math.max(0, wait?.msBeforeNext ?? 0);
  if (ms > 0) known.set(key, Date.now() + ms);
  return ms;
}

async function countFailure({ counted, waits, known }: Failures, key: string, free: number): Promise<void> {
  const { consumedPoints } = await counted.penalty(key);
  const seconds = waitSeconds(consumedPoints, free);
  if (seconds === 0) return;
  known.set(key, Date.now() + seconds * 1000);
  await waits.block(key, seconds);
}

/**
 * Counts a failed secret against its client address and, where there is one, against client id and address together.
 * Call it only when the secret is wrong: after some failures wrong ones are refused for a while that doubles each time,
 * and a right one never comes here, so nobody can lock a merchant out.
 * @throws OperationError TooManyRequests while the address, or client id and address, has to wait.
 */
export async function countFailedSecret(
  context: Context,
  { clientAddress, clientId }: { clientAddress: string; clientId?: string },
): Promise<void> {
  const { wrongSecretsAnAddress, wrongSecretsAClient } = context.config;
  const network = clientNetwork(clientAddress);
  const keys = [{ key: network, free: wrongSecretsAnAddress }];
  if (clientId !== undefined) {
    // What was typed is not kept in clear, and any length fits.
    const key = createHash("sha256").update(`${network} ${clientId}`).digest("base64url");
    keys.push({ key, free: wrongSecretsAClient });
  }
  const state = failures(context);
  const waits = await Promise.all(keys.map(({ key }) => pendingMs(state, key)));
  const longest = Math.max(...waits);
  if (longest > 0)
    throw new OperationError(Refusal.TooManyRequests, { retryAfterSeconds: Math.ceil(longest / 1000) });
  await Promise.all(keys.map(({ key, free }) => countFailure(state, key, free)));
}
