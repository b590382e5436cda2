import { isIP } from "node:net";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { ErrorCode, isLoopbackHost } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";

/** Loads the library at its first use, because loading takes a sixth of a process's startup time. */
const loadWebAuthn = () => import("@simplewebauthn/server");

/** A passkey that replaces a PIN requires user verification. */
export const SHOPPER_VERIFICATION = "required";
export const MAX_PASSKEYS = 10;

export type RelyingParty = { origin: string; id: string };

export function toRelyingParty(address: string): RelyingParty {
  const { origin, hostname } = new URL(address);
  return { origin, id: hostname };
}

/** Returns whether browsers support passkeys at an address: they require a host name, and https unless the host is localhost. */
export function canHavePasskeys(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith("[");
  return !isAddress && (protocol === "https:" || isLoopbackHost(hostname));
}

/** User verification by fingerprint, face or the authenticator's PIN: `preferred` in addition to a password, `required` in place of a PIN. */
export type Verification = "preferred" | "required";

export type KnownPasskey = { credentialId: string; transports: string[] };

const toDescriptors = (known: readonly KnownPasskey[]) =>
  known.map(({ credentialId: id, transports }) => ({ id, transports }));

type NewPasskey = {
  party: RelyingParty;
  owner: { id: string; name: string };
  known: readonly KnownPasskey[];
  verification: Verification;
};

/** Returns options for a browser to create a passkey. @throws OperationError TooManyPasskeys. */
export async function createRegistrationOptions({
  party,
  owner,
  known,
  verification,
}: NewPasskey): Promise<PublicKeyCredentialCreationOptionsJSON> {
  requireFreePasskeySlot(known.length);
  const { generateRegistrationOptions } = await loadWebAuthn();
  return generateRegistrationOptions({
    rpName: "Tillgate",
    rpID: party.id,
    userName: owner.name,
    userID: new TextEncoder().encode(owner.id),
    attestationType: "none",
    excludeCredentials: toDescriptors(known),
    authenticatorSelection: { residentKey: "preferred", userVerification: verification },
  });
}

/** @throws OperationError TooManyPasskeys. */
export function requireFreePasskeySlot(count: number): void {
  if (count >= MAX_PASSKEYS) throw new OperationError(ErrorCode.TooManyPasskeys);
}

type CheckedPasskey = { party: RelyingParty; challenge: string; verification: Verification };

/** @throws OperationError PasskeyRefused. */
export async function verifyNewPasskey(
  context: Pick<Context, "log">,
  credential: RegistrationResponseJSON,
  { party, challenge, verification }: CheckedPasskey,
) {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const response = await verifyRegistrationResponse({
    response: credential,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: verification === "required",
  }).catch(rejectPasskey(context));
  if (!response.verified) throw new OperationError(ErrorCode.PasskeyRefused);
  const { id: credentialId, publicKey, counter, transports = [] } = response.registrationInfo.credential;
  return { credentialId, publicKey: Uint8Array.from(publicKey), counter, transports };
}

/** Returns options for a browser to sign with a known passkey. @param challenge Default: random. */
export async function createSigningOptions(
  { party, known, verification }: Omit<NewPasskey, "owner">,
  challenge?: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: toDescriptors(known),
    userVerification: verification,
    ...(challenge && { challenge }),
  });
}

export type StoredPasskey = { credentialId: string; publicKey: Uint8Array; counter: bigint };

/**
 * Verifies a passkey's signature. A counter that does not increase is rejected, because it indicates a cloned authenticator; an authenticator
 * without a counter always reports 0.
 * @returns the new counter.
 * @throws OperationError PasskeyRefused.
 */
export async function verifySignature(
  context: Pick<Context, "log">,
  response: AuthenticationResponseJSON,
  { credentialId, publicKey, counter }: StoredPasskey,
  { party, challenge, verification }: CheckedPasskey,
): Promise<number> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter: Number(counter) },
    requireUserVerification: verification === "required",
  }).catch(rejectPasskey(context));
  if (!verified) throw new OperationError(ErrorCode.PasskeyRefused);
  return authenticationInfo.newCounter;
}

/** Logs the reason. The caller learns only that the passkey was rejected. */
const rejectPasskey =
  ({ log }: Pick<Context, "log">) =>
  (error: unknown): never => {
    log.info({ reason: error instanceof Error ? error.message : String(error) }, "rejected a passkey");
    throw new OperationError(ErrorCode.PasskeyRefused);
  };

export const CHALLENGE_SECONDS = 300;

export type ChallengedSession = { table: "console_sessions" | "wallet_sessions"; id: string };

/** Stores a session's challenge, which replaces an earlier challenge. */
export async function storeChallenge(
  { database: { prisma } }: Context,
  { table, id }: ChallengedSession,
  challenge: string,
): Promise<void> {
  await prisma.$executeRaw`UPDATE ${Prisma.raw(table)} SET passkey_challenge = ${challenge},
    passkey_challenge_until = clock_timestamp() + make_interval(secs => ${CHALLENGE_SECONDS}) WHERE id = ${id}::uuid`;
}

const challengeSchema = z.object({ challenge: z.string() });

/** Consumes a session's challenge. Only one of two concurrent calls finds it. @throws OperationError PasskeyRefused without a valid challenge. */
export async function takeChallenge(
  tx: Prisma.TransactionClient,
  { table, id }: ChallengedSession,
): Promise<string> {
  const rows = await tx.$queryRaw<unknown[]>`
    UPDATE ${Prisma.raw(table)} s SET passkey_challenge = NULL, passkey_challenge_until = NULL
    FROM (SELECT id, passkey_challenge FROM ${Prisma.raw(table)}
      WHERE id = ${id}::uuid AND passkey_challenge_until > clock_timestamp() FOR UPDATE) AS stored
    WHERE s.id = stored.id RETURNING stored.passkey_challenge AS challenge`;
  const [stored] = parseRows(challengeSchema, rows);
  if (!stored) throw new OperationError(ErrorCode.PasskeyRefused);
  return stored.challenge;
}
