import { isIP } from "node:net";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { ErrorCode, isLoopbackHost } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";

/** Passkeys of console users and of shoppers are made and judged here. */

/** In place of a PIN the authenticator must recognise the person. */
export const SHOPPER_VERIFICATION = "required";
/** The most passkeys of one person. */
export const MAX_PASSKEYS = 10;

/** Whom passkeys are made for: a site's origin, and its host. */
export type Party = { origin: string; id: string };

export function relyingPartyOf(address: string): Party {
  const { origin, hostname } = new URL(address);
  return { origin, id: hostname };
}

/** Whether browsers make passkeys there: for a name, over https or on the machine itself. */
export function canHavePasskeys(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith("[");
  return !isAddress && (protocol === "https:" || isLoopbackHost(hostname));
}

/**
 * `preferred` beside a password; `required` in place of a PIN: the authenticator then has recognised the person, by a finger,
 * a face or a PIN of its own.
 */
export type Verification = "preferred" | "required";

/** How a browser finds a passkey that is known. */
export type KnownPasskey = { credentialId: string; transports: string[] };

const described = (known: readonly KnownPasskey[]) =>
  known.map(({ credentialId: id, transports }) => ({ id, transports }));

type NewPasskey = {
  party: Party;
  /** The id of its owner, and what the authenticator calls it. */
  owner: { id: string; name: string };
  known: readonly KnownPasskey[];
  verification: Verification;
};

/** What a browser is to make a passkey with. @throws OperationError TooManyPasskeys. */
export async function newPasskeyOptions({
  party,
  owner,
  known,
  verification,
}: NewPasskey): Promise<PublicKeyCredentialCreationOptionsJSON> {
  requireRoomForPasskey(known.length);
  return generateRegistrationOptions({
    rpName: "Tillgate",
    rpID: party.id,
    userName: owner.name,
    userID: new TextEncoder().encode(owner.id),
    attestationType: "none",
    excludeCredentials: described(known),
    authenticatorSelection: { residentKey: "preferred", userVerification: verification },
  });
}

/** @throws OperationError TooManyPasskeys. */
export function requireRoomForPasskey(count: number): void {
  if (count >= MAX_PASSKEYS) throw new OperationError(ErrorCode.TooManyPasskeys);
}

type CheckedPasskey = { party: Party; challenge: string; verification: Verification };

/** Reads a passkey that a browser has made. @throws OperationError PasskeyRefused. */
export async function readNewPasskey(
  context: Pick<Context, "log">,
  credential: RegistrationResponseJSON,
  { party, challenge, verification }: CheckedPasskey,
) {
  const made = await verifyRegistrationResponse({
    response: credential,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: verification === "required",
  }).catch(refusedPasskey(context));
  if (!made.verified) throw new OperationError(ErrorCode.PasskeyRefused);
  const { id: credentialId, publicKey, counter, transports = [] } = made.registrationInfo.credential;
  return { credentialId, publicKey: Uint8Array.from(publicKey), counter, transports };
}

/** What a browser is to sign with one of these passkeys. @param challenge drawn at random when left out. */
export const signingOptions = (
  { party, known, verification }: Omit<NewPasskey, "owner">,
  challenge?: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: described(known),
    userVerification: verification,
    ...(challenge && { challenge }),
  });

/** A passkey as it was kept. */
export type StoredPasskey = { credentialId: string; publicKey: Uint8Array; counter: bigint };

/**
 * Judges a passkey's signature. A counter that does not grow is a copy's; 0 stays 0 where the authenticator does not count.
 * @returns the counter that it brought.
 * @throws OperationError PasskeyRefused.
 */
export async function readSignature(
  context: Pick<Context, "log">,
  response: AuthenticationResponseJSON,
  { credentialId, publicKey, counter }: StoredPasskey,
  { party, challenge, verification }: CheckedPasskey,
): Promise<number> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter: Number(counter) },
    requireUserVerification: verification === "required",
  }).catch(refusedPasskey(context));
  if (!verified) throw new OperationError(ErrorCode.PasskeyRefused);
  return authenticationInfo.newCounter;
}

/** The library says by its error's text what is wrong: that goes into the log, and the caller learns only that it is. */
const refusedPasskey =
  ({ log }: Pick<Context, "log">) =>
  (error: unknown): never => {
    log.info({ reason: error instanceof Error ? error.message : String(error) }, "a passkey was refused");
    throw new OperationError(ErrorCode.PasskeyRefused);
  };

/** How long a challenge may be signed, in seconds: as long as a browser waits for the person. */
export const CHALLENGE_SECONDS = 300;

/** A session of the console or of a wallet: it keeps the challenge that it got last. */
export type ChallengedSession = { table: "console_sessions" | "wallet_sessions"; id: string };

/** Keeps what a passkey is to sign in this session, in place of an earlier challenge. */
export async function storeChallenge(
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
  if (!taken) throw new OperationError(ErrorCode.PasskeyRefused);
  return taken.challenge;
}
