import { Refusal } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../operation-error.js";

/** How long a challenge may be signed, in seconds: as long as a browser waits for the person. */
export const CHALLENGE_SECONDS = 300;

/** A session of the console or of a wallet: it keeps the challenge that it got last. */
export type ChallengedSession = { table: "console_sessions" | "wallet_sessions"; id: string };

/** Keeps what a passkey is to sign in this session, in place of an earlier challenge. */
export async function keepChallenge(
  { database: { prisma } }: Context,
  { table, id }: ChallengedSession,
  challenge: string,
): Promise<void> {
  await prisma.$executeRaw`UPDATE ${Prisma.raw(table)} SET passkey_challenge = ${challenge},
    passkey_challenge_until = clock_timestamp() + make_interval(secs => ${CHALLENGE_SECONDS}) WHERE id = ${id}::uuid`;
}

const challengeSchema = z.object({ challenge: z.string() });

/** Uses the session's challenge up: of two answers at once one finds it. @throws OperationError PasskeyRefused. */
export async function takeChallenge(
  tx: Prisma.TransactionClient,
  { table, id }: ChallengedSession,
): Promise<string> {
  const rows = await tx.$queryRaw<unknown[]>`
    UPDATE ${Prisma.raw(table)} s SET passkey_challenge = NULL, passkey_challenge_until = NULL
    FROM (SELECT id, passkey_challenge FROM ${Prisma.raw(table)}
      WHERE id = ${id}::uuid AND passkey_challenge_until > clock_timestamp() FOR UPDATE) AS kept
    WHERE s.id = kept.id RETURNING kept.passkey_challenge AS challenge`;
  const [taken] = parseRows(challengeSchema, rows);
  if (!taken) throw new OperationError(Refusal.PasskeyRefused);
  return taken.challenge;
}
