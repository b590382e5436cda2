import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "@tillgate/contract";
import { callOne, type Database, ledger, verifySlowly } from "@tillgate/database";
import type { Context } from "../../context.js";
import { clientNetwork } from "../../limits/client-network.js";
import { OperationError } from "../../operation-error.js";

/** How the locks grow: the first, and what each further wrong PIN brings, as multiples of the first. */
const LOCK_STEPS = [1, 5, 15, 60, 240, 1_440] as const;
const LONGEST_LOCK_SECONDS = 86_400;
/** After how long one wrong PIN is forgotten, in seconds: an account's slowly; an address is shared by many people. */
const FORGET_SECONDS = { account: 86_400, address: 600 } as const;
/** How far apart PINs from an address with many wrong ones are looked at, growing with each further one, in seconds. */
const ADDRESS_GAPS_SECONDS = [1, 1, 2, 2, 3] as const;
/** Who would wait longer for a place among them is asked to come back. The page itself waits no longer than 5 seconds. */
const LONGEST_WAIT_SECONDS = 3;

/** How long each lock lasts, in seconds. */
export const lockSeconds = (first: number): number[] =>
  LOCK_STEPS.map((step) => Math.min(LONGEST_LOCK_SECONDS, first * step));

/**
 * What wrong PINs are counted under. Strangers': what they typed, whether somebody has that phone or e-mail or not; so a
 * lock tells nobody which phone and e-mail are one account's. The account's own: its device, or its session where the device is
 * not known; no stranger can lock these.
 */
export type PinSubject = { kind: "identifier" | "device" | "session"; id: string };

export type PinAttempt = {
  subject: PinSubject;
  clientAddress: string;
  /** The address signs in faster than it may: its PINs are looked at one after the other. */
  hurried?: boolean;
};

const isOwn = ({ kind }: PinSubject): boolean => kind !== "identifier";

/** An address counts for strangers only, and by the network that its owner has. */
const networkOf = ({ subject, clientAddress }: PinAttempt): string | null =>
  isOwn(subject) ? null : clientNetwork(clientAddress);

/**
 * Looks at a PIN, unless its subject is locked. It is counted as wrong before it is looked at, so that guesses in parallel
 * cannot pass a limit together; whoever finds it right calls {@link forgivePin}. Behind an address with many wrong ones it
 * waits for its place first.
 * @param hash the PIN's; a decoy where there is no such account, which costs the same time.
 * @throws OperationError Locked, DeviceLocked, TooManyAttempts.
 */
export async function attemptPin(
  { config, database }: Context,
  attempt: PinAttempt,
  { hash, pin }: { hash: string; pin: string },
): Promise<boolean> {
  const { subject, hurried = false } = attempt;
  const { pool } = database;
  const keys = await keysOf(pool, attempt);
  const counted = await callOne(pool, ledger.countPin, {
    subject: ledger.pinCounter({
      key: keys.subject,
      free: config.wrongPinsUntilLock,
      forgetSeconds: FORGET_SECONDS.account,
      lockSeconds: lockSeconds(config.pinLockSeconds),
    }),
    address:
      keys.address &&
      ledger.pinCounter({
        key: keys.address,
        free: config.wrongPinsAnAddress,
        forgetSeconds: FORGET_SECONDS.address,
        lockSeconds: ADDRESS_GAPS_SECONDS,
      }),
    hurried,
    longestWaitSeconds: LONGEST_WAIT_SECONDS,
  });
  if (counted.locked_seconds > 0)
    throw new OperationError(isOwn(subject) ? Refusal.DeviceLocked : Refusal.Locked, {
      retryAfterSeconds: counted.locked_seconds,
    });
  if (counted.busy_seconds > 0)
    throw new OperationError(Refusal.TooManyAttempts, { retryAfterSeconds: counted.busy_seconds });
  if (counted.wait_ms > 0) await sleep(counted.wait_ms);
  return verifySlowly(hash, pin);
}

/**
 * Takes back what {@link attemptPin} counted: the PIN was right, and so was everything else.
 * @returns how many wrong ones came before it, under the same subject.
 */
export const forgivePin = async ({ database }: Context, attempt: PinAttempt): Promise<number> =>
  callOne(database.pool, ledger.forgivePin, await keysOf(database.pool, attempt));

/** What a PIN is counted under: its subject and, for strangers, the network that it comes from. */
async function keysOf(pool: Database["pool"], attempt: PinAttempt) {
  const { kind, id } = attempt.subject;
  const network = networkOf(attempt);
  const keyOf = (of: string, subject: string) => callOne(pool, ledger.pinCounterKey, { kind: of, subject });
  return {
    subject: await keyOf(kind, id),
    address: network === null ? null : await keyOf("address", network),
  };
}

/** Ends the locks of an account for strangers: its PIN is a new one. Those of its devices go with the devices. */
export async function forgetPinFailures({ database }: Context, walletUserId: string): Promise<void> {
  await database.pool.query(
    `DELETE FROM pin_failures WHERE key IN (
       SELECT pin_counter_key('identifier', u.mode || ' ' || typed) FROM wallet_users u, unnest(ARRAY[u.phone, u.email]) typed
       WHERE u.id = $1)`,
    [walletUserId],
  );
}
