import { createHash, type KeyObject } from "node:crypto";
import { ErrorCode } from "@tillgate/contract";
import type { Keyring } from "@tillgate/database";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { type SigningUse, signingKey } from "../identity/credentials/access-token.js";

/** Purpose of a page token: a form, an embedded checkout's test buttons, or proof that a visitor saw an order while it was pending. */
export type PageTokenUse = Extract<SigningUse, "form token" | "witness token" | "embed token">;

type PageTokenOwner = { orderId: string; bound: readonly string[] };

const toBinding = (bound: readonly string[]): string =>
  createHash("sha256").update(bound.join("\n")).digest("base64url");

/** Signs a page token. @param expiresAt a Unix time in seconds, or a duration in jose's format (`24h`). */
export async function signPageToken(
  { keyring }: Pick<Context, "keyring">,
  use: PageTokenUse,
  { orderId, bound }: PageTokenOwner,
  expiresAt: number | string,
): Promise<string> {
  const key = findKey(keyring, keyring.current, use);
  if (!key) throw new Error("the current encryption key is missing");
  return new SignJWT({ own: toBinding(bound) })
    .setProtectedHeader({ alg: "HS256", kid: keyring.current })
    .setSubject(orderId)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(key);
}

/** Returns false if the token is forged, expired, issued for another purpose or order, or bound to other values. */
export async function isPageToken(
  { keyring }: Pick<Context, "keyring">,
  use: PageTokenUse,
  token: string,
  { orderId, bound }: PageTokenOwner,
): Promise<boolean> {
  try {
    const find = ({ kid }: { kid?: string | undefined }) => {
      const key = findKey(keyring, kid ?? "", use);
      if (!key) throw new errors.JWSInvalid("signed with an unknown key");
      return key;
    };
    const { payload } = await jwtVerify(token, find, { algorithms: ["HS256"], subject: orderId });
    return payload.own === toBinding(bound);
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

const findKey = (keyring: Keyring, keyId: string, use: PageTokenUse): KeyObject | undefined =>
  signingKey(keyring, keyId, use);

/** A page that was left open overnight must still work. */
export const FORM_LIFETIME = "24h";

/** Placeholder for the order ID in the wallet's forms. No order ID has this format. */
const WALLET_FORM = "wallet";

/** `orderId` is null for a form of the wallet. */
export type FormOwner = {
  orderId: string | null;
  visitor: string;
  /** The session as read. Its shopper is null if the session has ended. */
  session: { sessionId: string | null; shopper: object | null };
};

const toTokenOwner = ({ orderId, visitor }: FormOwner, sessionId: string | null): PageTokenOwner => ({
  orderId: orderId ?? WALLET_FORM,
  bound: [visitor, sessionId ?? ""],
});

/** Signs a form token. An ended session counts as no session, because the same response clears the session's cookie. */
export const signFormToken = (context: Pick<Context, "keyring">, owner: FormOwner): Promise<string> => {
  const { sessionId, shopper } = owner.session;
  return signPageToken(
    context,
    "form token",
    toTokenOwner(owner, shopper === null ? null : sessionId),
    FORM_LIFETIME,
  );
};

/** @throws OperationError FormRejected for a token that is forged, expired, or issued for another form, visitor or session. */
export async function verifyFormToken(
  context: Pick<Context, "keyring">,
  token: string,
  owner: FormOwner,
): Promise<void> {
  const { sessionId, shopper } = owner.session;
  // Accepts a form that was rendered before the session ended, so that the form's action can report the ended session.
  const sessions = new Set(shopper === null ? [sessionId, null] : [sessionId]);
  for (const session of sessions)
    if (await isPageToken(context, "form token", token, toTokenOwner(owner, session))) return;
  throw new OperationError(ErrorCode.FormRejected);
}
