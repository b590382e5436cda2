import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { ACCESS_TOKEN_SECONDS, ErrorCode, type Mode, modeSchema } from "@tillgate/contract";
import type { Keyring } from "@tillgate/database";
import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { asClient, authenticateClient, type LimitedClient, resolveCredentials } from "./authenticate.js";
import { type CallOrigin, recordUse } from "./last-used.js";

const KEY_BYTES = 32;

/** Each kind of token has a separate signing key. */
export type SigningUse = "form token" | "witness token" | "embed token" | "access token" | "statement place";

/** Cached because deriving a key is slower than signing with it. Garbage-collected with its keyring. */
const derived = new WeakMap<Keyring, Map<string, KeyObject>>();

/** @returns undefined for a key ID that is not configured. */
export function signingKey(keyring: Keyring, keyId: string, use: SigningUse): KeyObject | undefined {
  const key = keyring.keys.get(keyId);
  if (key === undefined) return undefined;
  const keys = derived.get(keyring) ?? new Map<string, KeyObject>();
  derived.set(keyring, keys);
  const name = `${keyId} ${use}`;
  const signing =
    keys.get(name) ??
    createSecretKey(new Uint8Array(hkdfSync("sha256", key, "", `tillgate ${use}`, KEY_BYTES)));
  keys.set(name, signing);
  return signing;
}

const ALGORITHM = "HS256";
const TYPE = "at+jwt";
const ISSUER = "tillgate";
const AUDIENCE = "pay-api";

const claimsSchema = z.object({ sub: z.uuid(), cid: z.uuid(), mode: modeSchema });

function toTokenError(error: OperationError): OperationError {
  if (error.errorCode === ErrorCode.InvalidCredentials) return new OperationError(ErrorCode.InvalidSecretId);
  return error.errorCode === ErrorCode.WrongMode
    ? new OperationError(ErrorCode.SecretIdOfOtherMode, error.details)
    : error;
}

/**
 * @throws OperationError InvalidSecretId, including for an unknown client; TooManyRequests after repeated failures; SecretIdOfOtherMode,
 * MerchantSuspended.
 */
export async function issueAccessToken(
  context: Context,
  input: { clientId: string; clientSecret: string; mode: Mode } & CallOrigin,
): Promise<string> {
  const client = await authenticateClient(context, input).catch((error: unknown) => {
    throw error instanceof OperationError ? toTokenError(error) : error;
  });
  const { keyring } = context;
  const key = signingKey(keyring, keyring.current, "access token");
  if (!key) throw new Error("the current encryption key is missing");
  return new SignJWT({ cid: client.credentialId, mode: client.mode })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: keyring.current })
    .setSubject(client.merchantId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_TOKEN_SECONDS}s`)
    .sign(key);
}

/** Looks up the token's credential again, so that revoking the credential invalidates its tokens. @throws OperationError InvalidAccessToken. */
export async function authenticateAccessToken(
  context: Context,
  token: string,
  mode: Mode,
  origin: CallOrigin,
): Promise<LimitedClient> {
  const { data: claims } = claimsSchema.safeParse(await verifyClaims(context, token));
  if (claims?.mode !== mode) throw new OperationError(ErrorCode.InvalidAccessToken);
  const [credential] = await resolveCredentials(context, "id", claims.cid);
  if (credential?.merchantId !== claims.sub || credential.mode !== mode || credential.suspended)
    throw new OperationError(ErrorCode.InvalidAccessToken);
  await recordUse(context, credential, origin);
  return asClient(credential);
}

async function verifyClaims({ keyring }: Context, token: string): Promise<unknown> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = signingKey(keyring, kid ?? "", "access token");
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ["exp", "sub", "cid", "mode"],
      },
    );
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new OperationError(ErrorCode.InvalidAccessToken);
    throw error;
  }
}
