import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ErrorCode } from "@tillgate/contract";
import { callOne, type Database, ledger, verifyPassword, type WalletUserModel } from "@tillgate/database";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { getClientNetwork } from "../platform/client-network.js";

/** Durations of successive lockouts, as multiples of the first. */
const LOCK_STEPS = [1, 5, 15, 60, 240, 1_440] as const;
const LONGEST_LOCK_SECONDS = 86_400;
/** How long a wrong PIN counts. The time is short for an address, because many people can share one. */
const FORGET_SECONDS = { account: 86_400, address: 600 } as const;
/** Successive intervals between PIN checks from an address with many wrong PINs. */
const ADDRESS_GAPS_SECONDS = [1, 1, 2, 2, 3] as const;
/** A caller that would have to wait longer is rejected. The page itself waits at most 5 seconds. */
const MAX_WAIT_SECONDS = 3;

export const lockSeconds = (first: number): number[] =>
  LOCK_STEPS.map((step) => Math.min(LONGEST_LOCK_SECONDS, first * step));

/**
 * The subject for which wrong PINs, passwords and codes are counted.
 * - `identifier`: the phone or e-mail typed on an unknown device, not its account, so that a lockout does not reveal which phone and e-mail
 * belong together.
 * - `device`: a shopper's trusted device. `session`: the shopper's session if its device is unknown. Outsiders cannot lock these.
 * - `console`: the e-mail typed by a console user. `console own`: the user in a network from which the user has signed in.
 * - `second factor`: the user whose password was correct. Counts second-factor codes, and passwords repeated before a change of sign-in.
 */
export type PinSubject = {
  kind: "identifier" | "device" | "session" | "console" | "console own" | "second factor";
  id: string;
};

/** `locked` is the error during a lockout; `byAddress` is whether the client's network is counted too. */
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
  /** Whether there are too many sign-ins from the address. If so, PINs from it are verified one after another. */
  rateExceeded?: boolean;
};

/** Returns the network that the attempt counts against; null if the address is not counted. */
const findCountedNetwork = ({ subject, clientAddress }: PinAttempt): string | null =>
  KINDS[subject.kind].byAddress ? getClientNetwork(clientAddress) : null;

/**
 * Verifies a PIN or password. After success, the caller must call {@link refundPinAttempt}.
 * @param hash for an unknown account, a decoy hash, so that known and unknown accounts take the same time.
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
 * Counts an attempt as wrong before it is verified, so that concurrent guesses cannot exceed a limit. Delays an attempt from an address with many
 * wrong attempts.
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

/** Counts a sign-in, successful or not, or a request for a console link. @returns whether the client's network has exceeded the limit. */
export async function exceedsSignInRate(context: Context, clientAddress: string): Promise<boolean> {
  // Hashed, because page and console pass on an address header of any length.
  const network = createHash("sha256").update(getClientNetwork(clientAddress)).digest("base64url");
  const { allowed } = await context.memory.requests.consume(
    `sign-in:${network}`,
    context.config.signInsPerMinute,
  );
  return !allowed;
}

/** Stops counting a correct attempt as wrong, and resets the subject's count but not the address's. @returns the subject's earlier wrong attempts. */
export const refundPinAttempt = async ({ database }: Context, attempt: PinAttempt): Promise<number> =>
  callOne(database.pool, ledger.forgivePin, await deriveKeys(database.pool, attempt));

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

export async function clearPinFailures(
  { database: { pool } }: Context,
  subjects: readonly PinSubject[],
): Promise<void> {
  const keys = await Promise.all(subjects.map(({ kind, id }) => deriveKey(pool, kind, id)));
  await pool.query("DELETE FROM pin_failures WHERE key = ANY($1)", [keys]);
}

/** Clears only the locks for unknown devices (`identifier`). */
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
