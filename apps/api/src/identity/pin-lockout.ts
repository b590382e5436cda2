import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ErrorCode } from "@tillgate/contract";
import { callOne, type Database, ledger, verifyPassword, type WalletUserModel } from "@tillgate/database";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { getClientNetwork } from "../platform/client-network.js";

/** Lockout durations for each further wrong PIN, as multiples of the first. */
const LOCK_STEPS = [1, 5, 15, 60, 240, 1_440] as const;
const LONGEST_LOCK_SECONDS = 86_400;
/** How long one wrong PIN counts, in seconds. It is short for an address, which many people may share. */
const FORGET_SECONDS = { account: 86_400, address: 600 } as const;
/** Interval between PIN checks from an address with many wrong ones, in seconds. It grows with each further one. */
const ADDRESS_GAPS_SECONDS = [1, 1, 2, 2, 3] as const;
/** A caller that would have to wait longer is rejected. The page itself waits at most 5 seconds. */
const MAX_WAIT_SECONDS = 3;

/** Returns the durations of successive lockouts, in seconds. */
export const lockSeconds = (first: number): number[] =>
  LOCK_STEPS.map((step) => Math.min(LONGEST_LOCK_SECONDS, first * step));

/**
 * The subjects under which wrong PINs, passwords and codes are counted.
 * - `identifier`: the phone or e-mail typed on an unknown device, whether or not an account has it, so that a lockout does not reveal which
 * phone and e-mail belong to one account.
 * - `device`: a shopper's trusted device. `session`: the shopper's session if its device is unknown. Outsiders cannot lock these.
 * - `console`: the e-mail typed by a console user. `console own`: the user in a network from which the user has signed in.
 * - `second factor`: the user whose password was right; counts codes, and the password repeated before a change of sign-in.
 */
export type PinSubject = {
  kind: "identifier" | "device" | "session" | "console" | "console own" | "second factor";
  id: string;
};

/** For each kind of subject, the error while it is locked, and whether its client address is counted too. */
const KINDS = {
  identifier: { locked: ErrorCode.Locked, byAddress: true },
  device: { locked: ErrorCode.DeviceLocked, byAddress: false },
  session: { locked: ErrorCode.DeviceLocked, byAddress: false },
  console: { locked: ErrorCode.SignInLocked, byAddress: true },
  "console own": { locked: ErrorCode.SignInLocked, byAddress: true },
  "second factor": { locked: ErrorCode.SignInLocked, byAddress: false },
} as const satisfies Record<PinSubject["kind"], { locked: ErrorCode; byAddress: boolean }>;

export type PinAttempt = {
  subject: PinSubject;
  clientAddress: string;
  /** Whether the address signs in too often. Its PINs are then verified one after another. */
  rateExceeded?: boolean;
};

/** Finds the network that the attempt counts against; null if its address is not counted. */
const findCountedNetwork = ({ subject, clientAddress }: PinAttempt): string | null =>
  KINDS[subject.kind].byAddress ? getClientNetwork(clientAddress) : null;

/**
 * Verifies a PIN or password, unless its subject is locked. After success, the caller must call {@link refundPinAttempt}.
 * @param hash the hash of the PIN or password, or a decoy hash for an unknown account, so that known and unknown accounts take the same
 * time.
 * @returns whether the PIN or password is correct.
 * @throws OperationError Locked, DeviceLocked, SignInLocked, TooManyAttempts.
 */
export async function attemptPin(
  context: Context,
  attempt: PinAttempt,
  { hash, pin }: { hash: string; pin: string },
): Promise<boolean> {
  await countAttempt(context, attempt);
  return verifyPassword(hash, pin);
}

/**
 * Counts an attempt as wrong before it is verified, so that concurrent guesses cannot exceed a limit. Delays an attempt from an address
 * with many wrong attempts.
 * @throws OperationError Locked, DeviceLocked, SignInLocked, TooManyAttempts.
 */
export async function countAttempt({ config, database }: Context, attempt: PinAttempt): Promise<void> {
  const { subject, rateExceeded = false } = attempt;
  const { pool } = database;
  const keys = await deriveKeys(pool, attempt);
  const attempts = await callOne(pool, ledger.countPin, {
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
        free: config.wrongPinsPerIpAddress,
        forgetSeconds: FORGET_SECONDS.address,
        lockSeconds: ADDRESS_GAPS_SECONDS,
      }),
    hurried: rateExceeded,
    longestWaitSeconds: MAX_WAIT_SECONDS,
  });
  if (attempts.locked_seconds > 0)
    throw new OperationError(KINDS[subject.kind].locked, { retryAfterSeconds: attempts.locked_seconds });
  if (attempts.busy_seconds > 0)
    throw new OperationError(ErrorCode.TooManyAttempts, { retryAfterSeconds: attempts.busy_seconds });
  if (attempts.wait_ms > 0) await sleep(attempts.wait_ms);
}

/**
 * Counts a sign-in from an unknown device or to the console, successful or not, or a request for a console link, against the sign-in limit
 * of the client's network.
 * @returns whether the network has exceeded the limit.
 */
export async function exceedsSignInRate(context: Context, clientAddress: string): Promise<boolean> {
  // Hashed, because page and console pass on an address header of any length.
  const network = createHash("sha256").update(getClientNetwork(clientAddress)).digest("base64url");
  const { allowed } = await context.memory.requests.consume(
    `sign-in:${network}`,
    context.config.signInsPerMinute,
  );
  return !allowed;
}

/**
 * Removes a successful attempt from the counts, and resets the count of its subject. The address keeps its earlier wrong attempts.
 * @returns the number of earlier wrong attempts that were counted for the subject.
 */
export const refundPinAttempt = async ({ database }: Context, attempt: PinAttempt): Promise<number> =>
  callOne(database.pool, ledger.forgivePin, await deriveKeys(database.pool, attempt));

/** Returns the keys that an attempt is counted under: its subject and, for unknown devices and the console's passwords, its network. */
async function deriveKeys(pool: Database["pool"], attempt: PinAttempt) {
  const { kind, id } = attempt.subject;
  const network = findCountedNetwork(attempt);
  const [subject, address] = await Promise.all([
    deriveKey(pool, kind, id),
    network === null ? null : deriveKey(pool, "address", network),
  ]);
  return { subject, address };
}

const deriveKey = (pool: Database["pool"], kind: string, subject: string) =>
  callOne(pool, ledger.pinCounterKey, { kind, subject });

/** Clears the failed attempts and lockouts of these subjects. Called after a new PIN or password is set. */
export async function clearPinFailures(
  { database: { pool } }: Context,
  subjects: readonly PinSubject[],
): Promise<void> {
  const keys = await Promise.all(subjects.map(({ kind, id }) => deriveKey(pool, kind, id)));
  await pool.query("DELETE FROM pin_failures WHERE key = ANY($1)", [keys]);
}

/** Clears the counts and lockouts caused by wrong PINs on unknown devices. Called after a new PIN is set. */
export const clearShopperLocks = (
  context: Context,
  { mode, phone, email }: Pick<WalletUserModel, "mode" | "phone" | "email">,
): Promise<void> =>
  clearPinFailures(
    context,
    [phone, email]
      .filter((contact) => contact !== null)
      .map((contact) => ({ kind: "identifier" as const, id: `${mode} ${contact}` })),
  );
