import { Refusal } from "@tillgate/contract";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import type { Transaction } from "../administration/change.js";
import type { ConsoleSession } from "./console-session.js";

/** How long a challenge may be signed, in seconds: as long as a browser waits for the person. */
const CHALLENGE_SECONDS = 300;

/** Whom passkeys are made for: the console's origin and its host. @throws OperationError PasskeysNotAvailable. */
export function partyOf({ config: { consoleUrl } }: Pick<Context, "config">): { origin: string; id: string } {
  if (consoleUrl === undefined) throw new OperationError(Refusal.PasskeysNotAvailable);
  const { origin, hostname } = new URL(consoleUrl);
  return { origin, id: hostname };
}

/** Keeps what a passkey is to sign in this session, in place of an earlier challenge. */
export async function keepChallenge(
  { database: { prisma } }: Context,
  { id }: ConsoleSession,
  challenge: string,
): Promise<void> {
  await prisma.$executeRaw`UPDATE console_sessions SET passkey_challenge = ${challenge},
    passkey_challenge_until = clock_timestamp() + make_interval(secs => ${CHALLENGE_SECONDS}) WHERE id = ${id}::uuid`;
}

const challengeSchema = z.object({ challenge: z.string() });

/** Uses the session's challenge up: of two answers at once one finds it. @throws OperationError PasskeyRefused. */
export async function takeChallenge(tx: Transaction, { id }: ConsoleSession): Promise<string> {
  const rows = await tx.$queryRaw<unknown[]>`
    UPDATE console_sessions s SET passkey_challenge = NULL, passkey_challenge_until = NULL
    FROM (SELECT id, passkey_challenge FROM console_sessions
      WHERE id = ${id}::uuid AND passkey_challenge_until > clock_timestamp() FOR UPDATE) AS kept
    WHERE s.id = kept.id RETURNING kept.passkey_challenge AS challenge`;
  const [taken] = parseRows(challengeSchema, rows);
  if (!taken) throw new OperationError(Refusal.PasskeyRefused);
  return taken.challenge;
}

/** The library says by its error's text what is wrong: that goes into the log, and the caller learns only that it is. */
export const refusedPasskey =
  ({ log }: Pick<Context, "log">) =>
  (error: unknown): never => {
    log.info({ reason: error instanceof Error ? error.message : String(error) }, "a passkey was refused");
    throw new OperationError(Refusal.PasskeyRefused);
  };
