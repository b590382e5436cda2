import { createHash } from "node:crypto";
import { verifySlowly } from "@tillgate/database";
import type { Context } from "../../context.js";
import { clientNetwork } from "../../limits/client-network.js";
import { OperationError, Refusal } from "../errors.js";

/** How the locks grow: the first, and what each further wrong PIN brings, as multiples of the first. */
const LOCK_STEPS = [1, 5, 15, 60, 240, 1_440] as const;
const LONGEST_LOCK_SECONDS = 86_400;
/** After how long one wrong PIN is forgotten, in seconds: an account's slowly; an address is shared by many people. */
const FORGET_SECONDS = { account: 86_400, address: 600 } as const;

/** How long each lock lasts, in seconds. */
export const lockSeconds = (first: number): number[] =>
  LOCK_STEPS.map((step) => Math.min(LONGEST_LOCK_SECONDS, first * step));

/** Whose PIN from where: what is counted is kept as a hash, and any length fits. */
export type PinAttempt = {
  /** The wallet user's id, or what was typed where there is none. */
  subject: string;
  clientAddress: string;
};

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const accountKey = (subject: string): Buffer => digest(`account ${subject}`);
const addressKey = (clientAddress: string): Buffer => digest(`address ${clientNetwork(clientAddress)}`);

/**
 * Looks at a PIN, unless its account or address is locked. It is counted as wrong before it is looked at, so that guesses
 * in parallel cannot pass a limit together; whoever finds it right calls {@link forgivePin}.
 * @param hash the PIN's; a decoy where there is no such account, which costs the same time.
 * @throws OperationError Locked.
 */
export async function attemptPin(
  context: Context,
  { subject, clientAddress }: PinAttempt,
  { hash, pin }: { hash: string; pin: string },
): Promise<boolean> {
  const { config, database } = context;
  const keys = [accountKey(subject), addressKey(clientAddress)];
  const steps = lockSeconds(config.pinLockSeconds);
  const { rows } = await database.pool.query<{ wait: number }>(
    `SELECT count_pin(ARRAY[($1, $3, $5, $7)::pin_counter, ($2, $4, $6, $7)::pin_counter]) AS wait`,
    [
      ...keys,
      config.wrongPinsUntilLock,
      config.wrongPinsAnAddress,
      FORGET_SECONDS.account,
      FORGET_SECONDS.address,
      steps,
    ],
  );
  const wait = rows[0]?.wait ?? 0;
  if (wait > 0) throw new OperationError(Refusal.Locked, { retryAfterSeconds: wait });
  return verifySlowly(hash, pin);
}

/** Takes back what {@link attemptPin} counted: the PIN was right, and so was everything else. */
export async function forgivePin(
  { database }: Context,
  { subject, clientAddress }: PinAttempt,
): Promise<void> {
  await database.pool.query("SELECT forgive_pin($1, $2)", [accountKey(subject), addressKey(clientAddress)]);
}

/** Ends an account's lock: its PIN is a new one. */
export async function forgetPinFailures({ database }: Context, walletUserId: string): Promise<void> {
  await database.pool.query("DELETE FROM pin_failures WHERE key = $1", [accountKey(walletUserId)]);
}
