import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "@tillgate/contract";
import { callOne, type Database, ledger, verifySlowly, type WalletUserModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { clientNetwork } from "../../limits/client-network.js";
import { OperationError } from "../../operation-error.js";

/** How the locks grow: the first, and what each further wrong PIN brings, as multiples of the first. */
const LOCK_STEPS = [1, 5, 15, 60, 240, 1_440] as const;
const LONGEST_LOCK_SECONDS = 86_400;
/** After how long one wrong PIN is forgotten, in seconds: an account's slowly; an address is shared by many people. */
const FORGET_SECONDS = { account: 86_400, address: 600 } as const;
/** The time between PIN checks from an address with many wrong ones, in seconds. It grows with each further one. */
const ADDRESS_GAPS_SECONDS = [1, 1, 2, 2, 3] as const;
/** A caller who would wait longer is asked to come back. The page itself waits no longer than 5 seconds. */
const LONGEST_WAIT_SECONDS = 3;

/** How long each lock lasts, in seconds. */
export const lockSeconds = (first: number): number[] =>
  LOCK_STEPS.map((step) => Math.min(LONGEST_LOCK_SECONDS, first * step));

/**
 * The subject that wrong PINs are counted under. A stranger's is the typed text, whether an account has it or not. So a
 * lock does not reveal which phone and e-mail belong to one account. The account's own is its device, or its session where
 * the device is not known. A stranger cannot lock these.
 */
export type PinSubject = { kind: "identifier" | "device" | "session"; id: string };

export type PinAttempt = {
  subject: PinSubject;
  clientAddress: string;
  /** The address signs in too often: its PINs are checked one after the other. */
  hurried?: boolean;
};

const isOwn = ({ kind }: PinSubject): boolean => kind !== "identifier";

/** An address counts for strangers only, as the network of its owner. */
const networkOf = ({ subject, clientAddress }: PinAttempt): string | null =>
  isOwn(subject) ? null : clientNetwork(clientAddress);

/**
 * Checks a PIN, unless its subject is locked. The attempt is counted as wrong before the check, so that parallel guesses
 * cannot pass a limit together. After success the caller calls {@link forgivePin}. An address with many wrong PINs waits
 * for its place first.
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
 * Takes back what {@link attemptPin} counted, after the PIN and everything else were right.
 * @returns how many wrong ones came before it, under the same subject.
 */
export const forgivePin = async ({ database }: Context, attempt: PinAttempt): Promise<number> =>
  callOne(database.pool, ledger.forgivePin, await keysOf(database.pool, attempt));

/** What a PIN is counted under: its subject and, for strangers, the network that it comes from. */
async function keysOf(pool: Database["pool"], attempt: PinAttempt) {
  const { kind, id } = attempt.subject;
  const network = networkOf(attempt);
  const [subject, address] = await Promise.all([
    keyOf(pool, kind, id),
    network === null ? null : keyOf(pool, "address", network),
  ]);
  return { subject, address };
}

const keyOf = (pool: Database["pool"], kind: string, subject: string) =>
  callOne(pool, ledger.pinCounterKey, { kind, subject });

/** Ends the locks of an account for strangers, because its PIN is new. Locks of its devices end with the devices. */
export async function forgetPinFailures(
  { database: { pool } }: Context,
  { mode, phone, email }: Pick<WalletUserModel, "mode" | "phone" | "email">,
): Promise<void> {
  const typed = [phone, email].filter((one) => one !== null);
  const keys = await Promise.all(typed.map((one) => keyOf(pool, "identifier", `${mode} ${one}`)));
  await pool.query("DELETE FROM pin_failures WHERE key = ANY($1)", [keys]);
}
