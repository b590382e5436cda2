import { createHash, type KeyObject } from "node:crypto";
import type { Keyring } from "@tillgate/database";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Context } from "../../context.js";
import { type SigningUse, signingKey } from "../../credentials/signing-key.js";

/**
 * The page sends these tokens back unchanged: a form's token, that of a frame's test buttons, and the proof of having seen an
 * order while it was pending.
 */
export type PageTokenUse = Extract<SigningUse, "form token" | "witness token" | "embed token">;

/** The owner of a token: one order, and the holder of all of these. */
export type PageTokenOwner = { orderId: string; bound: readonly string[] };

const bindingOf = (bound: readonly string[]): string =>
  createHash("sha256").update(bound.join("\n")).digest("base64url");

/** @param expiresAt in seconds since 1970, or as jose writes it (`24h`). */
export async function signPageToken(
  { keyring }: Pick<Context, "keyring">,
  use: PageTokenUse,
  { orderId, bound }: PageTokenOwner,
  expiresAt: number | string,
): Promise<string> {
  const key = keyFor(keyring, keyring.current, use);
  if (!key) throw new Error("the current key is not in the keyring");
  return new SignJWT({ own: bindingOf(bound) })
    .setProtectedHeader({ alg: "HS256", kid: keyring.current })
    .setSubject(orderId)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(key);
}

/** @returns false for a token that is forged, old, of another use, or somebody else's. */
export async function isPageToken(
  { keyring }: Pick<Context, "keyring">,
  use: PageTokenUse,
  token: string,
  { orderId, bound }: PageTokenOwner,
): Promise<boolean> {
  try {
    const find = ({ kid }: { kid?: string | undefined }) => {
      const key = keyFor(keyring, kid ?? "", use);
      if (!key) throw new errors.JWSInvalid("signed with a key that is gone");
      return key;
    };
    const { payload } = await jwtVerify(token, find, { algorithms: ["HS256"], subject: orderId });
    return payload.own === bindingOf(bound);
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

const keyFor = (keyring: Keyring, keyId: string, use: PageTokenUse): KeyObject | undefined =>
  signingKey(keyring, keyId, use);
